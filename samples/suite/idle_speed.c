/*
 * idle_speed - idle speed of an engine: throttle bypass and ignition together hold it against the loads of the
 * alternator and the steering; single and double precision.
 *
 * The engine as a rotating mass whose torque follows the air of some strokes ago; a fast ignition path (P) and a slow
 * air path (PI with a limit), feed-forward of a known load. The truth: with an integrator the speed comes back to what
 * is wanted after each load, and the torque then equals the load's, whatever the controller's gains.
 *
 * Work: each of the 4000 steps depends on the one before: 3 products, 5 sums, 2 comparisons, a load and a store of the
 * air on its way: 4000 * 12 = 48000.
 */
#include "../sample.h"

#define STEPS  4000
#define PART   1000
#define PARTS  (STEPS / PART)
#define DELAY  5
#define WANTED 750.0f

struct engine {
    double speed;  /* revolutions a minute */
    double torque; /* Nm */
    float air[DELAY];
    int head;
};

struct controller {
    float integral;
    float gain_air, gain_integral, gain_spark;
    float air, spark; /* what it asks for */
};

static struct engine engine;
static struct controller controller;
static float load[STEPS], announced[STEPS];
static float speed[STEPS], torque[STEPS];

static float limit(float x, float low, float high)
{
    if (x < low)
        return low;
    return x > high ? high : x;
}

static void control(struct controller *c, float now, float known_load)
{
    float error = WANTED - now;
    float air = c->integral + c->gain_air * error + known_load;

    c->air = limit(air, 0.0f, 60.0f);
    if (c->air == air)
        c->integral += c->gain_integral * error;
    c->spark = limit(c->gain_spark * error, -8.0f, 8.0f);
}

/* 10 ms: torque is what the air of DELAY steps ago gives, and the spark at once; friction grows with speed. */
static void turn(struct engine *e, const struct controller *c, float outer_load)
{
    e->torque = (double)e->air[e->head] + (double)c->spark;
    e->air[e->head] = c->air;
    e->head = e->head + 1 < DELAY ? e->head + 1 : 0;
    e->speed += 0.5 * (e->torque - 0.012 * e->speed - (double)outer_load);
    if (e->speed < 0.0)
        e->speed = 0.0;
}

static void run(void)
{
    for (int t = 0; t < STEPS; t++) {
        control(&controller, (float)engine.speed, announced[t]);
        turn(&engine, &controller, load[t]);
        speed[t] = (float)engine.speed;
        torque[t] = (float)engine.torque;
    }
}

static double load_of(int part)
{
    static const double of[PARTS] = {2.0, 9.0, 14.0, 5.0};

    return of[part];
}

/* Half of the load of every second part is announced. */
static void prepare(void)
{
    memset(&engine, 0, sizeof engine);
    engine.speed = 900.0;
    controller = (struct controller){0.0f, 0.02f, 0.0008f, 0.04f, 0.0f, 0.0f};
    for (int t = 0; t < STEPS; t++) {
        load[t] = (float)load_of(t / PART);
        announced[t] = t / PART % 2 ? 0.5f * load[t] : 0.0f;
    }
    SHIM_KEEP(&engine);
    SHIM_KEEP(&controller);
    SHIM_KEEP(load);
    SHIM_KEEP(announced);
}

int main(void)
{
    int failed = 0;

    prepare();
    shim_region_begin("idle_speed");
    run();
    SHIM_KEEP(speed);
    SHIM_KEEP(torque);
    shim_region_end("idle_speed");
    for (int part = 0; part < PARTS; part++) {
        int end = (part + 1) * PART - 1;

        failed |= sample_verdict_real("speed", speed[end], (double)WANTED, 1.0);
        failed |= sample_verdict_real("torque", torque[end], 0.012 * 750.0 + load_of(part), 0.1);
    }
    return failed;
}
