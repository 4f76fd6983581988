/*
 * fcmp - 8 comparisons of float and double constants held in variables, the results in volatile ints.
 *
 * Work: 8 comparisons, 8 stores: 16 (the two of different types also widen the float).
 */
#include "../sample.h"

int main(void)
{
    float a = 1.25F, b = -3.5F;
    double c = 1.25, d = 2.75;
    volatile int above, below, at_least, equal, differ, at_most, mixed_equal, mixed_below;

    SHIM_KEEP(&a);
    SHIM_KEEP(&b);
    SHIM_KEEP(&c);
    SHIM_KEEP(&d);
    shim_region_begin("fcmp");
    above = a > b;
    below = a < b;
    at_least = a >= b;
    equal = c == d;
    differ = c != d;
    at_most = c <= d;
    mixed_equal = a == c;
    mixed_below = d < b;
    shim_region_end("fcmp");
    return sample_verdict_int("results as bits",
                              above | below << 1 | at_least << 2 | equal << 3 | differ << 4 | at_most << 5 |
                                  mixed_equal << 6 | mixed_below << 7,
                              1 | 1 << 2 | 1 << 4 | 1 << 5 | 1 << 6);
}
