/* steps_pipeline.c - several steps at once: the shortest period, and the stages it needs. */
#include "shimgen/map/search/steps_pipeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum { CHANGES = 200000, ALL_MOST = 2000000 };

struct piping {
    const struct map_problem *p;
    size_t *unit; /* of each group: its unit, groups that a state keeps together */
    size_t n_units;
    double *load;    /* [unit * cores + core]; INFINITY: not allowed there */
    size_t *core_of; /* of each unit */
    size_t *stage;   /* of each block */
};

/* ---- what states keep together: cycles of arcs within a step and to the next one ---- */

static void reach(const struct map_problem *p, size_t from, bool *seen, bool forward)
{
    bool more = true;
    seen[from] = true;
    while (more) {
        more = false;
        for (size_t i = 0; i < p->n_arcs; i++) {
            size_t a = forward ? p->arcs[i].from : p->arcs[i].to, b = forward ? p->arcs[i].to : p->arcs[i].from;
            if (p->arcs[i].delay > 1 || !seen[a] || seen[b])
                continue;
            seen[b] = more = true;
        }
    }
}

static size_t root_of(const size_t *parent, size_t i)
{
    while (parent[i] != i)
        i = parent[i];
    return i;
}

/* Joins the groups of all blocks in a cycle with the head of a state's arc. */
static void join_loop(struct piping *x, size_t *parent, size_t head)
{
    const struct map_problem *p = x->p;
    bool *after = xcalloc(p->n, sizeof *after), *before = xcalloc(p->n, sizeof *before);
    reach(p, head, after, true);
    reach(p, head, before, false);
    for (size_t b = 0; b < p->n; b++)
        if (after[b] && before[b])
            parent[root_of(parent, p->group[b])] = root_of(parent, p->group[head]);
    free(after);
    free(before);
}

static size_t take_units(struct piping *x)
{
    const struct map_problem *p = x->p;
    size_t *parent = xcalloc(p->n_groups, sizeof *parent), *number = xcalloc(p->n_groups, sizeof *number), loops = 0;
    bool *done = xcalloc(p->n, sizeof *done);
    for (size_t g = 0; g < p->n_groups; g++)
        parent[g] = g;
    for (size_t i = p->n_now; i < p->n_arcs; i++) {
        size_t head = p->arcs[i].to;
        if (p->arcs[i].delay != 1 || done[head])
            continue;
        done[head] = true;
        size_t root = root_of(parent, p->group[head]);
        join_loop(x, parent, head);
        loops += parent[root] != root || p->arcs[i].from == head || root_of(parent, p->group[p->arcs[i].from]) == root;
    }
    for (size_t g = 0; g < p->n_groups; g++)
        if (parent[g] == g)
            number[g] = x->n_units++;
    for (size_t g = 0; g < p->n_groups; g++)
        x->unit[g] = number[root_of(parent, g)];
    free(parent);
    free(number);
    free(done);
    return loops;
}

static bool can_be(const struct map_problem *p, size_t group, size_t core)
{
    for (size_t k = p->members.first[group]; k < p->members.first[group + 1]; k++)
        if (isinf(p->time[p->members.at[k] * p->n_cores + core]))
            return false;
    return true;
}

static void take_loads(struct piping *x)
{
    const struct map_problem *p = x->p;
    x->load = xcalloc(x->n_units * p->n_cores, sizeof *x->load);
    for (size_t g = 0; g < p->n_groups; g++)
        for (size_t c = 0; c < p->n_cores; c++)
            x->load[x->unit[g] * p->n_cores + c] += can_be(p, g, c) ? map_group_load(p, g, c) : INFINITY;
}

/* ---- stages ---- */

/* How many periods later an arc's data can be used. */
static double lag(const struct piping *x, size_t arc, double period)
{
    const struct map_problem *p = x->p;
    size_t from = x->core_of[x->unit[p->group[p->arcs[arc].from]]], to = x->core_of[x->unit[p->group[p->arcs[arc].to]]];
    double cost = map_arc_cost(p, arc, from, to);
    if (from == to)
        return 0;
    return cost > 0 && period > 0 ? 1 + ceil(cost / period) : 1;
}

/* The earliest stages (Bellman, Ford). Returns false if a cycle of states would need more time than its delays give. */
static bool take_stages(struct piping *x, double period)
{
    const struct map_problem *p = x->p;
    bool more = true;
    memset(x->stage, 0, p->n * sizeof *x->stage);
    for (size_t round = 0; more; round++) {
        more = false;
        if (round > p->n)
            return false;
        for (size_t i = 0; i < p->n_arcs; i++) {
            const struct map_arc *a = &p->arcs[i];
            double least = (double)x->stage[a->from] + lag(x, i, period) - (double)(a->delay > 0 ? a->delay - 1 : 0);
            if (a->delay == 1 && a->from == a->to)
                continue;
            if (least <= (double)x->stage[a->to])
                continue;
            x->stage[a->to] = (size_t)least;
            more = true;
        }
    }
    return true;
}

/* ---- the period ---- */

static bool apart_met(const struct piping *x)
{
    const struct map_problem *p = x->p;
    for (size_t g = 0; g < p->n_groups; g++)
        for (size_t k = p->apart.first[g]; k < p->apart.first[g + 1]; k++)
            if (x->core_of[x->unit[g]] == x->core_of[x->unit[p->apart.at[k]]])
                return false;
    return true;
}

/* The largest load of a core; INFINITY: not allowed. `second`: the sum of squared loads, which is smaller if they are
 * even. */
static double period_of(const struct piping *x, double *work, double *second)
{
    const struct map_problem *p = x->p;
    double most = 0;
    *second = 0;
    memset(work, 0, p->n_cores * sizeof *work);
    for (size_t u = 0; u < x->n_units; u++)
        work[x->core_of[u]] += x->load[u * p->n_cores + x->core_of[u]];
    for (size_t c = 0; c < p->n_cores; c++) {
        most = fmax(most, work[c]);
        *second += work[c] * work[c];
    }
    return apart_met(x) && most <= p->most_load * (1 + 1e-12) ? most : INFINITY;
}

/* Starts with the largest unit first, each on the core that is then least busy. */
static void begin(struct piping *x, double *work)
{
    const struct map_problem *p = x->p;
    bool *done = xcalloc(x->n_units, sizeof *done);
    memset(work, 0, p->n_cores * sizeof *work);
    for (size_t n = 0; n < x->n_units; n++) {
        size_t unit = MAP_NONE, core = 0;
        double largest = -1, least;
        for (size_t u = 0; u < x->n_units; u++) {
            least = INFINITY;
            for (size_t c = 0; c < p->n_cores; c++)
                least = fmin(least, x->load[u * p->n_cores + c]);
            if (!done[u] && least > largest) {
                largest = least;
                unit = u;
            }
        }
        least = INFINITY;
        for (size_t c = 0; c < p->n_cores; c++) {
            double sum = work[c] + x->load[unit * p->n_cores + c];
            if (sum < least) {
                least = sum;
                core = c;
            }
        }
        done[unit] = true;
        x->core_of[unit] = core;
        work[core] = least;
    }
    free(done);
}

/* Moves a unit to another core, or exchanges two, as long as that shortens the period or evens out the loads. */
static double better(struct piping *x, double *work, double bound, const struct map_clock *clock)
{
    const struct map_problem *p = x->p;
    struct random r = random_start(7);
    double second, best = period_of(x, work, &second);
    for (size_t i = 0; i < CHANGES && best > bound * (1 + 1e-12) && !(i % 64 == 0 && map_clock_over(clock)); i++) {
        size_t u = random_below(&r, x->n_units), v = random_below(&r, x->n_units), a = x->core_of[u], b = x->core_of[v];
        double other, period;
        x->core_of[u] = random_below(&r, p->n_cores);
        if (random_below(&r, 2)) {
            x->core_of[u] = b;
            x->core_of[v] = a;
        }
        period = period_of(x, work, &other);
        if (period < best || (period == best && other < second)) {
            best = period;
            second = other;
            continue;
        }
        x->core_of[v] = b;
        x->core_of[u] = a;
    }
    return best;
}

/* Tries all mappings of few units: unit by unit, as long as no core is busier than in the best mapping so far. */
static void all_mappings(struct piping *x, size_t unit, double *work, size_t *best_core, double *best)
{
    const struct map_problem *p = x->p;
    double second;
    if (unit == x->n_units) {
        double *sum = xcalloc(p->n_cores, sizeof *sum), period = period_of(x, sum, &second);
        free(sum);
        if (period < *best && take_stages(x, period)) {
            *best = period;
            memcpy(best_core, x->core_of, x->n_units * sizeof *best_core);
        }
        return;
    }
    for (size_t c = 0; c < p->n_cores; c++) {
        double load = x->load[unit * p->n_cores + c];
        if (work[c] + load >= *best)
            continue;
        x->core_of[unit] = c;
        work[c] += load;
        all_mappings(x, unit + 1, work, best_core, best);
        work[c] -= load;
    }
}

static double least_of_all(struct piping *x, double *work, double best)
{
    size_t *cores = xmemdup(x->core_of, x->n_units * sizeof *cores);
    bool possible = !isinf(best) && take_stages(x, best);
    best = possible ? best : INFINITY;
    memset(work, 0, x->p->n_cores * sizeof *work);
    all_mappings(x, 0, work, cores, &best);
    memcpy(x->core_of, cores, x->n_units * sizeof *cores);
    free(cores);
    return best;
}

/* A lower bound: all work shared by all cores, and the largest unit. */
static double least_period(const struct piping *x)
{
    const struct map_problem *p = x->p;
    double sum = 0, most = 0;
    for (size_t u = 0; u < x->n_units; u++) {
        double least = INFINITY;
        for (size_t c = 0; c < p->n_cores; c++)
            least = fmin(least, x->load[u * p->n_cores + c]);
        sum += least;
        most = fmax(most, least);
    }
    return fmax(most, sum / (double)p->n_cores);
}

static void take_result(struct map_pipeline *out, const struct piping *x, double period)
{
    const struct map_problem *p = x->p;
    out->core = xcalloc(p->n, sizeof *out->core);
    out->stage = xmemdup(x->stage, p->n * sizeof *x->stage);
    out->period = period;
    for (size_t b = 0; b < p->n; b++) {
        out->core[b] = x->core_of[x->unit[p->group[b]]];
        out->stages = out->stage[b] + 1 > out->stages ? out->stage[b] + 1 : out->stages;
    }
    out->latency = (double)out->stages * period;
}

enum status map_pipeline_make(struct map_pipeline *out, const struct map_problem *p, const struct map_effort *effort,
                              struct error *e)
{
    struct piping x = {.p = p};
    struct map_clock clock = map_clock_start(effort->seconds);
    double *work = xcalloc(p->n_cores, sizeof *work);
    *out = (struct map_pipeline){0};
    x.unit = xcalloc(p->n_groups, sizeof *x.unit);
    x.stage = xcalloc(p->n, sizeof *x.stage);
    out->loops = take_units(&x);
    x.core_of = xcalloc(x.n_units, sizeof *x.core_of);
    take_loads(&x);
    out->bound = least_period(&x);
    begin(&x, work);
    double period = isinf(out->bound) ? INFINITY : better(&x, work, out->bound, &clock);
    enum status s = OK;
    if (period > out->bound * (1 + 1e-12) && (double)x.n_units * log((double)p->n_cores) < log(ALL_MOST))
        period = least_of_all(&x, work, period);
    if (isinf(period) || !take_stages(&x, period))
        s = error_set(e, ERR_INPUT, AT_FILE(p->graph->path),
                      "no pipeline on %zu cores was found that meets all demands and keeps each state's loop in time",
                      p->n_cores);
    else
        take_result(out, &x, period);
    free(x.unit);
    free(x.stage);
    free(x.core_of);
    free(x.load);
    free(work);
    return s;
}

void map_pipeline_release(struct map_pipeline *p)
{
    free(p->core);
    free(p->stage);
    *p = (struct map_pipeline){0};
}
