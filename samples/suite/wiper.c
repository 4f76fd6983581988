/*
 * wiper - windscreen wipers as a generated chart: lever, rain sensor, washer, and a blade that must never stop in the
 * middle.
 *
 * Chart Lever {Off, Interval, Slow, Fast} beside chart Blade {Parked, Wiping}, which send each other events;
 * enumerations, bytes and 16-bit counters. The truth: a script of lever positions with known numbers of wipes: periods
 * of the blade and the pauses say how often it passes; and it is parked whenever it rests.
 *
 * Work: each of the 12000 ticks depends on the one before: load lever and rain, 2 switches, a counter, a comparison, a
 * store: 12000 * 7 = 84000.
 */
#include "../sample.h"

#define PART   2000
#define PARTS  6
#define TICKS  (PART * PARTS) /* of 10 ms */
#define SLOW   100            /* ticks of a wipe */
#define FAST   60
#define WASHED 3 /* wipes after the washer */

enum lever { LEVER_OFF, LEVER_INTERVAL, LEVER_SLOW, LEVER_FAST, LEVER_WASH = 8 };

enum blade { PARKED, WIPING };

struct wiper {
    uint8_t lever, blade;
    uint8_t wanted; /* an event for the blade: another wipe */
    uint8_t owed;   /* wipes after washing */
    uint8_t speed;  /* ticks of the wipe under way */
    uint16_t pause, ticks;
    uint16_t wipes;
};

struct moment {
    uint8_t angle; /* 0: parked */
    uint16_t wipes;
};

static struct wiper wiper;
static uint8_t lever[TICKS], rain[TICKS]; /* rain 0 .. 10 */
static struct moment trace[TICKS];

static void lever_step(struct wiper *w, uint8_t position, uint8_t drops)
{
    if (position & LEVER_WASH)
        w->owed = WASHED;
    w->lever = position & 7;
    switch (w->lever) {
    case LEVER_OFF:
        w->wanted = 0;
        w->pause = 0;
        break;
    case LEVER_INTERVAL:
        if (w->blade == PARKED && ++w->pause >= 550 - 50 * drops) {
            w->pause = 0;
            w->wanted = 1;
        }
        break;
    default:
        w->wanted = 1;
        w->pause = 0;
        break;
    }
    if (w->owed > 0)
        w->wanted = 1;
}

static void blade_step(struct wiper *w)
{
    switch (w->blade) {
    case PARKED:
        if (w->wanted) {
            w->blade = WIPING;
            w->speed = w->lever == LEVER_FAST ? FAST : SLOW;
            w->ticks = 0;
            w->wanted = 0;
        }
        break;
    default:
        if (++w->ticks >= w->speed) {
            w->blade = PARKED;
            w->ticks = 0;
            w->wipes++;
            if (w->owed > 0)
                w->owed--;
        }
        break;
    }
}

static uint8_t angle_of(const struct wiper *w)
{
    unsigned half = w->speed / 2u, t = w->ticks;

    if (w->blade == PARKED)
        return 0;
    return (uint8_t)(t < half ? 1u + t * 90u / half : 1u + (w->speed - t) * 90u / (w->speed - half));
}

static void run(void)
{
    for (int t = 0; t < TICKS; t++) {
        lever_step(&wiper, lever[t], rain[t]);
        blade_step(&wiper);
        trace[t] = (struct moment){angle_of(&wiper), wiper.wipes};
    }
}

/* Off; slow; fast; interval with heavy, then with light rain; off with a push of the washer. */
static void prepare(void)
{
    static const uint8_t position[PARTS] = {LEVER_OFF,      LEVER_SLOW,     LEVER_FAST,
                                            LEVER_INTERVAL, LEVER_INTERVAL, LEVER_OFF};

    memset(&wiper, 0, sizeof wiper);
    for (int t = 0; t < TICKS; t++) {
        lever[t] = position[t / PART];
        rain[t] = t / PART == 3 ? 9 : 1;
        if (t >= 5 * PART + 300 && t < 5 * PART + 320)
            lever[t] |= LEVER_WASH;
    }
    SHIM_KEEP(&wiper);
    SHIM_KEEP(lever);
    SHIM_KEEP(rain);
}

/* A wipe and the tick parked between two make its period; a pause is counted in parked ticks, of which one is the
 * start's. */
static int wipes_of(int part)
{
    return trace[(part + 1) * PART - 1].wipes - (part > 0 ? trace[part * PART - 1].wipes : 0);
}

int main(void)
{
    static const double expected[PARTS] = {
        0.0, PART / (SLOW + 1.0), PART / (FAST + 1.0), PART / (SLOW + 100.0), PART / (SLOW + 500.0), WASHED};
    int failed = 0, jumps = 0;

    prepare();
    shim_region_begin("wiper");
    run();
    SHIM_KEEP(trace);
    shim_region_end("wiper");
    for (int part = 0; part < PARTS; part++)
        failed |= sample_verdict_real("wipes", wipes_of(part), expected[part], part == 0 ? 0.0 : 1.0);
    for (int t = 1; t < TICKS; t++)
        jumps += abs(trace[t].angle - trace[t - 1].angle) > 5 || trace[t].angle > 91;
    return failed | sample_verdict_int("jumps of the blade", jumps, 0) |
           sample_verdict_int("parked in the end", trace[TICKS - 1].angle, 0);
}
