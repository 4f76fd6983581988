/*
 * tone_synth - four strings are struck one after the other, 400 samples: sines of float whose loudness falls
 * exponentially, pitches by equal temperament, the level at the end in decibels: sinf, expf, powf, log10f, fabsf.
 *
 * The truth: outside, in double, sines and exponentials by their recurrences, and no library.
 *
 * Work: a sample asks each string that sounds for a sine and an exponential, 3 multiplications: 400 * 4 / 2 * 5.
 */
#include "../sample.h"

#define STRINGS 4
#define SAMPLES 400
#define RATE    8000.0f

static const int notes[STRINGS] = {0, 4, 7, 12}; /* halftones above 220 Hz */
static int struck[STRINGS];
static float sound[SAMPLES], level;

static void work(void)
{
    float pitch[STRINGS], peak = 0;

    for (int k = 0; k < STRINGS; k++)
        pitch[k] = 220.0f * powf(2.0f, (float)notes[k] / 12.0f);
    for (int i = 0; i < SAMPLES; i++) {
        float sum = 0;

        for (int k = 0; k < STRINGS; k++)
            if (i >= struck[k]) {
                float t = (float)(i - struck[k]) / RATE;

                sum += 0.25f * expf(-30.0f * t) * sinf(6.2831853f * pitch[k] * t);
            }
        sound[i] = sum;
        peak = fabsf(sum) > peak ? fabsf(sum) : peak;
    }
    level = 20.0f * log10f(peak);
}

/* Of the turn per sample; 1 - x^2/2 + ..., enough terms for a double. */
static void first_sine(double x, double *s, double *c)
{
    double term = 1;

    *s = *c = 0;
    for (int n = 0; n < 24; n++) {
        if (n % 2)
            *s += n % 4 == 1 ? term : -term;
        else
            *c += n % 4 == 0 ? term : -term;
        term *= x / (n + 1);
    }
}

static int check(void)
{
    const double ratio[STRINGS] = {1, 1.2599210498948732, 1.4983070768766815, 2}; /* 2^(n/12) */
    double again[SAMPLES] = {0}, peak = 0, fall = 1, term = 1;

    for (int n = 1; n < 12; n++)
        fall += term *= -30.0 / RATE / n;
    for (int k = 0; k < STRINGS; k++) {
        double s, c, x = 0, y = 1, loud = 0.25;

        first_sine(6.283185307179586 * 220 * ratio[k] / RATE, &s, &c);
        for (int i = struck[k]; i < SAMPLES; i++, loud *= fall) {
            double next = x * c + y * s;

            again[i] += loud * x;
            y = y * c - x * s;
            x = next;
        }
    }
    for (int i = 0; i < SAMPLES; i++) {
        if (sample_verdict_real("sound", sound[i], again[i], 2e-4))
            return 1;
        peak = fabs(again[i]) > peak ? fabs(again[i]) : peak;
    }
    double power = 1;
    for (int n = 0; n < 400; n++) /* (1 + level ln 10 / 20 / 400)^400, to 1 % */
        power *= 1 + level * 0.11512925464970229 / 400;
    return sample_verdict_real("peak", power, peak, 0.01);
}

int main(void)
{
    for (int k = 0; k < STRINGS; k++)
        struck[k] = 60 * k;
    SHIM_KEEP(struck);
    shim_region_begin("tone_synth");
    work();
    SHIM_KEEP(sound);
    SHIM_KEEP(&level);
    shim_region_end("tone_synth");
    return check();
}
