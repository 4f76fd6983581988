/*
 * callgraph.h - how often each function called each other function, and each caller's share of its callees' costs. Used
 * by irprof and by the estimates of shimgen.
 *
 * A profile has the number of executions of each call and the cost of each function, but not the cost of a function by
 * caller. Therefore a function's inclusive cost (its own and that of its callees on its behalf) is distributed among
 * its callers in proportion to their calls. Unknown callers (pointers, the C library) take the rest. Functions that
 * call each other in a cycle are treated as one: their total cost is distributed among the calls from outside; calls
 * inside the cycle cost nothing more. Source of the method: Graham, Kessler, McKusick, "gprof: a call graph execution
 * profiler", SIGPLAN '82; cycles: Tarjan, "Depth-first search and linear graph algorithms" (1972).
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
