/*
 * resampler - from 44.1 kHz to 48 kHz: 160 phases of 16 coefficients each, 16-bit samples and coefficients.
 *
 * Crochiere and Rabiner, "Multirate Digital Signal Processing", 1983: a polyphase filter; the phase advances by 147 of
 * 160. The coefficients are a windowed sine cardinal. The truth: tones come out as tones of the same frequency, sampled
 * at 48 kHz, later by the filter's delay.
 *
 * Work: 2400 outputs, each with 16 products and sums: a multiply-add of 16-bit numbers in at most 32 lanes, and a
 * reduction and a store each: 2400 * 3 = 7200.
 */
#include "../sample.h"
#include "test_signal.h"

#define PHASES  160
#define ADVANCE 147
#define TAPS    16
#define OUTPUTS 2400
#define INPUTS  (OUTPUTS * ADVANCE / PHASES + TAPS + 1)

static int16_t coefficient[PHASES][TAPS]; /* Q14 */
static int16_t input[INPUTS], output[OUTPUTS];

static int16_t saturate(int32_t x)
{
    if (x > INT16_MAX)
        return INT16_MAX;
    return x < INT16_MIN ? INT16_MIN : (int16_t)x;
}

static void resample(void)
{
    int phase = 0, at = 0;

    for (int n = 0; n < OUTPUTS; n++) {
        const int16_t *c = coefficient[phase];
        int32_t sum = 1 << 13;

        for (int k = 0; k < TAPS; k++)
            sum += c[k] * input[at + k];
        output[n] = saturate(sum >> 14);
        phase += ADVANCE;
        if (phase >= PHASES) {
            phase -= PHASES;
            at++;
        }
    }
}

/* Three slow tones; x in samples of the input. */
static double signal_at(double x)
{
    return 9000.0 * sine_of(0.11 * x) + 7000.0 * sine_of(0.37 * x + 1.0) + 5000.0 * sine_of(0.71 * x + 2.0);
}

/* Tap k of phase p stands k - 7 - p / 160 samples from the middle; Hann's window over 8 to either side. */
static void prepare(void)
{
    for (int p = 0; p < PHASES; p++) {
        double tap[TAPS], sum = 0.0;

        for (int k = 0; k < TAPS; k++) {
            double x = k - 7 - p / (double)PHASES, angle = TEST_SIGNAL_PI * x;

            tap[k] = (x == 0.0 ? 1.0 : sine_of(angle) / angle) * (0.5 + 0.5 * cosine_of(angle / 8.0));
            sum += tap[k];
        }
        for (int k = 0; k < TAPS; k++)
            coefficient[p][k] = (int16_t)floor(16384.0 * tap[k] / sum + 0.5);
    }
    for (int n = 0; n < INPUTS; n++)
        input[n] = (int16_t)floor(signal_at(n) + 0.5);
    SHIM_KEEP(coefficient);
    SHIM_KEEP(input);
}

/* Rounding: 16 coefficients by 2^-15 of 21000 each at most, 10; inputs and the output 1. The window's ripple at
 * these frequencies is below 0.1 %, 21. */
int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("resampler");
    resample();
    SHIM_KEEP(output);
    shim_region_end("resampler");
    for (int n = 0; n < OUTPUTS; n++)
        worst = worse_of(worst, fabs(output[n] - signal_at(7.0 + n * (double)ADVANCE / PHASES)));
    return sample_verdict_real("worst sample", worst, 0.0, 32.0);
}
