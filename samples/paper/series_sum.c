/*
 * SeriesSum - 1 + ... + 10 by the closed formula, once.
 *
 * Work: an addition, a multiplication, a division (or shift): 3.
 */
#include "../sample.h"

int main(void)
{
    int n = 10, sum;

    SHIM_KEEP(&n);
    shim_region_begin("SeriesSum");
    sum = n * (n + 1) / 2;
    SHIM_KEEP(&sum);
    shim_region_end("SeriesSum");
    return sample_verdict_int("1 + ... + 10", sum, 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10);
}
