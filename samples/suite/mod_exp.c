/*
 * mod_exp - Fermat's test: a^(p - 1) mod p for 200 bases a and the prime p = 2^31 - 1, in 64 bits.
 *
 * Work: p - 1 in binary is 30 ones and a 0: 30 squarings and 30 products that matter (the first one by 1), each a
 * multiplication and a remainder that the next needs: 200 * (30 + 30 - 1) * 2 = 23600.
 */
#include "../sample.h"

#define BASES 200

static uint64_t bases[BASES], powers[BASES];

static uint64_t power(uint64_t base, uint64_t exponent, uint64_t modulus)
{
    uint64_t result = 1;

    while (exponent > 0) {
        if (exponent & 1)
            result = result * base % modulus;
        base = base * base % modulus;
        exponent >>= 1;
    }
    return result;
}

int main(void)
{
    uint64_t prime = 2147483647;
    int i;

    for (i = 0; i < BASES; i++)
        bases[i] = 2 + 7919 * (uint64_t)i;
    SHIM_KEEP(bases);
    SHIM_KEEP(&prime);
    shim_region_begin("mod_exp");
    for (i = 0; i < BASES; i++)
        powers[i] = power(bases[i], prime - 1, prime);
    shim_region_end("mod_exp");
    SHIM_KEEP(powers);
    for (i = 0; i < BASES; i++)
        if (sample_verdict_int("a^(p - 1) mod p", (long long)powers[i], 1))
            return 1;
    return 0;
}
