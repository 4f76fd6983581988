/*
 * results.c - which stores may write a stamp in place of their result. The rules are those of the study about replacing
 * results (docs/method/stamps.md): nothing in the function may depend on the stored result, and the stamp must have the
 * result's type. When in doubt the answer is no.
 */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/target.h"
#include "irprof/stamp/work.h"

/* What a pointer may point to: arguments, global variables, allocas. Anything else is represented by the value that has
 * the pointer. */
struct roots {
    VEC(LLVMValueRef) all, seen;
};
enum { MOST_ROOTS = 64 };

static bool has(const LLVMValueRef *all, size_t n, LLVMValueRef v)
{
    for (size_t i = 0; i < n; i++)
        if (all[i] == v)
            return true;
    return false;
}

static bool passes_on(LLVMValueRef v)
{
    if (LLVMIsAConstantExpr(v))
        return LLVMGetConstOpcode(v) == LLVMGetElementPtr || LLVMGetConstOpcode(v) == LLVMAddrSpaceCast;
    return LLVMIsAGetElementPtrInst(v) || LLVMIsAAddrSpaceCastInst(v) || LLVMIsABitCastInst(v);
}

static void add_roots(struct roots *r, LLVMValueRef v)
{
    if (r->seen.n > MOST_ROOTS || has(r->seen.at, r->seen.n, v))
        return;
    vec_push(&r->seen, v);
    if (passes_on(v)) {
        add_roots(r, LLVMGetOperand(v, 0));
    } else if (LLVMIsAPHINode(v)) {
        for (unsigned i = 0; i < LLVMCountIncoming(v); i++)
            add_roots(r, LLVMGetIncomingValue(v, i));
    } else if (LLVMIsASelectInst(v)) {
        add_roots(r, LLVMGetOperand(v, 1));
        add_roots(r, LLVMGetOperand(v, 2));
    } else if (!has(r->all.at, r->all.n, v)) {
        vec_push(&r->all, v);
    }
    if (r->seen.n > MOST_ROOTS && !has(r->all.at, r->all.n, v))
        vec_push(&r->all, v); /* too many to follow, so this one counts as unknown */
}

static void roots_of(struct roots *r, LLVMValueRef pointer)
{
    *r = (struct roots){0};
    add_roots(r, pointer);
}

static void roots_release(struct roots *r)
{
    vec_release(&r->all);
    vec_release(&r->seen);
}

/* ---- objects ---- */

/* For a CPU, clang turns a __local variable x of the kernel f into an internal global variable "f.x". */
static bool is_local_of_kernel(const struct work *w, LLVMValueRef v)
{
    size_t n;
    if (!LLVMIsAGlobalVariable(v) || LLVMGetLinkage(v) != LLVMInternalLinkage)
        return false;
    const char *name = LLVMGetValueName2(v, &n), *dot = strchr(name, '.');
    char *owner = dot ? xstrndup(name, (size_t)(dot - name)) : 0;
    LLVMValueRef f = owner ? LLVMGetNamedFunction(w->module, owner) : 0;
    free(owner);
    return f && function_is_kernel(w, f);
}

/* OpenCL's address spaces by target (LLVM's usage pages of NVPTX and AMDGPU; SPIR 1.2, 2.2). */
static bool is_private_or_shared(const struct work *w, LLVMValueRef v)
{
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(v));
    if (LLVMIsAAllocaInst(v))
        return true;
    if (w->target == ON_CPU)
        return is_local_of_kernel(w, v);
    return space == 3 || (space == 5 && w->target != ON_SPIR) || (space == 0 && w->target == ON_SPIR);
}

static bool is_constant_space(const struct work *w, LLVMValueRef v)
{
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(v));
    return (LLVMIsAGlobalVariable(v) && LLVMIsGlobalConstant(v)) || (w->target == ON_SPIR && space == 2) ||
           ((w->target == ON_NVPTX || w->target == ON_AMDGPU) && space == 4);
}

static unsigned argument_number(LLVMValueRef function, LLVMValueRef v)
{
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (LLVMGetParam(function, i) == v)
            return i + 1;
    return 0;
}

static bool is_restrict(LLVMValueRef function, LLVMValueRef v)
{
    static const char name[] = "noalias";
    unsigned number = argument_number(function, v);
    return number && LLVMGetEnumAttributeAtIndex(function, number, LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

static char *object_name(LLVMValueRef function, LLVMValueRef v)
{
    size_t n;
    const char *name = LLVMGetValueName2(v, &n);
    unsigned number = argument_number(function, v);
    if (number)
        return n ? xasprintf("argument %u (%s)", number, name) : xasprintf("argument %u", number);
    return LLVMIsAGlobalVariable(v) ? xasprintf("'%s'", name) : xstrdup("an object that is not known");
}

/* May a load from `other` read what is stored to `object`? */
static bool may_alias(const struct work *w, LLVMValueRef function, LLVMValueRef object, LLVMValueRef other)
{
    if (is_private_or_shared(w, other) || is_constant_space(w, other))
        return false;
    if (is_restrict(function, object) || is_restrict(function, other))
        return false;
    return !LLVMIsAGlobalVariable(object) || !LLVMIsAGlobalVariable(other);
}

/* ---- what a function reads ---- */

struct why {
    struct str *text;
    LLVMValueRef function, object;
};

static void add_place(struct str *out, LLVMValueRef i)
{
    char *file;
    unsigned line;
    llvm_instruction_place(i, &file, &line);
    if (file)
        str_addf(out, " (%s:%u)", file, line);
    free(file);
}

static bool refuse(struct why *y, LLVMValueRef at, const char *format, const char *what)
{
    char *name = object_name(y->function, y->object);
    str_addf(y->text, "\n  %s", name);
    str_addf(y->text, format, what);
    add_place(y->text, at);
    free(name);
    return false;
}

/* Is it certain that what is read through `pointer` is not the result? */
static bool reads_other(const struct work *w, struct why *y, LLVMValueRef at, LLVMValueRef pointer)
{
    struct roots r;
    bool fine = true;
    roots_of(&r, pointer);
    for (size_t i = 0; i < r.all.n && fine; i++) {
        LLVMValueRef other = r.all.at[i];
        char *name = object_name(y->function, other);
        if (other == y->object)
            fine = refuse(y, at, " is read too: its values are needed%s", "");
        else if (may_alias(w, y->function, y->object, other))
            fine = refuse(y, at, " may be the memory that is read through %s: declare it restrict", name);
        free(name);
    }
    roots_release(&r);
    return fine;
}

/* LLVM's MemoryEffects: two bits (read 1, write 2) for each kind of memory: arguments, inaccessible, other. */
enum { READS_ARGUMENTS = 1, READS_OTHER = 1 << 4 };

static uint64_t memory_effects(LLVMValueRef call)
{
    static const char name[] = "memory";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind);
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!a && LLVMIsAFunction(callee))
        a = LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind);
    return a ? LLVMGetEnumAttributeValue(a) : UINT64_MAX;
}

/* A function of OpenCL's library without pointers reads no memory of the program: get_global_id, barrier, sqrt. */
static bool is_builtin(const struct work *w, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t n;
    if (!LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee) ||
        !function_is_kernel(w, LLVMGetBasicBlockParent(LLVMGetInstructionParent(call))))
        return false;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetArgOperand(call, i))) == LLVMPointerTypeKind)
            return false;
    return strncmp(LLVMGetValueName2(callee, &n), "_Z", 2) == 0;
}

static bool reads_by_calling(const struct work *w, struct why *y, LLVMValueRef call)
{
    size_t n = 0;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const char *intrinsic = llvm_intrinsic_name(callee, &n);
    if (intrinsic && (strncmp(intrinsic, "llvm.memcpy", 11) == 0 || strncmp(intrinsic, "llvm.memmove", 12) == 0))
        return reads_other(w, y, call, LLVMGetArgOperand(call, 1));
    uint64_t effects = memory_effects(call);
    bool marks = LLVMIsAFunction(callee) && strncmp(LLVMGetValueName2(callee, &n), "shim_region_", 12) == 0;
    if ((intrinsic && strncmp(intrinsic, "llvm.masked", 11) != 0) || marks || !(effects & READS_OTHER) ||
        is_builtin(w, call)) {
        bool fine = true;
        for (unsigned i = 0;
             effects & READS_ARGUMENTS && !intrinsic && !marks && i < LLVMGetNumArgOperands(call) && fine; i++)
            if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetArgOperand(call, i))) == LLVMPointerTypeKind)
                fine = reads_other(w, y, call, LLVMGetArgOperand(call, i));
        return fine;
    }
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &n) : "a function through a pointer";
    return refuse(y, call, " may be read by a call of %s", name);
}

static bool is_invariant(const struct work *w, LLVMValueRef load)
{
    static const char kind[] = "invariant.load";
    return LLVMGetMetadata(load, LLVMGetMDKindIDInContext(w->context, kind, (unsigned)strlen(kind))) != 0;
}

/* Is it certain that nothing in the function reads the object? */
static bool unread(const struct work *w, struct why *y)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(y->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            bool fine = true;
            if (is_marked(i))
                continue;
            bool atomic = LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
            if (atomic || (LLVMIsALoadInst(i) && !is_invariant(w, i)))
                fine = reads_other(w, y, i, LLVMGetOperand(i, 0));
            else if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i))
                fine = reads_by_calling(w, y, i);
            if (!fine)
                return false;
        }
    return true;
}

/* ---- stores ---- */

static bool is_stampable(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) == 32 || LLVMGetIntTypeWidth(type) == 64;
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
        return true;
    case LLVMVectorTypeKind:
        return is_stampable(LLVMGetElementType(type));
    default:
        return false;
    }
}

static bool is_of_its_kind(struct why *y, LLVMValueRef store)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
    char *name = llvm_type_name(type);
    bool fine = true;
    if (LLVMGetVolatile(store) || LLVMGetOrdering(store) != LLVMAtomicOrderingNotAtomic)
        fine = refuse(y, store, " is stored to by a volatile or atomic store%s: such a store is no plain one", "");
    else if (!is_stampable(type))
        fine =
            refuse(y, store,
                   " gets values of type %s: a stamp has 32 or 64 bits, and its store would be of another kind", name);
    free(name);
    return fine;
}

/* Is it among the results that the user names: "2", "fir:2", "out"? */
static bool is_wanted(const struct work *w, LLVMValueRef function, LLVMValueRef object)
{
    if (!w->options->results)
        return true;
    size_t n;
    char *in = function_name(function), *number = xasprintf("%u", argument_number(function, object));
    char *full = xasprintf("%s:%s", in, number), **all = words_of(w->options->results, ",");
    const char *name = LLVMIsAGlobalVariable(object) ? LLVMGetValueName2(object, &n) : "";
    bool found = false;
    for (char **one = all; *one; one++)
        found |= strcmp(*one, full) == 0 || strcmp(*one, number) == 0 || (*name && strcmp(*one, name) == 0);
    words_free(all);
    free(full);
    free(number);
    free(in);
    return found;
}

/* The object that a store writes to. NULL: it is the function's own, or not wanted. *known: whether it can be
 * judged. */
static LLVMValueRef object_of(const struct work *w, LLVMValueRef function, LLVMValueRef store, bool *known)
{
    struct roots r;
    LLVMValueRef object = 0;
    roots_of(&r, LLVMGetOperand(store, 1));
    *known = r.all.n == 1 && (LLVMIsAArgument(r.all.at[0]) || LLVMIsAGlobalVariable(r.all.at[0]));
    for (size_t i = 0; i < r.all.n && !object; i++)
        if (!is_private_or_shared(w, r.all.at[i]))
            object = r.all.at[i];
    roots_release(&r);
    return object && is_wanted(w, function, object) ? object : 0;
}

struct judged {
    LLVMValueRef object;
    bool fine;
};

/* Judges each object once. */
static bool judge(const struct work *w, struct why *y, LLVMValueRef object, struct judged *done, size_t *n_done)
{
    for (size_t i = 0; i < *n_done; i++)
        if (done[i].object == object)
            return done[i].fine;
    y->object = object;
    done[*n_done] = (struct judged){object, unread(w, y)};
    return done[(*n_done)++].fine;
}

static void add_result(struct work *w, struct results *out, LLVMValueRef store)
{
    char *file, *name;
    unsigned line;
    llvm_instruction_place(store, &file, &line);
    const char *slash = file ? strrchr(file, '/') : 0;
    name = file ? xasprintf("result %s:%u", slash ? slash + 1 : file, line) : xstrdup("result");
    vec_push(&out->all, (struct result){store, point_add(w, SIZE_MAX, POINT_RESULT, name, store)});
    free(name);
    free(file);
}

static size_t count_stores(LLVMValueRef function)
{
    size_t n = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            n += LLVMIsAStoreInst(i) != 0;
    return n;
}

enum status results_find(struct work *w, struct results *out, LLVMValueRef function, struct error *e)
{
    struct str reasons = STR_INIT;
    struct why y = {.text = &reasons, .function = function};
    struct judged *done = xcalloc(count_stores(function) + 1, sizeof *done);
    size_t n_done = 0;
    bool fine = true;
    *out = (struct results){0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            bool known;
            LLVMValueRef object = LLVMIsAStoreInst(i) && !is_marked(i) ? object_of(w, function, i, &known) : 0;
            if (!object)
                continue;
            y.object = object;
            bool may = known ? is_of_its_kind(&y, i) && judge(w, &y, object, done, &n_done)
                             : refuse(&y, i, " is stored to: it is not known what else is there%s", "");
            fine &= may;
            if (may)
                add_result(w, out, i);
        }
    free(done);
    char *name = function_name(function);
    enum status s = OK;
    if (!fine)
        s = error_set(
            e, ERR_INPUT, AT_FILE(w->path),
            "the results of '%s' cannot be replaced by stamps:%s\nname those that may be with --results, or use "
            "--mode add",
            name, str_text(&reasons));
    else if (!out->all.n)
        str_addf(&w->notes, "'%s' has no store of a result%s: its stamps are added\n", name,
                 w->options->results ? " of those that --results names" : "");
    if (s)
        vec_release(&out->all);
    free(name);
    str_release(&reasons);
    return s;
}

/* ---- code ---- */

static LLVMValueRef marked(const struct work *w, LLVMValueRef v, unsigned point)
{
    mark_stamp(w, v, point);
    return v;
}

/* Where the result has 32 bits, the stamp is the clock's low bits. */
static LLVMValueRef stamp_as(struct work *w, LLVMValueRef stamp, LLVMTypeRef type, unsigned point)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMVectorTypeKind) {
        unsigned n = LLVMGetVectorSize(type);
        LLVMValueRef one = stamp_as(w, stamp, LLVMGetElementType(type), point), zero = LLVMConstNull(w->half);
        LLVMValueRef none = LLVMGetPoison(type), mask = LLVMConstNull(LLVMVectorType(w->half, n));
        LLVMValueRef first = marked(w, LLVMBuildInsertElement(w->b, none, one, zero, ""), point);
        return marked(w, LLVMBuildShuffleVector(w->b, first, none, mask, ""), point);
    }
    bool narrow = kind == LLVMFloatTypeKind || (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 32);
    if (narrow)
        stamp = marked(w, LLVMBuildTrunc(w->b, stamp, w->half, ""), point);
    return kind == LLVMIntegerTypeKind ? stamp : marked(w, LLVMBuildBitCast(w->b, stamp, type, ""), point);
}

/* On a CPU a select may become a branch, and code that only one side needs would move there, so that the result would
 * not be computed any more. Empty assembly requires it in a register before the select. On GPUs a select stays a
 * select. */
static void keep_computed(struct work *w, LLVMValueRef result, unsigned point)
{
    const struct target *t = target_find(LLVMGetTarget(w->module));
    LLVMTypeRef type = LLVMTypeOf(result);
    char text[] = "r";
    if (w->target != ON_CPU || LLVMIsConstant(result))
        return;
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        text[0] = t->real_constraint;
    if (!text[0])
        return;
    LLVMTypeRef needs = LLVMFunctionType(w->nothing, &type, 1, 0);
    LLVMValueRef code = llvm_inline_asm(needs, "", text);
    mark_stamp(w, LLVMBuildCall2(w->b, needs, code, &result, 1, ""), point);
}

void result_replace(struct work *w, const struct result *r, LLVMValueRef never, LLVMValueRef stamp)
{
    LLVMValueRef result = LLVMGetOperand(r->store, 0);
    LLVMValueRef value = stamp_as(w, stamp, LLVMTypeOf(result), r->point);
    keep_computed(w, result, r->point);
    LLVMValueRef chosen = marked(w, LLVMBuildSelect(w->b, never, result, value, ""), r->point);
    if (LLVMIsAInstruction(chosen))
        mark_guard(w, chosen, r->point);
    LLVMSetOperand(r->store, 0, chosen);
    mark_guard(w, r->store, r->point);
}
