/*
 * convolve - a 3 x 3 Gaussian over an image of 96 x 96 bytes, with weights from memory, rounded and saturated.
 *
 * Gonzalez and Woods, "Digital Image Processing", section 3.5. The truth: the kernel 1 2 1, 2 4 2, 1 2 1 is two passes
 * of 1 2 1, along rows and along columns; that second way must give the same bytes.
 *
 * Work: 94 * 94 pixels of 9 products and 9 sums of 16 bits or more; in vectors of 32 lanes, a multiply-add pair for
 * one: 8836 * 9 / 32 = 2485; and 8836 / 64 = 138 stores. Together 2623.
 */
#include "../sample.h"
#include "test_signal.h"

#define SIDE  96
#define SHIFT 4

static uint8_t image[SIDE][SIDE], smooth[SIDE][SIDE];
static int8_t kernel[3][3];

static uint8_t saturate(int value)
{
    if (value < 0)
        return 0;
    return value > 255 ? 255 : (uint8_t)value;
}

static uint8_t weigh(int row, int column)
{
    int sum = 1 << (SHIFT - 1);

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum += kernel[i][j] * image[row + i - 1][column + j - 1];
    return saturate(sum >> SHIFT);
}

static void convolve(void)
{
    for (int row = 1; row < SIDE - 1; row++)
        for (int column = 1; column < SIDE - 1; column++)
            smooth[row][column] = weigh(row, column);
}

static void prepare(void)
{
    uint32_t noise = 1664525u;

    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            image[i][j] = (uint8_t)noise_next(&noise);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            kernel[i][j] = (int8_t)((i == 1 ? 2 : 1) * (j == 1 ? 2 : 1));
    SHIM_KEEP(image);
    SHIM_KEEP(kernel);
}

static int row_pass(int row, int column)
{
    return image[row][column - 1] + 2 * image[row][column] + image[row][column + 1];
}

static int wrong_pixels(void)
{
    int wrong = 0;

    for (int i = 1; i < SIDE - 1; i++)
        for (int j = 1; j < SIDE - 1; j++) {
            int sum = row_pass(i - 1, j) + 2 * row_pass(i, j) + row_pass(i + 1, j);

            wrong += smooth[i][j] != (sum + 8) / 16;
        }
    return wrong;
}

int main(void)
{
    prepare();
    shim_region_begin("convolve");
    convolve();
    SHIM_KEEP(smooth);
    shim_region_end("convolve");
    return sample_verdict_int("wrong pixels", wrong_pixels(), 0);
}
