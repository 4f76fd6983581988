/*
 * motion_sad - where blocks of 16 x 16 bytes of a picture have come from: full search by sums of absolute differences.
 *
 * Koga et al., "Motion-Compensated Interframe Coding for Video Conferencing", 1981; the search ends a candidate that is
 * already worse than the best, row by row. The truth: the new picture is the old one, moved block by block by known
 * vectors, with a little noise.
 *
 * Work: 15 blocks, 17 * 17 candidates, each with at least its first row of 16 differences: 2 loads, a difference and a
 * sum over 64 lanes that hold 4 rows at most: 15 * 289 * 4 / 4 = 4335.
 */
#include "../sample.h"
#include "test_signal.h"

#define BLOCK  16
#define REACH  8
#define ACROSS 5
#define DOWN   3
#define WIDTH  (ACROSS * BLOCK + 2 * REACH)
#define HEIGHT (DOWN * BLOCK + 2 * REACH)

struct motion {
    int8_t x, y;
    uint32_t difference;
};

static uint8_t old[HEIGHT][WIDTH], new[HEIGHT][WIDTH];
static struct motion found[DOWN][ACROSS];

static uint32_t row_difference(const uint8_t *a, const uint8_t *b)
{
    uint32_t sum = 0;

    for (int i = 0; i < BLOCK; i++) {
        int d = a[i] - b[i];

        sum += (uint32_t)(d < 0 ? -d : d);
    }
    return sum;
}

static uint32_t difference(int y, int x, int dy, int dx, uint32_t enough)
{
    uint32_t sum = 0;

    for (int j = 0; j < BLOCK && sum < enough; j++)
        sum += row_difference(&new[y + j][x], &old[y + j + dy][x + dx]);
    return sum;
}

static struct motion search(int y, int x)
{
    struct motion best = {0, 0, difference(y, x, 0, 0, UINT32_MAX)};

    for (int dy = -REACH; dy <= REACH; dy++)
        for (int dx = -REACH; dx <= REACH; dx++) {
            uint32_t d = difference(y, x, dy, dx, best.difference);

            if (d < best.difference)
                best = (struct motion){(int8_t)dx, (int8_t)dy, d};
        }
    return best;
}

static void search_all(void)
{
    for (int j = 0; j < DOWN; j++)
        for (int i = 0; i < ACROSS; i++)
            found[j][i] = search(REACH + j * BLOCK, REACH + i * BLOCK);
}

static int moved_x(int j, int i)
{
    return (5 * i + 11 * j) % (2 * REACH + 1) - REACH;
}

static int moved_y(int j, int i)
{
    return (7 * i + 3 * j + 4) % (2 * REACH + 1) - REACH;
}

static void prepare(void)
{
    uint32_t noise = 299792u;

    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            old[y][x] =
                (uint8_t)(128 + 60.0 * sine_of(0.21 * x) * sine_of(0.17 * y + 0.05 * x) + noise_within(&noise, 30));
    memset(new, 0, sizeof new);
    for (int y = 0; y < DOWN * BLOCK; y++)
        for (int x = 0; x < ACROSS * BLOCK; x++) {
            int j = y / BLOCK, i = x / BLOCK;

            new[REACH + y][REACH + x] =
                (uint8_t)(old[REACH + y + moved_y(j, i)][REACH + x + moved_x(j, i)] + noise_within(&noise, 2));
        }
    SHIM_KEEP(old);
    SHIM_KEEP(new);
}

/* The noise differs by 2 at most, 256 times; any other place differs by the texture. */
int main(void)
{
    int wrong = 0;

    prepare();
    shim_region_begin("motion_sad");
    search_all();
    SHIM_KEEP(found);
    shim_region_end("motion_sad");
    for (int j = 0; j < DOWN; j++)
        for (int i = 0; i < ACROSS; i++)
            wrong += found[j][i].x != moved_x(j, i) || found[j][i].y != moved_y(j, i) ||
                     found[j][i].difference > 2 * BLOCK * BLOCK;
    return sample_verdict_int("wrong vectors", wrong, 0);
}
