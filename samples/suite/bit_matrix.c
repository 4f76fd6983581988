/*
 * bit_matrix - a matrix of 64 by 64 bits is transposed by swapping blocks, its rows are turned round, weighed, coded as
 * Gray's and decoded, and 16 pairs of coordinates are woven into Morton's order and back.
 *
 * Warren, "Hacker's Delight", chapters 5, 7, 13. The truth: every bit, one by one, outside.
 *
 * Work: the transposition takes 6 rounds of 32 pairs with 6 operations of 64 bits; turning 64 rows takes 5 rounds of 5
 * and weighing 12 operations, Gray's code back 6 of 2: 8 rows at most at once: (192 * 6 + 64 * 49) / 8 = 536.
 */
#include "../sample.h"
#include "lcg.h"

#define SIDE  64
#define PAIRS 16

static uint64_t matrix[SIDE], transposed[SIDE], turned[SIDE], gray[SIDE], back[SIDE];
static uint8_t weights[SIDE];
static uint32_t pairs[PAIRS][2], unwoven[PAIRS][2];
static uint64_t woven[PAIRS];

static void transpose(uint64_t a[SIDE])
{
    uint64_t mask = UINT64_C(0x00000000ffffffff);

    for (unsigned width = 32; width != 0; width >>= 1, mask ^= mask << width)
        for (unsigned i = 0; i < SIDE; i = (i + width + 1) & ~width) {
            uint64_t swapped = (a[i] >> width ^ a[i + width]) & mask;

            a[i + width] ^= swapped;
            a[i] ^= swapped << width;
        }
}

static uint64_t turn(uint64_t x)
{
    x = (x & UINT64_C(0x5555555555555555)) << 1 | (x >> 1 & UINT64_C(0x5555555555555555));
    x = (x & UINT64_C(0x3333333333333333)) << 2 | (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4 | (x >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f));
    x = (x & UINT64_C(0x00ff00ff00ff00ff)) << 8 | (x >> 8 & UINT64_C(0x00ff00ff00ff00ff));
    x = (x & UINT64_C(0x0000ffff0000ffff)) << 16 | (x >> 16 & UINT64_C(0x0000ffff0000ffff));
    return x << 32 | x >> 32;
}

static uint8_t weigh(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint8_t)(x * UINT64_C(0x0101010101010101) >> 56);
}

static uint64_t from_gray(uint64_t x)
{
    for (int shift = 1; shift < 64; shift *= 2)
        x ^= x >> shift;
    return x;
}

static uint64_t spread(uint64_t x)
{
    x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
    x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x | x << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    x = (x | x << 2) & UINT64_C(0x3333333333333333);
    return (x | x << 1) & UINT64_C(0x5555555555555555);
}

static uint32_t gather(uint64_t x)
{
    x &= UINT64_C(0x5555555555555555);
    x = (x | x >> 1) & UINT64_C(0x3333333333333333);
    x = (x | x >> 2) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    x = (x | x >> 4) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x | x >> 8) & UINT64_C(0x0000ffff0000ffff);
    return (uint32_t)(x | x >> 16);
}

static void work(void)
{
    for (int i = 0; i < SIDE; i++)
        transposed[i] = matrix[i];
    transpose(transposed);
    for (int i = 0; i < SIDE; i++) {
        turned[i] = turn(matrix[i]);
        weights[i] = weigh(matrix[i]);
        gray[i] = matrix[i] ^ matrix[i] >> 1;
    }
    SHIM_KEEP(gray);
    for (int i = 0; i < SIDE; i++)
        back[i] = from_gray(gray[i]);
    for (int i = 0; i < PAIRS; i++)
        woven[i] = spread(pairs[i][0]) | spread(pairs[i][1]) << 1;
    SHIM_KEEP(woven);
    for (int i = 0; i < PAIRS; i++) {
        unwoven[i][0] = gather(woven[i]);
        unwoven[i][1] = gather(woven[i] >> 1);
    }
}

static int bit(uint64_t word, int place)
{
    return (int)(word >> place & 1);
}

int main(void)
{
    uint32_t seed = 85;

    for (int i = 0; i < SIDE; i++) {
        matrix[i] = 0;
        for (int k = 0; k < 4; k++)
            matrix[i] = matrix[i] << 16 | lcg_draw(&seed);
    }
    for (int i = 0; i < 2 * PAIRS; i++)
        pairs[i / 2][i % 2] = (uint32_t)lcg_draw(&seed) << 16 | lcg_draw(&seed);
    SHIM_KEEP(matrix);
    SHIM_KEEP(pairs);
    shim_region_begin("bit_matrix");
    work();
    SHIM_KEEP(transposed);
    SHIM_KEEP(turned);
    SHIM_KEEP(weights);
    SHIM_KEEP(back);
    SHIM_KEEP(unwoven);
    shim_region_end("bit_matrix");
    for (int i = 0; i < SIDE; i++) {
        int weight = 0;

        for (int k = 0; k < SIDE; k++) {
            weight += bit(matrix[i], k);
            if (sample_verdict_int("bit of the transposed matrix", bit(transposed[k], i), bit(matrix[i], k)) ||
                sample_verdict_int("bit of a row turned round", bit(turned[i], 63 - k), bit(matrix[i], k)))
                return 1;
        }
        if (sample_verdict_int("weight of a row", weights[i], weight) ||
            sample_verdict_int("whether Gray's code came back", back[i] == matrix[i], 1))
            return 1;
    }
    for (int i = 0; i < 32 * PAIRS; i++)
        if (sample_verdict_int("bit woven", bit(woven[i / 32], 2 * (i % 32)), bit(pairs[i / 32][0], i % 32)) ||
            sample_verdict_int("other bit woven", bit(woven[i / 32], 2 * (i % 32) + 1), bit(pairs[i / 32][1], i % 32)))
            return 1;
    return sample_verdict_int("coordinates", memcmp(unwoven, pairs, sizeof pairs), 0);
}
