/*
 * fir_int16 - a 32-tap FIR filter on 16-bit samples with a 32-bit accumulator, rounded back to 16 bits with saturation.
 *
 * y[n] = (sum h[k] x[n - k] + 2^14) >> 15 in Q15; Oppenheim and Schafer, "Discrete-Time Signal Processing",
 * section 6.3. The truth is a second way to the same sums: the impulse responses of all samples added up in 64 bits.
 *
 * Work: 8192 * 32 products of 16 bits. In vectors of at most 512 bits a multiply-add pair takes 32 products to one
 * multiplication; with one addition for each: 8192 * 32 / 32 * 2 = 16384. The outputs are further 8192 / 32 = 256
 * stores. Together 16640.
 */
#include "../sample.h"
#include "test_signal.h"

#define TAPS    32
#define OUTPUTS 8192
#define INPUTS  (OUTPUTS + TAPS - 1)

static int16_t coefficient[TAPS];
static int16_t input[INPUTS];
static int16_t output[OUTPUTS];

static int16_t round_q15(int64_t sum)
{
    int64_t value = (sum + 16384) >> 15;

    if (value > INT16_MAX)
        return INT16_MAX;
    return value < INT16_MIN ? INT16_MIN : (int16_t)value;
}

static void filter(void)
{
    for (int n = 0; n < OUTPUTS; n++) {
        const int16_t *newest = &input[n + TAPS - 1];
        int32_t sum = 0;

        for (int k = 0; k < TAPS; k++)
            sum += coefficient[k] * newest[-k];
        output[n] = round_q15(sum);
    }
}

/* A Hann window as low-pass; its sum is 32 * 1980 = 63360, so that loud inputs saturate and a sum stays below 2^31. */
static void prepare(void)
{
    uint32_t noise = 521288629u;

    for (int k = 0; k < TAPS; k++)
        coefficient[k] = (int16_t)(1980.0 * (1.0 - cosine_of(2.0 * TEST_SIGNAL_PI * (k + 0.5) / TAPS)));
    for (int n = 0; n < INPUTS; n++)
        input[n] = (int16_t)((int)(18000.0 * sine_of(n * 0.02)) + noise_within(&noise, 4000));
    SHIM_KEEP(coefficient);
    SHIM_KEEP(input);
}

/* Whether a sample is the nearest to sum / 2^15 among the 16-bit numbers. */
static int is_nearest(int16_t sample, int64_t sum)
{
    double exact = (double)sum / 32768.0;

    if (exact > INT16_MAX)
        return sample == INT16_MAX;
    return exact < INT16_MIN ? sample == INT16_MIN : fabs(sample - exact) <= 0.5;
}

static int wrong_outputs(void)
{
    static int64_t sum[OUTPUTS];
    int wrong = 0;

    memset(sum, 0, sizeof sum);
    for (int i = 0; i < INPUTS; i++)
        for (int k = 0; k < TAPS; k++) {
            int n = i + k - (TAPS - 1);

            if (n >= 0 && n < OUTPUTS)
                sum[n] += (int64_t)input[i] * coefficient[k];
        }
    for (int n = 0; n < OUTPUTS; n++)
        wrong += !is_nearest(output[n], sum[n]);
    return wrong;
}

int main(void)
{
    prepare();
    shim_region_begin("fir_int16");
    filter();
    SHIM_KEEP(output);
    shim_region_end("fir_int16");
    return sample_verdict_int("wrong outputs", wrong_outputs(), 0);
}
