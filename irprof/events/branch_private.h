/*
 * branch_private.h - branches, as branch_events.c simulates them: what it shares with branch_switch.c and branch_jump.c.
 * Internal to irprof.
 */
#ifndef IRPROF_EVENTS_BRANCH_PRIVATE_H
#define IRPROF_EVENTS_BRANCH_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#include "irprof/module/plan.h"

struct branch_inserter;
/* Counters of a part's mispredictions, one after the other for each predictor: the number of the first. */
size_t branch_add_counters(struct plan *plan, struct plan_part *part);
/* The counters that the part has, or new ones. */
size_t branch_counters_of(struct plan *plan, struct plan_part *part);
/* A branch is predicted: arguments are the predictor's state, the branch's number, i1 whether it is taken, flags, the
 * counter (add_predict). */
void branch_predict(const struct branch_inserter *w, LLVMBuilderRef b, LLVMValueRef arguments[5]);
/* A branch through a register is predicted: by the predictor's state, the branch's number, i64 where it goes (not 0), the
 * counter. */
void branch_jump(const struct branch_inserter *w, LLVMBuilderRef b, LLVMValueRef state, uint64_t number,
                 LLVMValueRef target, LLVMValueRef counter);
/* The next number of such a branch of the module: one after the other, so that no two of a few share an entry. */
uint64_t branch_jump_number(struct branch_inserter *w);

/* branch_switch.c: the function that simulates a switch: (state, i64 value with its sign, flags, counter of
 * mispredictions). `number`: of its first branch. */
LLVMValueRef switch_function(struct branch_inserter *w, LLVMModuleRef module, const struct plan_site *site,
                             uint32_t number);
/* branch_jump.c: where a jump or call through a register goes, at the builder's place before it. */
LLVMValueRef jump_target(LLVMBuilderRef b, LLVMValueRef i);

#endif
