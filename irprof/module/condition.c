/* condition.c - splits the condition of a branch into its operands. */
#include "irprof/module/condition.h"

#include <stdbool.h>

enum operator{ LEAF, AND, OR, NOT };

static bool is_constant(LLVMValueRef v, unsigned long long what)
{
    return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) == what;
}

static bool is_bit(LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

/* Recognises `and`, `or`, and the select that clang makes of `a && b`: select a, b, false. */
static enum operator operator_of(LLVMValueRef v, LLVMBasicBlockRef block)
{
    if (!LLVMIsAInstruction(v) || !is_bit(v) || LLVMGetInstructionParent(v) != block ||
        LLVMGetNextUse(LLVMGetFirstUse(v)))
        return LEAF;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAnd:
        return AND;
    case LLVMOr:
        return OR;
    case LLVMXor:
        return is_constant(LLVMGetOperand(v, 1), 1) ? NOT : LEAF;
    case LLVMSelect:
        if (!is_bit(LLVMGetOperand(v, 0)))
            return LEAF; /* of a vector */
        return is_constant(LLVMGetOperand(v, 2), 0) ? AND : is_constant(LLVMGetOperand(v, 1), 1) ? OR : LEAF;
    default:
        return LEAF;
    }
}

/* An operand of `and` and `or`, or of the select, whose third operand is a constant. */
static LLVMValueRef operand(LLVMValueRef v, unsigned i)
{
    bool select = LLVMGetInstructionOpcode(v) == LLVMSelect;
    return LLVMGetOperand(v, i && select && is_constant(LLVMGetOperand(v, 1), 1) ? 2 : i);
}

static size_t size_of(LLVMValueRef v, LLVMBasicBlockRef block, unsigned depth)
{
    enum operator o = depth ? operator_of(v, block) : LEAF;
    if (o == LEAF)
        return 1;
    size_t n = size_of(operand(v, 0), block, depth - 1);
    return o == NOT ? n : n + size_of(operand(v, 1), block, depth - 1);
}

static void add(struct condition *c, LLVMValueRef v, LLVMBasicBlockRef block, unsigned depth, size_t if_true,
                size_t if_not)
{
    enum operator o = depth ? operator_of(v, block) : LEAF;
    if (o == LEAF) {
        c->leaves[c->n++] = (struct condition_leaf){v, if_true, if_not};
    } else if (o == NOT) {
        add(c, operand(v, 0), block, depth - 1, if_not, if_true);
    } else {
        size_t second = c->n + size_of(operand(v, 0), block, depth - 1);
        add(c, operand(v, 0), block, depth - 1, o == AND ? second : if_true, o == AND ? if_not : second);
        add(c, operand(v, 1), block, depth - 1, if_true, if_not);
    }
}

void condition_read(struct condition *c, LLVMValueRef branch, unsigned depth)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(branch);
    LLVMValueRef all = LLVMGetCondition(branch);
    c->n = 0;
    bool fits = size_of(all, block, depth) <= CONDITION_LEAVES_MAX;
    add(c, all, block, fits ? depth : 0, CONDITION_TRUE, CONDITION_FALSE);
}
