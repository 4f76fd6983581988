/*
 * ntt - products of two polynomials of degree 255 with whole coefficients by the number-theoretic transform modulo
 * 998244353 (119 * 2^23 + 1), with Montgomery's multiplication in 32 bits.
 *
 * Montgomery, "Modular multiplication without trial division", 1985. The truth: the products by the definition.
 *
 * Work: three transforms of 512 points, 9 stages of 256 butterflies, each a product modulo and two sums:
 * 3 * 9 * 256 * 10 = 69120; 16 at once: 4320.
 */
#include "judge.h"

#define SIZE  512
#define LEVEL 9
#define P     998244353u
#define ROOT  3u

static uint32_t a[SIZE], b[SIZE], product[SIZE], first[SIZE / 2], second[SIZE / 2];
static uint32_t negative_inverse; /* -1 / P modulo 2^32 */
static uint32_t square;           /* 2^64 modulo P */

static uint32_t reduce(uint64_t x)
{
    uint32_t m = (uint32_t)x * negative_inverse;
    uint32_t r = (uint32_t)((x + (uint64_t)m * P) >> 32);

    return r >= P ? r - P : r;
}
static uint32_t times(uint32_t x, uint32_t y)
{
    return reduce((uint64_t)x * y);
}
static uint32_t power(uint32_t x, uint32_t n)
{
    uint32_t result = reduce(square);

    for (; n; n >>= 1, x = times(x, x))
        if (n & 1)
            result = times(result, x);
    return result;
}

static void reverse_bits(uint32_t *v)
{
    for (unsigned i = 1, k = 0; i < SIZE; i++) {
        unsigned bit = SIZE >> 1;

        for (; k & bit; bit >>= 1)
            k ^= bit;
        k ^= bit;
        if (i < k) {
            uint32_t t = v[i];
            v[i] = v[k];
            v[k] = t;
        }
    }
}
static void transform(uint32_t *v, uint32_t root)
{
    reverse_bits(v);
    for (unsigned half = 1; half < SIZE; half *= 2) {
        uint32_t step = power(root, SIZE / 2 / half);
        uint32_t w[SIZE / 2];

        w[0] = reduce(square);
        for (unsigned k = 1; k < half; k++)
            w[k] = times(w[k - 1], step);
        for (unsigned i = 0; i < SIZE; i += 2 * half)
            for (unsigned k = 0; k < half; k++) {
                uint32_t x = v[i + k], y = times(v[i + k + half], w[k]);

                v[i + k] = x + y >= P ? x + y - P : x + y;
                v[i + k + half] = x >= y ? x - y : x + P - y;
            }
    }
}
static void multiply(void)
{
    uint32_t root = power(times(ROOT, square), (P - 1) / SIZE), scale;

    for (int i = 0; i < SIZE; i++) {
        a[i] = i < SIZE / 2 ? times(first[i], square) : 0;
        b[i] = i < SIZE / 2 ? times(second[i], square) : 0;
    }
    transform(a, root);
    transform(b, root);
    for (int i = 0; i < SIZE; i++)
        a[i] = times(a[i], b[i]);
    transform(a, power(root, P - 2));
    scale = power(times(SIZE, square), P - 2);
    for (int i = 0; i < SIZE; i++)
        product[i] = reduce(times(a[i], scale));
}

int main(void)
{
    uint64_t seed = 19;
    uint32_t inverse = 1;

    for (int i = 0; i < SIZE / 2; i++) {
        first[i] = draw(&seed) % P;
        second[i] = draw(&seed) % P;
    }
    for (int i = 0; i < 5; i++)
        inverse *= 2 - P * inverse;
    negative_inverse = 0 - inverse;
    square = (uint32_t)((UINT64_MAX % P + 1) % P);
    SHIM_KEEP(first);
    SHIM_KEEP(second);
    SHIM_KEEP(&square);
    SHIM_KEEP(&negative_inverse);
    shim_region_begin("ntt");
    multiply();
    SHIM_KEEP(product);
    shim_region_end("ntt");
    for (int n = 0; n < SIZE; n++) {
        uint64_t sum = 0;

        for (int i = 0; i < SIZE / 2; i++)
            if (n - i >= 0 && n - i < SIZE / 2)
                sum = (sum + (uint64_t)first[i] * second[n - i]) % P;
        if (product[n] != sum)
            return sample_verdict_int("coefficient that is wrong", n, -1);
    }
    return 0;
}
