/* srad.c - speckle reducing anisotropic diffusion, 7 steps (7 stamps) and the picture (2). After Yu and Acton,
 * "Speckle Reducing Anisotropic Diffusion", IEEE TIP 11 (2002), equations 31 to 35, with the coefficient of variation
 * held fixed. */
#include "timed.h"

enum { W = 128, STEPS = 7 };
static const float rate = .5f, variation = .05f;

static float in[W * W], image[W * W], coefficient[W * W], out[W * W];

static inline int inside(int v)
{
    return v < 0 ? 0 : v >= W ? W - 1 : v;
}

static inline float diffusion(const float *restrict j, int y, int x)
{
    float v = j[y * W + x], n = j[inside(y - 1) * W + x] - v, s = j[inside(y + 1) * W + x] - v,
          w = j[y * W + inside(x - 1)] - v, e = j[y * W + inside(x + 1)] - v;
    float g = (n * n + s * s + w * w + e * e) / (v * v), l = (n + s + w + e) / v;
    float q = (.5f * g - l * l / 16) / ((1 + .25f * l) * (1 + .25f * l));
    float c = 1 / (1 + (q - variation) / (variation * (1 + variation)));
    return c < 0 ? 0 : c > 1 ? 1 : c;
}

__attribute__((noinline)) static void srad(const float *restrict x, float *restrict j, float *restrict c,
                                           float *restrict z)
{
    for (int i = 0; i < W * W; i++)
        j[i] = x[i];

    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < W * W; i++)
            c[i] = diffusion(j, i / W, i % W);
        for (int i = 0; i < W * (W - 1); i++)
            j[i] += .25f * rate * (c[i] * (j[i + W] - j[i]) + c[i + W] * (j[i + 1] - j[i]));
    }
    for (int i = 0; i < W * W; i++)
        z[i] = j[i] * j[i];
}

static void work(void)
{
    srad(in, image, coefficient, out);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < W * W; i++)
        in[i] = 1 + (float)(i * 31 % 97) / 97;
    return timed_main(argc, argv, work, out, sizeof out);
}
