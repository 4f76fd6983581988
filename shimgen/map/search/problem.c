/* problem.c - turns a graph, cores and demands into the numbers that a search uses. */
#include "shimgen/map/search/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- times ---- */

/* The block's cycles by the core's name, its architecture, else "*"; NAN: none are given. */
static double cycles_on(const struct map_block *b, const struct map_core *c)
{
    double any = NAN, arch = NAN;
    for (size_t i = 0; i < b->cycles.n; i++) {
        const struct map_cycles *k = &b->cycles.at[i];
        if (strcmp(k->kind, c->name) == 0)
            return k->cycles;
        if (strcmp(k->kind, c->arch) == 0)
            arch = k->cycles;
        if (strcmp(k->kind, "*") == 0)
            any = k->cycles;
    }
    return isnan(arch) ? any : arch;
}

static enum status take_times(struct map_problem *p, struct error *e)
{
    for (size_t b = 0; b < p->n; b++) {
        const struct map_block *block = &p->graph->blocks.at[b];
        for (size_t c = 0; c < p->n_cores; c++) {
            const struct map_core *core = &p->machine->cores.at[p->cores[c]];
            double cycles = cycles_on(block, core);
            if (isnan(cycles))
                return error_set(e, ERR_INPUT, AT_FILE(p->graph->path),
                                 "block '%s' has no cycles for core '%s' (architecture '%s'): add them, or \"*\"",
                                 block->name, core->name, core->arch);
            size_t at = b * p->n_cores + c;
            p->free_time[at] = p->time[at] = map_time(p->machine, p->cores[c], cycles);
            p->load[at] = p->time[at] / (double)block->every;
        }
    }
    return OK;
}

/* ---- arcs ---- */

static int compare_arcs(const void *a, const void *b)
{
    const struct map_arc *x = a, *y = b;
    if ((x->delay > 0) != (y->delay > 0))
        return x->delay > 0 ? 1 : -1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return x->delay < y->delay ? -1 : x->delay > y->delay;
}

/* Edges between the same two blocks with equal delay are one transfer. */
static void take_arcs(struct map_problem *p)
{
    const struct map_graph *g = p->graph;
    size_t n = 0;
    p->arcs = xcalloc(g->edges.n + 1, sizeof *p->arcs);
    for (size_t i = 0; i < g->edges.n; i++)
        p->arcs[i] =
            (struct map_arc){g->edges.at[i].from, g->edges.at[i].to, g->edges.at[i].bytes, g->edges.at[i].delay};
    if (g->edges.n)
        qsort(p->arcs, g->edges.n, sizeof *p->arcs, compare_arcs);
    for (size_t i = 0; i < g->edges.n; i++) {
        if (n && compare_arcs(&p->arcs[n - 1], &p->arcs[i]) == 0)
            p->arcs[n - 1].bytes += p->arcs[i].bytes;
        else
            p->arcs[n++] = p->arcs[i];
    }
    p->n_arcs = n;
    while (p->n_now < n && p->arcs[p->n_now].delay == 0)
        p->n_now++;
}

/* Groups items 0 ... n-1 by key[i]. */
static struct map_lists lists_by(const size_t *key, size_t n, size_t n_keys)
{
    struct map_lists l = {xcalloc(n_keys + 2, sizeof *l.first), xcalloc(n + 1, sizeof *l.at)};
    for (size_t i = 0; i < n; i++)
        l.first[key[i] + 2]++;
    for (size_t k = 2; k < n_keys + 2; k++)
        l.first[k] += l.first[k - 1];
    for (size_t i = 0; i < n; i++)
        l.at[l.first[key[i] + 1]++] = i;
    return l;
}

static void list_arcs(struct map_problem *p)
{
    size_t *key = xcalloc(p->n_now + 1, sizeof *key);
    for (size_t i = 0; i < p->n_now; i++)
        key[i] = p->arcs[i].to;
    p->in = lists_by(key, p->n_now, p->n);
    for (size_t i = 0; i < p->n_now; i++)
        key[i] = p->arcs[i].from;
    p->out = lists_by(key, p->n_now, p->n);
    free(key);
}

static bool same_link(const struct map_link *a, const struct map_link *b)
{
    return a->latency == b->latency && a->first == b->first && a->each == b->each && a->piece == b->piece;
}

static bool same_way(const struct map_way *a, const struct map_way *b)
{
    if (a->links.n != b->links.n)
        return false;
    for (size_t i = 0; i < a->links.n; i++)
        if (!same_link(&a->links.at[i], &b->links.at[i]))
            return false;
    return true;
}

/* Numbers the classes of pairs of cores with equal costs; `pairs` becomes one pair of each class. */
static void take_classes(struct map_problem *p, size_t *pairs)
{
    size_t n = p->n_cores, all = p->machine->cores.n;
    p->n_classes = 1;
    for (size_t i = 0; i < n * n; i++) {
        const struct map_way *way = &p->machine->ways[p->cores[i / n] * all + p->cores[i % n]];
        size_t k = 1;
        while (i / n != i % n && k < p->n_classes && !same_way(way, &p->machine->ways[pairs[k]]))
            k++;
        if (i / n == i % n)
            k = 0;
        else if (k == p->n_classes)
            pairs[p->n_classes++] = (size_t)(way - p->machine->ways);
        p->class_of[i] = (unsigned)k;
    }
}

static void take_costs(struct map_problem *p)
{
    size_t all = p->machine->cores.n, *pairs = xcalloc(p->n_cores * p->n_cores + 1, sizeof *pairs);
    p->class_of = xcalloc(p->n_cores * p->n_cores, sizeof *p->class_of);
    take_classes(p, pairs);
    p->cost = xcalloc((p->n_arcs + 1) * p->n_classes, sizeof *p->cost);
    for (size_t i = 0; i < p->n_arcs; i++)
        for (size_t k = 1; k < p->n_classes; k++)
            p->cost[i * p->n_classes + k] = map_transfer(p->machine, pairs[k] / all, pairs[k] % all, p->arcs[i].bytes);
    free(pairs);
}

/* A topological order: the next block always is the first in the graph that waits for nothing. */
static void take_order(struct map_problem *p)
{
    size_t *waits = xcalloc(p->n, sizeof *waits), n = 0;
    bool *done = xcalloc(p->n, sizeof *done);
    p->order = xcalloc(p->n, sizeof *p->order);
    for (size_t i = 0; i < p->n_now; i++)
        waits[p->arcs[i].to]++;
    for (size_t next = 0; n < p->n;) {
        while (done[next] || waits[next])
            next++;
        size_t b = p->order[n++] = next, back = next;
        done[b] = true;
        for (size_t k = p->out.first[b]; k < p->out.first[b + 1]; k++) {
            size_t to = p->arcs[p->out.at[k]].to;
            if (--waits[to] == 0 && to < back)
                back = to;
        }
        next = back;
    }
    free(waits);
    free(done);
}

/* ---- groups ---- */

static size_t root_of(size_t *parent, size_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static void join(size_t *parent, const struct map_group *g)
{
    for (size_t i = 1; i < g->blocks.n; i++) {
        size_t a = root_of(parent, g->blocks.at[0]), b = root_of(parent, g->blocks.at[i]);
        parent[a > b ? a : b] = a > b ? b : a;
    }
}

static void take_groups(struct map_problem *p, const struct map_rules *rules)
{
    size_t *parent = xcalloc(p->n, sizeof *parent), *number = xcalloc(p->n, sizeof *number);
    for (size_t i = 0; i < p->n; i++)
        parent[i] = i;
    for (size_t i = 0; i < p->graph->groups.n; i++)
        join(parent, &p->graph->groups.at[i]);
    for (size_t i = 0; rules && i < rules->together.n; i++)
        join(parent, &rules->together.at[i]);
    p->group = xcalloc(p->n, sizeof *p->group);
    for (size_t i = 0; i < p->n; i++) {
        size_t root = root_of(parent, i);
        if (root == i)
            number[i] = p->n_groups++;
        p->group[i] = number[root];
    }
    p->members = lists_by(p->group, p->n, p->n_groups);
    free(parent);
    free(number);
}

static enum status take_apart(struct map_problem *p, const struct map_rules *rules, struct error *e)
{
    size_t n = rules ? rules->apart.n : 0, *key = xcalloc(2 * n + 1, sizeof *key);
    enum status s = OK;
    for (size_t i = 0; i < n && !s; i++) {
        const struct map_pair *pair = &rules->apart.at[i];
        key[2 * i] = p->group[pair->a];
        key[2 * i + 1] = p->group[pair->b];
        if (key[2 * i] == key[2 * i + 1])
            s = error_set(e, ERR_INPUT, AT_FILE(p->graph->path),
                          "'%s' and '%s' must be apart, and must stay together: no mapping can meet both",
                          p->graph->blocks.at[pair->a].name, p->graph->blocks.at[pair->b].name);
    }
    p->apart = lists_by(key, 2 * n, p->n_groups);
    for (size_t i = 0; i < 2 * n; i++) /* the other block of the pair */
        p->apart.at[i] = key[p->apart.at[i] ^ 1];
    free(key);
    return s;
}

/* ---- demands ---- */

static void forbid_others(struct map_problem *p, size_t block, size_t core)
{
    for (size_t c = 0; c < p->n_cores; c++)
        if (p->cores[c] != core)
            p->time[block * p->n_cores + c] = INFINITY;
}

static void forbid_core(struct map_problem *p, size_t core)
{
    for (size_t c = 0; c < p->n_cores; c++)
        for (size_t b = 0; p->cores[c] == core && b < p->n; b++)
            p->time[b * p->n_cores + c] = INFINITY;
}

static enum status check_groups(const struct map_problem *p, struct error *e)
{
    size_t *nowhere = xcalloc(p->n_groups, sizeof *nowhere);
    enum status s = OK;
    memset(nowhere, 0xff, p->n_groups * sizeof *nowhere);
    for (size_t g = 0; g < p->n_groups && !s; g++) {
        bool some = false;
        for (size_t c = 0; c < p->n_cores && !some; c++)
            some = map_group_fits(p, g, c, nowhere);
        size_t first = p->members.at[p->members.first[g]], n = p->members.first[g + 1] - p->members.first[g];
        if (!some)
            s = error_set(
                e, ERR_INPUT, AT_FILE(p->graph->path),
                n > 1 ? "'%s' and the %zu blocks that must be on its core can be on none of the %zu cores: demands "
                        "of on, together, free and load contradict each other"
                      : "'%s' (%zu block) can be on none of the %zu cores: demands of on, free and load contradict "
                        "each other",
                p->graph->blocks.at[first].name, n > 1 ? n - 1 : n, p->n_cores);
    }
    free(nowhere);
    return s;
}

static enum status take_demands(struct map_problem *p, const struct map_demands *d, struct error *e)
{
    p->most_load = INFINITY;
    for (size_t i = 0; d->rules && i < d->rules->on.n; i++)
        forbid_others(p, d->rules->on.at[i].block, d->rules->on.at[i].core);
    for (size_t i = 0; d->rules && i < d->rules->free.n; i++)
        forbid_core(p, d->rules->free.at[i]);
    for (size_t i = 0; d->fixed && i < p->n; i++)
        if (d->fixed[i] != MAP_NONE)
            forbid_others(p, i, d->fixed[i]);
    if (d->rules && d->rules->load > 0)
        p->most_load = d->rules->load * d->period;
    if (d->rules && d->rules->load > 0 && !(d->period > 0))
        return error_set(e, ERR_INPUT, NOWHERE, "a limit of the load is a part of the period: --period is missing");
    return check_groups(p, e);
}

void map_problem_tails(struct map_problem *p)
{
    for (size_t i = p->n; i-- > 0;) {
        size_t b = p->order[i];
        double least = INFINITY, rest = 0;
        for (size_t c = 0; c < p->n_cores; c++)
            least = fmin(least, p->time[b * p->n_cores + c]);
        for (size_t k = p->out.first[b]; k < p->out.first[b + 1]; k++)
            rest = fmax(rest, p->tail[p->arcs[p->out.at[k]].to]);
        p->tail[b] = least + rest;
    }
}

enum status map_problem_make(struct map_problem *out, const struct map_graph *g, const struct map_machine *m,
                             const size_t *cores, size_t n_cores, const struct map_demands *d, struct error *e)
{
    struct map_problem *p = out;
    *p = (struct map_problem){.graph = g, .machine = m, .n = g->blocks.n, .n_cores = n_cores};
    p->cores = xmemdup(cores, n_cores * sizeof *cores);
    p->time = xcalloc(p->n * n_cores, sizeof *p->time);
    p->free_time = xcalloc(p->n * n_cores, sizeof *p->free_time);
    p->load = xcalloc(p->n * n_cores, sizeof *p->load);
    enum status s = take_times(p, e);
    if (s)
        return s;
    take_arcs(p);
    list_arcs(p);
    take_costs(p);
    take_order(p);
    take_groups(p, d->rules);
    s = take_apart(p, d->rules, e);
    if (!s)
        s = take_demands(p, d, e);
    p->tail = xcalloc(p->n, sizeof *p->tail);
    map_problem_tails(p);
    return s;
}

void map_problem_release(struct map_problem *p)
{
    void *const owned[] = {p->cores, p->time,      p->free_time,  p->load,          p->arcs,     p->in.first,
                           p->in.at, p->out.first, p->out.at,     p->class_of,      p->cost,     p->order,
                           p->tail,  p->group,     p->members.at, p->members.first, p->apart.at, p->apart.first};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    *p = (struct map_problem){0};
}

double map_group_load(const struct map_problem *p, size_t group, size_t core)
{
    double sum = 0;
    for (size_t k = p->members.first[group]; k < p->members.first[group + 1]; k++)
        sum += p->load[p->members.at[k] * p->n_cores + core];
    return sum;
}

/* The load of the groups that are on a core. */
static double load_there(const struct map_problem *p, size_t core, const size_t *core_of)
{
    double sum = 0;
    for (size_t g = 0; g < p->n_groups; g++)
        if (core_of[g] == core)
            sum += map_group_load(p, g, core);
    return sum;
}

bool map_group_fits(const struct map_problem *p, size_t group, size_t core, const size_t *core_of)
{
    for (size_t k = p->members.first[group]; k < p->members.first[group + 1]; k++)
        if (isinf(p->time[p->members.at[k] * p->n_cores + core]))
            return false;
    for (size_t k = p->apart.first[group]; k < p->apart.first[group + 1]; k++)
        if (core_of[p->apart.at[k]] == core)
            return false;
    return isinf(p->most_load) ||
           map_group_load(p, group, core) + load_there(p, core, core_of) <= p->most_load * (1 + 1e-12);
}
