/* access_base.c - finds where a load or a store goes: the object and the constant offset, through getelementptr. */
#include <llvm-c/Target.h>
#include <string.h>

#include "irprof/access/access.h"
#include "irprof/module/llvm.h"

/* Size in bytes; 0: not fixed, or a type whose size is of no use here. */
static uint64_t size_of(LLVMTargetDataRef layout, LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMScalableVectorTypeKind:
    case LLVMTargetExtTypeKind:
        return 0;
    case LLVMArrayTypeKind:
        return LLVMGetArrayLength2(type) * size_of(layout, LLVMGetElementType(type));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            if (!size_of(layout, LLVMStructGetTypeAtIndex(type, i)))
                return 0;
        break;
    default:
        break;
    }
    return LLVMTypeIsSized(type) ? LLVMABISizeOfType(layout, type) : 0;
}

static bool add_product(long long *sum, long long a, long long b)
{
    long long product;
    return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(*sum, product, sum);
}

/* ---- a variable index: x + 1 is taken apart into x and 1 ---- */

static bool is_narrow_constant(LLVMValueRef v)
{
    return LLVMIsAConstantInt(v) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64;
}

/* Does the sum also hold in the wider type? It does if it cannot overflow. */
static bool splits(LLVMValueRef sum, unsigned extended)
{
    if (!LLVMIsAInstruction(sum))
        return false;
    switch (LLVMGetInstructionOpcode(sum)) {
    case LLVMAdd:
        return is_narrow_constant(LLVMGetOperand(sum, 1)) &&
               (extended == 0 || (extended == 1 ? LLVMGetNSW(sum) : LLVMGetNUW(sum)));
    case LLVMOr:
        return is_narrow_constant(LLVMGetOperand(sum, 1)) && LLVMGetIsDisjoint(sum);
    default:
        return false;
    }
}

/* Sets base->index and base->extended. The constant part is added to the offset. */
static bool split_index(struct access_place *p, LLVMValueRef index, long long step)
{
    unsigned extended = LLVMGetIntTypeWidth(LLVMTypeOf(index)) < 64; /* getelementptr sign-extends its indices */
    if (!extended && LLVMIsASExtInst(index)) {
        extended = 1;
        index = LLVMGetOperand(index, 0);
    } else if (!extended && LLVMIsAZExtInst(index)) {
        extended = LLVMGetNNeg(index) ? 1 : 2;
        index = LLVMGetOperand(index, 0);
    }
    for (; splits(index, extended); index = LLVMGetOperand(index, 0)) {
        LLVMValueRef c = LLVMGetOperand(index, 1);
        long long n = extended == 2 ? (long long)LLVMConstIntGetZExtValue(c) : LLVMConstIntGetSExtValue(c);
        if (!add_product(&p->offset, n, step))
            return false;
    }
    p->base.index = index;
    p->base.extended = extended;
    p->base.step = step;
    return true;
}

/* ---- getelementptr ---- */

static bool is_gep(LLVMValueRef v)
{
    return LLVMIsAGetElementPtrInst(v) || (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

/* Takes one index. `type`: what the index selects from; afterwards, what it selects. */
static bool take_index(struct access_place *p, LLVMTargetDataRef layout, LLVMValueRef index, LLVMTypeRef *type,
                       bool first)
{
    if (!first && LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
        unsigned field = LLVMIsAConstantInt(index) ? (unsigned)LLVMConstIntGetZExtValue(index) : UINT32_MAX;
        if (field >= LLVMCountStructElementTypes(*type) || !size_of(layout, *type))
            return false;
        long long offset = (long long)LLVMOffsetOfElement(layout, *type, field);
        *type = LLVMStructGetTypeAtIndex(*type, field);
        return add_product(&p->offset, offset, 1);
    }
    if (!first)
        *type = LLVMGetElementType(*type);
    long long step = (long long)size_of(layout, *type);
    if (!step || LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMIntegerTypeKind)
        return false;
    if (LLVMIsAConstantInt(index))
        return is_narrow_constant(index) && add_product(&p->offset, LLVMConstIntGetSExtValue(index), step);
    return !p->base.index && LLVMGetIntTypeWidth(LLVMTypeOf(index)) <= 64 && split_index(p, index, step);
}

/* Moves from a getelementptr to its base pointer. Returns false if it has to stay the root. */
static bool step_back(struct access_place *p, LLVMTargetDataRef layout)
{
    struct access_place before = *p;
    LLVMValueRef gep = p->base.root;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(gep); k++)
        if (!take_index(p, layout, LLVMGetOperand(gep, k), &type, k == 1)) {
            *p = before;
            return false;
        }
    p->base.root = LLVMGetOperand(gep, 0);
    return true;
}

bool access_place(struct access_place *out, LLVMValueRef i)
{
    bool load = LLVMIsALoadInst(i), store = LLVMIsAStoreInst(i);
    if (!load && !store)
        return false;
    LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)));
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    LLVMTypeRef type = LLVMTypeOf(load ? i : LLVMGetOperand(i, 0));
    *out = (struct access_place){.base.root = LLVMGetOperand(i, load ? 0 : 1)};
    out->size = size_of(layout, type) ? LLVMStoreSizeOfType(layout, type) : 0;
    while (is_gep(out->base.root) && step_back(out, layout))
        ;
    out->base.object = out->base.root;
    while (is_gep(out->base.object))
        out->base.object = LLVMGetOperand(out->base.object, 0);
    return true;
}

bool access_same_base(const struct access_base *a, const struct access_base *b)
{
    return a->root == b->root && a->index == b->index && a->extended == b->extended && a->step == b->step;
}

/* ---- objects ---- */

static bool argument_has(LLVMValueRef argument, const char *attribute)
{
    LLVMValueRef function = LLVMGetParamParent(argument);
    unsigned kind = LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (LLVMGetParam(function, i) == argument)
            return LLVMGetEnumAttributeAtIndex(function, i + 1, kind) != 0;
    return false;
}

enum irprof_object access_object_kind(LLVMValueRef object)
{
    if (LLVMIsAAllocaInst(object))
        return IRPROF_OBJECT_VARIABLE;
    if (LLVMIsAGlobalVariable(object))
        return IRPROF_OBJECT_GLOBAL;
    if (!LLVMIsAArgument(object))
        return IRPROF_OBJECT_UNKNOWN;
    return argument_has(object, "noalias") || argument_has(object, "byval") ? IRPROF_OBJECT_OWN
                                                                            : IRPROF_OBJECT_ARGUMENT;
}

uint64_t access_object_size(LLVMValueRef object)
{
    if (LLVMIsAGlobalVariable(object))
        return size_of(LLVMGetModuleDataLayout(LLVMGetGlobalParent(object)), LLVMGlobalGetValueType(object));
    if (!LLVMIsAAllocaInst(object))
        return 0;
    LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(object)));
    LLVMValueRef n = LLVMGetOperand(object, 0);
    uint64_t size = size_of(LLVMGetModuleDataLayout(module), LLVMGetAllocatedType(object)), all;
    bool fixed = is_narrow_constant(n) && !__builtin_mul_overflow(size, LLVMConstIntGetZExtValue(n), &all);
    return fixed ? all : 0;
}
