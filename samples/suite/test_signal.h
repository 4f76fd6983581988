/*
 * test_signal.h - inputs for the samples of this folder: noise and sine waves, without a library and alike on every
 * target.
 *
 * Called outside regions only: what makes an input is not part of a sample's work.
 */
#ifndef TEST_SIGNAL_H
#define TEST_SIGNAL_H

#include <stdint.h>

#define TEST_SIGNAL_PI 3.14159265358979323846

/* The next of a sequence of 32 even bits. Marsaglia, "Xorshift RNGs", 2003: 13, 17, 5. The state must not be zero. */
static inline uint32_t noise_next(uint32_t *state)
{
    uint32_t x = *state;

    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    *state = x;
    return x;
}

/* An even draw from -limit .. limit. */
static inline int noise_within(uint32_t *state, int limit)
{
    return (int)(noise_next(state) % (2U * (unsigned)limit + 1U)) - limit;
}

/* An even draw from [-1, 1). */
static inline double noise_unit(uint32_t *state)
{
    return noise_next(state) / 2147483648.0 - 1.0;
}

/* Taylor's series to x^21 after reduction to a quarter wave: the rest is below 1e-16. For |radians| up to some
 * thousands. */
static inline double sine_of(double radians)
{
    double turns = radians / (2.0 * TEST_SIGNAL_PI);
    double x, term, sum;

    turns -= (double)(long long)turns;
    if (turns < 0.0)
        turns += 1.0;
    if (turns > 0.75)
        turns -= 1.0;
    else if (turns > 0.25)
        turns = 0.5 - turns;
    x = turns * 2.0 * TEST_SIGNAL_PI;
    term = x;
    sum = x;
    for (int n = 3; n <= 21; n += 2) {
        term *= -x * x / (n * (n - 1));
        sum += term;
    }
    return sum;
}

static inline double cosine_of(double radians)
{
    return sine_of(radians + TEST_SIGNAL_PI / 2.0);
}

/* The greater of two errors; NaN once either is, so that a result that is no number fails its check. */
static inline double worse_of(double worst, double error)
{
    return error <= worst || worst != worst ? worst : error;
}

#endif
