/*
 * code_map.h - a function's machine code beside its IR: which block of the IR each node of the machine code bears the
 * name of, and the edges of the IR.
 *
 * Two readers of machine code fill a map: spill.c from the code generator's text, estimate's compiled_flow.c from a
 * linked executable. Before a run, code_rate says as which edges of the IR a node is executed. After a run,
 * compiled_flow.c follows the counted edges of the IR from node to node.
 */
#ifndef IRPROF_CODEGEN_CODE_MAP_H
#define IRPROF_CODEGEN_CODE_MAP_H

#include "base/graph.h"

#define CODE_NONE GRAPH_NONE

typedef VEC(size_t) code_numbers;

struct code_map {
    const struct graph *code; /* borrowed; linked: nodes of the machine code */
    struct graph ir;          /* linked: blocks of the IR; edges have the numbers in which they were added */
    size_t *block;            /* [code->n] the block whose name a node bears; CODE_NONE: the code generator's own */
    size_t *head;             /* [ir.n] the first node that bears a block's name; CODE_NONE: none does */
    size_t *first_arrival;    /* [code->n + 1] edges of the IR that arrive at node i: arrivals[first_arrival[i]] ... */
    size_t *arrivals;         /* ... arrivals[first_arrival[i + 1] - 1], in their order */
    code_numbers seen;        /* used inside, as is reached[code->n] */
    bool *reached;
};

/* A map without names and edges, of an IR with at least `n_blocks` blocks. code_map_release. */
void code_map_init(struct code_map *m, const struct graph *code, size_t n_blocks);
void code_map_name(struct code_map *m, size_t node, size_t block);
void code_map_edge(struct code_map *m, size_t from, size_t to); /* edges come by `from` */
/* Sets `head` and `arrivals`, links `ir`: once, when all names and edges are there. */
void code_map_link(struct code_map *m);
void code_map_release(struct code_map *m);

static inline bool code_is_head(const struct code_map *m, size_t node)
{
    return m->block[node] != CODE_NONE && m->head[m->block[node]] == node;
}

/* As often as the block `block` of the IR; or, when there are edges, as often as these are taken together. */
struct code_rate {
    size_t block;       /* CODE_NONE: not known */
    code_numbers edges; /* in ir.edges */
};
/* How often a node is executed. Exact for a node that stands for a block of the IR, for one that lies on edges of the
 * IR, and for what is left of a block that was copied into some of those before it. Where the code generator made paths
 * that the IR does not have, it is a bound: the edges or the block that lead there. The caller releases rate->edges. */
void code_rate(struct code_map *m, size_t node, struct code_rate *rate);

#endif
