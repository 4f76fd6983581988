/*
 * histogram - equalising the grey levels of an image of 64 x 64 bytes.
 *
 * Gonzalez and Woods, "Digital Image Processing", section 3.3.1. The truth: a level becomes 255 times the share of
 * pixels that are not brighter, counted here level by level, rounded down.
 *
 * Work: 4096 pixels are counted one by one, as two may be alike: a load and a store of the count; and looked up in the
 * map, a load from a place that the data decide: 4096 * 3 = 12288.
 */
#include "../sample.h"
#include "test_signal.h"

#define PIXELS 4096
#define LEVELS 256

static uint8_t image[PIXELS], equal[PIXELS];
static uint32_t count[LEVELS];
static uint8_t map[LEVELS];

static void count_levels(void)
{
    memset(count, 0, sizeof count);
    for (int i = 0; i < PIXELS; i++)
        count[image[i]]++;
}

static void make_map(void)
{
    uint32_t sum = 0;

    for (int level = 0; level < LEVELS; level++) {
        sum += count[level];
        map[level] = (uint8_t)(sum * 255 / PIXELS);
    }
}

static void apply_map(void)
{
    for (int i = 0; i < PIXELS; i++)
        equal[i] = map[image[i]];
}

/* Dark, and with little contrast: the product of two draws. */
static void prepare(void)
{
    uint32_t noise = 22695477u;

    for (int i = 0; i < PIXELS; i++)
        image[i] = (uint8_t)(20 + noise_next(&noise) % 12 * (noise_next(&noise) % 12));
    SHIM_KEEP(image);
}

static int wrong_levels(void)
{
    int wrong = 0;

    for (int i = 0; i < PIXELS; i++) {
        long darker = 0;

        for (int k = 0; k < PIXELS; k++)
            darker += image[k] <= image[i];
        wrong += equal[i] != darker * 255 / PIXELS;
    }
    return wrong;
}

int main(void)
{
    prepare();
    shim_region_begin("histogram");
    count_levels();
    make_map();
    apply_map();
    SHIM_KEEP(equal);
    shim_region_end("histogram");
    return sample_verdict_int("wrong pixels", wrong_levels(), 0);
}
