/*
 * fadd - 1000 rounds of a = a + b in float and b = b + i / 1000.0 in double.
 *
 * Work: two additions a round, each needing the one before: 2000; the divisions in vectors of at most 16 lanes: 62.
 */
#include "../sample.h"

#define ROUNDS 1000

int main(void)
{
    float a = 0, b = 0;
    int i;

    SHIM_KEEP(&a);
    SHIM_KEEP(&b);
    shim_region_begin("fadd");
    for (i = 0; i < ROUNDS; i++) {
        a = a + b;
        b = b + i / 1000.0;
    }
    shim_region_end("fadd");
    SHIM_KEEP(&a);
    SHIM_KEEP(&b);
    /* b(r) = r (r - 1) / 2000; a = sum of b(0 .. 999) = 1000 * 999 * 998 / 6000. 1000 float roundings: 6e-5 relative.
     */
    if (sample_verdict_real("b", b, 499.5, 499.5 * 6e-5))
        return 1;
    return sample_verdict_real("a", a, 166167.0, 166167.0 * 6e-5);
}
