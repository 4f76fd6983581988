/*
 * bilinear - enlarging an image of 48 x 48 bytes to 100 x 100 in 16.16 fixed point.
 *
 * Gonzalez and Woods, "Digital Image Processing", section 2.4.4. The image is a plane, which bilinear interpolation
 * keeps: the truth is the plane at the place of the pixel, within one level for rounding down twice.
 *
 * Work: 10000 pixels of 3 interpolations, each a product, a difference and a sum of 16 bits or more; in at most 32
 * lanes: 10000 * 9 / 32 = 2812; and 10000 / 64 = 156 stores. Together 2968.
 */
#include "../sample.h"
#include "test_signal.h"

#define FROM 48
#define TO   100

static uint8_t image[FROM][FROM], large[TO][TO];

static int between(int a, int b, int share)
{
    return a + ((b - a) * share >> 8);
}

static void enlarge(void)
{
    int32_t step = ((FROM - 1) << 16) / TO;

    for (int i = 0; i < TO; i++) {
        int row = i * step >> 16, down = i * step >> 8 & 255;

        for (int j = 0; j < TO; j++) {
            int column = j * step >> 16, right = j * step >> 8 & 255;
            int top = between(image[row][column], image[row][column + 1], right);
            int bottom = between(image[row + 1][column], image[row + 1][column + 1], right);

            large[i][j] = (uint8_t)between(top, bottom, down);
        }
    }
}

static void prepare(void)
{
    for (int i = 0; i < FROM; i++)
        for (int j = 0; j < FROM; j++)
            image[i][j] = (uint8_t)(10 + 3 * i + 2 * j);
    SHIM_KEEP(image);
}

/* Two roundings down, and places that are cut to 1/256 of a pixel: 5/256 more at most. */
int main(void)
{
    double scale = (double)(FROM - 1) / TO, worst = 0.0;

    prepare();
    shim_region_begin("bilinear");
    enlarge();
    SHIM_KEEP(large);
    shim_region_end("bilinear");
    for (int i = 0; i < TO; i++)
        for (int j = 0; j < TO; j++) {
            double error = fabs(large[i][j] - (10.0 + 3.0 * scale * i + 2.0 * scale * j));

            worst = worse_of(worst, error);
        }
    return sample_verdict_real("worst error", worst, 0.0, 2.05);
}
