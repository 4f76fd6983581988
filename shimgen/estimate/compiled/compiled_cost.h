/*
 * compiled_cost.h - the cycles of a program's machine code, executed as often as flows say: each node after the node
 * that it was reached from, and that after what came before it most often, on the model's pipeline. On a core that issues
 * out of order: along windows of the executed order (compiled_walk.c).
 */
#ifndef SHIMGEN_ESTIMATE_COMPILED_COMPILED_COST_H
#define SHIMGEN_ESTIMATE_COMPILED_COMPILED_COST_H

#include "shimgen/estimate/compiled/compiled_paths.h"

/* flows[i] is of functions->functions[i]. costs[machine->n] are filled in; step_costs_release each. `quotient`: of
 * divisions whose operands are not known. */
void cost_program(struct step_costs *costs, const struct machine *machine, const struct flow *flows,
                  const struct iss_model *model, enum iss_quotient quotient);

#endif
