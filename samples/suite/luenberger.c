/*
 * luenberger - an observer finds speed and load of a motor from its angle alone: three states, single precision.
 *
 * Luenberger, "Observing the State of a Linear System", 1964. Model: angle += speed, speed += input - load, load
 * constant. Gains that put all three poles of the error at 1/2: the characteristic polynomial (z - 1)^3 + l1 (z - 1)^2
 * + l2 (z - 1) - l3 is (z - 1/2)^3 for l1 = 3/2, l2 = 3/4, l3 = -1/8 (load's sign). The truth: the motor's own states.
 *
 * Work: each of the 150 steps depends on the one before: 3 products and 7 sums, two of them perhaps in one vector:
 * 150 * 5 = 750.
 */
#include "../sample.h"
#include "test_signal.h"

#define STEPS 150

struct motor {
    float angle, speed, load;
};

static float input[STEPS], angle[STEPS];
static struct motor truth[STEPS], found[STEPS];
static struct motor observer;

static void observe(void)
{
    struct motor *o = &observer;

    for (int t = 0; t < STEPS; t++) {
        float surprise = angle[t] - o->angle;

        found[t] = *o;
        o->angle += o->speed + 1.5f * surprise;
        o->speed += input[t] - o->load + 0.75f * surprise;
        o->load -= 0.125f * surprise;
    }
}

static void prepare(void)
{
    uint32_t noise = 618033u;
    struct motor m = {0.25f, 0.5f, 0.125f};

    for (int t = 0; t < STEPS; t++) {
        input[t] = (float)(0.125 + 0.1 * noise_unit(&noise));
        truth[t] = m;
        angle[t] = m.angle;
        m.angle += m.speed;
        m.speed += input[t] - m.load;
    }
    observer = (struct motor){0.0f, 0.0f, 0.0f};
    SHIM_KEEP(&observer);
    SHIM_KEEP(input);
    SHIM_KEEP(angle);
}

/* After 60 steps 60^2 / 2^60 of the error is left; the rest is rounding, of angles up to some hundreds. */
int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("luenberger");
    observe();
    SHIM_KEEP(found);
    shim_region_end("luenberger");
    for (int t = 60; t < STEPS; t++) {
        worst = worse_of(worst, fabs((double)found[t].angle - truth[t].angle));
        worst = worse_of(worst, fabs((double)found[t].speed - truth[t].speed));
        worst = worse_of(worst, fabs((double)found[t].load - truth[t].load));
    }
    return sample_verdict_real("worst state", worst, 0.0, 1e-3);
}
