/*
 * pid_float - a PID controller in single precision holds a first-order plant.
 *
 * Parallel form with the derivative on the measurement and a clamped integrator; Astrom and Hagglund, "PID
 * Controllers", 1995, section 3. The plant is y' = (u - y) / tau, one Euler step a period.
 *
 * Work: each of the 3000 periods depends on the one before, so nothing becomes a vector. A period multiplies 5 times
 * (three gains, the derivative's rate, the plant) and adds or subtracts 7 times: 3000 * 12 = 36000.
 */
#include "../sample.h"

#define PERIODS 3000

struct pid {
    float kp, ki_step, kd_rate, low, high;
    float integral, last;
};

static struct pid controller;
static float plant_share;
static float set_point[PERIODS];
static float response[PERIODS];

static float clamp(float value, float low, float high)
{
    if (value < low)
        return low;
    return value > high ? high : value;
}

static float pid_step(struct pid *c, float wanted, float measured)
{
    float error = wanted - measured;
    float slope = measured - c->last;

    c->integral = clamp(c->integral + c->ki_step * error, c->low, c->high);
    c->last = measured;
    return clamp(c->kp * error + c->integral - c->kd_rate * slope, c->low, c->high);
}

static void control(struct pid *c)
{
    float y = 0.0f;

    for (int t = 0; t < PERIODS; t++) {
        float u = pid_step(c, set_point[t], y);

        y += plant_share * (u - y);
        response[t] = y;
    }
}

static void prepare(void)
{
    controller = (struct pid){.kp = 2.0f, .ki_step = 0.02f, .kd_rate = 0.5f, .low = -10.0f, .high = 10.0f};
    plant_share = 0.01f;
    for (int t = 0; t < PERIODS; t++)
        set_point[t] = t < PERIODS / 2 ? 1.0f : -3.0f;
    SHIM_KEEP(&controller);
    SHIM_KEEP(&plant_share);
    SHIM_KEEP(set_point);
}

/*
 * The first two values are worked out by hand: 0.01 (2 + 0.02); and from y = 0.0202 on, with u = 2 (1 - y) +
 * 0.02 (2 - y) - 0.5 y = 1.989096, 0.03988896. The integral takes the error to zero: the slower closed-loop pole leaves
 * less than 1e-4 after 1500 periods.
 */
int main(void)
{
    prepare();
    shim_region_begin("pid_float");
    control(&controller);
    SHIM_KEEP(response);
    shim_region_end("pid_float");
    return sample_verdict_real("first value", response[0], 0.0202, 1e-6) |
           sample_verdict_real("second value", response[1], 0.03988896, 1e-6) |
           sample_verdict_real("response at 1", response[PERIODS / 2 - 1], 1.0, 1e-3) |
           sample_verdict_real("response at -3", response[PERIODS - 1], -3.0, 3e-3);
}
