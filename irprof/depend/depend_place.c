/* depend_place.c - finds where a pointer points: the object, and which bytes of it. */
#include <llvm-c/Target.h>
#include <stdlib.h>

#include "irprof/depend/effects.h"

static LLVMTargetDataRef layout_of(LLVMValueRef v)
{
    if (LLVMIsAInstruction(v))
        return LLVMGetModuleDataLayout(LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(v))));
    return 0;
}

static struct depend_place anywhere(uint32_t object)
{
    return (struct depend_place){object, -DEPEND_FAR, 2 * DEPEND_FAR, 0, 0, false};
}

static uint32_t number(struct depend_world *w, char *key, enum depend_object_kind kind, const char *name, double size,
                       LLVMTypeRef type)
{
    size_t n = map_number(&w->numbers, key);
    if (n + 2 == w->objects.n)
        vec_push(&w->objects, (struct depend_object){kind, xstrdup(name), size, false, type});
    free(key);
    return (uint32_t)n + 2; /* after OBJECT_UNKNOWN and OBJECT_WORLD */
}

static uint32_t global(struct depend_world *w, LLVMValueRef v)
{
    size_t n;
    const char *name = LLVMGetValueName2(v, &n);
    bool own = LLVMGetLinkage(v) == LLVMInternalLinkage || LLVMGetLinkage(v) == LLVMPrivateLinkage;
    LLVMModuleRef module = LLVMGetGlobalParent(v);
    LLVMTypeRef type = LLVMGlobalGetValueType(v);
    char *key =
        own ? xasprintf("global %p %.*s", (void *)module, (int)n, name) : xasprintf("global %.*s", (int)n, name);
    char *text = xstrndup(name, n);
    double size = LLVMTypeIsSized(type) ? (double)LLVMABISizeOfType(LLVMGetModuleDataLayout(module), type) : 0;
    uint32_t object = number(w, key, DEPEND_GLOBAL, text, size, LLVMIsDeclaration(v) ? 0 : type);
    free(text);
    return object;
}

static uint32_t local(struct depend_world *w, LLVMValueRef v)
{
    size_t n;
    const char *name = LLVMGetValueName2(v, &n);
    char *text = n ? xstrndup(name, n) : xstrdup("a local variable");
    double size = (double)LLVMABISizeOfType(layout_of(v), LLVMGetAllocatedType(v));
    uint32_t object = number(w, xasprintf("local %p", (void *)v), DEPEND_LOCAL, text, size, LLVMGetAllocatedType(v));
    free(text);
    return object;
}

static uint32_t argument(struct depend_world *w, LLVMValueRef v)
{
    LLVMValueRef function = LLVMGetParamParent(v);
    unsigned i = 0;
    while (LLVMGetParam(function, i) != v)
        i++;
    char *name = xasprintf("argument %u", i);
    uint32_t object = number(w, xasprintf("argument %u", i), DEPEND_ARGUMENT, name, 0, 0);
    free(name);
    return object;
}

static struct depend_place base_of(struct depend_world *w, LLVMValueRef v, bool top)
{
    if (LLVMIsAGlobalVariable(v))
        return (struct depend_place){global(w, v), 0, 0, 0, 0, false};
    if (LLVMIsAAllocaInst(v) && top)
        return (struct depend_place){local(w, v), 0, 0, 0, 0, false};
    if (LLVMIsAArgument(v))
        return (struct depend_place){argument(w, v), 0, 0, 0, 0, false};
    return anywhere(OBJECT_UNKNOWN);
}

static bool is_gep(LLVMValueRef v)
{
    return LLVMIsAGetElementPtrInst(v) || (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

static bool add(int64_t *sum, int64_t n, int64_t size)
{
    int64_t product;
    return !__builtin_mul_overflow(n, size, &product) && !__builtin_add_overflow(*sum, product, sum) &&
           *sum<DEPEND_FAR && * sum> - DEPEND_FAR;
}

/* Takes one index. A variable index stays within its array, as C demands. Relative to a bare pointer it may lead
 * anywhere. */
static bool take_index(struct depend_place *p, LLVMTargetDataRef layout, LLVMValueRef index, LLVMTypeRef *type,
                       bool first)
{
    bool fixed = LLVMIsAConstantInt(index) && LLVMGetIntTypeWidth(LLVMTypeOf(index)) <= 64;
    if (!first && LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
        if (!fixed)
            return false;
        unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
        p->lo += (int64_t)LLVMOffsetOfElement(layout, *type, field);
        *type = LLVMStructGetTypeAtIndex(*type, field);
        return true;
    }
    LLVMTypeRef outer = *type;
    if (!first)
        *type = LLVMGetElementType(*type);
    if (!LLVMTypeIsSized(*type))
        return false;
    int64_t size = (int64_t)LLVMABISizeOfType(layout, *type);
    if (fixed)
        return add(&p->lo, LLVMConstIntGetSExtValue(index), size);
    if (first || LLVMGetTypeKind(outer) != LLVMArrayTypeKind || LLVMGetArrayLength2(outer) < 1)
        return false;
    return add(&p->slack, (int64_t)LLVMGetArrayLength2(outer) - 1, size);
}

/* ---- an unknown index relative to a pointer to an element ---- */

/* Are the types the same? Types of different modules are never the same object. Bytes may be part of any type. */
static bool same_type(LLVMTargetDataRef layout, LLVMTypeRef a, LLVMTypeRef b)
{
    return LLVMGetTypeKind(a) == LLVMGetTypeKind(b) && LLVMTypeIsSized(a) && LLVMTypeIsSized(b) &&
           LLVMABISizeOfType(layout, a) == LLVMABISizeOfType(layout, b) && LLVMABISizeOfType(layout, a) > 1;
}

/* Is it an array of such elements, or an array of such arrays? */
static bool is_array_of(LLVMTargetDataRef layout, LLVMTypeRef type, LLVMTypeRef element)
{
    bool array = false;
    for (; LLVMGetTypeKind(type) == LLVMArrayTypeKind; type = LLVMGetElementType(type), array = true)
        if (array && same_type(layout, type, element))
            return true;
    return array && same_type(layout, type, element);
}

bool depend_array_at(LLVMTargetDataRef layout, const struct depend_object *o, LLVMTypeRef element, int64_t at,
                     int64_t *lo, int64_t *hi)
{
    LLVMTypeRef type = o->type;
    int64_t base = 0;
    while (type && LLVMTypeIsSized(type) && at >= base && at - base < (int64_t)LLVMABISizeOfType(layout, type)) {
        if (is_array_of(layout, type, element)) {
            *lo = base;
            *hi = base + (int64_t)LLVMABISizeOfType(layout, type);
            return true;
        }
        if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
            type = LLVMGetElementType(type);
            int64_t size = (int64_t)LLVMABISizeOfType(layout, type);
            base += size ? (at - base) / size * size : 0;
        } else if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = LLVMElementAtOffset(layout, type, (unsigned long long)(at - base));
            base += (int64_t)LLVMOffsetOfElement(layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
        } else {
            return false;
        }
    }
    return false;
}

/* The pointer points to one byte so far, and the first index is not known. It stays in the array around the element;
 * for an argument, in whatever the caller passes. */
static void stay_in_array(struct depend_place *p, const struct depend_world *w, LLVMTargetDataRef layout,
                          LLVMValueRef gep)
{
    const struct depend_object *o = &w->objects.at[p->object];
    LLVMTypeRef element = LLVMGetGEPSourceElementType(gep);
    struct depend_place so_far = *p;
    int64_t lo, hi;
    *p = anywhere(p->object);
    if (so_far.slack || LLVMIsAConstantInt(LLVMGetOperand(gep, 1)))
        return;
    if (o->kind == DEPEND_ARGUMENT) {
        p->element = element;
        p->at = so_far.lo;
    } else if (depend_array_at(layout, o, element, so_far.lo, &lo, &hi)) {
        p->lo = lo;
        p->slack = hi - lo;
        p->whole = true;
    }
}

/* Follows all getelementptr, from the base outwards. */
static bool take_gep(struct depend_place *p, LLVMTargetDataRef layout, LLVMValueRef gep)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(gep); k++)
        if (!take_index(p, layout, LLVMGetOperand(gep, k), &type, k == 1))
            return false;
    return true;
}

struct depend_place depend_place_of(struct depend_world *w, LLVMValueRef pointer, bool top)
{
    VEC(LLVMValueRef) geps = {0};
    for (; is_gep(pointer); pointer = LLVMGetOperand(pointer, 0))
        vec_push(&geps, pointer);
    struct depend_place p = base_of(w, pointer, top);
    LLVMTargetDataRef layout = w->modules.n ? LLVMGetModuleDataLayout(w->modules.at[0].module) : 0;
    bool known = p.object != OBJECT_UNKNOWN;
    while (geps.n && known) {
        struct depend_place before = p;
        known = take_gep(&p, layout, geps.at[--geps.n]);
        if (!known) {
            p = before;
            stay_in_array(&p, w, layout, geps.at[geps.n]);
        }
    }
    vec_release(&geps);
    return p;
}
