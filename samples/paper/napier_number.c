/*
 * NapierNumber - 30 terms of e += 1.0 / k, k *= i in int. As in the paper's program i starts at 0, so k is 1 once and 0
 * ever after, and e is infinite: what counts is 30 divisions.
 *
 * Work: per term a conversion, a division, an addition and a multiplication, each needing the term before: 30 * 4 =
 * 120. Where i starts is opaque, so that no compiler finds out that k is 0.
 */
#include "../sample.h"

#define TERMS 30

int main(void)
{
    double e = 0;
    int k = 1, first = 0;
    int i;

    SHIM_KEEP(&e);
    SHIM_KEEP(&k);
    SHIM_KEEP(&first);
    shim_region_begin("NapierNumber");
    for (i = first; i < TERMS; i++) {
        e += 1.0 / k;
        k *= i;
    }
    shim_region_end("NapierNumber");
    SHIM_KEEP(&e);
    SHIM_KEEP(&k);
    if (sample_verdict_int("k, a product with a 0 in it,", k, 0))
        return 1;
    return sample_verdict_int("whether 1 + 29 * (1.0 / 0) is +infinity", isinf(e) && e > 0, 1);
}
