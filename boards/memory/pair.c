/* pair.c - the probe of messages between cores through shared memory: a flag to the other core and back, and messages
 * one after the other. A program like any other that the measuring runtime measures; docs/method/memory.md.
 *
 *     pair idle|busy BYTES     busy: loads on the cores that take no part, which stream through BYTES each */
#include "others.h"
#include "points.h"

#include <shim_region.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { APART = 256, SLOTS = 64, ACK_EVERY = 16, WARM_UP = 200 };
/* some milliseconds of polling, then pauses of 1 ms each, then the other core counts as lost */
enum { LOOKS = 1 << 20, PAUSES = 5000 };
#define STOP UINT64_MAX

struct flag {
    _Alignas(APART) volatile uint64_t value;
};
/* Numbers only increase, starting at 1. */
struct channel {
    struct flag ping, pong;  /* one message at a time, answered */
    struct flag slot[SLOTS]; /* a sequence of messages; `taken` acknowledges each at most ACK_EVERY later */
    struct flag taken;
};

static uint64_t look(const struct flag *f)
{
    return __atomic_load_n(&f->value, __ATOMIC_ACQUIRE);
}

static void say(struct flag *f, uint64_t value)
{
    __atomic_store_n(&f->value, value, __ATOMIC_RELEASE);
}

/* Polls a flag until it reaches `least`, and returns it. If that takes long, it pauses in between: the core that it
 * waits for may be waiting for this one, above all with real-time priority. 0: it did not come in time. */
static inline uint64_t wait_for(const struct flag *f, uint64_t least)
{
    uint64_t now;
    for (uint64_t i = 1; (now = look(f)) < least; i++) {
        if (i % LOOKS == 0)
            nanosleep(&(struct timespec){0, 1000000}, 0);
        if (i > (uint64_t)LOOKS * PAUSES)
            return 0;
    }
    return now;
}

/* Runs on the other core: answers until STOP, then takes a sequence of messages. */
static void answer(void *shared)
{
    struct channel *c = shared;
    for (uint64_t now = 0; now != STOP;) {
        now = wait_for(&c->ping, now + 1);
        if (!now)
            return;
        say(&c->pong, now);
    }
    for (uint64_t n = 1; wait_for(&c->slot[n % SLOTS], n); n++)
        if (n % ACK_EVERY == 0)
            say(&c->taken, n);
}

static int lost; /* the other core did not answer in time */

static inline void await(const struct flag *f, uint64_t least)
{
    if (!lost)
        lost = !wait_for(f, least);
}

static void exchange(struct channel *c, uint64_t from, uint64_t n)
{
    for (uint64_t i = from; i < from + n; i++) {
        say(&c->ping, i);
        await(&c->pong, i);
    }
}

static void send(struct channel *c, uint64_t from, uint64_t n)
{
    uint64_t taken = look(&c->taken);
    for (uint64_t i = from; i < from + n; i++) {
        if (i - taken > SLOTS - ACK_EVERY) {
            await(&c->taken, i - (SLOTS - ACK_EVERY));
            taken = look(&c->taken);
        }
        say(&c->slot[i % SLOTS], i);
    }
}

static const char *kept(int core, const char *quantity)
{
    static char names[2 * OTHERS_MOST][POINT_NAME];
    static int n;
    char name[POINT_NAME];
    int i = 0;
    snprintf(name, sizeof name, "core %d %s", core, quantity);
    while (i < n && strcmp(names[i], name) != 0)
        i++;
    if (i == 2 * OTHERS_MOST)
        return "too many";
    if (i == n)
        memcpy(names[n++], name, POINT_NAME);
    return names[i];
}

static void measure_pair(struct channel *c, int core)
{
    const char *name = kept(core, "latency");
    exchange(c, 1, WARM_UP);
    shim_region_begin(name);
    exchange(c, WARM_UP + 1, PAIR_MESSAGES);
    shim_region_end(name);
    say(&c->ping, STOP);
    await(&c->pong, STOP);
    name = kept(core, "pitch");
    send(c, 1, WARM_UP);
    shim_region_begin(name);
    send(c, WARM_UP + 1, PAIR_MESSAGES);
    shim_region_end(name);
}

/* Enters a region so many times, by which it reports that the core is missing, or that others were kept busy. */
static void mark(const char *name, int times)
{
    for (int i = 0; i < times; i++) {
        shim_region_begin(name);
        shim_region_end(name);
    }
}

int main(int argc, char **argv)
{
    static struct channel *c;
    static struct others other, loads;
    if (argc < 3 || (!c && !(c = others_shared(sizeof *c)))) {
        fputs("usage: pair idle|busy BYTES\n", stderr);
        return 2;
    }
    int partners = 0, most = 0;
    for (int core = 0; core < others_cores() && !lost; core++) {
        memset(c, 0, sizeof *c);
        if (others_start_on(&other, core, answer, c))
            continue;
        if (strcmp(argv[1], "busy") == 0)
            others_keep_busy(&loads, strtoul(argv[2], 0, 10), core);
        most = loads.n > most ? loads.n : most;
        measure_pair(c, core);
        others_stop(&loads);
        others_stop(&other);
        partners++;
    }
    mark(POINT_OTHERS, most);
    if (!partners)
        mark(POINT_ALONE, 1);
    if (lost)
        fputs("the other core does not answer\n", stderr);
    return lost;
}
