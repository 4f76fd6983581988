/*
 * biquad_bank - an equaliser of 8 bands, peaking filters behind each other, two channels; double precision.
 *
 * Bristow-Johnson's "Cookbook Formulae for Audio Equalizer Biquad Filter Coefficients", transposed direct form II. The
 * truth: at w a chain of filters multiplies a sine by the product of their |H(w)|, here valued from the coefficients in
 * the complex plane; the channels carry two different sines.
 *
 * Work: each of the 1000 samples of a channel passes 8 filters, 5 products and 4 sums each, which depend on each other;
 * 2 channels, and 8 bands in a pipeline: 1000 * 2 * 8 * 9 / 8 = 18000.
 */
#include "../sample.h"
#include "test_signal.h"

#define BANDS    8
#define CHANNELS 2
#define SAMPLES  1000

struct biquad {
    double b0, b1, b2, a1, a2;
    double s1[CHANNELS], s2[CHANNELS];
};

static struct biquad band[BANDS];
static double input[CHANNELS][SAMPLES], output[CHANNELS][SAMPLES];

static double biquad_step(struct biquad *f, int channel, double x)
{
    double y = f->b0 * x + f->s1[channel];

    f->s1[channel] = f->b1 * x - f->a1 * y + f->s2[channel];
    f->s2[channel] = f->b2 * x - f->a2 * y;
    return y;
}

static void equalise(void)
{
    for (int n = 0; n < SAMPLES; n++)
        for (int c = 0; c < CHANNELS; c++) {
            double x = input[c][n];

            for (int i = 0; i < BANDS; i++)
                x = biquad_step(&band[i], c, x);
            output[c][n] = x;
        }
}

static double frequency_of(int channel)
{
    return channel == 0 ? 0.31 : 0.87;
}

/* Bands at 0.05 * 1.6^i, Q 1, gains from 0.5 to 2. */
static void prepare(void)
{
    double w = 0.08;

    for (int i = 0; i < BANDS; i++, w *= 1.5) {
        double gain = i % 3 == 0 ? 1.4 : i % 3 == 1 ? 0.8 : 1.1, alpha = sine_of(w) / 2.0, a0 = 1.0 + alpha / gain;

        band[i] = (struct biquad){.b0 = (1.0 + alpha * gain) / a0,
                                  .b1 = -2.0 * cosine_of(w) / a0,
                                  .b2 = (1.0 - alpha * gain) / a0,
                                  .a1 = -2.0 * cosine_of(w) / a0,
                                  .a2 = (1.0 - alpha / gain) / a0};
    }
    for (int c = 0; c < CHANNELS; c++)
        for (int n = 0; n < SAMPLES; n++)
            input[c][n] = sine_of(frequency_of(c) * n);
    SHIM_KEEP(band);
    SHIM_KEEP(input);
}

/* |H|^2 at w, with z^-1 = cos w - j sin w. */
static double power_gain(const struct biquad *f, double w)
{
    double c1 = cosine_of(w), s1 = sine_of(w), c2 = cosine_of(2.0 * w), s2 = sine_of(2.0 * w);
    double nr = f->b0 + f->b1 * c1 + f->b2 * c2, ni = f->b1 * s1 + f->b2 * s2;
    double dr = 1.0 + f->a1 * c1 + f->a2 * c2, di = f->a1 * s1 + f->a2 * s2;

    return (nr * nr + ni * ni) / (dr * dr + di * di);
}

/* For a sine of amplitude A: y[n]^2 - y[n - 1] y[n + 1] = A^2 sin^2 w, at every n once the start has died away. */
int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("biquad_bank");
    equalise();
    SHIM_KEEP(output);
    shim_region_end("biquad_bank");
    for (int c = 0; c < CHANNELS; c++) {
        double w = frequency_of(c), gain = 1.0;

        for (int i = 0; i < BANDS; i++)
            gain *= power_gain(&band[i], w);
        for (int n = SAMPLES - 100; n < SAMPLES - 1; n++) {
            const double *y = &output[c][n];
            double power = (y[0] * y[0] - y[-1] * y[1]) / (sine_of(w) * sine_of(w));

            worst = worse_of(worst, fabs(power - gain));
        }
    }
    return sample_verdict_real("worst gain", worst, 0.0, 1e-9);
}
