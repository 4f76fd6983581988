/*
 * fmul - 1000 rounds of a = a * b in float and b = b + i / 1000.0 in double. The factors grow to 500, so a leaves the
 * range of float on the way and stays infinite, whatever (but 0) it starts from.
 *
 * Work: a multiplication and an addition a round, each needing the one before: 2000; the divisions in vectors of at
 * most 16 lanes: 62.
 */
#include "../sample.h"

#define ROUNDS 1000

int main(void)
{
    float a = 1, b = 1;
    int i;

    SHIM_KEEP(&a);
    SHIM_KEEP(&b);
    shim_region_begin("fmul");
    for (i = 0; i < ROUNDS; i++) {
        a = a * b;
        b = b + i / 1000.0;
    }
    shim_region_end("fmul");
    SHIM_KEEP(&a);
    SHIM_KEEP(&b);
    /* b = 1 + 1000 * 999 / 2000. 1000 float roundings: 6e-5 relative. */
    if (sample_verdict_real("b", b, 500.5, 500.5 * 6e-5))
        return 1;
    return sample_verdict_int("whether a is +infinity", isinf(a) && a > 0, 1);
}
