/*
 * graph.h - directed graphs of numbered nodes: what follows and what comes before, an order in which nodes can be
 * visited, dominators, natural loops. Node 0 is the entry. Control flow of the IR and of machine code is such a graph.
 *
 * Sources: dominators by Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (2001); natural loops as in
 * Aho, Lam, Sethi, Ullman, "Compilers" (2006), 9.6.
 */
#ifndef BASE_GRAPH_H
#define BASE_GRAPH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/alloc.h"

#define GRAPH_NONE ((size_t)-1)

struct graph_edge {
    size_t from, to;
};
struct graph_loop {
    size_t header;
    size_t parent;       /* loop, or GRAPH_NONE. A parent comes before its children */
    size_t depth;        /* 1: outermost */
    VEC(size_t) latches; /* nodes with an edge back to the header, one for each */
    VEC(size_t) nodes;   /* all, inner loops' included; the header first */
};
/* Zero-initialised is empty. Everything is owned; graph_release. */
struct graph {
    size_t n;                     /* nodes */
    VEC(struct graph_edge) edges; /* graph_link sorts them by `from`; edges of one node stay in their order */
    size_t *first;                /* [n + 1] node i has edges first[i] ... first[i + 1] - 1 */
    size_t *first_in, *in;        /* [n + 1] edges in[first_in[i]] ... in[first_in[i + 1] - 1] lead to node i */
    size_t *order, n_order;       /* nodes that the entry reaches, in reverse postorder */
    size_t *place;                /* [n] in `order`; GRAPH_NONE: cannot be reached */
    size_t *dominator;            /* [n] immediate; the entry's and unreachable nodes': GRAPH_NONE */
    size_t *loop;                 /* [n] innermost, in `loops`, or GRAPH_NONE */
    bool *irreducible;            /* [n] in a cycle with several entries, or in a loop (or graph) with one */
    VEC(struct graph_loop) loops; /* by their headers' place in `order` */
};

/* Set graph.n, then add edges. An edge may be there several times. */
void graph_add(struct graph *g, size_t from, size_t to);
/* Sets first, first_in and in: once, when all edges are there. */
void graph_link(struct graph *g);
/* graph_link, then all that follows in the struct. */
void graph_analyse(struct graph *g);
void graph_release(struct graph *g);

/* ---- of a linked graph ---- */

static inline size_t graph_n_next(const struct graph *g, size_t node)
{
    return g->first[node + 1] - g->first[node];
}
static inline size_t graph_next(const struct graph *g, size_t node, size_t i)
{
    return g->edges.at[g->first[node] + i].to;
}
static inline size_t graph_n_before(const struct graph *g, size_t node)
{
    return g->first_in[node + 1] - g->first_in[node];
}
static inline size_t graph_before(const struct graph *g, size_t node, size_t i)
{
    return g->edges.at[g->in[g->first_in[node] + i]].from;
}

/* ---- of an analysed one ---- */

bool graph_dominates(const struct graph *g, size_t a, size_t b); /* reflexive; false for what cannot be reached */
bool graph_loop_has(const struct graph *g, size_t loop, size_t node);
bool graph_is_header(const struct graph *g, size_t node);
/* The innermost loop with both nodes in it, or GRAPH_NONE. */
size_t graph_common_loop(const struct graph *g, size_t a, size_t b);

#endif
