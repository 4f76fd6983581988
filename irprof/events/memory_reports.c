/* memory_reports.c - what of memory an instruction reads and writes, for those who record it byte by byte. */
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
    if (!LLVMGetPointerAddressSpace(LLVMTypeOf(address))) /* otherwise it is no address */
        r->add(r->user, what, at, address, LLVMBuildIntCast2(r->b, size, r->size, 0, ""));
}

/* Memory of a variable: whatever was there before, nobody has handed it on. */
void memory_reports_variable(const struct memory_reports *r, LLVMValueRef i)
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

/* Structures that are passed by value: the caller reads them, the function has copies of its own. */
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

/* memcpy, memmove, memset, memcmp: the intrinsic or the function. True: it is one of these. */
bool memory_reports_known(const struct memory_reports *r, LLVMValueRef call)
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

void memory_reports_access(const struct memory_reports *r, LLVMValueRef i)
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
