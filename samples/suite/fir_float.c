/*
 * fir_float - a symmetric FIR filter of 24 taps in single precision, sample by sample through a delay line.
 *
 * Linear phase: taps that mirror each other share a coefficient, so the pair is added first (Oppenheim and Schafer,
 * section 6.3.3). The delay line is circular, as on a processor without a cheap move. The truth: a sine comes out as a
 * sine of the amplitude that the coefficients say, 11.5 samples later.
 *
 * Work: each of the 2000 samples adds 12 pairs and sums 12 products in order, which floating point does not let the
 * compiler change: 12 additions; the pair additions and products may share vectors of 16 lanes: 1 each.
 * 2000 * 14 = 28000.
 */
#include "../sample.h"
#include "test_signal.h"

#define TAPS    24
#define SAMPLES 2000
#define OMEGA   0.15

struct delay_line {
    float past[TAPS];
    int newest;
};

static float coefficient[TAPS / 2];
static float input[SAMPLES], output[SAMPLES];
static struct delay_line line;

static void push(struct delay_line *d, float x)
{
    d->newest = d->newest == 0 ? TAPS - 1 : d->newest - 1;
    d->past[d->newest] = x;
}

static float filter_once(const struct delay_line *d)
{
    int young = d->newest;
    int old = d->newest == 0 ? TAPS - 1 : d->newest - 1;
    float sum = 0.0f;

    for (int k = 0; k < TAPS / 2; k++) {
        sum += coefficient[k] * (d->past[young] + d->past[old]);
        young = young == TAPS - 1 ? 0 : young + 1;
        old = old == 0 ? TAPS - 1 : old - 1;
    }
    return sum;
}

static void filter(void)
{
    for (int n = 0; n < SAMPLES; n++) {
        push(&line, input[n]);
        output[n] = filter_once(&line);
    }
}

static void prepare(void)
{
    memset(&line, 0, sizeof line);
    for (int k = 0; k < TAPS / 2; k++)
        coefficient[k] = (float)((1.0 - cosine_of(2.0 * TEST_SIGNAL_PI * (k + 0.5) / TAPS)) / TAPS);
    for (int n = 0; n < SAMPLES; n++)
        input[n] = (float)sine_of(OMEGA * n);
    SHIM_KEEP(coefficient);
    SHIM_KEEP(input);
    SHIM_KEEP(&line);
}

/* The filter's response to OMEGA: 2 sum h[k] cos((11.5 - k) OMEGA), delayed by 11.5. 1e-5: 24 roundings below 2^-24. */
static double worst_error(void)
{
    double middle = (TAPS - 1) / 2.0, gain = 0.0, worst = 0.0;

    for (int k = 0; k < TAPS / 2; k++)
        gain += 2.0 * coefficient[k] * cosine_of((middle - k) * OMEGA);
    for (int n = TAPS; n < SAMPLES; n++) {
        double error = fabs(output[n] - gain * sine_of(OMEGA * (n - middle)));

        worst = worse_of(worst, error);
    }
    return worst;
}

int main(void)
{
    prepare();
    shim_region_begin("fir_float");
    filter();
    SHIM_KEEP(output);
    shim_region_end("fir_float");
    return sample_verdict_real("worst error", worst_error(), 0.0, 1e-5);
}
