/*
 * binary_gcd - the greatest common divisor of four pairs, by shifts and subtractions.
 *
 * Truth: Euclid's: 1071 and 462 have 21, 3528 and 3780 have 252, 65536 and 48 have 16, 9973 and 3 are coprime.
 * Work: 4 pairs; the larger number is subtracted from and shifted at least once: 8.
 */
#include "../sample.h"

enum { PAIRS = 4 };
static uint32_t a[PAIRS], b[PAIRS], divisors[PAIRS];

static uint32_t gcd(uint32_t x, uint32_t y)
{
    int twos = 0;

    while (!((x | y) & 1)) {
        x >>= 1;
        y >>= 1;
        twos++;
    }
    while (x) {
        while (!(x & 1))
            x >>= 1;
        while (!(y & 1))
            y >>= 1;
        if (x >= y)
            x = (x - y) >> 1;
        else
            y = (y - x) >> 1;
    }
    return y << twos;
}

int main(void)
{
    static const uint32_t first[PAIRS] = {1071, 3528, 65536, 9973}, second[PAIRS] = {462, 3780, 48, 3};

    memcpy(a, first, sizeof a);
    memcpy(b, second, sizeof b);
    SHIM_KEEP(a);
    SHIM_KEEP(b);
    shim_region_begin("binary_gcd");
    for (int i = 0; i < PAIRS; i++)
        divisors[i] = gcd(a[i], b[i]);
    SHIM_KEEP(divisors);
    shim_region_end("binary_gcd");
    return sample_verdict_int("1071, 462", divisors[0], 21) | sample_verdict_int("3528, 3780", divisors[1], 252) |
           sample_verdict_int("65536, 48", divisors[2], 16) | sample_verdict_int("9973, 3", divisors[3], 1);
}
