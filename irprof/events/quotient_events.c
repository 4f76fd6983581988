/*
 * quotient_events.c - sums up how long quotients are: many dividers take longer for more significant bits.
 * The sum is an event of the division's part. Divisions by constants have an event of their own, and only where the code is
 * not optimised: elsewhere they become multiplications. Those of vectors and of more than 64 bits are several instructions or a
 * call: of these there is no sum.
 */
#include <string.h>

#include "base/target.h"
#include "irprof/events/events.h"
#include "irprof/module/llvm.h"
#include "irprof/module/options.h"

static bool has_sign(LLVMOpcode op)
{
    return op == LLVMSDiv || op == LLVMSRem;
}

static bool is_remainder(LLVMOpcode op)
{
    return op == LLVMURem || op == LLVMSRem;
}

static bool divides_by_constants(LLVMValueRef function)
{
    const struct target *target = target_find(LLVMGetTarget(LLVMGetGlobalParent(function)));
    return target_has(target, TARGET_KEEPS_DIVISION) && llvm_function_has(function, "optnone");
}

void quotient_plan(struct plan *plan, struct plan_part *part, LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (!plan->options->sizes || !(op == LLVMUDiv || has_sign(op) || is_remainder(op)))
        return;
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
    bool constant = LLVMIsConstant(LLVMGetOperand(i, 1));
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > IRPROF_QUOTIENT_MOST ||
        (constant && !divides_by_constants(function)))
        return;
    const char *event = constant ? IRPROF_QUOTIENT_CONSTANT : IRPROF_QUOTIENT;
    vec_push(&plan->quotients, (struct plan_site){.at = i, .value = plan_event_counter(plan, part, event)});
}

/* A remainder's quotient is divided for once more: the processor's instruction often gives both. */
static LLVMValueRef quotient_of(LLVMBuilderRef b, LLVMValueRef division)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(division);
    if (!is_remainder(op))
        return division;
    LLVMValueRef by = LLVMGetOperand(division, 1);
    return LLVMBuildBinOp(b, has_sign(op) ? LLVMSDiv : LLVMUDiv, LLVMGetOperand(division, 0), by, "");
}

static LLVMValueRef magnitude(LLVMBuilderRef b, LLVMValueRef v)
{
    LLVMValueRef negative = LLVMBuildICmp(b, LLVMIntSLT, v, LLVMConstNull(LLVMTypeOf(v)), "");
    return LLVMBuildSelect(b, negative, LLVMBuildNeg(b, v, ""), v, "");
}

/* Significant bits of a word: 0 of 0. */
static LLVMValueRef bits_of(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef word)
{
    static const char name[] = "llvm.ctlz";
    LLVMTypeRef type = LLVMTypeOf(word);
    LLVMValueRef ctlz = LLVMGetIntrinsicDeclaration(module, LLVMLookupIntrinsicID(name, strlen(name)), &type, 1);
    LLVMValueRef zero_too = LLVMConstNull(LLVMInt1TypeInContext(LLVMGetModuleContext(module)));
    LLVMValueRef zeros = LLVMBuildCall2(b, LLVMGlobalGetValueType(ctlz), ctlz, (LLVMValueRef[]){word, zero_too}, 2, "");
    return LLVMBuildSub(b, LLVMConstInt(type, IRPROF_QUOTIENT_MOST, 0), zeros, "");
}

void quotient_insert(const struct plan *plan, const struct place_target *t)
{
    LLVMContextRef context = LLVMGetModuleContext(t->module);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    for (size_t i = 0; i < plan->quotients.n; i++) {
        const struct plan_site *site = &plan->quotients.at[i];
        LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(site->at));
        LLVMValueRef quotient = quotient_of(b, site->at);
        if (has_sign(LLVMGetInstructionOpcode(site->at)))
            quotient = magnitude(b, quotient);
        LLVMValueRef word = LLVMBuildIntCast2(b, quotient, LLVMInt64TypeInContext(context), 0, "");
        place_add(t, b, site->value, bits_of(t->module, b, word));
    }
    LLVMDisposeBuilder(b);
}
