/* traffic_events.c - reports each access and call with its place in the source, for who hands bytes to whom. */
#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include "irprof/events/events.h"
#include "irprof/module/llvm.h"

struct reporter {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef b;
    LLVMTypeRef pointer, size, number, nothing, place;
    LLVMValueRef read, written, fresh, call, back; /* void (address, size, place) ..., of this module */
    LLVMTypeRef access_type, call_type, back_type;
    struct map numbers;       /* of places, by what they are */
    VEC(LLVMValueRef) places; /* struct irprof_rt_place of runtime/rt_events.h */
};

/* ---- which instructions ---- */

static bool is_one_of(const char *name, size_t n, const char *const *list)
{
    for (; *list; list++)
        if (strlen(*list) == n && memcmp(*list, name, n) == 0)
            return true;
    return false;
}

static bool is_mark(const char *name, size_t n)
{
    static const char *const marks[] = {"shim_region_begin", "shim_region_end", 0};
    return is_one_of(name, n, marks);
}

static bool is_reported_call(LLVMValueRef i)
{
    size_t n;
    LLVMValueRef f = LLVMGetCalledValue(i);
    if (!LLVMIsAFunction(f))
        return !LLVMIsAInlineAsm(f);
    const char *intrinsic = llvm_intrinsic_name(f, &n);
    if (intrinsic)
        return strncmp(intrinsic, "llvm.mem", 8) == 0;
    const char *name = LLVMGetValueName2(f, &n);
    return !is_mark(name, n);
}

static bool is_reported(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMAlloca:
        return true;
    case LLVMCall:
        return is_reported_call(i);
    default:
        return false;
    }
}

void traffic_plan(struct plan *plan)
{
    for (size_t k = 0; k < plan->functions.n; k++) {
        const struct plan_function *f = &plan->functions.at[k];
        if (f->not_counted)
            continue;
        vec_push(&plan->traffic, f->function); /* what it is called with */
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->function); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (is_reported(i))
                    vec_push(&plan->traffic, i);
    }
}

/* ---- calls of the runtime ---- */

/* RESULT NAME(PARAMETERS) { return RUNTIME ? RUNTIME(PARAMETERS) : 0; }: a shared library that finds no runtime in the
 * program works all the same. */
static LLVMValueRef add_caller(struct reporter *r, const char *name, const char *runtime, LLVMTypeRef type)
{
    LLVMValueRef callee = LLVMAddFunction(r->module, runtime, type), f = LLVMAddFunction(r->module, name, type), a[3];
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(r->context, f, ""),
                      call = LLVMAppendBasicBlockInContext(r->context, f, ""),
                      none = LLVMAppendBasicBlockInContext(r->context, f, "");
    LLVMTypeRef result = LLVMGetReturnType(type);
    bool value = result != r->nothing;
    LLVMSetLinkage(callee, LLVMExternalWeakLinkage);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMGetParams(f, a);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(r->context);
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, callee, LLVMConstNull(r->pointer), ""), call, none);
    LLVMPositionBuilderAtEnd(b, call);
    LLVMValueRef got = LLVMBuildCall2(b, type, callee, a, LLVMCountParams(f), "");
    if (value)
        LLVMBuildRet(b, got);
    else
        LLVMBuildRetVoid(b);
    LLVMPositionBuilderAtEnd(b, none);
    if (value)
        LLVMBuildRet(b, LLVMConstNull(result));
    else
        LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return f;
}

static void begin(struct reporter *r, LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    *r = (struct reporter){.module = module, .context = context, .b = LLVMCreateBuilderInContext(context)};
    r->pointer = LLVMPointerTypeInContext(context, 0);
    r->number = LLVMInt32TypeInContext(context);
    r->nothing = LLVMVoidTypeInContext(context);
    r->size = LLVMIntPtrTypeInContext(context, LLVMGetModuleDataLayout(module));
    LLVMTypeRef members[] = {r->pointer, r->pointer, r->number, r->number, r->number};
    r->place = LLVMStructTypeInContext(context, members, 5, 0);
    LLVMTypeRef access[] = {r->pointer, r->size, r->pointer};
    r->access_type = LLVMFunctionType(r->nothing, access, 3, 0);
    r->call_type = LLVMFunctionType(r->number, &r->pointer, 1, 0);
    r->back_type = LLVMFunctionType(r->nothing, &r->number, 1, 0);
    r->read = add_caller(r, "__irprof_traffic_read", "irprof_rt_traffic_read", r->access_type);
    r->written = add_caller(r, "__irprof_traffic_written", "irprof_rt_traffic_written", r->access_type);
    r->fresh = add_caller(r, "__irprof_traffic_fresh", "irprof_rt_traffic_fresh", r->access_type);
    r->call = add_caller(r, "__irprof_traffic_call", "irprof_rt_traffic_call", r->call_type);
    r->back = add_caller(r, "__irprof_traffic_back", "irprof_rt_traffic_back", r->back_type);
}

/* ---- places ---- */

static LLVMValueRef text_constant(struct reporter *r, const char *text)
{
    LLVMValueRef bytes = llvm_constant_bytes(r->context, text, strlen(text) + 1),
                 g = LLVMAddGlobal(r->module, LLVMTypeOf(bytes), "__irprof_file");
    LLVMSetInitializer(g, bytes);
    LLVMSetLinkage(g, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(g, 1);
    return g;
}

/* parent: 1 + number of the place that this code was inlined into; 0: none. The same of the result. */
static size_t place_number(struct reporter *r, const char *file, unsigned line, size_t parent)
{
    char *key = xasprintf("%s:%u:%zu", file ? file : "", line, parent);
    size_t n = map_number(&r->numbers, key);
    free(key);
    if (n < r->places.n)
        return n + 1;
    LLVMValueRef fields[] = {text_constant(r, file ? file : ""),
                             parent ? r->places.at[parent - 1] : LLVMConstNull(r->pointer),
                             LLVMConstInt(r->number, line, 0), LLVMConstNull(r->number), LLVMConstNull(r->number)};
    LLVMValueRef g = LLVMAddGlobal(r->module, r->place, "__irprof_place");
    LLVMSetInitializer(g, LLVMConstStructInContext(r->context, fields, 5, 0));
    LLVMSetLinkage(g, LLVMInternalLinkage);
    vec_push(&r->places, g);
    return n + 1;
}

static size_t place_of_location(struct reporter *r, LLVMMetadataRef at)
{
    LLVMMetadataRef outer = LLVMDILocationGetInlinedAt(at);
    LLVMMetadataRef source = LLVMDIScopeGetFile(LLVMDILocationGetScope(at));
    size_t parent = outer ? place_of_location(r, outer) : 0;
    char *file = source ? llvm_file_name(source) : 0;
    size_t place = place_number(r, file, LLVMDILocationGetLine(at), parent);
    free(file);
    return place;
}

static LLVMValueRef place_of_function(struct reporter *r, LLVMValueRef function)
{
    char *file;
    unsigned line;
    llvm_function_place(function, &file, &line);
    size_t place = place_number(r, file, line, 0);
    free(file);
    return r->places.at[place - 1];
}

static LLVMValueRef place_of(struct reporter *r, LLVMValueRef i)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i);
    if (!at)
        return place_of_function(r, LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)));
    size_t place = place_of_location(r, at);
    return r->places.at[place - 1];
}

/* ---- what is reported ---- */

static uint64_t bytes_of(const struct reporter *r, LLVMTypeRef type)
{
    return LLVMABISizeOfType(LLVMGetModuleDataLayout(r->module), type);
}

static LLVMValueRef size_of(const struct reporter *r, LLVMTypeRef type)
{
    return LLVMConstInt(r->size, LLVMStoreSizeOfType(LLVMGetModuleDataLayout(r->module), type), 0);
}

static void report(struct reporter *r, LLVMValueRef what, LLVMValueRef address, LLVMValueRef size, LLVMValueRef place)
{
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(address)))
        return; /* no address */
    LLVMValueRef a[] = {address, LLVMBuildIntCast2(r->b, size, r->size, 0, ""), place};
    LLVMBuildCall2(r->b, r->access_type, what, a, 3, "");
}

/* Memory of a variable: whatever was there before, nobody has handed it on. */
static void report_variable(struct reporter *r, LLVMValueRef i)
{
    LLVMValueRef after = LLVMGetNextInstruction(i);
    LLVMTypeRef type = LLVMGetAllocatedType(i);
    if (!LLVMIsAConstantInt(LLVMGetOperand(i, 0)) || LLVMGetTypeKind(type) == LLVMScalableVectorTypeKind)
        return;
    while (LLVMIsAAllocaInst(after))
        after = LLVMGetNextInstruction(after);
    LLVMPositionBuilderBefore(r->b, after);
    LLVMSetCurrentDebugLocation2(r->b, LLVMInstructionGetDebugLoc(after));
    uint64_t bytes = bytes_of(r, type) * LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0));
    report(r, r->fresh, i, LLVMConstInt(r->size, bytes, 0), place_of(r, after));
}

static LLVMTypeRef copied_type(LLVMAttributeRef a)
{
    return a && LLVMIsTypeAttribute(a) ? LLVMGetTypeAttributeValue(a) : 0;
}

static unsigned byval_kind(void)
{
    return LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
}

/* Structures that are passed by value: the caller reads them, the function has copies of its own. */
static void report_copies(struct reporter *r, LLVMValueRef call)
{
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
        LLVMTypeRef type = copied_type(LLVMGetCallSiteEnumAttribute(call, k + 1, byval_kind()));
        if (type)
            report(r, r->read, LLVMGetArgOperand(call, k), size_of(r, type), place_of(r, call));
    }
}

static void report_parameters(struct reporter *r, LLVMValueRef function)
{
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    while (LLVMIsAAllocaInst(first))
        first = LLVMGetNextInstruction(first);
    LLVMPositionBuilderBefore(r->b, first);
    LLVMSetCurrentDebugLocation2(r->b, LLVMInstructionGetDebugLoc(first));
    for (unsigned k = 0; k < LLVMCountParams(function); k++) {
        LLVMTypeRef type = copied_type(LLVMGetEnumAttributeAtIndex(function, k + 1, byval_kind()));
        if (type)
            report(r, r->fresh, LLVMGetParam(function, k), size_of(r, type), place_of_function(r, function));
    }
}

/* memcpy, memmove, memset, memcmp: the intrinsic or the function. True: it is one of these. */
static bool report_known(struct reporter *r, LLVMValueRef call)
{
    static const char *const copies[] = {"llvm.memcpy", "llvm.memcpy.inline", "llvm.memmove",  "memcpy",
                                         "memmove",     "__memcpy_chk",       "__memmove_chk", 0};
    static const char *const sets[] = {"llvm.memset", "llvm.memset.inline", "memset", "__memset_chk", 0};
    static const char *const compares[] = {"memcmp", "bcmp", 0};
    size_t n;
    LLVMValueRef f = LLVMGetCalledValue(call);
    const char *name = LLVMIsAFunction(f) ? llvm_intrinsic_name(f, &n) : 0;
    if (!name && LLVMIsAFunction(f) && LLVMIsDeclaration(f))
        name = LLVMGetValueName2(f, &n);
    bool copy = name && is_one_of(name, n, copies), set = name && is_one_of(name, n, sets),
         compare = name && is_one_of(name, n, compares);
    if (!copy && !set && !compare)
        return false;
    LLVMValueRef place = place_of(r, call), size = LLVMGetArgOperand(call, 2);
    if (!set)
        report(r, r->read, LLVMGetArgOperand(call, 1), size, place);
    report(r, compare ? r->read : r->written, LLVMGetArgOperand(call, 0), size, place);
    return true;
}

/* What the called function does is done by this place too. */
static void report_call(struct reporter *r, LLVMValueRef call)
{
    if (report_known(r, call))
        return;
    LLVMValueRef f = LLVMGetCalledValue(call), place = place_of(r, call);
    report_copies(r, call);
    if (llvm_is_musttail(call) || (LLVMIsAFunction(f) && LLVMGetIntrinsicID(f)))
        return;
    LLVMValueRef before = LLVMBuildCall2(r->b, r->call_type, r->call, &place, 1, "");
    LLVMPositionBuilderBefore(r->b, LLVMGetNextInstruction(call));
    LLVMBuildCall2(r->b, r->back_type, r->back, &before, 1, "");
}

static void report_access(struct reporter *r, LLVMValueRef i)
{
    bool load = LLVMIsALoadInst(i), store = LLVMIsAStoreInst(i);
    LLVMTypeRef type = load ? LLVMTypeOf(i) : LLVMTypeOf(LLVMGetOperand(i, store ? 0 : 1));
    LLVMValueRef address = LLVMGetOperand(i, store ? 1 : 0), place = place_of(r, i);
    if (LLVMGetTypeKind(type) == LLVMScalableVectorTypeKind)
        return;
    if (!store)
        report(r, r->read, address, size_of(r, type), place);
    if (!load)
        report(r, r->written, address, size_of(r, type), place);
}

void traffic_insert(const struct plan *plan, const struct place_target *t)
{
    struct reporter r;
    if (!plan->traffic.n)
        return;
    begin(&r, t->module);
    for (size_t k = 0; k < plan->traffic.n; k++) {
        LLVMValueRef i = plan->traffic.at[k];
        if (LLVMIsAFunction(i)) {
            report_parameters(&r, i);
            continue;
        }
        LLVMPositionBuilderBefore(r.b, i);
        LLVMSetCurrentDebugLocation2(r.b, LLVMInstructionGetDebugLoc(i));
        if (LLVMIsAAllocaInst(i))
            report_variable(&r, i);
        else if (LLVMIsACallInst(i))
            report_call(&r, i);
        else
            report_access(&r, i);
    }
    LLVMDisposeBuilder(r.b);
    map_release(&r.numbers);
    vec_release(&r.places);
}
