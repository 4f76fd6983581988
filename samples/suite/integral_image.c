/*
 * integral_image - sums over any rectangle from a table of sums: means and local threshold of a picture of 200 x 150
 * points.
 *
 * Crow, "Summed-Area Tables for Texture Mapping", 1984; threshold as in Bradley and Roth, "Adaptive Thresholding Using
 * the Integral Image", 2007. The truth: the box's sum taken point by point at every 7th place, and the threshold there.
 *
 * Work: 30000 points, each loaded, summed twice and stored; then 4 loads, 3 sums, a division, a product, a comparison
 * and 2 stores: in at most 16 lanes 30000 * 16 / 16 = 30000.
 */
#include "../sample.h"
#include "test_signal.h"

#define WIDTH  200
#define HEIGHT 150
#define REACH  8

static uint8_t picture[HEIGHT][WIDTH], mean[HEIGHT][WIDTH], ink[HEIGHT][WIDTH];
static uint32_t table[HEIGHT + 1][WIDTH + 1]; /* of all points above and left */

static void sum_up(void)
{
    for (int x = 0; x <= WIDTH; x++)
        table[0][x] = 0;
    for (int y = 0; y < HEIGHT; y++) {
        uint32_t row = 0;

        table[y + 1][0] = 0;
        for (int x = 0; x < WIDTH; x++) {
            row += picture[y][x];
            table[y + 1][x + 1] = table[y][x + 1] + row;
        }
    }
}

static int limited(int x, int most)
{
    if (x < 0)
        return 0;
    return x > most ? most : x;
}

/* Ink is what is darker than 7/8 of the mean around it. */
static void binarise(void)
{
    for (int y = 0; y < HEIGHT; y++) {
        int top = limited(y - REACH, HEIGHT), bottom = limited(y + REACH + 1, HEIGHT);

        for (int x = 0; x < WIDTH; x++) {
            int left = limited(x - REACH, WIDTH), right = limited(x + REACH + 1, WIDTH);
            uint32_t sum = table[bottom][right] - table[bottom][left] - table[top][right] + table[top][left];
            uint32_t count = (uint32_t)((bottom - top) * (right - left));

            mean[y][x] = (uint8_t)(sum / count);
            ink[y][x] = picture[y][x] * count * 8u < sum * 7u;
        }
    }
}

/* Paper that grows darker to a corner, with strokes on it. */
static void prepare(void)
{
    uint32_t noise = 538516u;

    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            int paper = 230 - (x + y) / 3 + noise_within(&noise, 12);

            picture[y][x] = (uint8_t)(x % 20 < 3 && y % 12 < 9 ? paper / 2 : paper);
        }
    SHIM_KEEP(picture);
}

static int is_wrong(int y, int x)
{
    long sum = 0, count = 0;

    for (int j = y - REACH; j <= y + REACH; j++)
        for (int i = x - REACH; i <= x + REACH; i++)
            if (j >= 0 && j < HEIGHT && i >= 0 && i < WIDTH) {
                sum += picture[j][i];
                count++;
            }
    return mean[y][x] != sum / count || ink[y][x] != (8 * picture[y][x] * count < 7 * sum);
}

int main(void)
{
    int wrong = 0;

    prepare();
    shim_region_begin("integral_image");
    sum_up();
    SHIM_KEEP(table);
    binarise();
    SHIM_KEEP(mean);
    SHIM_KEEP(ink);
    shim_region_end("integral_image");
    for (int i = 0; i < WIDTH * HEIGHT; i += 7)
        wrong += is_wrong(i / WIDTH, i % WIDTH);
    return sample_verdict_int("wrong points", wrong, 0);
}
