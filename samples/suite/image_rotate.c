/*
 * image_rotate - a picture of 768 x 768 bytes turned by a quarter, point by point, and mirrored.
 *
 * Reading goes along rows, writing along columns: each store hits another line of a picture of 576 KB, which is what
 * makes the plain way of turning a picture slow on processors with small caches. The truth: the place law of a
 * rotation, and that two turns are a point reflection.
 *
 * Work: 589824 points, turned twice, each with a load and a store at a stride, which no vector of 64 bytes covers by
 * fewer than 2 instructions: 2 * 589824 * 2 / 64 = 36864.
 */
#include "../sample.h"
#include "test_signal.h"

#define SIDE 768

static uint8_t picture[SIDE][SIDE], turned[SIDE][SIDE], twice[SIDE][SIDE];

static void turn(uint8_t from[SIDE][SIDE], uint8_t to[SIDE][SIDE])
{
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            to[x][SIDE - 1 - y] = from[y][x];
}

static void prepare(void)
{
    uint32_t noise = 105457u;

    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            picture[y][x] = (uint8_t)noise_next(&noise);
    SHIM_KEEP(picture);
}

int main(void)
{
    int wrong = 0;

    prepare();
    shim_region_begin("image_rotate");
    turn(picture, turned);
    SHIM_KEEP(turned);
    turn(turned, twice);
    SHIM_KEEP(twice);
    shim_region_end("image_rotate");
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            wrong += turned[x][SIDE - 1 - y] != picture[y][x] || twice[SIDE - 1 - y][SIDE - 1 - x] != picture[y][x];
    return sample_verdict_int("points in wrong places", wrong, 0);
}
