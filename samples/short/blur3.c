/*
 * blur3 - a 3 x 3 filter of weights 1 2 1 on the inside of an image of 8 x 8 bytes.
 *
 * Truth: the filter leaves an image that is linear in both directions as it is.
 * Work: 36 pixels of nine neighbours, in vectors of 64 lanes at most: 9.
 */
#include "../sample.h"

enum { N = 8 };
static uint8_t image[N][N], blurred[N][N];

static void blur(void)
{
    for (int y = 1; y < N - 1; y++)
        for (int x = 1; x < N - 1; x++) {
            int sum = 0;

            for (int i = -1; i <= 1; i++)
                for (int k = -1; k <= 1; k++)
                    sum += image[y + i][x + k] * ((2 - i * i) * (2 - k * k));
            blurred[y][x] = (uint8_t)(sum / 16);
        }
}

int main(void)
{
    int wrong = 0;

    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            image[y][x] = (uint8_t)(11 * y + 5 * x + 20);
    SHIM_KEEP(image);
    shim_region_begin("blur3");
    blur();
    SHIM_KEEP(blurred);
    shim_region_end("blur3");
    for (int y = 1; y < N - 1; y++)
        for (int x = 1; x < N - 1; x++)
            wrong += blurred[y][x] != image[y][x];
    return sample_verdict_int("wrong pixels", wrong, 0);
}
