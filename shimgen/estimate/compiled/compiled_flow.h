/*
 * compiled_flow.h - how often machine code is executed, from how often the blocks and edges of the IR were.
 *
 * Machine code does what the IR does: whoever follows the IR from block to block follows it in the machine code from
 * node to node. A state is a node together with the block of the IR that was entered last: the same block may be
 * entered at several nodes (its code was copied into the ends of others), and several blocks at one (what they have was
 * merged). Each edge of the IR is a way in the machine code from a state to another one; a way has the flow of its
 * edge.
 */
#ifndef SHIMGEN_ESTIMATE_COMPILED_COMPILED_FLOW_H
#define SHIMGEN_ESTIMATE_COMPILED_COMPILED_FLOW_H

#include "shimgen/estimate/compiled/compiled_machine.h"

/* A function of the IR and what it has executed. */
struct flow_edge {
    uint32_t from, to; /* blocks */
    double taken;
};
struct flow_ir {
    uint32_t n_blocks;
    const struct flow_edge *edges; /* by from */
    size_t n_edges;
    const struct irprof_label_function *labels;
    const double *executions;   /* [labels->n_segments] */
    const double *mispredicted; /* [n_blocks] of the branch at its end; < 0: not known */
};

struct flow_move {
    size_t from, to; /* nodes */
    double flow, mispredicted;
    double doubtful; /* mispredicted at most: all of it where no predictor was simulated */
    size_t next;     /* in flow.moves plus 1, another one with the same `from`; 0: none */
};
struct flow {
    double *nodes;               /* [f->n] how often each is executed */
    size_t *first;               /* [f->n] in moves plus 1, one that leaves the node; 0: none */
    VEC(struct flow_move) moves; /* from node to node; no two with the same ends */
    double all, lost;            /* edges of the IR that were taken; those of them for which no way was found */
};

/* How often everything in `f` is executed. flow_release. */
void flow_make(struct flow *out, const struct machine_function *f, const struct flow_ir *ir);
void flow_release(struct flow *w);
/* Nothing is executed. */
void flow_init(struct flow *out, const struct machine_function *f);
/* The move between two nodes, borrowed until the next one is asked for; a new one if there is none. */
struct flow_move *flow_move(struct flow *out, size_t from, size_t to);

#endif
