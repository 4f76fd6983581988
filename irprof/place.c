/*
 * Which segments get a counter. This placement is the plain one: every segment has a
 * counter of its own and nothing is derived, so that nothing needs to be assumed
 * about how control leaves a function. Another placement may count fewer segments
 * and give the others values derived from those (plan.derived): the description and
 * the reader know only values.
 */
#include "irprof/llvm.h"
#include "irprof/plan.h"

void place_values(struct plan *plan, enum place_scheme scheme)
{
    (void)scheme;
    for (size_t i = 0; i < plan->functions.n; i++) {
        struct plan_function *f = &plan->functions.at[i];
        for (size_t k = 0; k < f->segments.n; k++)
            f->segments.at[k].value = plan->n_counters++;
    }
}

static void increment(LLVMBuilderRef b, LLVMTypeRef word, LLVMValueRef counter, enum irprof_counters kind)
{
    LLVMValueRef one = LLVMConstInt(word, 1, 0);
    if (kind == IRPROF_COUNTERS_ATOMIC) {
        LLVMBuildAtomicRMW(b, LLVMAtomicRMWBinOpAdd, counter, one, LLVMAtomicOrderingMonotonic, 0);
        return;
    }
    LLVMValueRef old = LLVMBuildLoad2(b, word, counter, "");
    LLVMBuildStore(b, LLVMBuildAdd(b, old, one, ""), counter);
}

/* A function that increments counters writes memory, whatever was said of it; code generation would otherwise be free
 * to drop a call whose result is not used. */
static void forget_purity(LLVMValueRef function)
{
    static const char *const claims[] = {"memory", "nosync", "speculatable"};
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++)
        llvm_function_drop(function, claims[i]);
}

static void forget_purity_of_calls(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
            if (opcode != LLVMCall && opcode != LLVMInvoke)
                continue;
            LLVMValueRef callee = LLVMGetCalledValue(i);
            size_t n;
            if (LLVMIsAInlineAsm(callee) || llvm_intrinsic_name(callee, &n))
                continue;
            llvm_call_drop(i, "memory");
            llvm_call_drop(i, "nosync");
        }
    }
}

void place_insert(struct plan *plan, const struct place_target *t)
{
    LLVMContextRef context = LLVMGetModuleContext(t->module);
    LLVMTypeRef word = LLVMInt64TypeInContext(context);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    /* Declarations too: what they stand for may be another instrumented module's. */
    for (LLVMValueRef f = LLVMGetFirstFunction(t->module); f; f = LLVMGetNextFunction(f)) {
        size_t n;
        if (!llvm_intrinsic_name(f, &n))
            forget_purity(f);
        forget_purity_of_calls(f);
    }
    for (size_t i = 0; i < plan->functions.n; i++) {
        const struct plan_function *f = &plan->functions.at[i];
        for (size_t k = 0; k < f->segments.n; k++) {
            const struct plan_segment *s = &f->segments.at[k];
            if (s->value >= plan->n_counters)
                continue;                        /* derived */
            LLVMPositionBuilderBefore(b, s->at); /* takes over its debug location */
            increment(b, word, place_counter(t, b, s->value), t->kind);
        }
    }
    LLVMDisposeBuilder(b);
}
