/*
 * cic_decimator - from one-bit samples of a sigma-delta converter to 64-bit words at a sixteenth of the rate.
 *
 * Hogenauer, "An Economical Class of Digital Filters for Decimation and Interpolation", 1981: three integrators, which
 * may overflow, and three combs behind the decimation. The truth: the filter is the third power of a moving sum of 16,
 * applied as a filter of 46 coefficients.
 *
 * Work: each of the 16000 bits is integrated by 3 sums in a chain, pipelined at best in one vector: 16000 * 2 (a sum
 * and the place of the bit) = 32000; and 1000 outputs of 3 differences and a store: 4000.
 */
#include "../sample.h"
#include "test_signal.h"

#define RATE    16
#define OUTPUTS 1000
#define BITS    (RATE * OUTPUTS)
#define TAPS    (3 * (RATE - 1) + 1)

static uint8_t stream[BITS / 8];
static uint64_t integrator[3], comb[3];
static int64_t output[OUTPUTS];

static void integrate(unsigned byte)
{
    for (int k = 0; k < 8; k++) {
        integrator[0] += byte >> k & 1 ? 1u : UINT64_MAX;
        integrator[1] += integrator[0];
        integrator[2] += integrator[1];
    }
}

static int64_t difference(void)
{
    uint64_t value = integrator[2];

    for (int k = 0; k < 3; k++) {
        uint64_t before = comb[k];

        comb[k] = value;
        value -= before;
    }
    return (int64_t)value;
}

static void decimate(void)
{
    for (int n = 0; n < OUTPUTS; n++) {
        for (int k = 0; k < RATE / 8; k++)
            integrate(stream[n * RATE / 8 + k]);
        output[n] = difference();
    }
}

/* A first-order modulator on a slow wave. */
static void prepare(void)
{
    double sum = 0.0;

    memset(stream, 0, sizeof stream);
    memset(integrator, 0, sizeof integrator);
    memset(comb, 0, sizeof comb);
    for (int n = 0; n < BITS; n++) {
        int bit = sum >= 0.0;

        sum += 0.7 * sine_of(n * 0.002) - (bit ? 1.0 : -1.0);
        stream[n / 8] |= (uint8_t)(bit << n % 8);
    }
    SHIM_KEEP(stream);
    SHIM_KEEP(integrator);
    SHIM_KEEP(comb);
}

static void third_power(int64_t kernel[TAPS])
{
    int length = 1;

    memset(kernel, 0, TAPS * sizeof *kernel);
    kernel[0] = 1;
    for (int power = 0; power < 3; power++) {
        int64_t next[TAPS] = {0};

        for (int i = 0; i < length; i++)
            for (int k = 0; k < RATE; k++)
                next[i + k] += kernel[i];
        length += RATE - 1;
        memcpy(kernel, next, sizeof next);
    }
}

static int bit_of(int n)
{
    return n < 0 ? 0 : stream[n / 8] >> n % 8 & 1 ? 1 : -1;
}

int main(void)
{
    int64_t kernel[TAPS];
    int wrong = 0;

    prepare();
    shim_region_begin("cic_decimator");
    decimate();
    SHIM_KEEP(output);
    shim_region_end("cic_decimator");
    third_power(kernel);
    for (int n = 0; n < OUTPUTS; n++) {
        int64_t sum = 0;

        for (int k = 0; k < TAPS; k++)
            sum += kernel[k] * bit_of((n + 1) * RATE - 1 - k);
        wrong += sum != output[n];
    }
    return sample_verdict_int("wrong words", wrong, 0);
}
