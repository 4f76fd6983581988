/* curve.c - mappings on one, two ... cores, and what limits each of them. */
#include "shimgen/map/search/curve.h"

#include <math.h>
#include <stdlib.h>

const char *map_limit_name(enum map_limit limit)
{
    static const char *const names[] = {"critical path", "one block", "communication", "work"};
    return names[limit];
}

/* The step time that a short search finds if transfers take no time. */
static double without_transfers(const struct map_point *point)
{
    struct map_problem p = point->problem;
    struct map_result free_of_cost;
    const struct map_effort effort = {.seconds = 1, .quick = true};
    double takes = point->result.plan.makespan;
    p.cost = xcalloc((p.n_arcs + 1) * p.n_classes, sizeof *p.cost);
    if (p.n_cores > 1 && !map_search(&free_of_cost, &p, &effort, &point->result.plan, 0))
        takes = fmin(takes, free_of_cost.plan.makespan);
    if (p.n_cores > 1)
        map_result_release(&free_of_cost);
    free(p.cost);
    return takes;
}

static enum map_limit limit_of(const struct map_point *point, double longest)
{
    double takes = point->result.plan.makespan;
    if (point->problem.n_cores == 1)
        return MAP_LIMIT_WORK;
    if (point->without < 0.95 * takes)
        return MAP_LIMIT_TRANSFERS;
    if (longest >= takes / 2)
        return MAP_LIMIT_BLOCK;
    return takes <= 1.05 * point->path_bound ? MAP_LIMIT_PATH : MAP_LIMIT_WORK;
}

/* The arc within a step that costs most between two cores; MAP_NONE: there is none. */
static size_t costliest(const struct map_problem *p)
{
    size_t arc = MAP_NONE;
    double most = -1;
    for (size_t i = 0; i < p->n_now; i++)
        for (size_t k = 1; k < p->n_classes; k++)
            if (p->cost[i * p->n_classes + k] > most) {
                most = p->cost[i * p->n_classes + k];
                arc = i;
            }
    return arc;
}

void map_point_judge(struct map_point *point)
{
    const struct map_plan *plan = &point->result.plan;
    struct map_chain chain;
    double longest = -1, wait = 0;
    map_plan_chain(&chain, plan, &point->problem);
    point->arc = MAP_NONE;
    for (size_t i = 0; i < chain.links.n; i++) {
        const struct map_chain_link *l = &chain.links.at[i];
        double time = plan->end[l->block] - plan->start[l->block];
        if (time > longest) {
            longest = time;
            point->block = l->block;
        }
        if (l->wait > wait) {
            wait = l->wait;
            point->arc = l->arc;
        }
    }
    point->transfers = chain.transfers;
    if (point->arc == MAP_NONE)
        point->arc = costliest(&point->problem);
    point->path_bound = map_path_bound(&point->problem);
    point->without = without_transfers(point);
    point->limit = limit_of(point, longest);
    map_chain_release(&chain);
}

struct core_rank {
    size_t core;
    bool pinned;
    double total;
};

static int compare_cores(const void *a, const void *b)
{
    const struct core_rank *x = a, *y = b;
    if (x->pinned != y->pinned)
        return x->pinned ? -1 : 1;
    if (x->total != y->total)
        return x->total < y->total ? -1 : 1;
    return x->core < y->core ? -1 : 1;
}

static bool among(const size_t *list, size_t n, size_t what)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == what)
            return true;
    return false;
}

static bool pinned(const struct map_demands *d, const struct map_graph *g, size_t core)
{
    for (size_t i = 0; d->rules && i < d->rules->on.n; i++)
        if (d->rules->on.at[i].core == core)
            return true;
    return d->fixed && among(d->fixed, g->blocks.n, core);
}

/* Chooses cores: those that blocks must be on, then the fastest ones. */
static enum status take_cores(struct map_curve *c, const struct map_graph *g, const struct map_machine *m,
                              const struct map_demands *d, struct error *e)
{
    struct map_problem all;
    struct core_rank *list = xcalloc(m->cores.n, sizeof *list);
    size_t *cores = xcalloc(m->cores.n, sizeof *cores);
    const struct map_demands none = {0};
    for (size_t i = 0; i < m->cores.n; i++)
        cores[i] = i;
    enum status s = map_problem_make(&all, g, m, cores, m->cores.n, &none, e);
    c->single = INFINITY;
    for (size_t i = 0; !s && i < m->cores.n; i++) {
        list[i] = (struct core_rank){i, pinned(d, g, i), 0};
        for (size_t b = 0; b < all.n; b++)
            list[i].total += all.time[b * m->cores.n + i];
        if (list[i].total < c->single) {
            c->single = list[i].total;
            c->single_core = i;
        }
    }
    qsort(list, m->cores.n, sizeof *list, compare_cores);
    for (size_t i = 0; i < m->cores.n; i++)
        if (!d->rules || !among(d->rules->free.at, d->rules->free.n, list[i].core))
            cores[c->n_cores++] = list[i].core;
    map_problem_release(&all);
    free(list);
    c->cores = cores;
    if (!s && !c->n_cores)
        s = error_set(e, ERR_INPUT, AT_FILE(m->path), "all cores are to be left free: none is left for the blocks");
    return s;
}

/* Starts with the plan for one core fewer, on cores with the same numbers. */
static void begin_with(struct map_plan *plan, const struct map_problem *p, const struct map_point *before)
{
    map_plan_init(plan, p);
    for (size_t b = 0; b < p->n; b++) {
        plan->core[b] = before->result.plan.core[b];
        plan->sequence[b] = before->result.plan.sequence[b];
    }
}

static enum status add_point(struct map_curve *c, const struct map_graph *g, const struct map_machine *m,
                             const struct map_curve_wish *wish, const struct map_effort *effort, struct error *e)
{
    size_t n = c->points.n;
    struct map_plan plan = {0};
    vec_push(&c->points, (struct map_point){0});
    struct map_point *point = &c->points.at[n];
    enum status s = map_problem_make(&point->problem, g, m, c->cores, n + 1, &wish->demands, e);
    bool has_before =
        !s && n && c->points.at[n - 1].result.plan.core && !isinf(c->points.at[n - 1].result.plan.makespan);
    if (has_before)
        begin_with(&plan, &point->problem, &c->points.at[n - 1]);
    point->result.plan.makespan = INFINITY;
    if (!s)
        s = map_search(&point->result, &point->problem, effort, has_before ? &plan : 0, e);
    if (!s)
        map_point_judge(point);
    map_plan_release(&plan);
    return s;
}

enum status map_curve_make(struct map_curve *out, const struct map_graph *g, const struct map_machine *m,
                           const struct map_curve_wish *wish, struct error *e)
{
    *out = (struct map_curve){0};
    enum status s = take_cores(out, g, m, &wish->demands, e);
    size_t most = wish->most_cores && wish->most_cores < out->n_cores ? wish->most_cores : out->n_cores;
    struct map_effort effort = wish->effort;
    if (s)
        return s;
    for (size_t n = 1; n <= most; n++) {
        effort.seconds = wish->effort.seconds / (double)(most + 1) * (n == most ? 2 : 1);
        s = add_point(out, g, m, wish, &effort, e);
        if (s && (s != ERR_INPUT || n == most))
            return s;
        if (!s && wish->stop_at > 0 && out->points.at[n - 1].result.plan.makespan <= wish->stop_at)
            return OK;
    }
    return OK;
}

void map_curve_release(struct map_curve *c)
{
    for (size_t i = 0; i < c->points.n; i++) {
        map_problem_release(&c->points.at[i].problem);
        map_result_release(&c->points.at[i].result);
    }
    vec_release(&c->points);
    free(c->cores);
    *c = (struct map_curve){0};
}
