/* graph.c - directed graphs: adjacency, reverse postorder, dominators, natural loops. */
#include "base/graph.h"

#include <stdlib.h>
#include <string.h>

void graph_add(struct graph *g, size_t from, size_t to)
{
    vec_push(&g->edges, (struct graph_edge){from, to});
}

/* Counting sort: first[i] is where the edges of node i begin. */
static size_t *count_first(const struct graph *g, bool by_target)
{
    size_t *first = xcalloc(g->n + 2, sizeof *first);
    for (size_t i = 0; i < g->edges.n; i++)
        first[(by_target ? g->edges.at[i].to : g->edges.at[i].from) + 1]++;
    for (size_t i = 1; i <= g->n; i++)
        first[i] += first[i - 1];
    return first;
}

void graph_link(struct graph *g)
{
    size_t *next = xcalloc(g->n + 2, sizeof *next);
    struct graph_edge *sorted = xcalloc(g->edges.n, sizeof *sorted);
    g->first = count_first(g, false);
    memcpy(next, g->first, (g->n + 1) * sizeof *next);
    for (size_t i = 0; i < g->edges.n; i++)
        sorted[next[g->edges.at[i].from]++] = g->edges.at[i];
    free(g->edges.at);
    g->edges.at = sorted;
    g->edges.cap = g->edges.n;
    g->first_in = count_first(g, true);
    g->in = xcalloc(g->edges.n, sizeof *g->in);
    memcpy(next, g->first_in, (g->n + 1) * sizeof *next);
    for (size_t i = 0; i < g->edges.n; i++)
        g->in[next[sorted[i].to]++] = i;
    free(next);
}

/* ---- order ---- */

/* Depth-first search with an explicit stack: there are functions of a hundred thousand blocks. */
static void set_order(struct graph *g)
{
    size_t *next = xcalloc(g->n, sizeof *next), *stack = xcalloc(g->n, sizeof *stack), depth = 0, left = g->n;
    bool *seen = xcalloc(g->n, sizeof *seen);
    g->order = xcalloc(g->n, sizeof *g->order);
    if (g->n) {
        stack[depth++] = 0;
        seen[0] = true;
    }
    while (depth) {
        size_t node = stack[depth - 1];
        if (next[node] == graph_n_next(g, node)) {
            g->order[--left] = node;
            depth--;
            continue;
        }
        size_t to = graph_next(g, node, next[node]++);
        if (!seen[to]) {
            seen[to] = true;
            stack[depth++] = to;
        }
    }
    g->n_order = g->n - left;
    memmove(g->order, g->order + left, g->n_order * sizeof *g->order);
    for (size_t i = 0; i < g->n_order; i++)
        g->place[g->order[i]] = i;
    free(next);
    free(stack);
    free(seen);
}

/* ---- dominators ---- */

static size_t meet(const struct graph *g, size_t a, size_t b)
{
    while (a != b) {
        while (g->place[a] > g->place[b])
            a = g->dominator[a];
        while (g->place[b] > g->place[a])
            b = g->dominator[b];
    }
    return a;
}

static void set_dominators(struct graph *g)
{
    if (g->n)
        g->dominator[0] = 0; /* set while dominators are computed */
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 1; i < g->n_order; i++) {
            size_t node = g->order[i], dominator = GRAPH_NONE;
            for (size_t k = 0; k < graph_n_before(g, node); k++) {
                size_t from = graph_before(g, node, k);
                if (g->dominator[from] != GRAPH_NONE)
                    dominator = dominator == GRAPH_NONE ? from : meet(g, from, dominator);
            }
            changed |= g->dominator[node] != dominator;
            g->dominator[node] = dominator;
        }
    }
    if (g->n)
        g->dominator[0] = GRAPH_NONE;
}

bool graph_dominates(const struct graph *g, size_t a, size_t b)
{
    if (g->place[a] == GRAPH_NONE || g->place[b] == GRAPH_NONE)
        return false;
    while (b != GRAPH_NONE && g->place[b] > g->place[a])
        b = g->dominator[b];
    return a == b;
}

/* ---- loops ---- */

bool graph_loop_has(const struct graph *g, size_t loop, size_t node)
{
    for (size_t l = g->loop[node]; l != GRAPH_NONE; l = g->loops.at[l].parent)
        if (l == loop)
            return true;
    return false;
}

bool graph_is_header(const struct graph *g, size_t node)
{
    return g->loop[node] != GRAPH_NONE && g->loops.at[g->loop[node]].header == node;
}

size_t graph_common_loop(const struct graph *g, size_t a, size_t b)
{
    size_t l = g->loop[a];
    while (l != GRAPH_NONE && !graph_loop_has(g, l, b))
        l = g->loops.at[l].parent;
    return l;
}

static void add_to_loop(struct graph *g, size_t loop, size_t node)
{
    if (g->place[node] == GRAPH_NONE || g->loop[node] == loop)
        return;
    g->loop[node] = loop;
    vec_push(&g->loops.at[loop].nodes, node);
}

/* Collects all nodes that reach the latches without passing the header. Loops come outermost first (in the order of
 * their headers), so an inner loop overwrites `loop` of its nodes. */
static void collect(struct graph *g, size_t number)
{
    struct graph_loop *l = &g->loops.at[number];
    l->parent = g->loop[l->header];
    l->depth = l->parent == GRAPH_NONE ? 1 : g->loops.at[l->parent].depth + 1;
    add_to_loop(g, number, l->header);
    for (size_t i = 0; i < l->latches.n; i++)
        add_to_loop(g, number, l->latches.at[i]);
    for (size_t i = 1; i < l->nodes.n; i++)
        for (size_t k = 0; k < graph_n_before(g, l->nodes.at[i]); k++)
            add_to_loop(g, number, graph_before(g, l->nodes.at[i], k));
}

/* A cycle with more than one entry has an edge back to a node that does not dominate its source. All nodes of the
 * innermost loop around that edge, or of the whole graph, are marked irreducible. */
static void mark_irreducible(struct graph *g, size_t from, size_t to)
{
    size_t around = graph_common_loop(g, from, to);
    for (size_t i = 0; i < g->n_order; i++)
        if (around == GRAPH_NONE || graph_loop_has(g, around, g->order[i]))
            g->irreducible[g->order[i]] = true;
}

static void find_loops(struct graph *g)
{
    for (size_t i = 0; i < g->n_order; i++) {
        size_t header = g->order[i];
        struct graph_loop l = {.header = header};
        for (size_t k = 0; k < graph_n_before(g, header); k++)
            if (graph_dominates(g, header, graph_before(g, header, k)))
                vec_push(&l.latches, graph_before(g, header, k));
        if (!l.latches.n)
            continue;
        vec_push(&g->loops, l);
        collect(g, g->loops.n - 1);
    }
    for (size_t i = 0; i < g->n_order; i++)
        for (size_t k = 0; k < graph_n_next(g, g->order[i]); k++) {
            size_t to = graph_next(g, g->order[i], k);
            if (g->place[to] <= i && !graph_dominates(g, to, g->order[i]))
                mark_irreducible(g, g->order[i], to);
        }
}

/* ---- the whole ---- */

static size_t *nothing(size_t n)
{
    size_t *list = xcalloc(n, sizeof *list);
    for (size_t i = 0; i < n; i++)
        list[i] = GRAPH_NONE;
    return list;
}

void graph_analyse(struct graph *g)
{
    graph_link(g);
    g->place = nothing(g->n);
    g->dominator = nothing(g->n);
    g->loop = nothing(g->n);
    g->irreducible = xcalloc(g->n, sizeof *g->irreducible);
    set_order(g);
    set_dominators(g);
    find_loops(g);
}

void graph_release(struct graph *g)
{
    for (size_t i = 0; i < g->loops.n; i++) {
        vec_release(&g->loops.at[i].latches);
        vec_release(&g->loops.at[i].nodes);
    }
    vec_release(&g->loops);
    vec_release(&g->edges);
    free(g->first);
    free(g->first_in);
    free(g->in);
    free(g->order);
    free(g->place);
    free(g->dominator);
    free(g->loop);
    free(g->irreducible);
    *g = (struct graph){0};
}
