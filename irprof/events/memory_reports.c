/* memory_reports.c - inserts a call of a runtime for each memory access, for traffic and footprint, which record every
 * byte. */
#include "irprof/events/memory_reports.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include "base/alloc.h"
#include "base/str.h"
#include "irprof/module/llvm.h"

static bool is_one_of(const char *name, size_t n, const char *const *list)
{
    for (; *list; list++)
        if (strlen(*list) == n && memcmp(*list, name, n) == 0)
            return true;
    return false;
}

static uint64_t bytes_of(const struct memory_reports *r, LLVMTypeRef type)
{
    return LLVMABISizeOfType(LLVMGetModuleDataLayout(r->module), type);
}

static LLVMValueRef size_of(const struct memory_reports *r, LLVMTypeRef type)
{
    return LLVMConstInt(r->size, LLVMStoreSizeOfType(LLVMGetModuleDataLayout(r->module), type), 0);
}

static void report(const struct memory_reports *r, enum memory_report what, LLVMValueRef at, LLVMValueRef address,
                   LLVMValueRef size)
{
    if (!LLVMGetPointerAddressSpace(LLVMTypeOf(address))) /* in another address space it is not an address */
        r->add(r->user, what, at, address, LLVMBuildIntCast2(r->b, size, r->size, 0, ""));
}

/* A variable's memory starts without data: earlier contents are not handed on. Moves the builder. */
static void report_variable(const struct memory_reports *r, LLVMValueRef i)
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
    report(r, REPORT_FRESH, after, i, LLVMConstInt(r->size, bytes, 0));
}

static LLVMTypeRef copied_type(LLVMAttributeRef a)
{
    return a && LLVMIsTypeAttribute(a) ? LLVMGetTypeAttributeValue(a) : 0;
}

static unsigned byval_kind(void)
{
    return LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
}

/* Structures passed by value: the caller reads them, and the function has copies of its own. */
void memory_reports_copies(const struct memory_reports *r, LLVMValueRef call)
{
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
        LLVMTypeRef type = copied_type(LLVMGetCallSiteEnumAttribute(call, k + 1, byval_kind()));
        if (type)
            report(r, REPORT_READ, call, LLVMGetArgOperand(call, k), size_of(r, type));
    }
}

void memory_reports_parameters(const struct memory_reports *r, LLVMValueRef function)
{
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    while (LLVMIsAAllocaInst(first))
        first = LLVMGetNextInstruction(first);
    LLVMPositionBuilderBefore(r->b, first);
    LLVMSetCurrentDebugLocation2(r->b, LLVMInstructionGetDebugLoc(first));
    for (unsigned k = 0; k < LLVMCountParams(function); k++) {
        LLVMTypeRef type = copied_type(LLVMGetEnumAttributeAtIndex(function, k + 1, byval_kind()));
        if (type)
            report(r, REPORT_FRESH, function, LLVMGetParam(function, k), size_of(r, type));
    }
}

/* Reports memcpy, memmove, memset and memcmp, as intrinsics or functions. Returns true if the call is one of them. */
static bool report_known(const struct memory_reports *r, LLVMValueRef call)
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
    LLVMValueRef size = LLVMGetArgOperand(call, 2);
    if (!set)
        report(r, REPORT_READ, call, LLVMGetArgOperand(call, 1), size);
    report(r, compare ? REPORT_READ : REPORT_WRITTEN, call, LLVMGetArgOperand(call, 0), size);
    return true;
}

bool memory_reports_call(const struct memory_reports *r, LLVMValueRef call)
{
    LLVMValueRef f = LLVMGetCalledValue(call);
    if (report_known(r, call))
        return false;
    memory_reports_copies(r, call);
    return !llvm_is_musttail(call) && !(LLVMIsAFunction(f) && LLVMGetIntrinsicID(f));
}

/* Reports a load, a store or an atomic operation. */
static void report_access(const struct memory_reports *r, LLVMValueRef i)
{
    bool load = LLVMIsALoadInst(i), store = LLVMIsAStoreInst(i);
    LLVMTypeRef type = load ? LLVMTypeOf(i) : LLVMTypeOf(LLVMGetOperand(i, store ? 0 : 1));
    LLVMValueRef address = LLVMGetOperand(i, store ? 1 : 0);
    if (LLVMGetTypeKind(type) == LLVMScalableVectorTypeKind)
        return;
    if (!store)
        report(r, REPORT_READ, i, address, size_of(r, type));
    if (!load)
        report(r, REPORT_WRITTEN, i, address, size_of(r, type));
}

bool memory_reports_insert(const struct memory_reports *r, LLVMValueRef i)
{
    LLVMPositionBuilderBefore(r->b, i);
    LLVMSetCurrentDebugLocation2(r->b, LLVMInstructionGetDebugLoc(i));
    if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i))
        return false;
    if (LLVMIsAAllocaInst(i))
        report_variable(r, i);
    else
        report_access(r, i);
    return true;
}

static bool is_reported(LLVMValueRef i, bool (*is_reported_call)(LLVMValueRef call))
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMAlloca:
        return true;
    case LLVMCall:
    case LLVMInvoke:
        return is_reported_call(i);
    default:
        return false;
    }
}

void memory_reports_plan(const struct plan *plan, bool (*is_reported_call)(LLVMValueRef call),
                         struct plan_reported *sites)
{
    for (size_t k = 0; k < plan->functions.n; k++) {
        const struct plan_function *f = &plan->functions.at[k];
        if (f->not_counted)
            continue;
        vec_push(sites, f->function);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->function); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (is_reported(i, is_reported_call))
                    vec_push(sites, i);
    }
}

/* ---- calls to the runtime ---- */

void memory_reports_begin(struct memory_reports *r, LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    *r = (struct memory_reports){.module = module, .context = context, .b = LLVMCreateBuilderInContext(context)};
    r->pointer = LLVMPointerTypeInContext(context, 0);
    r->number = LLVMInt32TypeInContext(context);
    r->nothing = LLVMVoidTypeInContext(context);
    r->size = LLVMIntPtrTypeInContext(context, LLVMGetModuleDataLayout(module));
}

void memory_reports_end(struct memory_reports *r)
{
    LLVMDisposeBuilder(r->b);
    r->b = 0;
}

LLVMValueRef memory_reports_runtime(LLVMModuleRef module, const char *name, LLVMTypeRef type)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    char *runtime = xasprintf("irprof_rt_%s", name + strlen("__irprof_"));
    LLVMValueRef callee = LLVMAddFunction(module, runtime, type), f = LLVMAddFunction(module, name, type), a[3];
    free(runtime);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(context, f, ""),
                      call = LLVMAppendBasicBlockInContext(context, f, ""),
                      none = LLVMAppendBasicBlockInContext(context, f, "");
    LLVMTypeRef result = LLVMGetReturnType(type);
    bool value = LLVMGetTypeKind(result) != LLVMVoidTypeKind;
    LLVMSetLinkage(callee, LLVMExternalWeakLinkage);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMGetParams(f, a);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, callee, LLVMConstNull(LLVMTypeOf(callee)), ""), call, none);
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
