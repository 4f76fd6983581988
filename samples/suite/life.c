/*
 * life - 12 generations of Conway's game on a ring of 64 by 64 cells, once cell by cell in bytes and once 64 cells to a
 * word by adding bits.
 *
 * Gardner, Scientific American, October 1970. The truth: that both agree; and a glider, which after 4 generations has
 * gone one cell down and right, in a part of its own.
 *
 * Work: cell by cell each adds 8 neighbours, 64 of them at most in a vector: 12 * 4096 * 8 / 64 = 6144; in words at
 * least 20 operations on each of 64 words, 8 in a vector: 12 * 64 * 20 / 8 = 1920. Together 8064.
 */
#include "../sample.h"
#include "lcg.h"

#define SIDE        64
#define GENERATIONS 12

static uint8_t cells[2][SIDE][SIDE], gliders[2][SIDE][SIDE];
static uint64_t words[2][SIDE];

static void live_cells(const uint8_t (*now)[SIDE], uint8_t (*then)[SIDE])
{
    for (int y = 0; y < SIDE; y++) {
        const uint8_t *above = now[(y + SIDE - 1) % SIDE], *row = now[y], *below = now[(y + 1) % SIDE];

        for (int x = 0; x < SIDE; x++) {
            int left = (x + SIDE - 1) % SIDE, right = (x + 1) % SIDE;
            int around =
                above[left] + above[x] + above[right] + row[left] + row[right] + below[left] + below[x] + below[right];

            then[y][x] = around == 3 || (around == 2 && row[x]);
        }
    }
}

static uint64_t left_of(uint64_t row)
{
    return row << 1 | row >> 63;
}

static uint64_t right_of(uint64_t row)
{
    return row >> 1 | row << 63;
}

/* Two bits for the sum of three. */
struct pair {
    uint64_t ones, twos;
};

static struct pair sum_of(uint64_t a, uint64_t b, uint64_t c)
{
    return (struct pair){a ^ b ^ c, (a & b) | (c & (a ^ b))};
}

static void live_words(const uint64_t *now, uint64_t *then)
{
    for (int y = 0; y < SIDE; y++) {
        uint64_t up = now[(y + SIDE - 1) % SIDE], row = now[y], down = now[(y + 1) % SIDE];
        struct pair above = sum_of(left_of(up), up, right_of(up)), below = sum_of(left_of(down), down, right_of(down));
        struct pair beside = {left_of(row) ^ right_of(row), left_of(row) & right_of(row)};
        struct pair ones = sum_of(above.ones, below.ones, beside.ones);
        struct pair twos = sum_of(above.twos, below.twos, beside.twos);
        /* two or three: exactly one of the twos, counted with the carry from the ones, and no four */
        uint64_t two = (twos.ones ^ ones.twos) & ~(twos.twos | (twos.ones & ones.twos));

        then[y] = two & (ones.ones | row);
    }
}

int main(void)
{
    static const uint8_t glider[3][3] = {{0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    uint32_t seed = 65;

    memset(gliders, 0, sizeof gliders);
    memset(words, 0, sizeof words);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            cells[0][y][x] = lcg_draw(&seed) % 3 == 0;
            words[0][y] |= (uint64_t)cells[0][y][x] << x;
        }
    for (int y = 0; y < 3; y++)
        memcpy(&gliders[0][30 + y][40], glider[y], 3);
    SHIM_KEEP(cells);
    SHIM_KEEP(words);
    shim_region_begin("life");
    for (int i = 0; i < GENERATIONS; i++) {
        live_cells((const uint8_t(*)[SIDE])cells[i % 2], cells[1 - i % 2]);
        live_words(words[i % 2], words[1 - i % 2]);
    }
    SHIM_KEEP(cells);
    SHIM_KEEP(words);
    shim_region_end("life");
    for (int i = 0; i < 2 * 4; i++)
        live_cells((const uint8_t(*)[SIDE])gliders[i % 2], gliders[1 - i % 2]);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            int in_glider = y >= 32 && y < 35 && x >= 42 && x < 45 && glider[y - 32][x - 42];

            if (sample_verdict_int("cell in bytes and in words", cells[0][y][x], (int)(words[0][y] >> x & 1)) ||
                sample_verdict_int("cell of the glider", gliders[0][y][x], in_glider))
                return 1;
        }
    return 0;
}
