/*
 * dct8x8 - the discrete cosine transform of JPEG on 8 x 8 blocks, whole numbers with 12-bit cosines, and its inverse.
 *
 * Ahmed, Natarajan and Rao, "Discrete Cosine Transform", 1974; rows, then columns, even and odd halves apart. The
 * truth: the transform of the definition in double precision; and the inverse gives the picture back.
 *
 * Work: 48 blocks, 16 vectors of 8 each; half of a vector's outputs take 4 products each from the sums and half from
 * the differences: 32 products and as many sums, in at most 16 lanes: 48 * 16 * 64 / 16 = 3072; the inverse the same:
 * 6144.
 */
#include "../sample.h"
#include "test_signal.h"

#define BLOCKS 48
#define N      8
#define BITS   12

static int16_t cosine[N][N]; /* [frequency][place], Q12, orthonormal */
static int16_t picture[BLOCKS][N][N], spectrum[BLOCKS][N][N], back[BLOCKS][N][N];

static int16_t rounded(int32_t sum)
{
    return (int16_t)((sum + (1 << (BITS - 1))) >> BITS);
}

/* Even frequencies see the sums of mirrored places, odd ones the differences. */
static void forward(const int16_t *in, int16_t *out, int stride)
{
    int32_t sum[N / 2], difference[N / 2];

    for (int x = 0; x < N / 2; x++) {
        sum[x] = in[x * stride] + in[(N - 1 - x) * stride];
        difference[x] = in[x * stride] - in[(N - 1 - x) * stride];
    }
    for (int u = 0; u < N; u += 2) {
        int32_t even = 0, odd = 0;

        for (int x = 0; x < N / 2; x++) {
            even += cosine[u][x] * sum[x];
            odd += cosine[u + 1][x] * difference[x];
        }
        out[u * stride] = rounded(even);
        out[(u + 1) * stride] = rounded(odd);
    }
}

static void inverse(const int16_t *in, int16_t *out, int stride)
{
    for (int x = 0; x < N / 2; x++) {
        int32_t even = 0, odd = 0;

        for (int u = 0; u < N; u += 2) {
            even += cosine[u][x] * in[u * stride];
            odd += cosine[u + 1][x] * in[(u + 1) * stride];
        }
        out[x * stride] = rounded(even + odd);
        out[(N - 1 - x) * stride] = rounded(even - odd);
    }
}

static void transform(void)
{
    int16_t half[N][N];

    for (int b = 0; b < BLOCKS; b++) {
        for (int i = 0; i < N; i++)
            forward(picture[b][i], half[i], 1);
        for (int i = 0; i < N; i++)
            forward(&half[0][i], &spectrum[b][0][i], N);
        for (int i = 0; i < N; i++)
            inverse(&spectrum[b][0][i], &half[0][i], N);
        for (int i = 0; i < N; i++)
            inverse(half[i], back[b][i], 1);
    }
}

static double basis(int u, int x)
{
    return (u == 0 ? 0.35355339059327379 : 0.5) * cosine_of((2 * x + 1) * u * TEST_SIGNAL_PI / (2 * N));
}

static void prepare(void)
{
    uint32_t noise = 161803u;

    for (int u = 0; u < N; u++)
        for (int x = 0; x < N; x++)
            cosine[u][x] = (int16_t)floor((1 << BITS) * basis(u, x) + 0.5);
    for (int b = 0; b < BLOCKS; b++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++)
                picture[b][y][x] = (int16_t)((100.0 * sine_of(0.1 * (b + 1) * x + 0.3 * y)) + noise_within(&noise, 27));
    SHIM_KEEP(cosine);
    SHIM_KEEP(picture);
}

static double defined(int b, int v, int u)
{
    double sum = 0.0;

    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            sum += basis(v, y) * basis(u, x) * picture[b][y][x];
    return sum;
}

/* A pass rounds by 1/2; the first one's errors reach the second with a gain of sqrt 8 at most, and cosines are off
 * by 1/8192 of at most 8 * 128: 1/2 + 1.42 + 0.2 in either direction, and as much again with the same gain after
 * both. */
int main(void)
{
    double worst = 0.0;
    int far = 0;

    prepare();
    shim_region_begin("dct8x8");
    transform();
    SHIM_KEEP(spectrum);
    SHIM_KEEP(back);
    shim_region_end("dct8x8");
    for (int b = 0; b < BLOCKS; b++)
        for (int v = 0; v < N; v++)
            for (int u = 0; u < N; u++) {
                int off = back[b][v][u] - picture[b][v][u];

                worst = worse_of(worst, fabs(spectrum[b][v][u] - defined(b, v, u)));
                far += off < -3 || off > 3;
            }
    return sample_verdict_real("worst coefficient", worst, 0.0, 2.2) |
           sample_verdict_int("points that changed", far, 0);
}
