/*
 * grey - 24 pixels of red, green and blue to shades of grey, weights 77, 150 and 29 of 256.
 *
 * Truth: a pixel of three equal parts keeps its value; pure colours have 255 times their weight.
 * Work: 24 pixels of three products, in vectors of 64 lanes at most: 3.
 */
#include "../sample.h"

enum { N = 24 };
static uint8_t pixels[N][3], shades[N];

static void convert(void)
{
    for (int i = 0; i < N; i++)
        shades[i] = (uint8_t)((77 * pixels[i][0] + 150 * pixels[i][1] + 29 * pixels[i][2]) >> 8);
}

int main(void)
{
    int wrong = 0;

    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++)
            pixels[i][k] = (uint8_t)(i < 21 ? 12 * i : k == i - 21 ? 255 : 0);
    SHIM_KEEP(pixels);
    shim_region_begin("grey");
    convert();
    SHIM_KEEP(shades);
    shim_region_end("grey");
    for (int i = 0; i < 21; i++)
        wrong += shades[i] != 12 * i;
    return sample_verdict_int("wrong shades", wrong, 0) | sample_verdict_int("red", shades[21], 77 * 255 / 256) |
           sample_verdict_int("green", shades[22], 150 * 255 / 256) |
           sample_verdict_int("blue", shades[23], 29 * 255 / 256);
}
