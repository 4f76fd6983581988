/*
 * insertion_16 - sixteen readings sorted by insertion, as before a median is taken.
 *
 * Truth: the readings are a permutation of 0 to 15, so place i holds i.
 * Work: 15 readings are compared with a neighbour at least: 15.
 */
#include "../sample.h"

enum { N = 16 };
static const int mixed[N] = {9, 3, 14, 0, 7, 12, 5, 1, 15, 8, 2, 11, 6, 13, 4, 10};
static int readings[N];

static void sort(int *a)
{
    for (int i = 1; i < N; i++) {
        int value = a[i], k = i;

        for (; k > 0 && a[k - 1] > value; k--)
            a[k] = a[k - 1];
        a[k] = value;
    }
}

int main(void)
{
    int wrong = 0;

    memcpy(readings, mixed, sizeof readings);
    SHIM_KEEP(readings);
    shim_region_begin("insertion_16");
    sort(readings);
    SHIM_KEEP(readings);
    shim_region_end("insertion_16");
    for (int i = 0; i < N; i++)
        wrong += readings[i] != i;
    return sample_verdict_int("readings out of place", wrong, 0);
}
