/*
 * heft.c - HEFT, a list scheduler for cores of different kinds.
 *
 * H. Topcuoglu, S. Hariri, M.-Y. Wu, Performance-effective and low-complexity task scheduling for heterogeneous computing, IEEE TPDS
 * 13(3), 2002: blocks by their rank, the
 * longest mean way to the end; each to the core where it ends first, into a gap if it fits. The blocks of a group follow
 * the first of them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shimgen/map/search/search.h"

static double mean_time(const struct map_problem *p, size_t b)
{
    double sum = 0, n = 0;
    for (size_t c = 0; c < p->n_cores; c++) {
        double t = p->time[b * p->n_cores + c];
        if (!isinf(t)) {
            sum += t;
            n++;
        }
    }
    return n > 0 ? sum / n : 0;
}

static double mean_cost(const struct map_problem *p, size_t arc)
{
    double sum = 0;
    for (size_t i = 0; i < p->n_cores * p->n_cores; i++)
        sum += p->cost[arc * p->n_classes + p->class_of[i]];
    return sum / (double)(p->n_cores * p->n_cores);
}

struct ranked {
    double rank;
    size_t place, block;
};

static int compare_ranks(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank > y->rank ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* A block's rank is at least that of any block that waits for it. Equal ranks stay in an order that is possible. */
static void by_rank(size_t *sequence, const struct map_problem *p)
{
    struct ranked *list = xcalloc(p->n, sizeof *list);
    double *rank = xcalloc(p->n, sizeof *rank);
    for (size_t i = p->n; i-- > 0;) {
        size_t b = p->order[i];
        double rest = 0;
        for (size_t k = p->out.first[b]; k < p->out.first[b + 1]; k++)
            rest = fmax(rest, mean_cost(p, p->out.at[k]) + rank[p->arcs[p->out.at[k]].to]);
        rank[b] = mean_time(p, b) + rest;
        list[i] = (struct ranked){rank[b], i, b};
    }
    qsort(list, p->n, sizeof *list, compare_ranks);
    for (size_t i = 0; i < p->n; i++)
        sequence[i] = list[i].block;
    free(list);
    free(rank);
}

void map_heft_sequence(struct map_plan *plan, const struct map_problem *p)
{
    by_rank(plan->sequence, p);
}

/* The blocks on a core, in the order of time. */
struct slot {
    double start, end;
};
struct slots {
    VEC(struct slot) at;
};

/* The earliest start, at or after `ready`, in a gap of this length. */
static double earliest(const struct slots *s, double ready, double length)
{
    double free_from = 0;
    for (size_t i = 0; i < s->at.n; i++) {
        double start = fmax(free_from, ready);
        if (start + length <= s->at.at[i].start)
            return start;
        free_from = fmax(free_from, s->at.at[i].end);
    }
    return fmax(free_from, ready);
}

static void put(struct slots *s, double start, double end)
{
    vec_push(&s->at, (struct slot){start, end});
    for (size_t i = s->at.n - 1; i > 0 && s->at.at[i - 1].start > start; i--) {
        struct slot x = s->at.at[i];
        s->at.at[i] = s->at.at[i - 1];
        s->at.at[i - 1] = x;
    }
}

static double ready_on(const struct map_plan *plan, const struct map_problem *p, size_t b, size_t core)
{
    double ready = 0;
    for (size_t k = p->in.first[b]; k < p->in.first[b + 1]; k++) {
        size_t arc = p->in.at[k], from = p->arcs[arc].from;
        ready = fmax(ready, plan->end[from] + map_arc_cost(p, arc, plan->core[from], core));
    }
    return ready;
}

static bool place(struct map_plan *plan, const struct map_problem *p, size_t b, struct slots *slots, size_t *core_of)
{
    size_t g = p->group[b];
    double best = INFINITY, begin = 0;
    for (size_t c = 0; c < p->n_cores; c++) {
        double time = p->time[b * p->n_cores + c];
        if (core_of[g] != MAP_NONE ? core_of[g] != c : !map_group_fits(p, g, c, core_of))
            continue;
        double start = earliest(&slots[c], ready_on(plan, p, b, c), time);
        if (start + time >= best)
            continue;
        best = start + time;
        begin = start;
        plan->core[b] = c;
    }
    if (isinf(best))
        return false;
    core_of[g] = plan->core[b];
    plan->start[b] = begin;
    plan->end[b] = best;
    put(&slots[plan->core[b]], begin, best);
    return true;
}

bool map_heft(struct map_plan *out, const struct map_problem *p)
{
    struct slots *slots = xcalloc(p->n_cores, sizeof *slots);
    size_t *core_of = xcalloc(p->n_groups, sizeof *core_of);
    bool all = true;
    for (size_t g = 0; g < p->n_groups; g++)
        core_of[g] = MAP_NONE;
    by_rank(out->sequence, p);
    for (size_t i = 0; i < p->n && all; i++)
        all = place(out, p, out->sequence[i], slots, core_of);
    if (all) {
        map_plan_sort(out, p);
        map_plan_run(out, p, INFINITY);
    }
    for (size_t c = 0; c < p->n_cores; c++)
        vec_release(&slots[c].at);
    free(slots);
    free(core_of);
    return all;
}
