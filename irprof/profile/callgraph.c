/* callgraph.c - the call graph of a profile, and each caller's part of its callees' cost. */
#include "irprof/profile/callgraph.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* ---- cycles: strongly connected components ---- */

struct frame {
    uint32_t function;
    size_t arc; /* index of the next of its arcs */
};
struct search {
    struct callgraph *g;
    const size_t *first_arc;  /* of each function; one entry more than functions */
    uint32_t *index, *lowest; /* of each function; 0: not visited */
    uint32_t n_visited;
    VEC(uint32_t) open;       /* visited, and not in a finished cycle */
    VEC(struct frame) frames; /* replaces recursion, which could go too deep */
};

/* Where each function's arcs begin. The caller frees. */
static size_t *first_arcs(const struct callgraph_input *in)
{
    size_t *first = xcalloc(in->n_functions + 1, sizeof *first);
    for (size_t i = 0; i < in->n_arcs; i++)
        first[in->arcs[i].caller + 1]++;
    for (size_t i = 0; i < in->n_functions; i++)
        first[i + 1] += first[i];
    return first;
}

static void visit(struct search *s, uint32_t function)
{
    s->index[function] = s->lowest[function] = ++s->n_visited;
    vec_push(&s->open, function);
    vec_push(&s->frames, (struct frame){function, s->first_arc[function]});
}

/* All open functions from `function` on are one cycle. */
static void close_circle(struct search *s, uint32_t function)
{
    uint32_t member;
    do {
        member = s->open.at[--s->open.n];
        s->g->circle[member] = (uint32_t)s->g->n_circles;
    } while (member != function);
    s->g->n_circles++;
}

static void search_from(struct search *s, uint32_t root)
{
    const uint32_t no_circle = UINT32_MAX;
    visit(s, root);
    while (s->frames.n) {
        struct frame *f = &s->frames.at[s->frames.n - 1];
        uint32_t function = f->function;
        if (f->arc < s->first_arc[function + 1]) {
            uint32_t callee = s->g->in->arcs[f->arc++].callee;
            if (!s->index[callee])
                visit(s, callee);
            else if (s->g->circle[callee] == no_circle && s->index[callee] < s->lowest[function])
                s->lowest[function] = s->index[callee];
            continue;
        }
        s->frames.n--;
        if (s->lowest[function] == s->index[function])
            close_circle(s, function);
        if (s->frames.n) {
            uint32_t caller = s->frames.at[s->frames.n - 1].function;
            if (s->lowest[function] < s->lowest[caller])
                s->lowest[caller] = s->lowest[function];
        }
    }
}

static void find_circles(struct callgraph *g, const size_t *first_arc)
{
    size_t n = g->in->n_functions;
    struct search s = {.g = g, .first_arc = first_arc};
    s.index = xcalloc(n, sizeof *s.index);
    s.lowest = xcalloc(n, sizeof *s.lowest);
    g->circle = xcalloc(n, sizeof *g->circle);
    memset(g->circle, 0xff, n * sizeof *g->circle);
    for (uint32_t i = 0; i < n; i++)
        if (!s.index[i])
            search_from(&s, i);
    free(s.index);
    free(s.lowest);
    vec_release(&s.open);
    vec_release(&s.frames);
}

/* ---- costs ---- */

static bool stays_inside(const struct callgraph *g, const struct callgraph_arc *arc)
{
    return g->circle[arc->caller] == g->circle[arc->callee];
}

/* Calls of each cycle from outside: entries of its functions without the calls inside. At least the known calls. */
static void count_calls(struct callgraph *g)
{
    uint64_t *known = xcalloc(g->n_circles, sizeof *known);
    uint64_t *inside = xcalloc(g->n_circles, sizeof *inside);
    for (size_t i = 0; i < g->in->n_functions; i++)
        g->calls[g->circle[i]] += g->in->entries[i];
    for (size_t i = 0; i < g->in->n_arcs; i++) {
        const struct callgraph_arc *arc = &g->in->arcs[i];
        uint64_t *calls = stays_inside(g, arc) ? inside : known;
        calls[g->circle[arc->callee]] += arc->calls;
    }
    for (size_t i = 0; i < g->n_circles; i++) {
        uint64_t outside = g->calls[i] > inside[i] ? g->calls[i] - inside[i] : 0;
        g->calls[i] = outside > known[i] ? outside : known[i];
    }
    free(known);
    free(inside);
}

void callgraph_share(uint64_t *costs, const struct callgraph *g, const struct callgraph_arc *arc)
{
    uint32_t circle = g->circle[arc->callee];
    const uint64_t *inclusive = g->inclusive + circle * g->in->n_costs;
    bool free_of_charge = stays_inside(g, arc) || !g->calls[circle];
    for (size_t i = 0; i < g->in->n_costs; i++)
        costs[i] = free_of_charge ? 0 : (uint64_t)((unsigned __int128)inclusive[i] * arc->calls / g->calls[circle]);
}

/* Functions sorted by cycle. The caller frees. */
static uint32_t *order_by_circle(const struct callgraph *g)
{
    size_t n = g->in->n_functions;
    size_t *at = xcalloc(g->n_circles + 1, sizeof *at);
    uint32_t *order = xcalloc(n, sizeof *order);
    for (size_t i = 0; i < n; i++)
        at[g->circle[i] + 1]++;
    for (size_t i = 0; i < g->n_circles; i++)
        at[i + 1] += at[i];
    for (uint32_t i = 0; i < n; i++)
        order[at[g->circle[i]]++] = i;
    free(at);
    return order;
}

/* Callees first: a cycle is complete before the first one that calls it. */
static void add_costs(struct callgraph *g, const size_t *first_arc)
{
    size_t n_costs = g->in->n_costs;
    uint32_t *order = order_by_circle(g);
    uint64_t *share = xcalloc(n_costs, sizeof *share);
    for (size_t i = 0; i < g->in->n_functions; i++) {
        uint32_t function = order[i];
        uint64_t *sum = g->inclusive + g->circle[function] * n_costs;
        for (size_t k = 0; k < n_costs; k++)
            sum[k] += g->in->self[function * n_costs + k];
        for (size_t a = first_arc[function]; a < first_arc[function + 1]; a++) {
            if (stays_inside(g, &g->in->arcs[a]))
                continue;
            callgraph_share(share, g, &g->in->arcs[a]);
            for (size_t k = 0; k < n_costs; k++)
                sum[k] += share[k];
        }
    }
    free(order);
    free(share);
}

void callgraph_make(struct callgraph *g, const struct callgraph_input *in)
{
    *g = (struct callgraph){.in = in};
    size_t *first_arc = first_arcs(in);
    find_circles(g, first_arc);
    g->calls = xcalloc(g->n_circles, sizeof *g->calls);
    g->inclusive = xcalloc(g->n_circles, in->n_costs * sizeof *g->inclusive);
    count_calls(g);
    add_costs(g, first_arc);
    free(first_arc);
}

void callgraph_release(struct callgraph *g)
{
    free(g->circle);
    free(g->calls);
    free(g->inclusive);
    *g = (struct callgraph){0};
}
