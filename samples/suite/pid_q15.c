/*
 * pid_q15 - a PI controller in Q15 fixed point with saturation, as a 16-bit microcontroller runs it.
 *
 * Gains in Q12, the integrator in 32 bits; anti-windup by conditional integration (the integrator holds while the
 * output is saturated and the error would push it further). The plant is a first-order lag with a 32-bit state.
 *
 * Work: each of the 4000 periods depends on the one before. A period multiplies twice (two gains), adds or subtracts 4
 * times (error, integral, sum, plant) and shifts twice (gain scale, plant): 4000 * 8 = 32000.
 */
#include "../sample.h"

#define PERIODS  4000
#define Q15      32768
#define GAIN_ONE 4096

struct pi_q15 {
    int16_t kp, ki;   /* Q12 */
    int32_t integral; /* Q27 */
};

static struct pi_q15 controller;
static int16_t set_point[PERIODS];
static int16_t response[PERIODS];

static int16_t saturate(int32_t value)
{
    if (value > INT16_MAX)
        return INT16_MAX;
    return value < INT16_MIN ? INT16_MIN : (int16_t)value;
}

static int16_t pi_step(struct pi_q15 *c, int16_t wanted, int16_t measured)
{
    int16_t error = saturate((int32_t)wanted - measured);
    int32_t raw = (c->kp * error + c->integral) >> 12;
    int16_t output = saturate(raw);

    if (raw == output || (raw > output) == (error < 0))
        c->integral += c->ki * error;
    return output;
}

static void control(struct pi_q15 *c)
{
    int32_t state = 0; /* the plant, Q30 */

    for (int t = 0; t < PERIODS; t++) {
        int16_t u = pi_step(c, set_point[t], (int16_t)(state / Q15));

        state += (u * Q15 - state) >> 6;
        response[t] = (int16_t)(state / Q15);
    }
}

static void prepare(void)
{
    controller = (struct pi_q15){.kp = 3 * GAIN_ONE, .ki = GAIN_ONE / 16, .integral = 0};
    for (int t = 0; t < PERIODS; t++)
        set_point[t] = t / 1000 % 2 ? -20000 : 16000;
    SHIM_KEEP(&controller);
    SHIM_KEEP(set_point);
}

/*
 * The integrator moves as long as the error is not zero, by a 16th of the error a period: at rest the response stays
 * within the few steps by which rounding down makes it hunt.
 * The first output is saturated, as three times 16000 is above 32767: the first response is a 64th of that.
 */
int main(void)
{
    prepare();
    shim_region_begin("pid_q15");
    control(&controller);
    SHIM_KEEP(response);
    shim_region_end("pid_q15");
    return sample_verdict_int("first value", response[0], 32767 / 64) |
           sample_verdict_real("response at 16000", response[999], 16000, 8) |
           sample_verdict_real("response at -20000", response[PERIODS - 1], -20000, 8);
}
