/*
 * abs_slip - anti-lock brake: valves switched by slip and wheel acceleration, wheel and car simulated, single
 * precision.
 *
 * Build, hold and release of pressure as in Burckhardt, "Fahrwerktechnik: Radschlupf-Regelsysteme", 1993. The tyre: its
 * friction rises to 0.9 (dry) or 0.35 (wet) at a slip of 0.15 and falls to 0.7 or 0.2 when the wheel is locked. The
 * truth is mechanics: from v no car stops in less than v^2 / (2 g peak), and one whose control is worth anything needs
 * less than v^2 / (2 g locked); nor may it use less than 3/4 of the peak, as UN Regulation 13 (annex 13) demands of
 * anti-lock brakes.
 *
 * Work: to come from v to a stop takes at least v / (g peak) seconds of 500 steps; every step depends on the one before
 * and has 2 divisions, 3 products, 3 sums and 2 comparisons. 5 speeds of 12 to 36 m/s, together 120, on both roads: 120
 * / 9.81 * (1 / 0.9 + 1 / 0.35) * 500 = 24270 steps of 10.
 */
#include "../sample.h"

#define SPEEDS  5
#define ROADS   2
#define GRAVITY 9.81f
#define STEP    0.002f
#define LONGEST 20000

enum valve { BUILD, HOLD, RELEASE };

struct road {
    float peak, locked;
};

struct brake {
    float car, wheel;   /* m/s; the wheel's at its rim */
    float pressure;     /* as the deceleration it gives the car */
    float wheel_before; /* for its acceleration */
    enum valve valve;
};

static struct road roads[ROADS];
static float start[SPEEDS];
static float distance[ROADS][SPEEDS];

static float friction(const struct road *r, float slip)
{
    if (slip < 0.15f)
        return r->peak * slip / 0.15f;
    return r->peak + (r->locked - r->peak) * (slip - 0.15f) / 0.85f;
}

static enum valve decide(enum valve now, float slip, float acceleration)
{
    switch (now) {
    case BUILD:
        if (slip > 0.2f)
            return RELEASE;
        return acceleration < -25.0f ? HOLD : BUILD;
    case HOLD:
        if (slip > 0.2f)
            return RELEASE;
        return slip < 0.12f ? BUILD : HOLD;
    default:
        return slip < 0.16f && acceleration > 0.0f ? HOLD : RELEASE;
    }
}

static void brake_step(struct brake *b, const struct road *r)
{
    float slip = (b->car - b->wheel) / b->car;
    float grip = GRAVITY * friction(r, slip);

    b->valve = decide(b->valve, slip, (b->wheel - b->wheel_before) / STEP);
    if (b->valve == BUILD)
        b->pressure += 60.0f * STEP;
    else if (b->valve == RELEASE && b->pressure > 0.0f)
        b->pressure -= 200.0f * STEP;
    b->wheel_before = b->wheel;
    b->wheel += 15.0f * (grip - b->pressure) * STEP;
    if (b->wheel < 0.0f)
        b->wheel = 0.0f;
    else if (b->wheel > b->car)
        b->wheel = b->car;
    b->car -= grip * STEP;
}

/* Down to 1 m/s, where such systems let go; the rest of the way is below a metre. */
static float stop(float speed, const struct road *r)
{
    struct brake b = {speed, speed, 0.0f, speed, BUILD};
    float way = 0.0f;

    for (int t = 0; t < LONGEST && b.car > 1.0f; t++) {
        brake_step(&b, r);
        way += b.car * STEP;
    }
    return way;
}

static void stop_all(void)
{
    for (int i = 0; i < ROADS; i++)
        for (int k = 0; k < SPEEDS; k++)
            distance[i][k] = stop(start[k], &roads[i]);
}

static void prepare(void)
{
    roads[0] = (struct road){0.9f, 0.7f};
    roads[1] = (struct road){0.35f, 0.2f};
    for (int k = 0; k < SPEEDS; k++)
        start[k] = 12.0f + 6.0f * (float)k;
    SHIM_KEEP(roads);
    SHIM_KEEP(start);
}

int main(void)
{
    int bad = 0;

    prepare();
    shim_region_begin("abs_slip");
    stop_all();
    SHIM_KEEP(distance);
    shim_region_end("abs_slip");
    for (int i = 0; i < ROADS; i++)
        for (int k = 0; k < SPEEDS; k++) {
            double twice = (start[k] * start[k] - 1.0) / GRAVITY;

            bad += !(distance[i][k] > 0.999 * twice / (2.0 * roads[i].peak) &&
                     distance[i][k] < twice / (2.0 * roads[i].locked) &&
                     distance[i][k] < twice / (2.0 * 0.75 * roads[i].peak));
        }
    return sample_verdict_int("stops against mechanics", bad, 0);
}
