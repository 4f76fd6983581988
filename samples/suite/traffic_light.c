/*
 * traffic_light - a crossing of two roads with detectors and a pedestrian button, as a state-chart tool generates it.
 *
 * One switch over the active state, a tick counter, entry actions written out where the transition is taken. The rules:
 * green lasts at least 40 ticks and until the other road or a pedestrian asks, at most 120; yellow 15; all red 10.
 *
 * Work: each of the 12000 ticks depends on the one before and is of the form: load the detectors, count, switch,
 * compare, store the lamps: at least 5 instructions, 60000.
 */
#include "../sample.h"
#include "test_signal.h"

#define TICKS       12000
#define GREEN_MIN   40
#define GREEN_MAX   120
#define YELLOW_TIME 15
#define RED_TIME    10

enum state { MAIN_GREEN, MAIN_YELLOW, RED_TO_SIDE, SIDE_GREEN, SIDE_YELLOW, RED_TO_MAIN };

enum lamp { LAMP_RED = 1, LAMP_YELLOW = 2, LAMP_GREEN = 4 };

enum input { CAR_MAIN = 1, CAR_SIDE = 2, PEDESTRIAN = 4 };

struct crossing {
    uint8_t active;
    uint8_t main_lamp, side_lamp;
    uint8_t waiting; /* requests that are not yet served */
    uint16_t ticks;
};

static struct crossing light;
static uint8_t inputs[TICKS];
static uint8_t lamps[TICKS]; /* main road in the low, side road in the high half */

static void enter(struct crossing *c, enum state next, enum lamp main_lamp, enum lamp side_lamp)
{
    c->active = (uint8_t)next;
    c->main_lamp = (uint8_t)main_lamp;
    c->side_lamp = (uint8_t)side_lamp;
    c->ticks = 0;
}

static int green_ends(const struct crossing *c, unsigned requests)
{
    return (c->ticks >= GREEN_MIN && (c->waiting & requests) != 0) || c->ticks >= GREEN_MAX;
}

static void crossing_step(struct crossing *c, uint8_t input)
{
    c->waiting |= input;
    c->ticks++;
    switch (c->active) {
    case MAIN_GREEN:
        c->waiting &= (uint8_t)~CAR_MAIN;
        if (green_ends(c, CAR_SIDE | PEDESTRIAN))
            enter(c, MAIN_YELLOW, LAMP_YELLOW, LAMP_RED);
        break;
    case MAIN_YELLOW:
        if (c->ticks >= YELLOW_TIME)
            enter(c, RED_TO_SIDE, LAMP_RED, LAMP_RED);
        break;
    case RED_TO_SIDE:
        if (c->ticks >= RED_TIME)
            enter(c, SIDE_GREEN, LAMP_RED, LAMP_GREEN);
        break;
    case SIDE_GREEN:
        c->waiting &= (uint8_t) ~(CAR_SIDE | PEDESTRIAN);
        if (green_ends(c, CAR_MAIN))
            enter(c, SIDE_YELLOW, LAMP_RED, LAMP_YELLOW);
        break;
    case SIDE_YELLOW:
        if (c->ticks >= YELLOW_TIME)
            enter(c, RED_TO_MAIN, LAMP_RED, LAMP_RED);
        break;
    default: /* RED_TO_MAIN */
        if (c->ticks >= RED_TIME)
            enter(c, MAIN_GREEN, LAMP_GREEN, LAMP_RED);
        break;
    }
}

static void run(struct crossing *c)
{
    for (int t = 0; t < TICKS; t++) {
        crossing_step(c, inputs[t]);
        lamps[t] = (uint8_t)(c->main_lamp | c->side_lamp << 4);
    }
}

static void prepare(void)
{
    uint32_t noise = 88172645u;

    enter(&light, MAIN_GREEN, LAMP_GREEN, LAMP_RED);
    light.waiting = 0;
    for (int t = 0; t < TICKS; t++) {
        uint32_t draw = noise_next(&noise);

        inputs[t] = (uint8_t)((draw % 23 == 0 ? CAR_MAIN : 0) | (draw / 23 % 71 == 0 ? CAR_SIDE : 0) |
                              (draw / 1633 % 113 == 0 ? PEDESTRIAN : 0));
    }
    SHIM_KEEP(&light);
    SHIM_KEEP(inputs);
}

/* The times the rules allow for a combination of lamps; 0 for one that must never light. */
static int allowed(uint8_t lamp, int *longest)
{
    switch (lamp) {
    case LAMP_GREEN | LAMP_RED << 4:
    case LAMP_RED | LAMP_GREEN << 4:
        *longest = GREEN_MAX;
        return GREEN_MIN;
    case LAMP_YELLOW | LAMP_RED << 4:
    case LAMP_RED | LAMP_YELLOW << 4:
        *longest = YELLOW_TIME;
        return YELLOW_TIME;
    case LAMP_RED | LAMP_RED << 4:
        *longest = RED_TIME;
        return RED_TIME;
    default:
        *longest = 0;
        return 0;
    }
}

/* Phases whose length is against the rules, read from the lamps alone; the first and the last are cut and not judged.
 */
static int violations(int *phases)
{
    int bad = 0, start = 0, shortest, longest;

    *phases = 0;
    for (int t = 1; t < TICKS; t++) {
        if (lamps[t] == lamps[t - 1])
            continue;
        shortest = allowed(lamps[t - 1], &longest);
        if (*phases > 0 && (t - start < shortest || t - start > longest))
            bad++;
        bad += shortest == 0;
        start = t;
        ++*phases;
    }
    return bad;
}

/* A round of six phases takes at most 2 * (120 + 15 + 10) = 290 ticks: at least 41 whole rounds, 246 changes. */
int main(void)
{
    int phases;

    prepare();
    shim_region_begin("traffic_light");
    run(&light);
    SHIM_KEEP(lamps);
    shim_region_end("traffic_light");
    return sample_verdict_int("violations", violations(&phases), 0) |
           sample_verdict_int("at least 240 changes", phases >= 240, 1);
}
