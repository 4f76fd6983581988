/*
 * sum - 0 + 1 + ... + 999: int terms, a float sum.
 *
 * Work: 1000 additions whose order is fixed; a target with ordered vector sums may take up to 16 at once: 62.
 */
#include "../sample.h"

#define TERMS 1000

int main(void)
{
    float sum = 0;
    int i;

    SHIM_KEEP(&sum);
    shim_region_begin("sum");
    for (i = 0; i < TERMS; i++)
        sum += i;
    shim_region_end("sum");
    SHIM_KEEP(&sum);
    return sample_verdict_int("999 * 1000 / 2", (long long)sum, 499500);
}
