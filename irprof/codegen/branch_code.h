/*
 * branch_code.h - which way round the target's code has the conditional branches of the IR. Internal to irprof.
 *
 * A predictor sees whether the machine's branch is taken, and the code generator often branches where the condition does
 * not hold; or it makes no branch at all, but an instruction that selects. A predictor that looks at the history of all
 * branches makes other errors then.
 */
#ifndef IRPROF_CODEGEN_BRANCH_CODE_H
#define IRPROF_CODEGEN_BRANCH_CODE_H

#include "irprof/codegen/spill_mir.h"
#include "irprof/module/plan.h"

/* Sets `code` of plan->branches by the machine code of `mir`, whose blocks are in their final order. Branches of functions
 * that it does not have stay as they are. */
void branch_code(struct plan *plan, const struct mir *mir);

#endif
