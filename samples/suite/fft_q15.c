/*
 * fft_q15 - a 256-point complex FFT in 16-bit fixed point, halved in every stage so that nothing overflows.
 *
 * Radix 2, decimation in frequency, bit reversal last; Welch, "A Fixed-Point Fast Fourier Transform Error Analysis",
 * 1969. The spectrum of two waves, divided by 256, is known.
 *
 * Work: 4 transforms of 8 stages of 128 butterflies, each 4 products of 16 bits and 6 sums. In vectors of at most 32
 * lanes: 4 * 8 * 128 * 10 / 32 = 1280. Bit reversal swaps 120 pairs in each transform (16 indices are palindromes),
 * found one by one, at least 2 instructions a swap: 4 * 120 * 2 = 960. Together 2240.
 */
#include "../sample.h"
#include "test_signal.h"

#define POINTS     256
#define TRANSFORMS 4

struct complex_q15 {
    int16_t re, im;
};

static struct complex_q15 twiddle[POINTS / 2];
static struct complex_q15 signal[TRANSFORMS][POINTS];

static int16_t times_q15(int16_t a, int16_t wa, int16_t b, int16_t wb)
{
    return (int16_t)((a * wa + b * wb + 16384) >> 15);
}

/* a' = (a + b) / 2, b' = w (a - b) / 2. */
static void butterfly(struct complex_q15 *a, struct complex_q15 *b, struct complex_q15 w)
{
    int16_t re = (int16_t)((a->re - b->re) >> 1);
    int16_t im = (int16_t)((a->im - b->im) >> 1);

    a->re = (int16_t)((a->re + b->re) >> 1);
    a->im = (int16_t)((a->im + b->im) >> 1);
    b->re = times_q15(re, w.re, (int16_t)-im, w.im);
    b->im = times_q15(re, w.im, im, w.re);
}

static void reverse_bits(struct complex_q15 *x)
{
    for (unsigned i = 0; i < POINTS; i++) {
        unsigned j = 0;

        for (unsigned bit = 1; bit < POINTS; bit <<= 1)
            j = j << 1 | ((i & bit) != 0);
        if (i < j) {
            struct complex_q15 kept = x[i];

            x[i] = x[j];
            x[j] = kept;
        }
    }
}

static void fft(struct complex_q15 *x)
{
    for (int half = POINTS / 2; half > 0; half /= 2)
        for (int start = 0; start < POINTS; start += 2 * half)
            for (int k = 0; k < half; k++)
                butterfly(&x[start + k], &x[start + k + half], twiddle[k * (POINTS / 2 / half)]);
    reverse_bits(x);
}

static void transform(void)
{
    for (int t = 0; t < TRANSFORMS; t++)
        fft(signal[t]);
}

/* Transform t holds a wave of t + 3 turns, amplitude 16000, and one of 90 turns, amplitude 8000. */
static void prepare(void)
{
    double turn = 2.0 * TEST_SIGNAL_PI / POINTS;

    for (int k = 0; k < POINTS / 2; k++)
        twiddle[k] =
            (struct complex_q15){(int16_t)(32767.0 * cosine_of(turn * k)), (int16_t)(-32767.0 * sine_of(turn * k))};
    for (int t = 0; t < TRANSFORMS; t++)
        for (int n = 0; n < POINTS; n++) {
            double wave = 16000.0 * cosine_of(turn * (t + 3) * n) + 8000.0 * sine_of(turn * 90 * n);

            signal[t][n] = (struct complex_q15){(int16_t)wave, 0};
        }
    SHIM_KEEP(twiddle);
    SHIM_KEEP(signal);
}

/* The definition, divided by the number of points: half the amplitude at either frequency and its mirror. */
static struct complex_q15 expected(int t, int k)
{
    struct complex_q15 e = {0, 0};

    if (k == t + 3 || k == POINTS - t - 3)
        e.re = 8000;
    if (k == 90 || k == POINTS - 90)
        e.im = k == 90 ? -4000 : 4000;
    return e;
}

/* Each of 8 stages rounds by at most about 1.5 and then halves what came before; 16 is far above what can gather. */
int main(void)
{
    int worst = 0;

    prepare();
    shim_region_begin("fft_q15");
    transform();
    SHIM_KEEP(signal);
    shim_region_end("fft_q15");
    for (int t = 0; t < TRANSFORMS; t++)
        for (int k = 0; k < POINTS; k++) {
            int re = abs(signal[t][k].re - expected(t, k).re), im = abs(signal[t][k].im - expected(t, k).im);

            worst = re > worst ? re : worst;
            worst = im > worst ? im : worst;
        }
    return sample_verdict_real("worst error", worst, 0, 16);
}
