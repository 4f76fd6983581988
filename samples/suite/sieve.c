/*
 * sieve - the primes up to 20000 after Eratosthenes.
 *
 * Work: each of the 19999 - 2262 composites from 2 to 20000 is struck out by at least one store of its own: 17737.
 */
#include "../sample.h"

#define LIMIT 20000

static unsigned char composite[LIMIT + 1];
static int primes;

static void sieve(void)
{
    int i, j;

    for (i = 2; i * i <= LIMIT; i++)
        if (!composite[i])
            for (j = i * i; j <= LIMIT; j += i)
                composite[j] = 1;
    for (i = 2; i <= LIMIT; i++)
        primes += !composite[i];
}

int main(void)
{
    memset(composite, 0, sizeof composite);
    primes = 0;
    SHIM_KEEP(composite);
    SHIM_KEEP(&primes);
    shim_region_begin("sieve");
    sieve();
    shim_region_end("sieve");
    SHIM_KEEP(&primes);
    return sample_verdict_int("number of primes up to 20000", primes, 2262);
}
