/*
 * binary_find - twelve values found in a sorted table of 64.
 *
 * Truth: place i of the table holds 3 i, so the value 3 i is found at i.
 * Work: 12 searches; a table of 64 cannot be halved to one place in fewer than 6 steps, each a comparison: 72.
 */
#include "../sample.h"

enum { N = 64, SEARCHES = 12 };
static int table[N], wanted[SEARCHES], found[SEARCHES];

static int find(int value)
{
    int low = 0, high = N;

    while (high - low > 1) {
        int middle = (low + high) / 2;

        if (table[middle] <= value)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int main(void)
{
    int wrong = 0;

    for (int i = 0; i < N; i++)
        table[i] = 3 * i;
    for (int i = 0; i < SEARCHES; i++)
        wanted[i] = 3 * (i * 23 % N);
    SHIM_KEEP(table);
    SHIM_KEEP(wanted);
    shim_region_begin("binary_find");
    for (int i = 0; i < SEARCHES; i++)
        found[i] = find(wanted[i]);
    SHIM_KEEP(found);
    shim_region_end("binary_find");
    for (int i = 0; i < SEARCHES; i++)
        wrong += found[i] != i * 23 % N;
    return sample_verdict_int("searches that failed", wrong, 0);
}
