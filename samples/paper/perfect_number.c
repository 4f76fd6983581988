/*
 * PerfectNumber - count the perfect numbers from 1 to 999 by adding up all proper divisors in int.
 *
 * Work: one remainder for every j < i: 998 * 999 / 2 = 498501 srem (no target that we know divides integers in vectors
 * without being asked to).
 */
#include "../sample.h"

#define LIMIT 1000

int main(void)
{
    int count = 0;
    int i, j;
    int sum;

    SHIM_KEEP(&count);
    shim_region_begin("PerfectNumber");
    for (i = 1; i < LIMIT; i++) {
        sum = 0;
        for (j = 1; j < i; j++) {
            if (i % j == 0)
                sum += j;
        }
        if (sum == i)
            count++;
    }
    shim_region_end("PerfectNumber");
    SHIM_KEEP(&count);
    return sample_verdict_int("number of perfect numbers (6, 28, 496)", count, 3);
}
