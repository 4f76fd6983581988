/*
 * secret_sharing - 128 bytes are split into 7 shares of which any 4 give them back: polynomials over the field of 256
 * elements by logarithm tables, Lagrange's formula at 0.
 *
 * Shamir, "How to Share a Secret", 1979. The truth: the bytes; and that the field's products are those of polynomials
 * over two elements, multiplied bit by bit.
 *
 * Work: 128 bytes, 7 shares, 3 products and sums each, and 3 sets of 4 shares: 128 * (21 + 12) * 3 = 12672; the compiler
 * may do 16 bytes at once: 792.
 */
#include "judge.h"

#define SECRET 128
#define SHARES 7
#define NEEDED 4
#define SETS   3

static uint8_t exponent[510], logarithm[256];
static uint8_t secret[SECRET], noise[SECRET][NEEDED - 1], shares[SHARES][SECRET], back[SETS][SECRET];
static const uint8_t sets[SETS][NEEDED] = {{1, 2, 3, 4}, {7, 2, 5, 1}, {6, 4, 3, 7}};

static uint8_t times(uint8_t a, uint8_t b)
{
    return a && b ? exponent[logarithm[a] + logarithm[b]] : 0;
}
static uint8_t over(uint8_t a, uint8_t b)
{
    return a ? exponent[logarithm[a] + 255 - logarithm[b]] : 0;
}
static void make_tables(void)
{
    unsigned x = 1;

    for (int i = 0; i < 255; i++) {
        exponent[i] = exponent[i + 255] = (uint8_t)x;
        logarithm[x] = (uint8_t)i;
        x ^= x << 1; /* times 3 */
        if (x & 0x100)
            x ^= 0x11B;
    }
}
static void split(void)
{
    for (int i = 0; i < SECRET; i++)
        for (int s = 0; s < SHARES; s++) {
            uint8_t x = (uint8_t)(s + 1), y = 0;

            for (int k = NEEDED - 2; k >= 0; k--)
                y = times(y ^ noise[i][k], x);
            shares[s][i] = y ^ secret[i];
        }
}
static void join(const uint8_t *set, uint8_t *out)
{
    uint8_t weights[NEEDED];

    for (int a = 0; a < NEEDED; a++) {
        weights[a] = 1;
        for (int b = 0; b < NEEDED; b++)
            if (b != a)
                weights[a] = times(weights[a], over(set[b], set[b] ^ set[a]));
    }
    for (int i = 0; i < SECRET; i++) {
        uint8_t sum = 0;

        for (int a = 0; a < NEEDED; a++)
            sum ^= times(weights[a], shares[set[a] - 1][i]);
        out[i] = sum;
    }
}

static uint8_t times_by_bits(unsigned a, unsigned b)
{
    unsigned product = 0;

    for (; b; b >>= 1, a = a << 1 ^ (a & 0x80 ? 0x11B : 0))
        product ^= b & 1 ? a : 0;
    return (uint8_t)product;
}

int main(void)
{
    uint64_t seed = 14;
    int wrong = 0;

    for (int i = 0; i < SECRET; i++) {
        secret[i] = (uint8_t)draw(&seed);
        for (int k = 0; k < NEEDED - 1; k++)
            noise[i][k] = (uint8_t)draw(&seed);
    }
    SHIM_KEEP(secret);
    SHIM_KEEP(noise);
    SHIM_KEEP(sets);
    shim_region_begin("secret_sharing");
    make_tables();
    split();
    SHIM_KEEP(shares);
    for (int s = 0; s < SETS; s++)
        join(sets[s], back[s]);
    SHIM_KEEP(back);
    shim_region_end("secret_sharing");
    for (int s = 0; s < SETS; s++)
        wrong += memcmp(secret, back[s], SECRET) != 0;
    for (unsigned a = 0; a < 256; a++)
        for (unsigned b = 0; b < 256; b++)
            wrong += times((uint8_t)a, (uint8_t)b) != times_by_bits(a, b);
    return sample_verdict_int("wrong", wrong, 0);
}
