/*
 * Exchange - 100 rounds of an addition and a swap through pointers by a function, int variables.
 *
 * Work: per round a call, two loads, two stores and an addition: 100 * 6 = 600.
 */
#include "../sample.h"

#define ROUNDS 100

static __attribute__((noinline)) void swap(int *left, int *right)
{
    int kept = *left;

    *left = *right;
    *right = kept;
}

int main(void)
{
    int a = 1, b = 2;
    int i;

    SHIM_KEEP(&a);
    SHIM_KEEP(&b);
    shim_region_begin("Exchange");
    for (i = 0; i < ROUNDS; i++) {
        a = i + b;
        swap(&a, &b);
    }
    shim_region_end("Exchange");
    SHIM_KEEP(&a);
    SHIM_KEEP(&b);
    /* b gains i in round i, and a is b of the round before. */
    if (sample_verdict_int("b = 2 + 99 * 100 / 2", b, 4952))
        return 1;
    return sample_verdict_int("a = b - 99", a, 4853);
}
