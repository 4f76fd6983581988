/* branch_jump.c - predicts calls through pointers and computed jumps: they go where they went last. */
#include "irprof/events/branch_private.h"
#include "irprof/events/events.h"
#include "irprof/module/instruction_key.h"
#include "irprof/module/options.h"

/* The pointer that a jump or call goes through. NULL: the target is constant, or nothing is jumped to. */
static LLVMValueRef pointer_of(LLVMValueRef i)
{
    if (LLVMGetInstructionOpcode(i) == LLVMIndirectBr)
        return LLVMGetOperand(i, 0);
    return key_is_indirect(i) ? LLVMGetCalledValue(i) : 0;
}

void jump_plan(struct plan *plan, struct plan_part *part, LLVMValueRef i)
{
    const struct instrument_options *o = plan->options;
    if (!o->n_predictors || o->switches_known || !pointer_of(i))
        return;
    vec_push(&plan->jumps, (struct plan_site){.at = i, .value = branch_counters_of(plan, part)});
}

LLVMValueRef jump_target(LLVMBuilderRef b, LLVMValueRef i)
{
    LLVMContextRef context =
        LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(i))));
    return LLVMBuildPtrToInt(b, pointer_of(i), LLVMInt64TypeInContext(context), "");
}
