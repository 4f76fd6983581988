/*
 * foc - field-oriented control of a three-phase motor: Clarke and Park, two PI controllers, inverse Park and Clarke.
 *
 * Park, "Two-Reaction Theory of Synchronous Machines", 1929; the form that keeps amplitudes. Sine and cosine come from
 * a table of one turn with linear interpolation, the angle is 16 bits that wrap. Single precision.
 *
 * Work: the controllers carry their integrals from period to period. Each of the 4000 periods adds to two integrals in
 * order, loads two pairs of sines from places that the data decide, and stores to two arrays: 4000 * 6 = 24000.
 */
#include "../sample.h"
#include "test_signal.h"

#define PERIODS    4000
#define TABLE      256
#define CURRENT    8.0
#define LAG        0.4 /* of the current behind the rotor's axis, in radians */
#define ANGLE_STEP 733

static const float inverse_sqrt3 = 0.57735027f;
static const float half_sqrt3 = 0.8660254f;

struct dq {
    float d, q;
};

struct pi {
    float kp, ki, integral;
};

static float sine_table[TABLE + 1];
static float phase_a[PERIODS], phase_b[PERIODS];
static uint16_t angle[PERIODS];
static struct dq current[PERIODS];
static float volts[PERIODS][3];
static struct pi control_d, control_q;
static struct dq wanted;

static float table_sine(uint16_t turn)
{
    unsigned i = turn >> 8;
    float share = (float)(turn & 255) * (1.0f / 256.0f);

    return sine_table[i] + share * (sine_table[i + 1] - sine_table[i]);
}

static struct dq clarke_park(float a, float b, float sine, float cosine)
{
    float alpha = a;
    float beta = (a + b + b) * inverse_sqrt3;

    return (struct dq){alpha * cosine + beta * sine, beta * cosine - alpha * sine};
}

static float pi_step(struct pi *c, float error)
{
    c->integral += c->ki * error;
    return c->kp * error + c->integral;
}

static void inverse_park_clarke(float out[3], struct dq u, float sine, float cosine)
{
    float alpha = u.d * cosine - u.q * sine;
    float beta = u.d * sine + u.q * cosine;

    out[0] = alpha;
    out[1] = half_sqrt3 * beta - 0.5f * alpha;
    out[2] = -half_sqrt3 * beta - 0.5f * alpha;
}

static void control(void)
{
    for (int t = 0; t < PERIODS; t++) {
        float sine = table_sine(angle[t]);
        float cosine = table_sine((uint16_t)(angle[t] + 16384));
        struct dq i = clarke_park(phase_a[t], phase_b[t], sine, cosine);
        struct dq u = {pi_step(&control_d, wanted.d - i.d), pi_step(&control_q, wanted.q - i.q)};

        current[t] = i;
        inverse_park_clarke(volts[t], u, sine, cosine);
    }
}

static double radians(uint16_t turn)
{
    return turn * (2.0 * TEST_SIGNAL_PI / 65536.0);
}

static void prepare(void)
{
    control_d = (struct pi){0.5f, 0.01f, 0.0f};
    control_q = control_d;
    wanted = (struct dq){0.0f, -3.0f};
    for (int i = 0; i <= TABLE; i++)
        sine_table[i] = (float)sine_of(i * (2.0 * TEST_SIGNAL_PI / TABLE));
    for (int t = 0; t < PERIODS; t++) {
        angle[t] = (uint16_t)(t * ANGLE_STEP);
        phase_a[t] = (float)(CURRENT * cosine_of(radians(angle[t]) - LAG));
        phase_b[t] = (float)(CURRENT * cosine_of(radians(angle[t]) - LAG - 2.0 * TEST_SIGNAL_PI / 3.0));
    }
    SHIM_KEEP(sine_table);
    SHIM_KEEP(angle);
    SHIM_KEEP(phase_a);
    SHIM_KEEP(phase_b);
    SHIM_KEEP(&control_d);
    SHIM_KEEP(&control_q);
    SHIM_KEEP(&wanted);
}

/* Balanced currents of one frequency are at rest in the rotor's frame: d = I cos(lag), q = -I sin(lag). */
static int check_currents(void)
{
    int failed = 0;

    for (int t = 0; t < PERIODS; t++) {
        failed |= sample_verdict_real("current d", current[t].d, CURRENT * cosine_of(LAG), 5e-3);
        failed |= sample_verdict_real("current q", current[t].q, -CURRENT * sine_of(LAG), 5e-3);
    }
    return failed;
}

/* The error of both axes is constant, so after n periods an output is kp e + n ki e; the phases sum to zero. */
static int check_volts(void)
{
    double error_d = -CURRENT * cosine_of(LAG), error_q = CURRENT * sine_of(LAG) - 3.0;
    double gain = 0.5 + 0.01 * PERIODS;
    double turn = radians(angle[PERIODS - 1]);
    const float *last = volts[PERIODS - 1];

    return sample_verdict_real("phase a", last[0], gain * (error_d * cosine_of(turn) - error_q * sine_of(turn)), 0.1) |
           sample_verdict_real("sum of the phases", last[0] + last[1] + last[2], 0.0, 1e-3);
}

int main(void)
{
    prepare();
    shim_region_begin("foc");
    control();
    SHIM_KEEP(current);
    SHIM_KEEP(volts);
    shim_region_end("foc");
    return check_currents() | check_volts();
}
