/*
 * call_tree.h - the ways by which functions were called in a region: what tells the instances of a block apart. Internal
 * to blocks.
 *
 * A node is a function, or functions that call each other in a circle, called by one way. Where one place makes all
 * calls, or calls were counted by place (irprof instrument --instances), its counts are those of the way: exact.
 * Otherwise a function's cycles are divided by calls, as gprof does (irprof/profile/callgraph.h).
 */
#ifndef SHIMGEN_BLOCKS_CALL_TREE_H
#define SHIMGEN_BLOCKS_CALL_TREE_H

#include "irprof/profile/callgraph.h"
#include "shimgen/blocks/assign.h"

#define CALL_TREE_NONE SIZE_MAX

struct call_node {
    uint32_t circle;
    size_t parent; /* CALL_TREE_NONE: called by nobody known */
    size_t call;   /* of the profile, in the parent */
    size_t region; /* whose counts are divided */
    double share;  /* of these, less what has a region of its own: 1 if `own` */
    double calls;
    bool own; /* the region has just this way */
    bool exact;
};
/* Functions that call each other are one circle; a function that does not is one too. */
struct call_tree {
    const struct irprof_profile *profile; /* borrowed */
    size_t base;                          /* region */
    struct callgraph graph;
    struct callgraph_input input;      /* its */
    VEC(struct callgraph_arc) arcs;    /* its */
    uint64_t *entries, *none;          /* its; owned */
    VEC(struct call_node) nodes;       /* callers before what they call; those of one circle together */
    size_t *first_node, *n_nodes;      /* owned; of each circle */
    size_t *members, *first_member;    /* owned; functions by circle; where each circle's begin, and the end */
    size_t *incoming, *first_incoming; /* owned; calls into each circle from others, likewise */
    size_t *region_of;                 /* owned; of each call the region that has its counts, or CALL_TREE_NONE */
    size_t *entry;                     /* owned; of each function the segment it begins with, or CALL_TREE_NONE */
    VEC(size_t) inner;                 /* calls within circles */
    VEC(size_t) own;                   /* nodes that have regions of their own */
    bool complete;                     /* false: there were too many ways, and some were made one */
};
void call_tree_make(struct call_tree *t, const struct irprof_profile *p, size_t base);
void call_tree_release(struct call_tree *t);

#endif
