/*
 * exact.c - tries all plans by branch and bound: the next block of the sequence on each core that it may be on. Plans
 * that cannot be better than the best one so far are skipped, and so are equivalent ones: two successive blocks that do
 * not affect each other are tried in one order only, and of equal cores that are still empty only the first is tried.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shimgen/map/search/search.h"

enum { CLOCK_EVERY = 4096 };

struct branching {
    const struct map_problem *p;
    struct map_plan now, *best;
    size_t *waits;   /* of each block: arcs that have not arrived */
    bool *done;      /* of each block */
    size_t *core_of; /* of each group */
    size_t *placed;  /* of each core: number of blocks on it */
    size_t *kind;    /* of each core: the first core that is equal to it */
    double *least;   /* of each block: its least time */
    double *alone;   /* of each core: its total busy time */
    double rest;     /* least times of unfinished blocks */
    double bound;
    size_t nodes, most_nodes;
    const struct map_clock *clock;
    bool stopped;
};

static bool same_times(const struct map_problem *p, size_t a, size_t b)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->time[i * p->n_cores + a] != p->time[i * p->n_cores + b] ||
            p->load[i * p->n_cores + a] != p->load[i * p->n_cores + b])
            return false;
    return true;
}

/* Are costs equal to and from every other core, and between the two? */
static bool same_costs(const struct map_problem *p, size_t a, size_t b)
{
    const unsigned *class = p->class_of;
    for (size_t c = 0; c < p->n_cores; c++) {
        if (c == a || c == b)
            continue;
        if (class[a * p->n_cores + c] != class[b * p->n_cores + c] ||
            class[c * p->n_cores + a] != class[c * p->n_cores + b])
            return false;
    }
    return class[a * p->n_cores + b] == class[b * p->n_cores + a];
}

static void take_kinds(struct branching *x)
{
    for (size_t c = 0; c < x->p->n_cores; c++) {
        x->kind[c] = c;
        for (size_t first = 0; first < c && x->kind[c] == c; first++)
            if (x->kind[first] == first && same_times(x->p, first, c) && same_costs(x->p, first, c))
                x->kind[c] = first;
    }
}

/* Is it an empty core, with an equal core of smaller number that is empty too? */
static bool repeats(const struct branching *x, size_t core)
{
    for (size_t c = x->kind[core]; x->placed[core] == 0 && c < core; c++)
        if (x->kind[c] == x->kind[core] && x->placed[c] == 0)
            return true;
    return false;
}

static double start_on(const struct branching *x, size_t b, size_t core)
{
    const struct map_problem *p = x->p;
    double start = x->alone[core];
    for (size_t k = p->in.first[b]; k < p->in.first[b + 1]; k++) {
        size_t arc = p->in.at[k], from = p->arcs[arc].from;
        double there = x->now.end[from] + map_arc_cost(p, arc, x->now.core[from], core);
        start = there > start ? there : start;
    }
    return start;
}

/* A lower bound for the unfinished plan: the remaining work shared by all cores, and paths from ready blocks. */
static double at_least(const struct branching *x)
{
    const struct map_problem *p = x->p;
    double sum = x->rest, first = INFINITY, most = 0;
    for (size_t c = 0; c < p->n_cores; c++) {
        sum += x->alone[c];
        first = fmin(first, x->alone[c]);
        most = fmax(most, x->alone[c]);
    }
    most = fmax(most, sum / (double)p->n_cores);
    for (size_t b = 0; b < p->n; b++) {
        if (x->done[b] || x->waits[b])
            continue;
        double from = first;
        for (size_t k = p->in.first[b]; k < p->in.first[b + 1]; k++)
            from = fmax(from, x->now.end[p->arcs[p->in.at[k]].from]);
        most = fmax(most, from + p->tail[b]);
    }
    return most;
}

static bool follows(const struct map_problem *p, size_t b, size_t before)
{
    for (size_t k = p->in.first[b]; k < p->in.first[b + 1]; k++)
        if (p->arcs[p->in.at[k]].from == before)
            return true;
    return false;
}

static void branch(struct branching *x, size_t depth);

static void take(struct branching *x, size_t depth, size_t b, size_t core, double start)
{
    const struct map_problem *p = x->p;
    size_t g = p->group[b], group_core = x->core_of[g];
    double before = x->alone[core], end = start + p->time[b * p->n_cores + core];
    x->now.sequence[depth] = b;
    x->now.core[b] = core;
    x->now.start[b] = start;
    x->now.end[b] = x->alone[core] = end;
    x->core_of[g] = core;
    x->done[b] = true;
    x->placed[core]++;
    x->rest -= x->least[b];
    for (size_t k = p->out.first[b]; k < p->out.first[b + 1]; k++)
        x->waits[p->arcs[p->out.at[k]].to]--;
    branch(x, depth + 1);
    for (size_t k = p->out.first[b]; k < p->out.first[b + 1]; k++)
        x->waits[p->arcs[p->out.at[k]].to]++;
    x->rest += x->least[b];
    x->placed[core]--;
    x->done[b] = false;
    x->core_of[g] = group_core;
    x->alone[core] = before;
}

static bool allowed(const struct branching *x, size_t b, size_t core)
{
    size_t g = x->p->group[b];
    if (x->core_of[g] != MAP_NONE)
        return x->core_of[g] == core;
    return !repeats(x, core) && map_group_fits(x->p, g, core, x->core_of);
}

/* Could the previous block, on another core, as well come after this one? Then only the order of their numbers is
 * tried. */
static bool swapped(const struct branching *x, size_t depth, size_t b, size_t core)
{
    if (!depth)
        return false;
    size_t before = x->now.sequence[depth - 1];
    return b < before && x->now.core[before] != core && !follows(x->p, b, before);
}

static bool stop(struct branching *x)
{
    if (++x->nodes > x->most_nodes || (x->nodes % CLOCK_EVERY == 0 && map_clock_over(x->clock)))
        x->stopped = true;
    return x->stopped || x->best->makespan <= x->bound * (1 + 1e-12);
}

static void finish(struct branching *x)
{
    double makespan = 0;
    for (size_t b = 0; b < x->p->n; b++)
        makespan = fmax(makespan, x->now.end[b]);
    x->now.makespan = makespan;
    if (makespan < x->best->makespan)
        map_plan_copy(x->best, &x->now);
}

static void branch(struct branching *x, size_t depth)
{
    const struct map_problem *p = x->p;
    if (depth == p->n) {
        finish(x);
        return;
    }
    if (stop(x) || at_least(x) >= x->best->makespan)
        return;
    for (size_t i = 0; i < p->n; i++) {
        size_t b = p->order[i];
        if (x->done[b] || x->waits[b])
            continue;
        for (size_t c = 0; c < p->n_cores; c++) {
            if (!allowed(x, b, c) || swapped(x, depth, b, c))
                continue;
            double start = start_on(x, b, c);
            if (start + p->time[b * p->n_cores + c] < x->best->makespan)
                take(x, depth, b, c, start);
        }
    }
}

static void branching_init(struct branching *x, const struct map_problem *p)
{
    map_plan_init(&x->now, p);
    x->waits = xcalloc(p->n, sizeof *x->waits);
    x->done = xcalloc(p->n, sizeof *x->done);
    x->core_of = xcalloc(p->n_groups, sizeof *x->core_of);
    x->placed = xcalloc(p->n_cores, sizeof *x->placed);
    x->kind = xcalloc(p->n_cores, sizeof *x->kind);
    x->least = xcalloc(p->n, sizeof *x->least);
    x->alone = xcalloc(p->n_cores, sizeof *x->alone);
    for (size_t i = 0; i < p->n_now; i++)
        x->waits[p->arcs[i].to]++;
    for (size_t g = 0; g < p->n_groups; g++)
        x->core_of[g] = MAP_NONE;
    for (size_t b = 0; b < p->n; b++) {
        x->least[b] = INFINITY;
        for (size_t c = 0; c < p->n_cores; c++)
            x->least[b] = fmin(x->least[b], p->time[b * p->n_cores + c]);
        x->rest += x->least[b];
    }
    take_kinds(x);
}

bool map_exact(struct map_plan *best, const struct map_problem *p, size_t n_nodes, double bound,
               const struct map_clock *clock)
{
    struct branching x = {.p = p, .best = best, .bound = bound, .most_nodes = n_nodes, .clock = clock};
    branching_init(&x, p);
    branch(&x, 0);
    map_plan_release(&x.now);
    free(x.waits);
    free(x.done);
    free(x.core_of);
    free(x.placed);
    free(x.kind);
    free(x.least);
    free(x.alone);
    return !x.stopped;
}
