/*
 * sobel - edges of an image of 80 x 80 bytes: gradient by Sobel's operators, sum of magnitudes, threshold, count.
 *
 * Gonzalez and Woods, "Digital Image Processing", section 10.2. The image is a plane with slopes 1 and 1 and a step of
 * 90 in the middle. Sobel's operators give 8 times a slope: 16 in sum on the plane; in both columns at the step the
 * difference grows by 90 in 4 weights: 8 + 360 + 8 = 376.
 *
 * Work: 3 passes over 78 * 78 pixels: 10 sums (two operators of 5) in at most 32 lanes of 16 bits, 3 * 6084 * 10 / 32 =
 * 5703; and 3 * 6084 / 32 = 570 stores. Together 6273.
 */
#include "../sample.h"

#define SIDE      80
#define PASSES    3
#define STEP      90
#define THRESHOLD 200

static uint8_t image[SIDE][SIDE];
static int16_t magnitude[SIDE][SIDE];
static int edges[PASSES];

static int gradient(int i, int j)
{
    int along = image[i - 1][j + 1] + 2 * image[i][j + 1] + image[i + 1][j + 1] - image[i - 1][j - 1] -
                2 * image[i][j - 1] - image[i + 1][j - 1];
    int across = image[i + 1][j - 1] + 2 * image[i + 1][j] + image[i + 1][j + 1] - image[i - 1][j - 1] -
                 2 * image[i - 1][j] - image[i - 1][j + 1];

    return abs(along) + abs(across);
}

static int find_edges(void)
{
    int found = 0;

    for (int i = 1; i < SIDE - 1; i++)
        for (int j = 1; j < SIDE - 1; j++) {
            int value = gradient(i, j);

            magnitude[i][j] = (int16_t)value;
            if (value > THRESHOLD)
                found++;
        }
    return found;
}

static void process(void)
{
    for (int k = 0; k < PASSES; k++) {
        edges[k] = find_edges();
        SHIM_KEEP(magnitude);
        SHIM_KEEP(image);
    }
}

static void prepare(void)
{
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            image[i][j] = (uint8_t)(i + j + (j >= SIDE / 2 ? STEP : 0));
    SHIM_KEEP(image);
}

static int wrong_pixels(void)
{
    int wrong = 0;

    for (int i = 1; i < SIDE - 1; i++)
        for (int j = 1; j < SIDE - 1; j++)
            wrong += magnitude[i][j] != (j == SIDE / 2 - 1 || j == SIDE / 2 ? 16 + 4 * STEP : 16);
    return wrong;
}

int main(void)
{
    int failed = 0;

    prepare();
    shim_region_begin("sobel");
    process();
    SHIM_KEEP(edges);
    shim_region_end("sobel");
    for (int k = 0; k < PASSES; k++)
        failed |= sample_verdict_int("pixels of the edge", edges[k], 2 * (SIDE - 2));
    return failed | sample_verdict_int("wrong pixels", wrong_pixels(), 0);
}
