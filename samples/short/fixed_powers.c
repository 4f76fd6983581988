/*
 * fixed_powers - six powers of fixed-point numbers with 32 bits behind the point, by squaring.
 *
 * Truth: the C library's pow; each of at most eight products is off by less than 2^-32 of its value or 1.
 * Work: 6 powers of at least three squarings: 18.
 */
#include "../sample.h"

enum { N = 6 };
static uint64_t base[N], power[N]; /* Q32 */
static int exponent[N];

static uint64_t multiply(uint64_t a, uint64_t b)
{
    uint64_t ah = a >> 32, al = a & 0xFFFFFFFF, bh = b >> 32, bl = b & 0xFFFFFFFF;

    return (ah * bh << 32) + ah * bl + al * bh + (al * bl >> 32);
}

static uint64_t raise(uint64_t x, int n)
{
    uint64_t result = 1ULL << 32;

    for (; n; n >>= 1) {
        if (n & 1)
            result = multiply(result, x);
        x = multiply(x, x);
    }
    return result;
}

int main(void)
{
    int wrong = 0;

    for (int i = 0; i < N; i++) {
        base[i] = (1ULL << 32) + (uint64_t)i * 0x01234567;
        exponent[i] = 5 + 3 * i;
    }
    SHIM_KEEP(base);
    SHIM_KEEP(exponent);
    shim_region_begin("fixed_powers");
    for (int i = 0; i < N; i++)
        power[i] = raise(base[i], exponent[i]);
    SHIM_KEEP(power);
    shim_region_end("fixed_powers");
    for (int i = 0; i < N; i++)
        wrong |= sample_verdict_real("power", (double)power[i] / 4294967296.0,
                                     pow((double)base[i] / 4294967296.0, exponent[i]), 1e-7);
    return wrong;
}
