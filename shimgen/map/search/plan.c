/* plan.c - a plan: a core and a place in the sequence for each block, and the resulting times. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shimgen/map/search/problem.h"

void map_plan_init(struct map_plan *out, const struct map_problem *p)
{
    *out = (struct map_plan){.n = p->n, .n_cores = p->n_cores, .makespan = INFINITY};
    out->core = xcalloc(p->n, sizeof *out->core);
    out->sequence = xmemdup(p->order, p->n * sizeof *p->order);
    out->start = xcalloc(p->n, sizeof *out->start);
    out->end = xcalloc(p->n, sizeof *out->end);
    out->busy_until = xcalloc(p->n_cores, sizeof *out->busy_until);
}

void map_plan_copy(struct map_plan *to, const struct map_plan *from)
{
    memcpy(to->core, from->core, from->n * sizeof *to->core);
    memcpy(to->sequence, from->sequence, from->n * sizeof *to->sequence);
    memcpy(to->start, from->start, from->n * sizeof *to->start);
    memcpy(to->end, from->end, from->n * sizeof *to->end);
    memcpy(to->busy_until, from->busy_until, from->n_cores * sizeof *to->busy_until);
    to->makespan = from->makespan;
}

void map_plan_release(struct map_plan *plan)
{
    free(plan->core);
    free(plan->sequence);
    free(plan->start);
    free(plan->end);
    free(plan->busy_until);
    *plan = (struct map_plan){0};
}

double map_plan_run(struct map_plan *plan, const struct map_problem *p, double most)
{
    double makespan = 0;
    memset(plan->busy_until, 0, p->n_cores * sizeof *plan->busy_until);
    for (size_t i = 0; i < p->n; i++) {
        size_t b = plan->sequence[i], core = plan->core[b];
        double start = plan->busy_until[core];
        for (size_t k = p->in.first[b]; k < p->in.first[b + 1]; k++) {
            size_t arc = p->in.at[k], from = p->arcs[arc].from;
            double there = plan->end[from] + map_arc_cost(p, arc, plan->core[from], core);
            start = there > start ? there : start;
        }
        if (start + p->tail[b] >= most)
            return plan->makespan = INFINITY;
        plan->start[b] = start;
        plan->busy_until[core] = plan->end[b] = start + p->time[b * p->n_cores + core];
        makespan = plan->end[b] > makespan ? plan->end[b] : makespan;
    }
    return plan->makespan = makespan < most ? makespan : INFINITY;
}

struct started {
    double start, end;
    size_t place, block;
};

static int compare_started(const void *a, const void *b)
{
    const struct started *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->end != y->end) /* a block that takes no time comes before one that does */
        return x->end < y->end ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

void map_plan_sort(struct map_plan *plan, const struct map_problem *p)
{
    struct started *list = xcalloc(p->n, sizeof *list);
    for (size_t i = 0; i < p->n; i++) /* among blocks that start together, p->order counts: some take no time */
        list[i] = (struct started){plan->start[p->order[i]], plan->end[p->order[i]], i, p->order[i]};
    qsort(list, p->n, sizeof *list, compare_started);
    for (size_t i = 0; i < p->n; i++)
        plan->sequence[i] = list[i].block;
    free(list);
}

double map_plan_work(const struct map_plan *plan, const struct map_problem *p, size_t core)
{
    double sum = 0;
    for (size_t b = 0; b < p->n; b++)
        if (plan->core[b] == core)
            sum += p->free_time[b * p->n_cores + core];
    return sum;
}

bool map_plan_allowed(const struct map_plan *plan, const struct map_problem *p)
{
    size_t *core_of = xcalloc(p->n_groups, sizeof *core_of);
    bool allowed = true;
    for (size_t g = 0; g < p->n_groups; g++)
        core_of[g] = MAP_NONE;
    for (size_t b = 0; b < p->n && allowed; b++) {
        size_t g = p->group[b];
        if (core_of[g] == MAP_NONE)
            allowed = map_group_fits(p, g, plan->core[b], core_of);
        else
            allowed = core_of[g] == plan->core[b];
        core_of[g] = plan->core[b];
    }
    free(core_of);
    return allowed;
}

/* The block that ended on this core when `b` started; MAP_NONE: none. */
static size_t before_on_core(const struct map_plan *plan, size_t place)
{
    size_t b = plan->sequence[place];
    for (size_t i = place; i-- > 0;)
        if (plan->core[plan->sequence[i]] == plan->core[b])
            return plan->end[plan->sequence[i]] == plan->start[b] ? plan->sequence[i] : MAP_NONE;
    return MAP_NONE;
}

/* What `b` waited for: an arc that arrived just then, else the previous block on its core. */
static struct map_chain_link waited_for(size_t *before, const struct map_plan *plan, const struct map_problem *p,
                                        size_t place)
{
    size_t b = plan->sequence[place];
    struct map_chain_link link = {b, MAP_NONE, 0};
    *before = before_on_core(plan, place);
    for (size_t k = p->in.first[b]; k < p->in.first[b + 1]; k++) {
        size_t arc = p->in.at[k], from = p->arcs[arc].from;
        double wait = map_arc_cost(p, arc, plan->core[from], plan->core[b]);
        if (plan->end[from] + wait != plan->start[b] || plan->start[b] == 0)
            continue;
        link.arc = arc;
        link.wait = wait;
        *before = from;
        return link;
    }
    return link;
}

void map_plan_chain(struct map_chain *out, const struct map_plan *plan, const struct map_problem *p)
{
    size_t *place = xcalloc(p->n, sizeof *place), last = plan->sequence[0];
    *out = (struct map_chain){0};
    for (size_t i = 0; i < p->n; i++) {
        place[plan->sequence[i]] = i;
        last = plan->end[plan->sequence[i]] > plan->end[last] ? plan->sequence[i] : last;
    }
    while (last != MAP_NONE) {
        struct map_chain_link link = waited_for(&last, plan, p, place[last]);
        out->work += plan->end[link.block] - plan->start[link.block];
        out->transfers += link.wait;
        vec_push(&out->links, link);
    }
    free(place);
    for (size_t i = 0; i < out->links.n / 2; i++) {
        struct map_chain_link x = out->links.at[i];
        out->links.at[i] = out->links.at[out->links.n - 1 - i];
        out->links.at[out->links.n - 1 - i] = x;
    }
}

void map_chain_release(struct map_chain *c)
{
    vec_release(&c->links);
}
