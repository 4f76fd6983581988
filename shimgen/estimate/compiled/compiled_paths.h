/*
 * compiled_paths.h - which node of a program's machine code follows which, and how often: through calls and returns too.
 * Internal to the method compiled.
 */
#ifndef SHIMGEN_ESTIMATE_COMPILED_COMPILED_PATHS_H
#define SHIMGEN_ESTIMATE_COMPILED_COMPILED_PATHS_H

#include "shimgen/estimate/compiled/compiled_flow.h"

/* Nodes of all functions, numbered through. */
struct flow_step {
    size_t from, to; /* from NODE_NONE: not known */
    double flow, mispredicted, doubtful;
};
struct program_flow {
    const struct machine *machine;
    const struct flow *flows;
    size_t *base; /* [machine->n + 1] number of each function's first node */
    size_t n;
    const struct node **nodes; /* [n] */
    size_t *function;          /* [n] that the node is of */
    VEC(struct flow_step) edges;
    size_t *hottest;    /* [n] the node that it is reached from most often, or NODE_NONE */
    double *hot;        /* [n] how often */
    size_t *next, *out; /* edges by `from`: next[edge], out[node], plus 1 */
};

/* flows[i] is of machine->functions[i]; both are borrowed. program_flow_release. */
void program_flow_make(struct program_flow *g, const struct machine *machine, const struct flow *flows);
void program_flow_release(struct program_flow *g);

/* The cycles of a function's instructions: [code->n] of each step, of all its executions. */
struct step_costs {
    double *cycles;       /* with branches as predicted */
    double *mispredicted; /* what mispredictions add */
    double *doubtful;     /* what they add at most: guessed ones every time */
    /* Accesses as far as they can miss: each counts as the share of a line that it goes on by. `near`: after the one
     * before, so that lines follow each other; `far`: anywhere. Variables on the stack are neither */
    double *near, *far;
    double *waits; /* of far loads: those that are waited for when all of them miss, because no other hides them */
    double (*spent)[ISS_WAITS]; /* `cycles` by what they go on with (sim/core/pipeline.h) */
};
void step_costs_init(struct step_costs *c, size_t n);
void step_costs_release(struct step_costs *c);

/* What scheduling all of it needs. The schedules are of one model. */
struct coster {
    const struct program_flow *g;
    int64_t line;   /* bytes */
    unsigned stack; /* the stack pointer's register */
    struct step_costs *costs;
    int64_t latency; /* of a load from memory */
    struct iss_schedule *before, *now, *right, *wrong, *missing;
};
/* `flow` executions of a step, whose access c->now has just made: near, far (struct step_costs). */
void cost_access(struct coster *c, const struct step_costs *to, size_t at, const struct iss_step *step, double flow);
/* The node on c->missing, where loads that may be from anywhere, as cost_access sees them, are all late. *n: how many. */
void cost_missing(struct coster *c, const struct node *node, uint64_t next, unsigned *n);

#endif
