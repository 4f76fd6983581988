/*
 * median_2d - the median of 3 x 3 points of a picture of bytes by a network of comparisons, which knows no branches.
 *
 * Smith, "Implementing Median Filters in XC4000E FPGAs", 1996: the median of nine from 19 exchanges. The truth is the
 * definition: at most 4 of the 9 are below the median, at most 4 above.
 *
 * Work: 94 * 62 inner points; an exchange has a minimum and a maximum, except that of the last ones only one is needed:
 * at least 30 of them, in at most 64 lanes: 5828 * 30 / 64 = 2731.
 */
#include "../sample.h"
#include "test_signal.h"

#define WIDTH  96
#define HEIGHT 64

static uint8_t picture[HEIGHT][WIDTH], filtered[HEIGHT][WIDTH];

static void exchange(uint8_t *a, uint8_t *b)
{
    uint8_t low = *a < *b ? *a : *b;
    uint8_t high = *a < *b ? *b : *a;

    *a = low;
    *b = high;
}

static uint8_t median_of(uint8_t p[9])
{
    exchange(&p[1], &p[2]);
    exchange(&p[4], &p[5]);
    exchange(&p[7], &p[8]);
    exchange(&p[0], &p[1]);
    exchange(&p[3], &p[4]);
    exchange(&p[6], &p[7]);
    exchange(&p[1], &p[2]);
    exchange(&p[4], &p[5]);
    exchange(&p[7], &p[8]);
    exchange(&p[0], &p[3]);
    exchange(&p[5], &p[8]);
    exchange(&p[4], &p[7]);
    exchange(&p[3], &p[6]);
    exchange(&p[1], &p[4]);
    exchange(&p[2], &p[5]);
    exchange(&p[4], &p[7]);
    exchange(&p[4], &p[2]);
    exchange(&p[6], &p[4]);
    exchange(&p[4], &p[2]);
    return p[4];
}

static void filter(void)
{
    for (int y = 1; y < HEIGHT - 1; y++)
        for (int x = 1; x < WIDTH - 1; x++) {
            uint8_t p[9];

            for (int j = 0; j < 3; j++)
                for (int i = 0; i < 3; i++)
                    p[3 * j + i] = picture[y + j - 1][x + i - 1];
            filtered[y][x] = median_of(p);
        }
}

/* A slope, noise, and grains of salt and pepper. */
static void prepare(void)
{
    uint32_t noise = 373955u;

    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            uint32_t grain = noise_next(&noise) % 13;

            picture[y][x] = (uint8_t)(x + y + noise_within(&noise, 20) + 25);
            if (grain < 2)
                picture[y][x] = grain == 0 ? 0 : 255;
        }
    SHIM_KEEP(picture);
}

static int is_median(int y, int x)
{
    int below = 0, above = 0;

    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            below += picture[y + j][x + i] < filtered[y][x];
            above += picture[y + j][x + i] > filtered[y][x];
        }
    return below <= 4 && above <= 4;
}

int main(void)
{
    int wrong = 0;

    prepare();
    shim_region_begin("median_2d");
    filter();
    SHIM_KEEP(filtered);
    shim_region_end("median_2d");
    for (int y = 1; y < HEIGHT - 1; y++)
        for (int x = 1; x < WIDTH - 1; x++)
            wrong += !is_median(y, x);
    return sample_verdict_int("wrong medians", wrong, 0);
}
