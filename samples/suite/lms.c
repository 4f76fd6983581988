/*
 * lms - an adaptive filter learns an unknown path from noise sent through it, as echo cancellers do, single precision.
 *
 * Widrow and Hoff, "Adaptive Switching Circuits", 1960: the weights move along input times error. The truth: the
 * unknown path itself, 24 coefficients that the filter must find; nothing disturbs them, so that the error dies out.
 *
 * Work: each of the 4000 steps depends on the weights of the one before; 24 weights take 2 products and 2 sums each, in
 * at most 16 lanes 2 * 4 instructions: 4000 * 8 = 32000.
 */
#include "../sample.h"
#include "test_signal.h"

#define TAPS  24
#define STEPS 4000

static float path[TAPS], weight[TAPS];
static float input[TAPS - 1 + STEPS], echo[STEPS];

static float respond(const float *coefficient, const float *newest)
{
    float sum = 0.0f;

    for (int k = 0; k < TAPS; k++)
        sum += coefficient[k] * newest[-k];
    return sum;
}

static void adapt(float step_size)
{
    for (int n = 0; n < STEPS; n++) {
        const float *newest = &input[TAPS - 1 + n];
        float correction = step_size * (echo[n] - respond(weight, newest));

        for (int k = 0; k < TAPS; k++)
            weight[k] += correction * newest[-k];
    }
}

static void prepare(void)
{
    uint32_t noise = 314159u;

    for (int k = 0; k < TAPS; k++) {
        path[k] = (float)(noise_unit(&noise) / (1 + k / 4));
        weight[k] = 0.0f;
    }
    for (int n = 0; n < TAPS - 1 + STEPS; n++)
        input[n] = (float)noise_unit(&noise);
    for (int n = 0; n < STEPS; n++)
        echo[n] = respond(path, &input[TAPS - 1 + n]);
    SHIM_KEEP(weight);
    SHIM_KEEP(input);
    SHIM_KEEP(echo);
}

/* Step size 1/16: the input's power of 1/3 lets each weight's error fall by about 1/48 a step, e^-80 in all. */
int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("lms");
    adapt(0.0625f);
    SHIM_KEEP(weight);
    shim_region_end("lms");
    for (int k = 0; k < TAPS; k++)
        worst = worse_of(worst, fabs((double)weight[k] - path[k]));
    return sample_verdict_real("worst weight", worst, 0.0, 1e-5);
}
