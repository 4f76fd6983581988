/*
 * motion_profile - 5 axes are moved together, tick by tick, with limits of speed, acceleration and jerk
 * (third order), in 64-bit fixed point; on the way one target changes and is reached all the same.
 *
 * The truth: no limit is ever exceeded, by differences of the positions; each axis ends where it should.
 *
 * Work: 1200 ticks of 5 axes, each with a product, a division and three limits: 1200 * 5 * 12 = 72000.
 */
#include "judge.h"

#define TICKS 1200
#define AXES  5
#define ONE   65536

struct axis {
    int64_t position, speed, acceleration; /* ONE a unit */
    int64_t target;
    int32_t top_speed, top_acceleration, jerk;
};

static struct axis axes[AXES];
static int64_t trace[AXES][TICKS];
static int32_t new_target;

static int64_t limited(int64_t x, int64_t most)
{
    return x > most ? most : x < -most ? -most : x;
}
static uint32_t root(uint64_t x)
{
    uint64_t r = 0;

    for (uint64_t bit = UINT64_C(1) << 46; bit; bit >>= 2) {
        if (x >= r + bit) {
            x -= r + bit;
            r = (r >> 1) + bit;
        } else
            r >>= 1;
    }
    return (uint32_t)r;
}
/* The speed from which half the acceleration still stops in time; slower near the end. */
static void tick(struct axis *a)
{
    int64_t way = a->target - a->position, far = way < 0 ? -way : way;
    int64_t wanted = root((uint64_t)(far * a->top_acceleration)), pull;

    if (wanted > far / 16)
        wanted = far / 16;
    wanted = limited(way < 0 ? -wanted : wanted, a->top_speed);
    pull = limited((wanted - a->speed) / 4, a->top_acceleration);
    a->acceleration += limited(pull - a->acceleration, a->jerk);
    a->acceleration = limited(a->acceleration, a->top_acceleration);
    a->speed = limited(a->speed + a->acceleration, a->top_speed);
    a->position += a->speed;
}
static void run(void)
{
    for (int t = 0; t < TICKS; t++) {
        if (t == 250)
            axes[2].target = (int64_t)new_target * ONE;
        for (int i = 0; i < AXES; i++) {
            tick(&axes[i]);
            trace[i][t] = axes[i].position;
        }
    }
}

int main(void)
{
    int64_t starts[AXES];
    long bad = 0;

    for (int i = 0; i < AXES; i++) {
        axes[i] = (struct axis){.position = (int64_t)(i * 100 - 200) * ONE,
                                .target = (int64_t)(700 - 330 * i) * ONE,
                                .top_speed = (5 + i) * ONE / 2,
                                .top_acceleration = (2 + i) * ONE / 40,
                                .jerk = ONE / 40};
        starts[i] = axes[i].position;
    }
    new_target = 300;
    SHIM_KEEP(axes);
    SHIM_KEEP(&new_target);
    shim_region_begin("motion_profile");
    run();
    SHIM_KEEP(trace);
    shim_region_end("motion_profile");
    for (int i = 0; i < AXES; i++) {
        int64_t before = starts[i], speed = 0, acceleration = 0;
        int64_t end = i == 2 ? (int64_t)new_target * ONE : (int64_t)(700 - 330 * i) * ONE;

        for (int t = 0; t < TICKS; t++) {
            int64_t s = trace[i][t] - before, a = s - speed;

            bad += llabs(s) > axes[i].top_speed || llabs(a) > axes[i].top_acceleration;
            bad += llabs(a - acceleration) > axes[i].jerk && llabs(s) != axes[i].top_speed &&
                   llabs(speed) != axes[i].top_speed;
            before = trace[i][t];
            speed = s;
            acceleration = a;
        }
        bad += llabs(before - end) > ONE / 8;
    }
    return sample_verdict_int("limits exceeded", bad, 0);
}
