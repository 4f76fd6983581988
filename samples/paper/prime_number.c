/*
 * PrimeNumber - count the primes from 2 to 999 by trial division from 2 up to n - 1 until one divides, in a function.
 *
 * Work: a prime p costs p - 2 remainders: the 168 primes below 1000 sum to 76127, so 76127 - 336 = 75791; each of the
 * 830 composites costs at least one: 76621 srem.
 */
#include "../sample.h"

#define LIMIT 1000

static __attribute__((noinline)) int is_prime(int n)
{
    int i;

    for (i = 2; i < n; i++)
        if (n % i == 0)
            return 0;
    return 1;
}

int main(void)
{
    int count = 0;
    int n;

    SHIM_KEEP(&count);
    shim_region_begin("PrimeNumber");
    for (n = 2; n < LIMIT; n++)
        if (is_prime(n))
            count++;
    shim_region_end("PrimeNumber");
    SHIM_KEEP(&count);
    return sample_verdict_int("number of primes below 1000", count, 168);
}
