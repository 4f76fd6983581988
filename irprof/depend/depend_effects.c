/* depend_effects.c - what instructions and whole functions read and write. */
#include "irprof/depend/effects.h"

#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

/* ---- the world ---- */

static void index_module(struct depend_world *w, LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        size_t n;
        const char *name = LLVMGetValueName2(f, &n);
        bool own = LLVMGetLinkage(f) == LLVMInternalLinkage;
        char *key = own ? xasprintf("%p %.*s", (void *)module, (int)n, name) : xstrndup(name, n);
        if (!LLVMIsDeclaration(f) && !map_get(&w->functions, key, 0)) {
            map_put(&w->functions, key, w->values.n);
            vec_push(&w->values, f);
        }
        free(key);
    }
}

void depend_world_index(struct depend_world *w)
{
    vec_push(&w->objects,
             (struct depend_object){DEPEND_UNKNOWN, xstrdup("memory that a pointer leads to"), 0, true, 0});
    vec_push(&w->objects,
             (struct depend_object){DEPEND_WORLD, xstrdup("what a called function does outside"), 0, true, 0});
    for (size_t i = 0; i < w->modules.n; i++)
        index_module(w, w->modules.at[i].module);
    w->summaries = xcalloc(w->values.n + 1, sizeof *w->summaries);
    w->state = xcalloc(w->values.n + 1, 1);
}

void depend_world_release(struct depend_world *w)
{
    for (size_t i = 0; w->summaries && i < w->values.n; i++)
        vec_release(&w->summaries[i].at);
    for (size_t i = 0; i < w->objects.n; i++)
        free(w->objects.at[i].name);
    for (size_t i = 0; i < w->modules.n; i++)
        llvm_release(&w->modules.at[i]);
    free(w->summaries);
    free(w->state);
    vec_release(&w->objects);
    vec_release(&w->values);
    vec_release(&w->modules);
    map_release(&w->numbers);
    map_release(&w->functions);
    *w = (struct depend_world){0};
}

/* ---- overlap ---- */

/* Is it a variable of the function's own that no pointer of unknown origin can point to? */
static bool hidden(const struct depend_object *o)
{
    return o->kind == DEPEND_LOCAL && !o->shown;
}

static bool is_variable(const struct depend_object *o)
{
    return o->kind == DEPEND_GLOBAL || o->kind == DEPEND_LOCAL;
}

bool depend_overlap(const struct depend_world *w, const struct depend_effect *a, const struct depend_effect *b)
{
    const struct depend_object *x = &w->objects.at[a->object], *y = &w->objects.at[b->object];
    if (x == y)
        return a->lo < b->hi && b->lo < a->hi;
    if (x->kind == DEPEND_WORLD || y->kind == DEPEND_WORLD || hidden(x) || hidden(y))
        return false;
    return !(is_variable(x) && is_variable(y));
}

/* ---- calls ---- */

size_t depend_callee(const struct depend_world *w, LLVMValueRef call)
{
    LLVMValueRef f = LLVMGetCalledValue(call);
    size_t n, index = DEPEND_NONE;
    if (!LLVMIsAFunction(f))
        return DEPEND_NONE;
    const char *name = LLVMGetValueName2(f, &n);
    char *own = xasprintf("%p %.*s", (void *)LLVMGetGlobalParent(f), (int)n, name), *shared = xstrndup(name, n);
    if (!map_get(&w->functions, own, &index) && !map_get(&w->functions, shared, &index))
        index = DEPEND_NONE;
    free(own);
    free(shared);
    return index;
}

/* Is it a function of <math.h>? Those return a value and perhaps set errno, which generated code does not read. */
static bool is_math(const char *name, size_t n)
{
    static const char *const names[] = {
        "abs",   "acos",  "asin",  "atan",  "atan2", "cbrt",  "ceil",   "copysign",  "cos",   "cosh",
        "exp",   "exp2",  "expm1", "fabs",  "floor", "fma",   "fmax",   "fmin",      "fmod",  "hypot",
        "labs",  "ldexp", "log",   "log10", "log2",  "log1p", "lround", "nearbyint", "pow",   "rint",
        "round", "sin",   "sinh",  "sqrt",  "tan",   "tanh",  "trunc",  "remainder", "asinh", "acosh"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t k = strlen(names[i]);
        if (strncmp(name, names[i], k) == 0 && (n == k || (n == k + 1 && (name[k] == 'f' || name[k] == 'l'))))
            return true;
    }
    return false;
}

static void add(struct depend_effects *out, uint32_t object, int64_t lo, int64_t hi, bool write)
{
    vec_push(&out->at, (struct depend_effect){object, lo, hi, write, 0, 0});
}

static void add_anything(struct depend_effects *out)
{
    add(out, OBJECT_UNKNOWN, -DEPEND_FAR, DEPEND_FAR, true);
    add(out, OBJECT_WORLD, 0, 1, true);
    add(out, OBJECT_UNKNOWN, -DEPEND_FAR, DEPEND_FAR, false);
}

/* Adds an access of so many bytes through a pointer. DEPEND_FAR: an unknown number. */
static void add_access(struct depend_effects *out, struct depend_world *w, LLVMValueRef pointer, int64_t size,
                       bool write, bool top)
{
    struct depend_place p = depend_place_of(w, pointer, top);
    LLVMValueRef base = pointer;
    while (LLVMIsAGetElementPtrInst(base) || (LLVMIsAConstantExpr(base) && LLVMGetNumOperands(base)))
        base = LLVMGetOperand(base, 0);
    if ((LLVMIsAGlobalVariable(base) && LLVMIsGlobalConstant(base)) || (LLVMIsAAllocaInst(base) && !top))
        return; /* nobody writes it, or it is gone when the function returns */
    if (p.element && size < DEPEND_FAR) {
        vec_push(&out->at, (struct depend_effect){p.object, -DEPEND_FAR, DEPEND_FAR, write, p.element, p.at});
        return;
    }
    bool far = p.lo + p.slack >= DEPEND_FAR || size >= DEPEND_FAR;
    add(out, p.object, p.lo, far ? DEPEND_FAR : p.lo + p.slack + (p.whole ? 0 : size), write);
}

/* From now on others may have this address. */
static void show(struct depend_world *w, LLVMValueRef pointer, bool top)
{
    struct depend_place p = depend_place_of(w, pointer, top);
    w->objects.at[p.object].shown = true;
}

static int64_t constant_or_far(LLVMValueRef v)
{
    return LLVMIsAConstantInt(v) ? (int64_t)LLVMConstIntGetZExtValue(v) : DEPEND_FAR;
}

/* Returns true if the call is an intrinsic; its effects have been added. */
static bool intrinsic(struct depend_effects *out, struct depend_world *w, LLVMValueRef call, bool top)
{
    size_t n;
    const char *name = llvm_intrinsic_name(LLVMGetCalledValue(call), &n);
    if (!name)
        return false;
    bool set = n >= 11 && strncmp(name, "llvm.memset", 11) == 0;
    bool copy = n >= 11 && (strncmp(name, "llvm.memcpy", 11) == 0 || strncmp(name, "llvm.memmove", 12) == 0);
    if (set || copy) {
        int64_t size = constant_or_far(LLVMGetOperand(call, 2));
        add_access(out, w, LLVMGetOperand(call, 0), size, true, top);
        if (copy)
            add_access(out, w, LLVMGetOperand(call, 1), size, false, top);
        return true;
    }
    static const char *const none[] = {"llvm.dbg", "llvm.lifetime", "llvm.assume", "llvm.experimental.noalias"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (strncmp(name, none[i], strlen(none[i])) == 0)
            return true;
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeRef memory =
        LLVMGetEnumAttributeAtIndex(LLVMGetCalledValue(call), (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
    return memory && LLVMGetEnumAttributeValue(memory) == 0;
}

static void summary(struct depend_world *w, size_t function);

/* Adds an effect of the callee on what its argument points to, for this call's argument. */
static void from_argument(struct depend_effects *out, struct depend_world *w, LLVMValueRef pointer,
                          const struct depend_effect *x, bool top)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(w->modules.at[0].module);
    struct depend_place p = depend_place_of(w, pointer, top);
    struct depend_effects one = {0};
    int64_t lo, hi;
    add_access(&one, w, pointer, 0, x->write, top);
    if (one.at.n) {
        bool exact = !p.slack && !p.element && x->element;
        struct depend_effect y = one.at.at[0];
        bool far = p.whole || y.hi >= DEPEND_FAR || x->hi >= DEPEND_FAR || x->lo <= -DEPEND_FAR;
        if (exact && w->objects.at[p.object].kind == DEPEND_ARGUMENT)
            vec_push(&out->at,
                     (struct depend_effect){p.object, -DEPEND_FAR, DEPEND_FAR, x->write, x->element, p.lo + x->at});
        else if (exact && depend_array_at(layout, &w->objects.at[p.object], x->element, p.lo + x->at, &lo, &hi))
            add(out, p.object, lo, hi, x->write);
        else
            add(out, y.object, far ? -DEPEND_FAR : y.lo + x->lo, far ? DEPEND_FAR : y.hi + x->hi, x->write);
    }
    vec_release(&one.at);
}

/* Adds the callee's effects for this call's arguments. */
static void from_summary(struct depend_effects *out, struct depend_world *w, LLVMValueRef call, size_t callee, bool top)
{
    summary(w, callee);
    for (size_t i = 0; i < w->summaries[callee].at.n; i++) {
        struct depend_effect x = w->summaries[callee].at.at[i];
        const struct depend_object *o = &w->objects.at[x.object];
        unsigned number = o->kind == DEPEND_ARGUMENT ? (unsigned)strtoul(o->name + strlen("argument "), 0, 10) : 0;
        if (o->kind != DEPEND_ARGUMENT)
            vec_push(&out->at, x);
        else if (number >= LLVMGetNumArgOperands(call))
            add(out, OBJECT_UNKNOWN, -DEPEND_FAR, DEPEND_FAR, x.write);
        else
            from_argument(out, w, LLVMGetOperand(call, number), &x, top);
    }
}

/* Callees that store an argument's address: others may have it then. */
static void show_kept(struct depend_world *w, LLVMValueRef call, bool top)
{
    size_t number;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
        char *key = xasprintf("argument %u", k);
        LLVMValueRef a = LLVMGetOperand(call, k);
        bool kept = map_get(&w->numbers, key, &number) && w->objects.at[number + 2].shown;
        if (kept && LLVMGetTypeKind(LLVMTypeOf(a)) == LLVMPointerTypeKind)
            show(w, a, top);
        free(key);
    }
}

static void call_effects(struct depend_effects *out, struct depend_world *w, LLVMValueRef call, bool top)
{
    size_t n, callee = depend_callee(w, call);
    LLVMValueRef f = LLVMGetCalledValue(call);
    if (llvm_is_empty_asm(f) || (LLVMIsAFunction(f) && intrinsic(out, w, call, top)))
        return;
    if (callee != DEPEND_NONE) {
        from_summary(out, w, call, callee, top);
        show_kept(w, call, top);
        return;
    }
    const char *name = LLVMIsAFunction(f) ? LLVMGetValueName2(f, &n) : 0;
    if (name && is_math(name, n))
        return;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, k))) == LLVMPointerTypeKind)
            show(w, LLVMGetOperand(call, k), top);
    add_anything(out);
}

void depend_effects_of(struct depend_effects *out, struct depend_world *w, LLVMValueRef i, bool top)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(w->modules.at[0].module);
    if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) {
        bool write = LLVMIsAStoreInst(i);
        LLVMTypeRef type = LLVMTypeOf(write ? LLVMGetOperand(i, 0) : i);
        add_access(out, w, LLVMGetOperand(i, write ? 1 : 0), (int64_t)LLVMStoreSizeOfType(layout, type), write, top);
        if (write && LLVMGetTypeKind(type) == LLVMPointerTypeKind)
            show(w, LLVMGetOperand(i, 0), top);
        if (LLVMGetVolatile(i))
            add(out, OBJECT_WORLD, 0, 1, true);
    } else if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) {
        call_effects(out, w, i, top);
    } else if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i)) {
        add_anything(out);
    }
}

/* ---- summaries ---- */

static int compare_effects(const void *a, const void *b)
{
    const struct depend_effect *x = a, *y = b;
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    if (x->write != y->write)
        return x->write ? 1 : -1;
    if (x->element != y->element)
        return (uintptr_t)x->element < (uintptr_t)y->element ? -1 : 1;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (x->lo != y->lo)
        return x->lo < y->lo ? -1 : 1;
    return x->hi < y->hi ? -1 : x->hi > y->hi;
}

/* Removes duplicates, and joins ranges that touch. */
static void shorten(struct depend_effects *x)
{
    size_t n = 0;
    if (x->at.n)
        qsort(x->at.at, x->at.n, sizeof *x->at.at, compare_effects);
    for (size_t i = 0; i < x->at.n; i++) {
        struct depend_effect *last = n ? &x->at.at[n - 1] : 0;
        const struct depend_effect one = x->at.at[i];
        if (last && last->object == one.object && last->write == one.write && last->element == one.element &&
            last->at == one.at && one.lo <= last->hi)
            last->hi = one.hi > last->hi ? one.hi : last->hi;
        else
            x->at.at[n++] = one;
    }
    x->at.n = n;
}

static void summary(struct depend_world *w, size_t function)
{
    struct depend_effects all = {0};
    if (w->state[function] == 1) /* it calls itself: not all of its effects are known yet */
        add_anything(&w->summaries[function]);
    if (w->state[function])
        return;
    w->state[function] = 1;
    LLVMValueRef f = w->values.at[function];
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            depend_effects_of(&all, w, i, false);
    for (size_t i = 0; i < w->summaries[function].at.n; i++)
        vec_push(&all.at, w->summaries[function].at.at[i]);
    vec_release(&w->summaries[function].at);
    shorten(&all);
    w->summaries[function] = all;
    w->state[function] = 2;
}
