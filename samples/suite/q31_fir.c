/*
 * q31_fir - a filter of 40 coefficients on 32-bit fractions: 64-bit products, sums with guard bits, saturation.
 *
 * As signal processors have it: Q31 by Q31 is Q62; 6 bits are given away before summing, so that 40 products fit. The
 * truth: the same sum in double precision, clamped.
 *
 * Work: 1500 outputs of 40 products, shifts and sums of 64 bits, in at most 8 lanes: 1500 * 40 * 3 / 8 = 22500.
 */
#include "../sample.h"
#include "test_signal.h"

#define TAPS    40
#define OUTPUTS 1500
#define GUARD   6

static int32_t coefficient[TAPS], input[TAPS - 1 + OUTPUTS], output[OUTPUTS];

static int32_t saturate(int64_t x)
{
    if (x > INT32_MAX)
        return INT32_MAX;
    return x < INT32_MIN ? INT32_MIN : (int32_t)x;
}

static void filter(void)
{
    for (int n = 0; n < OUTPUTS; n++) {
        int64_t sum = 0;

        for (int k = 0; k < TAPS; k++)
            sum += ((int64_t)coefficient[k] * input[n + TAPS - 1 - k]) >> GUARD;
        output[n] = saturate(sum >> (31 - GUARD));
    }
}

/* Loud enough that some outputs saturate. */
static void prepare(void)
{
    uint32_t noise = 667430u;

    for (int k = 0; k < TAPS; k++)
        coefficient[k] = (int32_t)(2.4e8 * sine_of(0.3 * k + 0.2) + noise_within(&noise, 50000000));
    for (int n = 0; n < TAPS - 1 + OUTPUTS; n++)
        input[n] = (int32_t)(1.6e9 * sine_of(0.0002 * n * n)) + noise_within(&noise, 400000000);
    SHIM_KEEP(coefficient);
    SHIM_KEEP(input);
}

static double expected(int n)
{
    double sum = 0.0;

    for (int k = TAPS - 1; k >= 0; k--)
        sum += (double)coefficient[k] * input[n + TAPS - 1 - k] / 2147483648.0;
    if (sum > INT32_MAX)
        return INT32_MAX;
    return sum < INT32_MIN ? INT32_MIN : sum;
}

/* The result is rounded down: less than 1, and 40 guard roundings of 2^-25 of it. */
int main(void)
{
    double worst = 0.0;
    int saturated = 0;

    prepare();
    shim_region_begin("q31_fir");
    filter();
    SHIM_KEEP(output);
    shim_region_end("q31_fir");
    for (int n = 0; n < OUTPUTS; n++) {
        worst = worse_of(worst, fabs(output[n] - expected(n)));
        saturated += output[n] == INT32_MAX || output[n] == INT32_MIN;
    }
    return sample_verdict_real("worst output", worst, 0.0, 1.001) |
           sample_verdict_int("some saturate, most do not", saturated > 0 && saturated < OUTPUTS / 2, 1);
}
