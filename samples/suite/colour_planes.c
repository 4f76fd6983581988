/*
 * colour_planes - a picture of 384 x 256 points from interleaved RGB to planes of Y, Cb, Cr and back, 8 bits, 16-bit
 * factors.
 *
 * ITU-T T.871 (JFIF), which gives both equations. Three planes of 96 KB and two pictures of 288 KB, read once and
 * written once: more than caches of small processors hold. The truth: Y, Cb and Cr of the definition in double
 * precision, and the way back gives the picture within the rounding of the planes.
 *
 * Work: 98304 points; each way loads and stores 6 bytes a point and takes 5 products at least, in at most 64 lanes for
 * bytes and 32 for products: 98304 * 2 * (6 / 64 + 5 / 32) = 49152.
 */
#include "../sample.h"
#include "test_signal.h"

#define WIDTH  384
#define HEIGHT 256
#define POINTS (WIDTH * HEIGHT)

static uint8_t picture[POINTS][3], back[POINTS][3];
static uint8_t luma[POINTS], blue[POINTS], red[POINTS];

static uint8_t saturate(int32_t x)
{
    if (x < 0)
        return 0;
    return x > 255 ? 255 : (uint8_t)x;
}

/* Factors in 1/65536; 32768 rounds. */
static void separate(void)
{
    for (int i = 0; i < POINTS; i++) {
        int32_t r = picture[i][0], g = picture[i][1], b = picture[i][2];

        luma[i] = (uint8_t)((19595 * r + 38470 * g + 7471 * b + 32768) >> 16);
        blue[i] = saturate((-11058 * r - 21710 * g + 32768 * b + 32768 + (128 << 16)) >> 16);
        red[i] = saturate((32768 * r - 27439 * g - 5329 * b + 32768 + (128 << 16)) >> 16);
    }
}

static void join(void)
{
    for (int i = 0; i < POINTS; i++) {
        int32_t y = luma[i] << 16, cb = blue[i] - 128, cr = red[i] - 128;

        back[i][0] = saturate((y + 91881 * cr + 32768) >> 16);
        back[i][1] = saturate((y - 22554 * cb - 46802 * cr + 32768) >> 16);
        back[i][2] = saturate((y + 116130 * cb + 32768) >> 16);
    }
}

static void prepare(void)
{
    uint32_t noise = 915965u;

    for (int i = 0; i < POINTS; i++) {
        uint32_t draw = noise_next(&noise);

        picture[i][0] = (uint8_t)(i % WIDTH * 2 / 3);
        picture[i][1] = (uint8_t)((unsigned)(i / WIDTH) ^ (draw & 7));
        picture[i][2] = (uint8_t)(draw >> 8);
    }
    SHIM_KEEP(picture);
}

static double plane_error(int i)
{
    double r = picture[i][0], g = picture[i][1], b = picture[i][2];
    double y = fabs(luma[i] - (0.299 * r + 0.587 * g + 0.114 * b));
    double cb = fabs(blue[i] - (128.0 - 0.168735892 * r - 0.331264108 * g + 0.5 * b));
    double cr = fabs(red[i] - (128.0 + 0.5 * r - 0.418687589 * g - 0.081312411 * b));

    return worse_of(worse_of(y, cb), cr);
}

/* Planes: rounding by 1/2, saturated 255.5 to 255, and factors within 2^-17 of 255 each. Back: errors of 1/2 with at
 * most 1 + 0.344 + 0.714 or 1 + 1.772, and 1/2 once more; saturation of 255.5 takes another 0.9. */
int main(void)
{
    double worst = 0.0;
    int furthest = 0;

    prepare();
    shim_region_begin("colour_planes");
    separate();
    SHIM_KEEP(luma);
    SHIM_KEEP(blue);
    SHIM_KEEP(red);
    join();
    SHIM_KEEP(back);
    shim_region_end("colour_planes");
    for (int i = 0; i < POINTS; i++) {
        worst = worse_of(worst, plane_error(i));
        for (int c = 0; c < 3; c++) {
            int off = abs(back[i][c] - picture[i][c]);

            furthest = off > furthest ? off : furthest;
        }
    }
    return sample_verdict_real("worst plane", worst, 0.0, 0.51) | sample_verdict_int("back within 2", furthest <= 2, 1);
}
