/*
 * fft_float - a 1024-point complex FFT in single precision, forward and back.
 *
 * Radix 2, decimation in time, bit reversal first; Cooley and Tukey, "An Algorithm for the Machine Calculation of
 * Complex Fourier Series", 1965. The input holds two waves, so that the spectrum is known; the inverse gives the input
 * back.
 *
 * Work: 2 transforms of 10 stages of 512 butterflies, each 4 products and 6 sums of floats. In vectors of at most 16
 * lanes: 2 * 10 * 512 * 10 / 16 = 6400. Bit reversal moves 992 of the 1024 points in each transform (32 are
 * palindromes), to places found one by one: 2 * 992 / 2 swaps of at least 2 instructions = 1984. Together 8384.
 */
#include "../sample.h"
#include "test_signal.h"

#define POINTS 1024

struct complex_float {
    float re, im;
};

static struct complex_float twiddle[POINTS / 2];
static struct complex_float signal[POINTS], spectrum[POINTS], back[POINTS];

static void reverse_bits(struct complex_float *x)
{
    int j = 0;

    for (int i = 1; i < POINTS; i++) {
        int bit = POINTS / 2;

        for (; j & bit; bit >>= 1)
            j ^= bit;
        j |= bit;
        if (i < j) {
            struct complex_float kept = x[i];

            x[i] = x[j];
            x[j] = kept;
        }
    }
}

static void butterfly(struct complex_float *a, struct complex_float *b, struct complex_float w)
{
    float re = b->re * w.re - b->im * w.im;
    float im = b->re * w.im + b->im * w.re;

    b->re = a->re - re;
    b->im = a->im - im;
    a->re += re;
    a->im += im;
}

static void fft(struct complex_float *x)
{
    reverse_bits(x);
    for (int half = 1; half < POINTS; half *= 2)
        for (int start = 0; start < POINTS; start += 2 * half)
            for (int k = 0; k < half; k++)
                butterfly(&x[start + k], &x[start + k + half], twiddle[k * (POINTS / 2 / half)]);
}

/* The inverse by the forward transform: swap the parts before and after. */
static void inverse_fft(struct complex_float *x)
{
    for (int n = 0; n < POINTS; n++)
        x[n] = (struct complex_float){x[n].im, x[n].re};
    fft(x);
    for (int n = 0; n < POINTS; n++)
        x[n] = (struct complex_float){x[n].im / POINTS, x[n].re / POINTS};
}

static void transform(void)
{
    memcpy(spectrum, signal, sizeof spectrum);
    fft(spectrum);
    memcpy(back, spectrum, sizeof back);
    inverse_fft(back);
}

static void prepare(void)
{
    double turn = 2.0 * TEST_SIGNAL_PI / POINTS;

    for (int k = 0; k < POINTS / 2; k++)
        twiddle[k] = (struct complex_float){(float)cosine_of(turn * k), (float)-sine_of(turn * k)};
    for (int n = 0; n < POINTS; n++)
        signal[n] = (struct complex_float){(float)(cosine_of(turn * 19 * n) + 0.5 * sine_of(turn * 100 * n)), 0.0f};
    SHIM_KEEP(twiddle);
    SHIM_KEEP(signal);
}

/* What the definition of the transform says for the two waves. */
static struct complex_float expected(int k)
{
    struct complex_float e = {0.0f, 0.0f};

    if (k == 19 || k == POINTS - 19)
        e.re = POINTS / 2;
    if (k == 100 || k == POINTS - 100)
        e.im = k == 100 ? -POINTS / 4 : POINTS / 4;
    return e;
}

static double distance(struct complex_float a, struct complex_float b)
{
    return worse_of(fabs((double)a.re - b.re), fabs((double)a.im - b.im));
}

/* 10 stages of rounding at 2^-24, on values up to 512: below 1e-3; after division by 1024, below 1e-5. */
int main(void)
{
    double worst = 0.0, worst_back = 0.0;

    prepare();
    shim_region_begin("fft_float");
    transform();
    SHIM_KEEP(spectrum);
    SHIM_KEEP(back);
    shim_region_end("fft_float");
    for (int k = 0; k < POINTS; k++) {
        worst = worse_of(worst, distance(spectrum[k], expected(k)));
        worst_back = worse_of(worst_back, distance(back[k], signal[k]));
    }
    return sample_verdict_real("worst error of the spectrum", worst, 0.0, 1e-3) |
           sample_verdict_real("worst error of the way back", worst_back, 0.0, 1e-5);
}
