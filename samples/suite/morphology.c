/*
 * morphology - opening and closing of a binary picture by squares of 3 x 3, a point in a byte.
 *
 * Serra, "Image Analysis and Mathematical Morphology", 1982. The truth: an opening takes away what does not hold a
 * square and keeps what is made of squares: planted rectangles stay as they are, grains and thin lines go; a closing
 * fills the holes.
 *
 * Work: 4 passes over 126 * 94 points, each of at least a load, a test and a store, in at most 64 lanes: 4 * 11844 * 3
 * / 64 = 2220.
 */
#include "../sample.h"
#include "test_signal.h"

#define WIDTH  128
#define HEIGHT 96

typedef uint8_t plane[HEIGHT][WIDTH];

static plane picture, eroded, opened, dilated, closed;

static void erode(uint8_t from[HEIGHT][WIDTH], uint8_t to[HEIGHT][WIDTH])
{
    for (int y = 1; y < HEIGHT - 1; y++)
        for (int x = 1; x < WIDTH - 1; x++) {
            int all = 1;

            for (int j = -1; j <= 1 && all; j++)
                for (int i = -1; i <= 1 && all; i++)
                    all = from[y + j][x + i] != 0;
            to[y][x] = (uint8_t)all;
        }
}

static void dilate(uint8_t from[HEIGHT][WIDTH], uint8_t to[HEIGHT][WIDTH])
{
    for (int y = 1; y < HEIGHT - 1; y++)
        for (int x = 1; x < WIDTH - 1; x++) {
            int any = 0;

            for (int j = -1; j <= 1 && !any; j++)
                for (int i = -1; i <= 1 && !any; i++)
                    any = from[y + j][x + i] != 0;
            to[y][x] = (uint8_t)any;
        }
}

static void clean(void)
{
    erode(picture, eroded);
    dilate(eroded, opened);
    dilate(opened, dilated);
    erode(dilated, closed);
}

/* Rectangles of 8 x 8 and more in cells of 16, every second with a hole; grains and lines elsewhere. */
static int in_rectangle(int y, int x)
{
    int cell = x / 16 + y / 16, top = 4, left = 4, height = 8 + cell % 2, width = 8 + cell % 3;

    return y % 16 >= top && y % 16 < top + height && x % 16 >= left && x % 16 < left + width;
}

static int in_hole(int y, int x)
{
    int cell = x / 16 + y / 16;

    return cell % 2 == 0 && y % 16 >= 7 && y % 16 < 9 && x % 16 >= 7 && x % 16 < 9;
}

static int is_grain(int y, int x)
{
    return (y % 16 == 1 && x % 16 != 0) || (y % 16 == 14 && x % 5 == 2 && x % 16 > 1);
}

static void prepare(void)
{
    memset(eroded, 0, sizeof eroded);
    memset(opened, 0, sizeof opened);
    memset(dilated, 0, sizeof dilated);
    memset(closed, 0, sizeof closed);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            picture[y][x] = (uint8_t)((in_rectangle(y, x) && !in_hole(y, x)) || is_grain(y, x));
    SHIM_KEEP(picture);
}

/* A hole of 2 x 2 leaves 3 points of the rectangle around it, so that the opening keeps the frame, and the closing
 * fills the hole: what is left are the rectangles, whole. */
int main(void)
{
    int wrong = 0;

    prepare();
    shim_region_begin("morphology");
    clean();
    SHIM_KEEP(opened);
    SHIM_KEEP(closed);
    shim_region_end("morphology");
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            wrong += opened[y][x] != (in_rectangle(y, x) && !in_hole(y, x));
            wrong += closed[y][x] != in_rectangle(y, x);
        }
    return sample_verdict_int("wrong points", wrong, 0);
}
