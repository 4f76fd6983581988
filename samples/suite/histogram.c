/*
 * histogram - equalising the grey levels of an image of 128 x 128 bytes.
 *
 * Gonzalez and Woods, "Digital Image Processing", section 3.3.1. The truth: a level becomes 255 times the share of
 * pixels that are not brighter, counted here level by level, rounded down.
 *
 * Work: 16384 pixels are counted one by one, as two may be alike: a load and a store of the count; and looked up in the
 * map, a load from a place that the data decide: 16384 * 3 = 49152.
 */
#include "../sample.h"
#include "test_signal.h"

#define PIXELS 16384
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

/* Pixels of this level that did not become what the level's share demands. */
static int wrong_of_level(int level)
{
    int not_brighter = 0, right = 0, alike = 0;

    for (int i = 0; i < PIXELS; i++)
        not_brighter += image[i] <= level;
    for (int i = 0; i < PIXELS; i++)
        if (image[i] == level) {
            alike++;
            right += equal[i] == not_brighter * 255 / PIXELS;
        }
    return alike - right;
}

int main(void)
{
    int wrong = 0;

    prepare();
    shim_region_begin("histogram");
    count_levels();
    make_map();
    apply_map();
    SHIM_KEEP(equal);
    shim_region_end("histogram");
    for (int level = 0; level < LEVELS; level++)
        wrong += wrong_of_level(level);
    return sample_verdict_int("wrong pixels", wrong, 0);
}
