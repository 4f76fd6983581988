/*
 * guard.c - checks the guard of a replaced store. The condition must come from the byte @irprof_stamp_never by a
 * volatile load, or from the parameter irprof_never. Then no compiler knows which of the two values is stored, and the
 * original's value is still needed.
 */
#include <string.h>

#include "irprof/prove/same_work.h"

static const char flag[] = "irprof_stamp_never", parameter[] = "irprof_never";

static bool has_name(LLVMValueRef v, const char *name)
{
    size_t n;
    const char *s = LLVMGetValueName2(v, &n);
    return n == strlen(name) && memcmp(s, name, n) == 0;
}

static bool is_parameter(LLVMValueRef v)
{
    if (!LLVMIsAArgument(v))
        return false;
    LLVMValueRef function = LLVMGetParamParent(v);
    return has_name(v, parameter) && LLVMGetParam(function, LLVMCountParams(function) - 1) == v;
}

static bool is_flag(LLVMValueRef v)
{
    if (!LLVMIsALoadInst(v) || !LLVMGetVolatile(v))
        return false;
    LLVMValueRef from = LLVMGetOperand(v, 0);
    return LLVMIsAGlobalVariable(from) && has_name(from, flag) && !LLVMIsGlobalConstant(from);
}

/* Is it the never value itself, in any width? */
static bool is_never(LLVMValueRef v)
{
    for (unsigned depth = 0; depth < 8; depth++) {
        if (is_parameter(v) || is_flag(v))
            return true;
        if (!LLVMIsAZExtInst(v) && !LLVMIsATruncInst(v) && !LLVMIsAFreezeInst(v))
            return false;
        v = LLVMGetOperand(v, 0);
    }
    return false;
}

/* Is it never != 0, or never as a bit? */
static bool is_condition(LLVMValueRef v)
{
    if (LLVMIsAICmpInst(v))
        return LLVMGetICmpPredicate(v) == LLVMIntNE && is_never(LLVMGetOperand(v, 0)) &&
               LLVMIsAConstantInt(LLVMGetOperand(v, 1)) && LLVMIsNull(LLVMGetOperand(v, 1));
    return is_never(v);
}

char *guard_check(LLVMValueRef store, const struct marks *marks)
{
    unsigned point = MARK_WRONG, of_select = MARK_WRONG;
    mark_of(store, MARK_GUARD, &point);
    const struct mark_point *p = marks_find(marks, point);
    if (!p || strcmp(p->mode, "replace") != 0)
        return xasprintf("a store has a guard of point %u, which is not a point of mode replace", point);
    LLVMValueRef select = LLVMGetOperand(store, 0);
    if (!LLVMIsASelectInst(select) || !mark_is_stamp(select) || !mark_of(select, MARK_GUARD, &of_select) ||
        of_select != point)
        return xasprintf(
            "point %u (%s): the stored value is not guarded: it is not a select between the original's value and "
            "the stamp",
            point, p->name);
    if (!is_condition(LLVMGetOperand(select, 0)))
        return xasprintf(
            "point %u (%s): the condition of the guard is not never: a compiler may know it, and delete the "
            "original's computation",
            point, p->name);
    return 0;
}
