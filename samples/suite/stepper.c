/*
 * stepper - a stepper motor's ramp, up and down again, by a division a step and no root; 32-bit fixed point.
 *
 * Austin, "Generate Stepper-Motor Speed Profiles in Real Time", 2005: delays c_n = c_(n-1) - 2 c_(n-1) / (4 n + 1), the
 * first one corrected by 0.676. The truth is mechanics: at constant acceleration n steps take the time c_0 sqrt n, and
 * what is slowed down as it was accelerated ends at the first delay again.
 *
 * Work: 3 moves of 700 steps, each delay from the one before: a division, 3 sums, 2 comparisons, a store: 2100 * 7 =
 * 14700.
 */
#include "../sample.h"

#define MOVES  3
#define STEPS  700
#define PLACES 8 /* of a delay */

enum phase { ACCELERATING, CRUISING, BRAKING };

struct motor {
    int32_t delay, shortest; /* timer ticks, 8 binary places */
    int32_t rest;            /* of the division, carried on */
    int32_t ramp;            /* steps accelerated so far */
    enum phase phase;
};

static int32_t first_delay[MOVES], shortest[MOVES];
static int32_t delay[MOVES][STEPS];
static int32_t ramp_length[MOVES];

static void change(struct motor *m, int32_t n)
{
    int32_t numerator = 2 * m->delay + m->rest;

    m->delay -= numerator / (4 * n + 1);
    m->rest = numerator % (4 * n + 1);
}

static void motor_step(struct motor *m, int32_t left)
{
    switch (m->phase) {
    case ACCELERATING:
        m->ramp++;
        change(m, m->ramp);
        if (m->delay <= m->shortest) {
            m->delay = m->shortest;
            m->phase = CRUISING;
        }
        break;
    case CRUISING:
        break;
    default:
        change(m, -left);
        break;
    }
    if (m->phase != BRAKING && left <= m->ramp + 1) {
        m->phase = BRAKING;
        m->rest = 0;
    }
}

static void move_all(void)
{
    for (int i = 0; i < MOVES; i++) {
        struct motor m = {first_delay[i], shortest[i], 0, 0, ACCELERATING};

        for (int32_t n = 0; n < STEPS; n++) {
            delay[i][n] = m.delay;
            motor_step(&m, STEPS - 1 - n);
        }
        ramp_length[i] = m.ramp;
    }
}

static double exact_first(int i)
{
    return 20000.0 + 9000.0 * i;
}

static void prepare(void)
{
    for (int i = 0; i < MOVES; i++) {
        first_delay[i] = (int32_t)(0.676 * exact_first(i)) << PLACES;
        shortest[i] = (700 + 300 * i) << PLACES;
    }
    SHIM_KEEP(first_delay);
    SHIM_KEEP(shortest);
}

/* The corrected first delay takes (1 - 0.676) c_0 less, and the next ones some percent: less than c_0 / 2 together.
 * The last delay depends on the count of steps: one more or less changes it by up to a half. */
int main(void)
{
    int failed = 0;

    prepare();
    shim_region_begin("stepper");
    move_all();
    SHIM_KEEP(delay);
    SHIM_KEEP(ramp_length);
    shim_region_end("stepper");
    for (int i = 0; i < MOVES; i++) {
        double c = exact_first(i), time = 0.0, reached = 0.5 * c / (700.0 + 300.0 * i);
        int n = ramp_length[i];

        for (int k = 0; k < n; k++)
            time += delay[i][k] / (double)(1 << PLACES);
        failed |= sample_verdict_real("steps of the ramp", n, reached * reached, 0.02 * n + 2.0);
        failed |= sample_verdict_real("time of the ramp", time / (c * sqrt(n)), 1.0, 0.5 / sqrt(n));
        failed |= sample_verdict_real("last delay", delay[i][STEPS - 1] / (0.676 * c * (1 << PLACES)), 1.0, 0.5);
    }
    return failed;
}
