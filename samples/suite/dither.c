/*
 * dither - from 256 grey levels to black and white by error diffusion, whole numbers.
 *
 * Floyd and Steinberg, "An Adaptive Algorithm for Spatial Greyscale", 1976: 7, 3, 5 and 1 sixteenths of a point's error
 * go to the neighbours that are still to come. No error exceeds 127.5, and none is lost: a square of 20 x 20 gains and
 * loses error at its borders only, where 9, 8 and 3 sixteenths of a point's leave at the lower, right and left edge.
 * That is the truth: its sum is kept up to 2 * 127.5 * 20 * 20 / 16 = 6375 and the rounding.
 *
 * Work: each of the 160 * 120 points depends on the one before: load, sum, comparison, the 4 shares' sums, a store:
 * 19200 * 8 = 153600.
 */
#include "../sample.h"
#include "test_signal.h"

#define WIDTH  160
#define HEIGHT 120
#define SQUARE 20

static uint8_t grey[HEIGHT][WIDTH], black_white[HEIGHT][WIDTH];
static int16_t carried[2][WIDTH + 2]; /* errors into this row and the next, a border left and right */

static void dither_row(int y, int16_t *into, int16_t *next)
{
    for (int x = 0; x < WIDTH; x++) {
        int value = grey[y][x] + into[x + 1];
        int white = value >= 128;
        int error = value - (white ? 255 : 0);
        int right = error * 7 / 16, left = error * 3 / 16, below = error * 5 / 16;

        black_white[y][x] = white ? 255 : 0;
        into[x + 2] = (int16_t)(into[x + 2] + right);
        next[x] = (int16_t)(next[x] + left);
        next[x + 1] = (int16_t)(next[x + 1] + below);
        next[x + 2] = (int16_t)(next[x + 2] + error - right - left - below);
    }
}

static void dither(void)
{
    for (int y = 0; y < HEIGHT; y++) {
        int16_t *next = carried[(y + 1) % 2];

        for (int x = 0; x < WIDTH + 2; x++)
            next[x] = 0;
        dither_row(y, carried[y % 2], next);
    }
}

static void prepare(void)
{
    uint32_t noise = 271801u;

    memset(carried, 0, sizeof carried);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            grey[y][x] = (uint8_t)(128.0 + 90.0 * sine_of(x * 0.04) * cosine_of(y * 0.03) + noise_within(&noise, 30));
    SHIM_KEEP(grey);
    SHIM_KEEP(carried);
}

static int kept(int y, int x)
{
    int sum = 0;

    for (int j = y; j < y + SQUARE; j++)
        for (int i = x; i < x + SQUARE; i++)
            sum += black_white[j][i] - grey[j][i];
    return abs(sum) <= 2 * 128 * SQUARE * 20 / 16 + 2 * 3 * SQUARE;
}

int main(void)
{
    int lost = 0;

    prepare();
    shim_region_begin("dither");
    dither();
    SHIM_KEEP(black_white);
    shim_region_end("dither");
    for (int y = 0; y < HEIGHT; y += SQUARE)
        for (int x = 0; x < WIDTH; x += SQUARE)
            lost += !kept(y, x);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        lost += black_white[i / WIDTH][i % WIDTH] != 0 && black_white[i / WIDTH][i % WIDTH] != 255;
    return sample_verdict_int("squares that are too light or dark", lost, 0);
}
