/*
 * rate_chain - an actuator's chain of blocks in double precision, in the form a block-diagram tool generates.
 *
 * Saturation, rate limiter, first-order low-pass, PI with back-calculation anti-windup, dead zone and a relay with
 * hysteresis, in one step function over structures of parameters, inputs, states and outputs.
 *
 * Work: each of the 3000 steps depends on the one before. A step multiplies 4 times (filter, two gains,
 * back-calculation) and adds or subtracts 8 times (limiter 2, filter 2, error, integral 2, sum): 3000 * 12 = 36000.
 */
#include "../sample.h"
#include "test_signal.h"

#define STEPS 3000

typedef double real_T;
typedef uint8_t boolean_T;

static struct {
    real_T limit, rise, filter, kp, ki, back, dead, relay_on, relay_off;
} chain_P;

static struct {
    real_T limited, filtered, integral, output;
    boolean_T relay;
} chain_DW;

static struct {
    real_T limited, output, beyond;
    boolean_T relay;
} chain_Y[STEPS];

static real_T chain_U[STEPS];

static real_T saturate(real_T u, real_T limit)
{
    if (u > limit)
        return limit;
    return u < -limit ? -limit : u;
}

static void chain_step(int t)
{
    real_T error, wish;

    /* Saturation, RateLimiter, Filter */
    chain_DW.limited += saturate(saturate(chain_U[t], chain_P.limit) - chain_DW.limited, chain_P.rise);
    chain_DW.filtered += chain_P.filter * (chain_DW.limited - chain_DW.filtered);

    /* PI with anti-windup; the output feeds back */
    error = chain_DW.filtered - chain_DW.output;
    wish = chain_P.kp * error + chain_DW.integral;
    chain_DW.output = saturate(wish, 0.5 * chain_P.limit);
    chain_DW.integral += chain_P.ki * error + chain_P.back * (chain_DW.output - wish);

    /* Relay, DeadZone */
    if (chain_DW.relay)
        chain_DW.relay = (boolean_T)(chain_DW.output > chain_P.relay_off);
    else
        chain_DW.relay = (boolean_T)(chain_DW.output > chain_P.relay_on);

    chain_Y[t].limited = chain_DW.limited;
    chain_Y[t].output = chain_DW.output;
    chain_Y[t].beyond = chain_DW.output - saturate(chain_DW.output, chain_P.dead);
    chain_Y[t].relay = chain_DW.relay;
}

static void chain_run(void)
{
    for (int t = 0; t < STEPS; t++)
        chain_step(t);
}

/* Noise for two thirds of the run, then a constant 2. */
static void prepare(void)
{
    uint32_t noise = 40503u;

    chain_P.limit = 10.0;
    chain_P.rise = 0.25;
    chain_P.filter = 0.125;
    chain_P.kp = 0.3;
    chain_P.ki = 0.2;
    chain_P.back = 0.5;
    chain_P.dead = 1.0;
    chain_P.relay_on = 1.5;
    chain_P.relay_off = -1.5;
    memset(&chain_DW, 0, sizeof chain_DW);
    for (int t = 0; t < STEPS; t++)
        chain_U[t] = t < STEPS * 2 / 3 ? 15.0 * noise_unit(&noise) + (t / 100 % 2 ? 8.0 : -8.0) : 2.0;
    SHIM_KEEP(&chain_P);
    SHIM_KEEP(&chain_DW);
    SHIM_KEEP(chain_U);
}

/* Steps at which an output breaks the rule of its block. 1e-12 is for the rounding of a sum of numbers below 16. */
static int violations(void)
{
    int bad = 0;

    for (int t = 1; t < STEPS; t++) {
        real_T y = chain_Y[t].output;
        int wrong_on = chain_Y[t].relay && !chain_Y[t - 1].relay && y <= 1.5;
        int wrong_off = !chain_Y[t].relay && chain_Y[t - 1].relay && y > -1.5;
        real_T beyond = fabs(y) <= 1.0 ? 0.0 : fabs(y) - 1.0;

        bad += fabs(chain_Y[t].limited - chain_Y[t - 1].limited) > 0.25 + 1e-12;
        bad += fabs(y) > 5.0;
        bad += wrong_on || wrong_off;
        bad += fabs(fabs(chain_Y[t].beyond) - beyond) > 1e-12;
    }
    return bad;
}

/*
 * The first step may change by 0.25, of which the filter passes an 8th and the PI 0.3: 0.009375. The integral takes the
 * error to zero: after 1000 steps of a constant 2 the output is 2.
 */
int main(void)
{
    prepare();
    shim_region_begin("rate_chain");
    chain_run();
    SHIM_KEEP(chain_Y);
    shim_region_end("rate_chain");
    return sample_verdict_int("violations", violations(), 0) |
           sample_verdict_real("first output", fabs(chain_Y[0].output), 0.009375, 1e-12) |
           sample_verdict_real("output at rest", chain_Y[STEPS - 1].output, 2.0, 1e-6);
}
