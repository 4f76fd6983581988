/*
 * elevator - a lift for 16 floors: calls in bit sets, a chart of cabin and doors that run side by side, with history.
 *
 * Collective control: the cabin goes on in its direction while a call lies ahead, then turns. Doors: Closed, Opening,
 * Open, Closing; a call at this floor opens them again. The truth is read from the trace alone: the cabin never moves
 * but with closed doors, from floor to neighbouring floor, and each call is answered in the time that collective
 * control allows: one way up and down with a stop at each floor.
 *
 * Work: each of the 20000 ticks depends on the one before: load the calls, or them in, branch on the state, compare a
 * counter, store: 20000 * 6 = 120000.
 */
#include "../sample.h"
#include "test_signal.h"

#define TICKS       20000
#define FLOORS      16
#define TRAVEL_TIME 8
#define DOOR_TIME   4
#define OPEN_TIME   10

enum door { DOOR_CLOSED, DOOR_OPENING, DOOR_OPEN, DOOR_CLOSING };

enum cabin { RESTING, RISING, FALLING };

struct lift {
    uint16_t calls; /* a bit a floor */
    int8_t floor;
    uint8_t cabin, door;
    uint8_t history; /* the direction before it rested */
    uint16_t cabin_ticks, door_ticks;
};

struct moment {
    int8_t floor;
    uint8_t cabin, door;
};

static struct lift lift;
static uint16_t calls[TICKS];
static struct moment trace[TICKS];

static int called_above(const struct lift *l)
{
    return l->calls >> l->floor >> 1 != 0;
}

static int called_below(const struct lift *l)
{
    return (l->calls & ((1u << l->floor) - 1u)) != 0;
}

static int called_here(const struct lift *l)
{
    return (l->calls >> l->floor & 1u) != 0;
}

static void enter_door(struct lift *l, enum door next)
{
    l->door = (uint8_t)next;
    l->door_ticks = 0;
}

static void enter_cabin(struct lift *l, enum cabin next)
{
    if (l->cabin != RESTING)
        l->history = l->cabin;
    l->cabin = (uint8_t)next;
    l->cabin_ticks = 0;
}

static void door_step(struct lift *l)
{
    l->door_ticks++;
    switch (l->door) {
    case DOOR_CLOSED:
        if (l->cabin == RESTING && called_here(l))
            enter_door(l, DOOR_OPENING);
        break;
    case DOOR_OPENING:
        if (l->door_ticks >= DOOR_TIME)
            enter_door(l, DOOR_OPEN);
        break;
    case DOOR_OPEN:
        l->calls &= (uint16_t) ~(1u << l->floor);
        if (l->door_ticks >= OPEN_TIME)
            enter_door(l, DOOR_CLOSING);
        break;
    default:
        if (called_here(l))
            enter_door(l, DOOR_OPENING);
        else if (l->door_ticks >= DOOR_TIME)
            enter_door(l, DOOR_CLOSED);
        break;
    }
}

/* On in the direction of the history while a call lies that way. */
static void leave(struct lift *l)
{
    int up = called_above(l), down = called_below(l);

    if (up && (l->history == RISING || !down))
        enter_cabin(l, RISING);
    else if (down)
        enter_cabin(l, FALLING);
}

static void cabin_step(struct lift *l)
{
    l->cabin_ticks++;
    if (l->cabin == RESTING) {
        if (l->door == DOOR_CLOSED && !called_here(l))
            leave(l);
    } else if (l->cabin_ticks >= TRAVEL_TIME) {
        int ahead;

        l->floor = (int8_t)(l->cabin == RISING ? l->floor + 1 : l->floor - 1);
        l->cabin_ticks = 0;
        ahead = l->cabin == RISING ? called_above(l) : called_below(l);
        if (called_here(l) || !ahead)
            enter_cabin(l, RESTING);
    }
}

static void run(void)
{
    for (int t = 0; t < TICKS; t++) {
        lift.calls |= calls[t];
        door_step(&lift);
        cabin_step(&lift);
        trace[t] = (struct moment){lift.floor, lift.cabin, lift.door};
    }
}

static void prepare(void)
{
    uint32_t noise = 173205u;

    memset(&lift, 0, sizeof lift);
    lift.history = RISING;
    for (int t = 0; t < TICKS; t++) {
        uint32_t draw = noise_next(&noise);

        calls[t] = draw % 41 == 0 ? (uint16_t)(1u << (draw >> 8) % FLOORS) : 0;
    }
    SHIM_KEEP(&lift);
    SHIM_KEEP(calls);
}

static int breaches(void)
{
    int bad = 0;

    for (int t = 1; t < TICKS; t++) {
        const struct moment *now = &trace[t], *then = &trace[t - 1];

        bad += now->floor < 0 || now->floor >= FLOORS || abs(now->floor - then->floor) > 1;
        bad += now->cabin != RESTING && now->door != DOOR_CLOSED;
        bad += now->floor != then->floor && then->cabin == RESTING;
    }
    return bad;
}

/* Calls that wait longer than down and up through all floors with a stop of both ways at each takes. */
static int forgotten(void)
{
    int longest = 2 * FLOORS * (TRAVEL_TIME + 2 * DOOR_TIME + OPEN_TIME + 4), bad = 0;

    for (int t = 0; t < TICKS - longest; t++)
        for (int floor = 0; calls[t] != 0 && floor < FLOORS; floor++) {
            int until = t;

            if (!(calls[t] >> floor & 1))
                continue;
            while (until <= t + longest && !(trace[until].floor == floor && trace[until].door == DOOR_OPEN))
                until++;
            bad += until > t + longest;
        }
    return bad;
}

int main(void)
{
    prepare();
    shim_region_begin("elevator");
    run();
    SHIM_KEEP(trace);
    shim_region_end("elevator");
    return sample_verdict_int("breaches", breaches(), 0) | sample_verdict_int("calls forgotten", forgotten(), 0);
}
