/* call_parts.c - distributes each function's work over its callers. */
#include "shimgen/offload/call_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t circle_of(const struct call_parts *p, uint32_t function)
{
    return p->graph.circle[function];
}

/* larger numbers of calls count as this */
#define MOST_CALLS 1e18
static uint64_t whole_calls(double calls)
{
    return (uint64_t)(calls < MOST_CALLS ? calls : MOST_CALLS);
}

static void find_circles(struct call_parts *p)
{
    const struct offload_table *t = p->table;
    struct callgraph_arc *arcs = xcalloc(t->arcs.n, sizeof *arcs);
    uint64_t *entries = xcalloc(t->functions.n, sizeof *entries);
    for (size_t i = 0; i < t->arcs.n; i++)
        arcs[i] = (struct callgraph_arc){t->arcs.at[i].caller, t->arcs.at[i].callee, whole_calls(t->arcs.at[i].calls)};
    for (size_t i = 0; i < t->functions.n; i++)
        entries[i] = whole_calls(t->functions.at[i].calls);
    p->input = (struct callgraph_input){.n_functions = t->functions.n, .n_costs = 1, .entries = entries};
    p->input.self = xcalloc(t->functions.n, sizeof *p->input.self);
    p->input.arcs = arcs;
    p->input.n_arcs = t->arcs.n;
    callgraph_make(&p->graph, &p->input);
}

static void sort_arcs(struct call_parts *p)
{
    const struct offload_table *t = p->table;
    size_t n = p->graph.n_circles;
    p->first = xcalloc(n + 2, sizeof *p->first);
    p->arc = xcalloc(t->arcs.n, sizeof *p->arc);
    p->recursive = xcalloc(n, sizeof *p->recursive);
    for (size_t i = 0; i < t->arcs.n; i++)
        p->first[circle_of(p, t->arcs.at[i].caller) + 2]++;
    for (size_t c = 0; c < n; c++)
        p->first[c + 2] += p->first[c + 1];
    for (size_t i = 0; i < t->arcs.n; i++) {
        uint32_t caller = circle_of(p, t->arcs.at[i].caller);
        p->arc[p->first[caller + 1]++] = i;
        p->recursive[caller] |= caller == circle_of(p, t->arcs.at[i].callee);
    }
}

/* The known instructions of each cycle with its callees, according to the arcs. The caller frees. */
static double *known_instructions(const struct call_parts *p)
{
    const struct offload_table *t = p->table;
    double *sum = xcalloc(p->graph.n_circles, sizeof *sum);
    for (uint32_t i = 0; i < t->functions.n; i++)
        sum[circle_of(p, i)] += t->functions.at[i].self[OFFLOAD_INSTRUCTIONS];
    for (size_t i = 0; i < t->arcs.n; i++) {
        const struct offload_arc *arc = &t->arcs.at[i];
        if (circle_of(p, arc->caller) != circle_of(p, arc->callee) && !isnan(arc->instructions))
            sum[circle_of(p, arc->caller)] += arc->instructions;
    }
    return sum;
}

/* By the instructions of each call if they are known, else by the number of calls. */
static void make_parts(struct call_parts *p)
{
    const struct offload_table *t = p->table;
    double *known = known_instructions(p);
    double *sum = xcalloc(p->graph.n_circles, sizeof *sum);
    p->part = xcalloc(t->arcs.n, sizeof *p->part);
    for (size_t i = 0; i < t->arcs.n; i++) {
        const struct offload_arc *arc = &t->arcs.at[i];
        uint32_t callee = circle_of(p, arc->callee);
        if (callee == circle_of(p, arc->caller))
            continue;
        double by_calls = p->graph.calls[callee] ? arc->calls / (double)p->graph.calls[callee] : 0;
        bool costs = !isnan(arc->instructions) && known[callee] > 0;
        p->part[i] = costs ? arc->instructions / known[callee] : by_calls;
        sum[callee] += p->part[i];
    }
    for (size_t i = 0; i < t->arcs.n; i++) {
        double all = sum[circle_of(p, t->arcs.at[i].callee)];
        if (all > 1)
            p->part[i] /= all;
    }
    free(known);
    free(sum);
}

static void add_inclusive(struct call_parts *p)
{
    const struct offload_table *t = p->table;
    p->inclusive = xcalloc(p->graph.n_circles, sizeof *p->inclusive);
    for (uint32_t i = 0; i < t->functions.n; i++)
        for (size_t k = 0; k < OFFLOAD_COSTS; k++)
            p->inclusive[circle_of(p, i)][k] += t->functions.at[i].self[k];
    for (size_t c = 0; c < p->graph.n_circles; c++)
        for (size_t a = p->first[c]; a < p->first[c + 1]; a++) {
            uint32_t callee = circle_of(p, t->arcs.at[p->arc[a]].callee);
            for (size_t k = 0; callee != c && k < OFFLOAD_COSTS; k++)
                p->inclusive[c][k] += p->part[p->arc[a]] * p->inclusive[callee][k];
        }
}

void call_parts_make(struct call_parts *p, const struct offload_table *t)
{
    *p = (struct call_parts){.table = t};
    find_circles(p);
    sort_arcs(p);
    make_parts(p);
    add_inclusive(p);
}

void call_parts_release(struct call_parts *p)
{
    callgraph_release(&p->graph);
    free((void *)p->input.entries);
    free((void *)p->input.self);
    free((void *)p->input.arcs);
    free(p->part);
    free(p->first);
    free(p->arc);
    free(p->recursive);
    free(p->inclusive);
    *p = (struct call_parts){0};
}

void call_parts_of_root(double *done, const struct call_parts *p, uint32_t root)
{
    uint32_t first = circle_of(p, root);
    memset(done, 0, p->graph.n_circles * sizeof *done);
    done[first] = 1;
    for (size_t c = first + 1; c-- > 0;)
        for (size_t a = p->first[c]; done[c] > 0 && a < p->first[c + 1]; a++) {
            uint32_t callee = circle_of(p, p->table->arcs.at[p->arc[a]].callee);
            if (callee != c)
                done[callee] += done[c] * p->part[p->arc[a]];
        }
}
