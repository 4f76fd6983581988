/*
 * branch_switch.h - switches, as branch_events.c simulates them: what it shares with branch_switch.c. Internal to
 * irprof.
 */
#ifndef IRPROF_EVENTS_BRANCH_SWITCH_H
#define IRPROF_EVENTS_BRANCH_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#include "irprof/module/plan.h"

struct branch_inserter;
/* Counters of a part's mispredictions, one after the other for each predictor: the number of the first. */
size_t branch_add_counters(struct plan *plan, struct plan_part *part);
size_t branch_predictors(const struct branch_inserter *w); /* how many there are */
/* A branch is predicted: arguments are the predictor's state, the branch's number, i1 whether it is taken, flags, the
 * counter (add_predict). */
void branch_predict(const struct branch_inserter *w, LLVMBuilderRef b, LLVMValueRef arguments[5]);
/* The function that simulates a switch: (state, i64 value with its sign, flags, counter of mispredictions, counter of
 * where it went last). `number`: of its first branch. */
LLVMValueRef switch_function(const struct branch_inserter *w, LLVMModuleRef module, LLVMValueRef i, uint32_t number,
                             bool atomic);

#endif
