/*
 * fft8 - a Fourier transform of eight points in float, unrolled in three stages.
 *
 * Truth: the definition: the sum of x[n] exp(-2 pi i n k / 8), by the C library.
 * Work: 3 stages of 8 complex additions, in vectors of 16 lanes at most: 3.
 */
#include "../sample.h"

enum { N = 8 };
#define PI 3.14159265358979323846
static float re[N], im[N];

static void butterfly(int a, int b, float c, float s)
{
    float x = re[b] * c - im[b] * s, y = re[b] * s + im[b] * c;

    re[b] = re[a] - x;
    im[b] = im[a] - y;
    re[a] += x;
    im[a] += y;
}

static void exchange(int a, int b)
{
    float t = re[a];

    re[a] = re[b];
    re[b] = t;
}

static void transform(void)
{
    const float h = 0.70710678F;

    exchange(1, 4);
    exchange(3, 6);
    for (int i = 0; i < N; i += 2)
        butterfly(i, i + 1, 1, 0);
    for (int i = 0; i < N; i += 4) {
        butterfly(i, i + 2, 1, 0);
        butterfly(i + 1, i + 3, 0, -1);
    }
    butterfly(0, 4, 1, 0);
    butterfly(1, 5, h, -h);
    butterfly(2, 6, 0, -1);
    butterfly(3, 7, -h, -h);
}

int main(void)
{
    static const float x[N] = {1, 3, -2, 5, 0, 4, -6, 2};
    int wrong = 0;

    memcpy(re, x, sizeof re);
    memset(im, 0, sizeof im);
    SHIM_KEEP(re);
    SHIM_KEEP(im);
    shim_region_begin("fft8");
    transform();
    SHIM_KEEP(re);
    SHIM_KEEP(im);
    shim_region_end("fft8");
    for (int k = 0; k < N; k++) {
        double a = 0, b = 0;

        for (int n = 0; n < N; n++) {
            a += x[n] * cos(2 * PI * n * k / N);
            b -= x[n] * sin(2 * PI * n * k / N);
        }
        wrong |=
            sample_verdict_real("real part", re[k], a, 1e-4) | sample_verdict_real("imaginary part", im[k], b, 1e-4);
    }
    return wrong;
}
