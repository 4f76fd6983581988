/* dataflow.c - finds which instruction produces each operand within a function. */
#include "irprof/count/dataflow.h"

#include <llvm-c/Target.h>
#include <stdint.h>
#include <stdlib.h>

#include "irprof/irprof.h"
#include "irprof/module/instruction_key.h"

struct dataflow_slot {
    LLVMValueRef value; /* NULL: the slot is free */
    size_t number;
};

/* ---- numbers ---- */

static struct dataflow_slot *slot_of(const struct dataflow *d, LLVMValueRef value)
{
    /* addresses of objects: their low bits say nothing */
    uint64_t hash = (uint64_t)(uintptr_t)value / 16 * UINT64_C(0x9e3779b97f4a7c15);
    size_t i = (size_t)(hash >> 20) & (d->n_slots - 1);
    while (d->slots[i].value && d->slots[i].value != value)
        i = (i + 1) & (d->n_slots - 1);
    return &d->slots[i];
}

void dataflow_number(struct dataflow *d, const struct plan_function *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->segments.n; i++)
        n += f->segments.at[i].instructions.n;
    d->n_slots = 16;
    while (d->n_slots < 2 * n)
        d->n_slots *= 2;
    free(d->slots);
    d->slots = xcalloc(d->n_slots, sizeof *d->slots);
    n = 0;
    for (size_t i = 0; i < f->segments.n; i++) {
        const struct plan_segment *s = &f->segments.at[i];
        for (size_t k = 0; k < s->instructions.n; k++)
            *slot_of(d, s->instructions.at[k].value) = (struct dataflow_slot){s->instructions.at[k].value, n++};
    }
}

void dataflow_release(struct dataflow *d)
{
    free(d->slots);
    vec_release(&d->operands);
    *d = (struct dataflow){0};
}

/* ---- constants ---- */

static bool is_easy(uint64_t n)
{
    return (n & (n - 1)) == 0;
}

static unsigned constant_bits(LLVMValueRef i, LLVMValueRef operand)
{
    if (LLVMIsAConstantInt(operand)) {
        if (LLVMGetIntTypeWidth(LLVMTypeOf(operand)) > 64)
            return IRPROF_CONSTANT;
        uint64_t n = LLVMConstIntGetZExtValue(operand);
        bool easy = LLVMGetInstructionOpcode(i) == LLVMICmp ? n == 0 : is_easy(n);
        return IRPROF_CONSTANT | (easy ? IRPROF_CONSTANT_EASY : 0);
    }
    if (LLVMIsAGlobalValue(operand) || LLVMIsAConstantExpr(operand))
        return IRPROF_CONSTANT_GLOBAL;
    if (LLVMIsAConstantPointerNull(operand))
        return IRPROF_CONSTANT | IRPROF_CONSTANT_EASY;
    return LLVMIsConstant(operand) && !LLVMIsUndef(operand) ? IRPROF_CONSTANT : 0;
}

/* The step of the index `index` of a getelementptr, in bytes; 0: not fixed. */
static uint64_t step_of(LLVMValueRef gep, unsigned index)
{
    LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(gep)));
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (unsigned k = 2; k <= index; k++) {
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            LLVMValueRef field = LLVMGetOperand(gep, k);
            if (!LLVMIsAConstantInt(field))
                return 0;
            type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(field));
        } else {
            type = LLVMGetElementType(type);
        }
    }
    return LLVMTypeIsSized(type) ? LLVMABISizeOfType(LLVMGetModuleDataLayout(module), type) : 0;
}

static unsigned gep_bits(LLVMValueRef gep)
{
    unsigned variable = 0, n_variable = 0;
    bool offset = false;
    int n = LLVMGetNumOperands(gep);
    for (unsigned k = 1; k < (unsigned)n; k++) {
        LLVMValueRef index = LLVMGetOperand(gep, k);
        if (!LLVMIsConstant(index)) {
            variable = k;
            n_variable++;
        } else if (!LLVMIsNull(index)) {
            offset = true;
        }
    }
    unsigned global = constant_bits(gep, LLVMGetOperand(gep, 0)) & IRPROF_CONSTANT_GLOBAL;
    if (n_variable == 0)
        return global | IRPROF_CONSTANT | (offset ? 0 : IRPROF_CONSTANT_EASY);
    uint64_t step = n_variable == 1 && !offset ? step_of(gep, variable) : 0;
    return global | (step && step <= 16 && is_easy(step) ? IRPROF_CONSTANT_EASY : 0);
}

/* ---- operands ---- */

static bool is_address(LLVMValueRef i, unsigned operand, unsigned n)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore:
        return operand == 1;
    case LLVMLoad:
    case LLVMGetElementPtr:
    case LLVMAtomicCmpXchg:
    case LLVMAtomicRMW:
        return operand == 0;
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
        return operand + 1 == n;
    default:
        return false;
    }
}

/* What is divided may be a constant: that makes no multiplication of the division. */
static bool is_dividend(LLVMValueRef i, unsigned operand)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return operand == 0;
    default:
        return false;
    }
}

unsigned dataflow_look(struct dataflow *d, LLVMValueRef i)
{
    unsigned constants = 0, n = (unsigned)LLVMGetNumOperands(i);
    bool gep = LLVMGetInstructionOpcode(i) == LLVMGetElementPtr;
    d->operands.n = 0;
    for (unsigned k = 0; k < n; k++) {
        LLVMValueRef operand = LLVMGetOperand(i, k);
        bool address = is_address(i, k, n);
        if (LLVMIsAInstruction(operand) || LLVMIsAArgument(operand)) {
            const struct dataflow_slot *slot = slot_of(d, operand);
            vec_push(&d->operands, (struct dataflow_operand){slot->value ? slot->number : DATAFLOW_OUTSIDE, address});
        } else if (LLVMIsConstant(operand) && !(key_is_call(i) && address) && !is_dividend(i, k)) {
            constants |= constant_bits(i, operand);
        }
    }
    return gep ? gep_bits(i) : constants;
}
