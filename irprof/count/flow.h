/*
 * flow.h - a function as a flow network: as many executions leave a segment as enter it. Therefore some edges need no
 * counter. Internal to irprof.
 *
 * Nodes are the function's segments (segment i is node i + 1) and node 0, everything outside. The function's entry is
 * an edge from outside; its returns are edges to outside. Where execution may end or begin unseen, there is an edge to
 * outside that cannot be counted (a LEAK): after a call that may not return, at an invoke, and at the header of a loop
 * that is not proved to end, because a signal may arrive there. (If a signal arrives elsewhere in the loop, the counts
 * of that iteration may be off by one.)
 *
 * Source of the method: Knuth and Stevenson, "Optimal measurement points for program frequency counts", BIT 13 (1973);
 * Ball and Larus, "Optimally profiling and tracing programs", TOPLAS 16 (1994): no edge of a spanning tree needs a
 * counter, so the tree takes the edges that are expected to be the most expensive to count.
 */
#ifndef IRPROF_COUNT_FLOW_H
#define IRPROF_COUNT_FLOW_H

#include "irprof/count/cfg.h"
#include "irprof/module/plan.h"
#include "irprof/count/trips.h"

enum flow_kind {
    FLOW_ENTER, /* outside -> the first segment of the function, or of a block that is entered exceptionally */
    FLOW_JUMP,  /* block -> block, named by a terminator */
    FLOW_AFTER, /* segment -> the next of its block */
    FLOW_LEAVE, /* return, resume -> outside */
    FLOW_LEAK   /* -> outside; cannot be counted */
};
struct flow_edge {
    enum flow_kind kind;
    size_t from, to;             /* nodes; the ends of a JUMP to an exceptional block: from, outside */
    size_t from_block, to_block; /* JUMP, LEAVE (from) */
    unsigned successor;          /* JUMP: (first) operand of the terminator */
    size_t segment;              /* ENTER, AFTER: the one entered */
    unsigned plan_kind;          /* JUMP: enum irprof_edge_kind */
    size_t loop;                 /* innermost with both ends in it, or CFG_NONE */
    double cost;                 /* expected increments per call of the function, weighted */
    size_t counter;              /* CFG_NONE: it follows from others */
    size_t value;                /* set by tree_derive */
};
struct flow_loop {
    struct trip trip;
    bool finite;     /* it is proved to end, or the language says that it does */
    bool promotable; /* its counters may live in registers: finite, inner loops too, and nothing leaks */
    size_t entering; /* the one edge into it, or CFG_NONE: there are more */
};
struct flow {
    struct cfg cfg;
    VEC(struct flow_edge) edges;
    size_t n_nodes;
    size_t *first, *last;    /* node of each block's first and last segment */
    size_t *jumps_in;        /* JUMP edges into each block */
    size_t *jumps_out;       /* out of it */
    bool *exceptional;       /* blocks entered by unwinding or a computed jump */
    struct flow_loop *loops; /* of cfg.loops */
    bool in_memory;          /* no counter may live in a register: they are read while the function runs */
    size_t *node_counters;   /* plain placement: of each node; else NULL */
};

/* flow_free frees; NULL is fine. */
struct flow *flow_new(const struct plan_function *f);
void flow_free(struct flow *flow);

/* ---- flow_loops.c: which loops end, and what edges cost ---- */

/* Sets flow->loops; says which blocks are the header of a loop that may be endless, or in such a cycle of another kind.
 * The caller frees the array. */
bool *flow_judge_loops(struct flow *flow, const struct plan_function *f);
/* Sets loop and cost of all edges. */
void flow_weigh(struct flow *flow);
/* Is it the jump back of a loop whose iterations are known when it is entered? Its counter is increased there, once. */
bool flow_is_trip(const struct flow *flow, const struct flow_edge *e);

/* ---- spanning_tree.c ---- */

/* Gives counters to the edges outside a maximum spanning tree. */
void tree_choose(struct flow *flow, struct plan *plan);
/* Sets the value of every edge but leaks; counters are numbered finally by now. */
void tree_derive(struct flow *flow, struct plan *plan);
/* Values that say how often each node was entered; the caller frees. */
size_t *tree_node_values(struct flow *flow, struct plan *plan);
/* The sum of some values: a value. */
size_t tree_sum(struct plan *plan, const size_t *values, size_t n);

/* ---- insert.c ---- */

/* Inserts the increments of one function. */
void insert_counters(struct flow *flow, const struct plan_function *f, const struct place_target *t);

#endif
