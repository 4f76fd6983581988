/*
 * compiled_cost.h - the cycles of a program's machine code, executed as often as flows say: each node behind the node
 * that it was reached from, and that behind what came before it most often, on the model's pipeline.
 */
#ifndef SHIMGEN_ESTIMATE_COMPILED_COMPILED_COST_H
#define SHIMGEN_ESTIMATE_COMPILED_COMPILED_COST_H

#include "shimgen/estimate/compiled/compiled_flow.h"

/* The cycles of a function's instructions: [code->n] of each step, of all its executions. */
struct step_costs {
    double *cycles;       /* with branches as predicted */
    double *mispredicted; /* what mispredictions add */
    double *doubtful;     /* what they add at most: guessed ones every time */
    /* Accesses as far as they can miss: each counts as the share of a line that it goes on by. `near`: behind the one
     * before, so that lines follow each other; `far`: anywhere. Variables on the stack are neither */
    double *near, *far;
    double *waits; /* of far loads: those that are waited for when all of them miss, because no other hides them */
    double (*spent)[ISS_WAITS]; /* `cycles` by what they go on with (sim/core/pipeline.h) */
};
/* flows[i] is of functions->functions[i]. costs[machine->n] are filled in; step_costs_release each. `quotient`: of
 * divisions whose operands are not known. */
void cost_program(struct step_costs *costs, const struct machine *machine, const struct flow *flows,
                  const struct iss_model *model, enum iss_quotient quotient);
void step_costs_release(struct step_costs *c);

#endif
