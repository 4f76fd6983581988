/*
 * stereo_match - how far 64 x 24 points are, from two pictures: the census of 5 x 5 neighbours as 24 bits each, the
 * number of bits that differ for 16 shifts, summed along the row, the least kept.
 *
 * Zabih and Woodfill, 1994. The truth: the shifts that the second picture was made with, but for the rims of areas; bits
 * counted one by one for a row.
 *
 * Work: 20 rows of 44 points and 16 shifts, each with exclusive or, count of bits and sum: 20 * 44 * 16 * 4 = 56320; 16
 * at once: 3520.
 */
#include "judge.h"

#define WIDE   64
#define HIGH   24
#define SHIFTS 16
#define HALF   3 /* the window along the row: 7 */

static uint8_t left[HIGH][WIDE], right[HIGH][WIDE], best[HIGH][WIDE], made[HIGH][WIDE];
static uint32_t census_left[HIGH][WIDE], census_right[HIGH][WIDE];

static void census(uint8_t (*p)[WIDE], uint32_t (*out)[WIDE])
{
    for (int y = 2; y < HIGH - 2; y++)
        for (int x = 2; x < WIDE - 2; x++) {
            uint32_t bits = 0;

            for (int v = -2; v <= 2; v++)
                for (int u = -2; u <= 2; u++)
                    if (u || v)
                        bits = bits << 1 | (p[y + v][x + u] < p[y][x]);
            out[y][x] = bits;
        }
}
static unsigned ones(uint32_t x)
{
    x -= x >> 1 & 0x55555555;
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    return ((x + (x >> 4)) & 0x0F0F0F0F) * 0x01010101 >> 24;
}
static void match_row(int y)
{
    uint16_t least[WIDE];
    uint8_t cost[WIDE];

    memset(least, 0xFF, sizeof least);
    for (int s = 0; s < SHIFTS; s++) {
        unsigned sum = 0;

        for (int x = s + 2; x < WIDE - 2; x++)
            cost[x] = (uint8_t)ones(census_left[y][x] ^ census_right[y][x - s]);
        for (int x = s + 2; x < s + 2 + 2 * HALF; x++)
            sum += cost[x];
        for (int x = s + 2 + HALF; x < WIDE - 2 - HALF; x++) {
            sum += cost[x + HALF];
            if (sum < least[x]) {
                least[x] = (uint16_t)sum;
                best[y][x] = (uint8_t)s;
            }
            sum -= cost[x - HALF];
        }
    }
}

int main(void)
{
    uint64_t seed = 34;
    int wrong = 0, points = 0;

    for (int y = 0; y < HIGH; y++) {
        for (int x = 0; x < WIDE; x++)
            right[y][x] = left[y][x] = (uint8_t)draw(&seed);
        for (int x = 0; x < WIDE; x++)
            made[y][x] = (uint8_t)(y < HIGH / 2 ? 4 : 11);
        for (int x = 0; x + made[y][0] < WIDE; x++)
            right[y][x] = (uint8_t)(left[y][x + made[y][0]] * 3 / 4 + 20);
    }
    memset(best, 0xFF, sizeof best);
    SHIM_KEEP(left);
    SHIM_KEEP(right);
    shim_region_begin("stereo_match");
    census(left, census_left);
    census(right, census_right);
    for (int y = 2; y < HIGH - 2; y++)
        match_row(y);
    SHIM_KEEP(best);
    shim_region_end("stereo_match");
    for (int y = 2; y < HIGH - 2; y++)
        for (int x = SHIFTS + HALF + 2; x < WIDE - 2 - HALF; x++) {
            points++;
            wrong += best[y][x] != made[y][x];
        }
    for (uint32_t i = 0, x = 1; i < 200; i++, x = x * 1664525u + 1013904223u) {
        unsigned n = 0;
        for (int b = 0; b < 32; b++)
            n += x >> b & 1;
        wrong += n != ones(x) ? 1000 : 0;
    }
    return sample_verdict_int("whether wrong points are few", wrong < points / 8, 1);
}
