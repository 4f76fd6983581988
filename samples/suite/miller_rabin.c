/*
 * miller_rabin - 24 numbers of up to 64 bits are tested for primality to the first 12 prime bases, in Montgomery's
 * form.
 *
 * Rabin, "Probabilistic Algorithm for Testing Primality", 1980; the twelve bases decide for all numbers below 3.3e24
 * (Sorenson and Webster, 2017); Montgomery, "Modular Multiplication without Trial Division", 1985. The truth: known
 * primes and strong pseudoprimes (OEIS A014233), and products made outside.
 *
 * Work: each of the 11 primes takes 12 powers to exponents of at least 31 bits, a squaring a bit: three products of 64
 * bits, a sum and a comparison, in one chain: 11 * 12 * 30 * 5 = 19800.
 */
#include "../sample.h"
#include "wide.h"

#define NUMBERS 24
#define BASES   12

static const uint64_t primes[] = {
    UINT64_C(2147483647),           UINT64_C(4294967291),           UINT64_C(4294967311),
    UINT64_C(1000000007),           UINT64_C(1000000000039),        UINT64_C(2305843009213693951),
    UINT64_C(18446744073709551557), UINT64_C(18446744073709551533), UINT64_C(9223372036854775783),
    UINT64_C(67280421310721),       UINT64_C(1000000000000000003),
};
/* Strong pseudoprimes to the first 1, 2, ... 9 primes, and numbers that are plainly not prime. */
static const uint64_t composites[] = {
    2047,
    1373653,
    25326001,
    UINT64_C(3215031751),
    UINT64_C(2152302898747),
    UINT64_C(3474749660383),
    UINT64_C(341550071728321),
    UINT64_C(3825123056546413051),
    561,
    UINT64_C(2147483647) * 2147483647,
    UINT64_C(4294967291) * 4294967279,
    UINT64_C(18446744073709551615),
    UINT64_C(1000000007) * 1000000009,
};
_Static_assert(sizeof primes / sizeof primes[0] + sizeof composites / sizeof composites[0] == NUMBERS, "all of them");

static const uint8_t bases[BASES] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};

struct modulus {
    uint64_t n, inverse, one, square; /* inverse: of -n, modulo 2^64; one and square: 2^64 and 2^128 modulo n */
};

static uint64_t numbers[NUMBERS];
static uint8_t verdicts[NUMBERS];

static uint64_t add(uint64_t a, uint64_t b, uint64_t n)
{
    return a >= n - b ? a - (n - b) : a + b;
}

static uint64_t reduced_product(uint64_t a, uint64_t b, const struct modulus *m)
{
    struct wide product = wide_product(a, b);
    struct wide cleared = wide_product(product.low * m->inverse, m->n);
    uint64_t carry = product.low != 0;

    return add(add(product.high, cleared.high, m->n), carry, m->n);
}

static void prepare(struct modulus *m, uint64_t n)
{
    uint64_t inverse = n; /* right to 3 bits; each step doubles that */

    for (int i = 0; i < 5; i++)
        inverse *= 2 - n * inverse;
    m->n = n;
    m->inverse = 0 - inverse;
    m->one = (UINT64_MAX - n + 1) % n;
    m->square = m->one;
    for (int i = 0; i < 64; i++)
        m->square = add(m->square, m->square, n);
}

static int is_witness(uint64_t base, const struct modulus *m)
{
    uint64_t exponent = m->n - 1, x = m->one, minus_one = m->n - m->one;
    uint64_t factor = reduced_product(base % m->n, m->square, m);
    int twos = 0;

    for (; exponent % 2 == 0; exponent /= 2)
        twos++;
    for (; exponent != 0; exponent /= 2) {
        if (exponent % 2)
            x = reduced_product(x, factor, m);
        factor = reduced_product(factor, factor, m);
    }
    if (x == m->one || x == minus_one)
        return 0;
    while (--twos > 0) {
        x = reduced_product(x, x, m);
        if (x == minus_one)
            return 0;
    }
    return 1;
}

static int is_prime(uint64_t n)
{
    struct modulus m;

    for (int i = 0; i < BASES; i++)
        if (n % bases[i] == 0)
            return n == bases[i];
    prepare(&m, n);
    for (int i = 0; i < BASES; i++)
        if (is_witness(bases[i], &m))
            return 0;
    return 1;
}

int main(void)
{
    size_t n_primes = sizeof primes / sizeof primes[0];

    memcpy(numbers, primes, sizeof primes);
    memcpy(numbers + n_primes, composites, sizeof composites);
    SHIM_KEEP(numbers);
    shim_region_begin("miller_rabin");
    for (int i = 0; i < NUMBERS; i++)
        verdicts[i] = (uint8_t)is_prime(numbers[i]);
    SHIM_KEEP(verdicts);
    shim_region_end("miller_rabin");
    for (size_t i = 0; i < NUMBERS; i++)
        if (sample_verdict_int("whether a number is prime", verdicts[i], i < n_primes))
            return 1;
    return 0;
}
