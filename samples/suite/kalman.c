/*
 * kalman - tracking position and velocity from noisy positions: a Kalman filter of two states in single precision.
 *
 * Kalman, "A New Approach to Linear Filtering and Prediction Problems", 1960; constant velocity with white-noise
 * acceleration of standard deviation 1, measurement noise 1, period 1. The truth for the gain: Kalata, "The
 * Tracking Index", 1984: for index 1, r = (4 + 1 - sqrt(8 + 1)) / 4 = 1/2, alpha = 1 - r^2 = 3/4,
 * beta = 2 (2 - alpha) - 4 sqrt(1 - alpha) = 1/2.
 *
 * Work: each of the 3000 measurements depends on the one before. Of a step the following is needed in full: 2
 * divisions, 5 multiplications by the gain and 13 additions or subtractions. Pairs of them may share a vector:
 * 3000 * 20 / 2 = 30000.
 */
#include "../sample.h"
#include "test_signal.h"

#define MEASUREMENTS 3000
#define SPEED        0.25

struct track {
    float position, velocity;
    float p00, p01, p11;    /* covariance, symmetric */
    float q00, q01, q11, r; /* process and measurement noise */
    float gain_p, gain_v;
};

static struct track tracker;
static float measured[MEASUREMENTS];
static float estimated[MEASUREMENTS];

static void predict(struct track *k)
{
    k->position += k->velocity;
    k->p00 += k->p01 + k->p01 + k->p11 + k->q00;
    k->p01 += k->p11 + k->q01;
    k->p11 += k->q11;
}

static void correct(struct track *k, float z)
{
    float s = k->p00 + k->r;
    float surprise = z - k->position;

    k->gain_p = k->p00 / s;
    k->gain_v = k->p01 / s;
    k->position += k->gain_p * surprise;
    k->velocity += k->gain_v * surprise;
    k->p11 -= k->gain_v * k->p01;
    k->p01 -= k->gain_p * k->p01;
    k->p00 -= k->gain_p * k->p00;
}

static void follow(struct track *k)
{
    for (int t = 0; t < MEASUREMENTS; t++) {
        predict(k);
        correct(k, measured[t]);
        estimated[t] = k->position;
    }
}

static void prepare(void)
{
    uint32_t noise = 2463534242u;

    tracker = (struct track){.p00 = 100.0f, .p11 = 100.0f, .q00 = 0.25f, .q01 = 0.5f, .q11 = 1.0f, .r = 1.0f};
    for (int t = 0; t < MEASUREMENTS; t++)
        measured[t] = (float)(SPEED * (t + 1) + noise_unit(&noise));
    SHIM_KEEP(&tracker);
    SHIM_KEEP(measured);
}

/* The noise is within 1, and the filter's weights of one sign sum to less than 2: no estimate is further off than 2. */
static double worst_error(double *mean)
{
    double worst = 0.0, sum = 0.0;

    for (int t = 50; t < MEASUREMENTS; t++) {
        double error = estimated[t] - SPEED * (t + 1);

        sum += error;
        worst = worse_of(worst, fabs(error));
    }
    *mean = sum / (MEASUREMENTS - 50);
    return worst;
}

/* The filter has no bias: the mean error is that of the noise, deviation 0.6 / sqrt(3000) = 0.011; 0.1 is far above. */
int main(void)
{
    double worst, mean;

    prepare();
    shim_region_begin("kalman");
    follow(&tracker);
    SHIM_KEEP(&tracker);
    SHIM_KEEP(estimated);
    shim_region_end("kalman");
    worst = worst_error(&mean);
    return sample_verdict_real("gain of the position", tracker.gain_p, 0.75, 1e-4) |
           sample_verdict_real("gain of the velocity", tracker.gain_v, 0.5, 1e-4) |
           sample_verdict_real("worst error", worst, 0.0, 2.0) | sample_verdict_real("mean error", mean, 0.0, 0.1);
}
