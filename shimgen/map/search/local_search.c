/*
 * local_search.c - betters a plan by small changes: a group to another core, a block to another place in the sequence.
 *
 * A change is taken if it is no worse than the plan was some changes ago (late acceptance: Burke, Bykov, The late
 * acceptance hill-climbing heuristic, EJOR 258(1), 2017).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "shimgen/map/search/search.h"

enum { MEMORY = 64, CLOCK_EVERY = 64 };

struct climbing {
    const struct map_problem *p;
    struct map_plan now, *best;
    size_t *core_of; /* of each group, in `now` */
    struct random random;
    double memory[MEMORY];
};
/* What is needed to undo a change. */
struct change {
    size_t group, core; /* group MAP_NONE: a change of the sequence */
    size_t from, to;    /* places in the sequence */
};

static void set_core(struct climbing *k, size_t group, size_t core)
{
    const struct map_problem *p = k->p;
    k->core_of[group] = core;
    for (size_t i = p->members.first[group]; i < p->members.first[group + 1]; i++)
        k->now.core[p->members.at[i]] = core;
}

static void shift(size_t *sequence, size_t from, size_t to)
{
    size_t b = sequence[from];
    if (from < to)
        memmove(sequence + from, sequence + from + 1, (to - from) * sizeof *sequence);
    else
        memmove(sequence + to + 1, sequence + to, (from - to) * sizeof *sequence);
    sequence[to] = b;
}

static bool waits_for(const struct map_problem *p, size_t b, size_t other)
{
    for (size_t k = p->in.first[b]; k < p->in.first[b + 1]; k++)
        if (p->arcs[p->in.at[k]].from == other)
            return true;
    return false;
}

/* Moves a block in the sequence, between what it waits for and what waits for it, at most so far. */
static bool change_place(struct climbing *k, struct change *c)
{
    enum { FAR = 40 };
    size_t n = k->p->n, *sequence = k->now.sequence, from = random_below(&k->random, n), low = from, high = from;
    size_t b = sequence[from];
    while (low > 0 && from - low < FAR && !waits_for(k->p, b, sequence[low - 1]))
        low--;
    while (high + 1 < n && high - from < FAR && !waits_for(k->p, sequence[high + 1], b))
        high++;
    if (low == high)
        return false;
    size_t to = low + random_below(&k->random, high - low);
    to += to >= from;
    *c = (struct change){MAP_NONE, 0, from, to};
    shift(sequence, from, to);
    return true;
}

static bool change_core(struct climbing *k, struct change *c)
{
    size_t g = k->p->group[random_below(&k->random, k->p->n)], core = random_below(&k->random, k->p->n_cores);
    size_t before = k->core_of[g];
    if (core == before || !map_group_fits(k->p, g, core, k->core_of))
        return false;
    *c = (struct change){g, before, 0, 0};
    set_core(k, g, core);
    return true;
}

static void take_back(struct climbing *k, const struct change *c)
{
    if (c->group != MAP_NONE)
        set_core(k, c->group, c->core);
    else
        shift(k->now.sequence, c->to, c->from);
}

/* Tries one change. `at`: the plan's time after the latest accepted change. */
static double climb(struct climbing *k, size_t step, double at)
{
    struct change c;
    double *before = &k->memory[step % MEMORY], most = fmax(*before, at);
    if (random_below(&k->random, 2) ? change_core(k, &c) : change_place(k, &c)) {
        double takes = map_plan_run(&k->now, k->p, nextafter(most, INFINITY));
        if (isinf(takes))
            take_back(k, &c);
        else
            at = takes;
        if (takes < k->best->makespan)
            map_plan_copy(k->best, &k->now);
    }
    *before = at;
    return at;
}

void map_local(struct map_plan *best, const struct map_problem *p, size_t n_changes, double bound,
               const struct map_clock *clock)
{
    struct climbing k = {.p = p, .best = best, .random = random_start(1)};
    double at = best->makespan;
    map_plan_init(&k.now, p);
    map_plan_copy(&k.now, best);
    k.core_of = xcalloc(p->n_groups, sizeof *k.core_of);
    for (size_t b = 0; b < p->n; b++)
        k.core_of[p->group[b]] = best->core[b];
    for (size_t i = 0; i < MEMORY; i++)
        k.memory[i] = at;
    for (size_t i = 0; i < n_changes && best->makespan > bound * (1 + 1e-12); i++) {
        if (i % CLOCK_EVERY == 0 && map_clock_over(clock))
            break;
        at = climb(&k, i, at);
    }
    free(k.core_of);
    map_plan_release(&k.now);
}
