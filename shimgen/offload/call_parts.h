/*
 * call_parts.h - which part of each function's work is done for which caller, and so what a function costs with all that
 * it calls. Functions that call each other in a circle are one.
 */
#ifndef SHIMGEN_OFFLOAD_CALL_PARTS_H
#define SHIMGEN_OFFLOAD_CALL_PARTS_H

#include "irprof/profile/callgraph.h"
#include "shimgen/offload/offload.h"

struct call_parts {
    const struct offload_table *table; /* borrowed */
    struct callgraph graph;            /* circles, callees first */
    struct callgraph_input input;
    double *part;        /* of each arc: how much of the callee's circle works for it; 0: it stays in the circle */
    size_t *first, *arc; /* arcs of circle c: arc[first[c]] ... arc[first[c + 1] - 1] */
    bool *recursive;     /* of each circle: a function calls itself, by others or directly */
    double (*inclusive)[OFFLOAD_COSTS]; /* of each circle: with what it calls */
};
void call_parts_make(struct call_parts *p, const struct offload_table *t);
void call_parts_release(struct call_parts *p);
/* How much of each circle works for a root, 0 to 1, into done[p->graph.n_circles]. */
void call_parts_of_root(double *done, const struct call_parts *p, uint32_t root);

#endif
