/*
 * Exchange_F - 100 rounds of an addition and a swap through pointers by a function, float variables, double arithmetic.
 *
 * Work: per round a call, two loads, two stores, a multiplication and an addition: 100 * 7 = 700.
 */
#include "../sample.h"

#define ROUNDS 100

static __attribute__((noinline)) void swap(float *left, float *right)
{
    float kept = *left;

    *left = *right;
    *right = kept;
}

int main(void)
{
    float a = 1, b = 2;
    int i;

    SHIM_KEEP(&a);
    SHIM_KEEP(&b);
    shim_region_begin("Exchange_F");
    for (i = 0; i < ROUNDS; i++) {
        a = i + 0.1 * b;
        swap(&a, &b);
    }
    shim_region_end("Exchange_F");
    SHIM_KEEP(&a);
    SHIM_KEEP(&b);
    /* b(n) = 0.1 b(n-1) + n - 1 has the solution 10/9 n - 100/81 + (b(0) + 100/81) / 10^n. Each float rounding is below
     * 4e-6. */
    if (sample_verdict_real("b = b(100)", b, 1000.0 / 9 - 100.0 / 81, 1e-5))
        return 1;
    return sample_verdict_real("a = b(99)", a, 990.0 / 9 - 100.0 / 81, 1e-5);
}
