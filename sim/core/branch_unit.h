/*
 * branch_unit.h - where the simulated core believes that a branch goes: a table of counters for conditional branches
 * (sim/branch/branch.h), the last targets of indirect ones, a stack of return addresses.
 */
#ifndef SIM_CORE_BRANCH_UNIT_H
#define SIM_CORE_BRANCH_UNIT_H

#include "sim/core/core_model.h"

struct iss_predictor;
struct iss_predictor *iss_predictor_new(const struct iss_model *m);
void iss_predictor_free(struct iss_predictor *p);
void iss_predictor_reset(struct iss_predictor *p);

/* The branch `op` at `address` went to `target`, and was taken or not. Learns; true: it had been predicted otherwise.
 */
bool iss_predictor_branch(struct iss_predictor *p, const struct iss_op *op, uint64_t address, uint64_t target,
                          bool taken);

#endif
