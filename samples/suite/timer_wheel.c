/*
 * timer_wheel - 400 timers that are set, expire, and sometimes are stopped, on a wheel of three levels of 16 slots with
 * doubly linked lists, over 4000 ticks; what is due is called through a pointer.
 *
 * Varghese and Lauck, "Hashed and Hierarchical Timing Wheels", 1987. The truth: each timer's next time is looked at on
 * every tick, outside.
 *
 * Work: each of the 4000 ticks loads a slot's head and compares; each of at least 3000 calls loads a function and two
 * links and stores four: 4000 * 2 + 3000 * 7 = 29000.
 */
#include "../sample.h"
#include "lcg.h"

#define TIMERS 400
#define TICKS  4000
#define SLOTS  16
#define LEVELS 3

struct timer {
    struct timer *next, *before; /* in a ring with its slot's head */
    void (*due)(struct timer *);
    uint32_t time, period, calls, sum;
};

static struct timer timers[TIMERS], wheel[LEVELS][SLOTS];
static uint32_t now, periods[TIMERS], starts[TIMERS];

static void take_out(struct timer *t)
{
    t->before->next = t->next;
    t->next->before = t->before;
    t->next = t->before = t;
}

/* By the highest digit (of 16) in which its time differs from now; what lies too far waits on the last level. */
static void put(struct timer *t)
{
    uint32_t differs = t->time ^ now;
    int level = differs < SLOTS ? 0 : differs < SLOTS * SLOTS ? 1 : 2;
    struct timer *head = &wheel[level][t->time >> 4 * level & (SLOTS - 1)];

    t->next = head;
    t->before = head->before;
    head->before->next = t;
    head->before = t;
}

/* All of a slot that has come up go down, or are put again where they were. */
static void cascade(struct timer *head)
{
    struct timer *t = head->next;

    head->next = head->before = head;
    while (t != head) {
        struct timer *next = t->next;

        put(t);
        t = next;
    }
}

static void tick(void)
{
    struct timer *head;

    now++;
    if (now % SLOTS == 0) {
        if (now % (SLOTS * SLOTS) == 0)
            cascade(&wheel[2][now >> 8 & (SLOTS - 1)]);
        cascade(&wheel[1][now >> 4 & (SLOTS - 1)]);
    }
    head = &wheel[0][now & (SLOTS - 1)];
    while (head->next != head) {
        struct timer *t = head->next;

        take_out(t);
        t->due(t);
    }
}

static void count(struct timer *t)
{
    t->calls++;
    t->sum += now;
}

static void again(struct timer *t)
{
    count(t);
    t->time = now + t->period;
    put(t);
}

/* Stops the next timer, if that runs, or starts it. */
static void toggle(struct timer *t)
{
    struct timer *other = t + 1;

    again(t);
    if (other->next != other) {
        take_out(other);
        return;
    }
    other->time = now + other->period;
    put(other);
}

static void prepare(void)
{
    uint32_t seed = 75;

    now = 0;
    for (int i = 0; i < LEVELS * SLOTS; i++) {
        struct timer *head = &wheel[i / SLOTS][i % SLOTS];

        head->next = head->before = head;
    }
    for (int i = 0; i < TIMERS; i++) {
        periods[i] = 17 + lcg_draw(&seed) % (i % 3 == 0 ? 1500 : 300);
        starts[i] = 1 + lcg_draw(&seed) % 200;
        if (i % 5 < 2) { /* see check() */
            periods[i] = periods[i] / 2 * 2;
            starts[i] = starts[i] / 2 * 2 + (i % 5 == 0 ? 1 : 2);
        }
        timers[i] = (struct timer){.due = i % 5 == 0   ? toggle
                                          : i % 5 == 2 ? count
                                                       : again,
                                   .period = periods[i],
                                   .time = starts[i]};
        put(&timers[i]);
    }
    SHIM_KEEP(timers);
    SHIM_KEEP(wheel);
    SHIM_KEEP(&now);
}

/* What must come out, by looking at all timers on every tick. A timer that toggles others is due on odd ticks only, the
 * one behind it on even ticks, so that the order within a tick does not matter. */
static int check(void)
{
    static uint32_t due[TIMERS], calls[TIMERS], sums[TIMERS]; /* due 0: stopped */
    uint32_t all = 0;

    memset(calls, 0, sizeof calls);
    memset(sums, 0, sizeof sums);
    memcpy(due, starts, sizeof due);
    for (uint32_t time = 1; time <= TICKS; time++)
        for (int i = 0; i < TIMERS; i++) {
            if (due[i] != time)
                continue;
            calls[i]++;
            sums[i] += time;
            due[i] = i % 5 == 2 ? 0 : time + periods[i];
            if (i % 5 == 0)
                due[i + 1] = due[i + 1] == 0 ? time + periods[i + 1] : 0;
        }
    for (int i = 0; i < TIMERS; i++) {
        if (sample_verdict_int("calls of a timer", timers[i].calls, calls[i]) ||
            sample_verdict_int("sum of its times", timers[i].sum, sums[i]))
            return 1;
        all += calls[i];
    }
    return sample_verdict_int("whether there were many", all >= 3000, 1);
}

int main(void)
{
    prepare();
    shim_region_begin("timer_wheel");
    for (int i = 0; i < TICKS; i++)
        tick();
    SHIM_KEEP(timers);
    shim_region_end("timer_wheel");
    return check();
}
