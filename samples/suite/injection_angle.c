/*
 * injection_angle - when an injector opens: from fuel mass and speed to the tooth of the crank wheel and the timer's
 * ticks behind it; whole numbers of 16, 32 and 64 bits.
 *
 * Opening time by the injector's slope and a battery table, the angle it takes at this speed, the start before the end
 * that the map wants, and of it the tooth (6 degrees, two are missing at the gap) and the rest as time. The truth: the
 * same in double precision, backwards: tooth and ticks give the angle at which injection begins.
 *
 * Work: each of the 3000 events loads 4 numbers, takes 5 products and 4 divisions, and stores 2: 3000 * 15 / 16 lanes =
 * 2812.
 */
#include "../sample.h"
#include "test_signal.h"

#define EVENTS 3000
#define POINTS 9
#define CYCLE  720u
#define UNIT   64u /* of an angle, in a degree */
#define TOOTH  6u
#define TEETH  58u /* of 60 */

struct event {
    uint16_t mass;  /* ug */
    uint16_t speed; /* revolutions a minute */
    uint16_t end;   /* angle at which injection ends, degrees */
    uint16_t volts; /* 1/256 V, 8 V to 16 V */
};

struct plan {
    uint16_t tooth;   /* last tooth before, counted over 2 revolutions */
    uint16_t ticks;   /* of 1 us behind it */
    uint32_t opening; /* us */
};

static struct event event[EVENTS];
static struct plan plan[EVENTS];
static uint16_t dead_time[POINTS]; /* us at 8, 9 ... 16 V */

static uint32_t opening_of(const struct event *e)
{
    unsigned i = (unsigned)(e->volts >> 8) - 8u, share = e->volts & 255u;
    uint32_t dead = ((256u - share) * dead_time[i] + share * dead_time[i + 1]) >> 8;

    return (uint32_t)e->mass * 1000u / 3750u + dead; /* 3.75 ug each us */
}

static void schedule(const struct event *e, struct plan *p)
{
    uint32_t opening = opening_of(e);
    /* 6 degrees a second for each revolution a minute: us * speed * 6 / 10^6 degrees */
    uint32_t turn = (uint32_t)((uint64_t)opening * e->speed * (6u * UNIT) / 1000000u);
    uint32_t start = (e->end * UNIT + 2u * CYCLE * UNIT - turn) % (CYCLE * UNIT);
    uint32_t tooth = start / (TOOTH * UNIT);

    if (tooth % 60u >= TEETH)
        tooth -= tooth % 60u - (TEETH - 1u);
    p->tooth = (uint16_t)tooth;
    p->ticks = (uint16_t)((uint64_t)(start - tooth * TOOTH * UNIT) * 1000000u / (6u * UNIT * e->speed));
    p->opening = opening;
}

static void schedule_all(void)
{
    for (int n = 0; n < EVENTS; n++)
        schedule(&event[n], &plan[n]);
}

static void prepare(void)
{
    uint32_t noise = 835925u;

    for (int i = 0; i < POINTS; i++)
        dead_time[i] = (uint16_t)(2400 - 200 * i);
    for (int n = 0; n < EVENTS; n++) {
        event[n].mass = (uint16_t)(24000 + noise_within(&noise, 20000));
        event[n].speed = (uint16_t)(3800 + noise_within(&noise, 3000));
        event[n].end = (uint16_t)(360 + noise_within(&noise, 355));
        event[n].volts = (uint16_t)(12 * 256 + noise_within(&noise, 4 * 256 - 1));
    }
    SHIM_KEEP(dead_time);
    SHIM_KEEP(event);
}

/* The opening in us: the dead time falls by 200 us a volt. */
static double exact_opening(const struct event *e)
{
    return e->mass / 3.75 + 2400.0 - 200.0 * (e->volts / 256.0 - 8.0);
}

/* A us is at most 6800 * 6e-6 = 0.041 degrees: two in the opening, one in the ticks, and two angles of 1/64. */
int main(void)
{
    double worst = 0.0, worst_opening = 0.0;
    int gap = 0;

    prepare();
    shim_region_begin("injection_angle");
    schedule_all();
    SHIM_KEEP(plan);
    shim_region_end("injection_angle");
    for (int n = 0; n < EVENTS; n++) {
        const struct event *e = &event[n];
        double rate = e->speed * 6e-6, exact = exact_opening(e);
        double off = plan[n].tooth * 6.0 + plan[n].ticks * rate + exact * rate - e->end;

        off -= 720.0 * floor(off / 720.0 + 0.5);
        worst = worse_of(worst, fabs(off));
        worst_opening = worse_of(worst_opening, fabs(plan[n].opening - exact));
        gap += plan[n].tooth % 60 >= 58;
    }
    return sample_verdict_real("worst angle", worst, 0.0, 3 * 0.041 + 2.0 / 64.0) |
           sample_verdict_real("worst opening", worst_opening, 0.0, 2.0) | sample_verdict_int("in the gap", gap, 0);
}
