/*
 * callgraph.h - who called whom how often, and what of a callee's cost is the caller's.
 * Used by irprof and by the estimates of shimgen.
 *
 * A profile knows how often each call was executed and what each function cost, but not
 * what a function cost when it was called from here or from there. So a function's
 * inclusive cost (its own, and what its callees cost for it) is shared among its callers in
 * proportion to their calls, callers that are not known (pointers, the C library) taking
 * what is left. Functions that call each other in a circle are one: their cost is that of
 * all of them, shared among the calls from outside; a call inside the circle costs nothing
 * more. Source of the method: Graham, Kessler, McKusick, "gprof: a call graph execution
 * profiler", SIGPLAN '82; circles: Tarjan, "Depth-first search and linear graph
 * algorithms" (1972).
 */
#ifndef IRPROF_PROFILE_CALLGRAPH_H
#define IRPROF_PROFILE_CALLGRAPH_H

#include <stddef.h>
#include <stdint.h>

struct callgraph_arc {
    uint32_t caller, callee; /* functions */
    uint64_t calls;
};
/* Borrowed by the graph. Costs are vectors of n_costs numbers whose sums over all functions fit in 64 bits. */
struct callgraph_input {
    size_t n_functions, n_costs;
    const uint64_t *entries;          /* of each function: how often it was called, by whomever */
    const uint64_t *self;             /* n_functions times n_costs: what it cost itself */
    const struct callgraph_arc *arcs; /* by caller */
    size_t n_arcs;
};
struct callgraph {
    const struct callgraph_input *in;
    uint32_t *circle; /* owned; of each function: a function that calls itself or nobody is one too. Callees first */
    size_t n_circles;
    uint64_t *calls;     /* owned; of each circle: calls from outside */
    uint64_t *inclusive; /* owned; n_circles times n_costs */
};

void callgraph_make(struct callgraph *g, const struct callgraph_input *in);
void callgraph_release(struct callgraph *g);

/* What a number of calls costs the caller, into costs[n_costs], rounded down. */
void callgraph_share(uint64_t *costs, const struct callgraph *g, const struct callgraph_arc *arc);

#endif
