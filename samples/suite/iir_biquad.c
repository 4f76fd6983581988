/*
 * iir_biquad - a cascade of three second-order sections in single precision, transposed direct form II.
 *
 * Low-pass sections as in Bristow-Johnson, "Cookbook formulae for audio EQ biquad filter coefficients". Each has gain 1
 * at frequency 0 and a double zero at half the sample rate: a constant passes, an alternating sign is stopped.
 *
 * Work: each of the 3000 samples passes 3 sections whose states depend on the sample before. The sections of one sample
 * follow each other: per section 5 products and 4 sums, which may pair up in vectors of 2 at best, as there are two
 * states: 3000 * 3 * 9 / 2 = 40500.
 */
#include "../sample.h"
#include "test_signal.h"

#define SECTIONS 3
#define SAMPLES  3000

struct biquad {
    float b0, b1, b2, a1, a2;
    float s1, s2;
};

static struct biquad cascade[SECTIONS];
static float input[SAMPLES], output[SAMPLES];

static float biquad_step(struct biquad *q, float x)
{
    float y = q->b0 * x + q->s1;

    q->s1 = q->b1 * x - q->a1 * y + q->s2;
    q->s2 = q->b2 * x - q->a2 * y;
    return y;
}

static void filter(void)
{
    for (int n = 0; n < SAMPLES; n++) {
        float x = input[n];

        for (int s = 0; s < SECTIONS; s++)
            x = biquad_step(&cascade[s], x);
        output[n] = x;
    }
}

static struct biquad low_pass(double omega, double q)
{
    double alpha = sine_of(omega) / (2.0 * q), c = cosine_of(omega), a0 = 1.0 + alpha;
    struct biquad b = {.b0 = (float)((1.0 - c) / 2.0 / a0), .s1 = 0.0f, .s2 = 0.0f};

    b.b1 = 2.0f * b.b0;
    b.b2 = b.b0;
    b.a1 = (float)(-2.0 * c / a0);
    b.a2 = (float)((1.0 - alpha) / a0);
    return b;
}

/* The Butterworth factors of order 6. The first half of the input is 1, the second alternates between 1 and -1. */
static void prepare(void)
{
    static const double quality[SECTIONS] = {0.51763809, 0.70710678, 1.93185165};

    for (int s = 0; s < SECTIONS; s++)
        cascade[s] = low_pass(0.3, quality[s]);
    for (int n = 0; n < SAMPLES; n++)
        input[n] = n < SAMPLES / 2 || n % 2 == 0 ? 1.0f : -1.0f;
    SHIM_KEEP(cascade);
    SHIM_KEEP(input);
}

int main(void)
{
    prepare();
    shim_region_begin("iir_biquad");
    filter();
    SHIM_KEEP(output);
    shim_region_end("iir_biquad");
    return sample_verdict_real("a constant", output[SAMPLES / 2 - 1], 1.0, 1e-4) |
           sample_verdict_real("an alternating sign", output[SAMPLES - 1], 0.0, 1e-4);
}
