/* kernel_ids.c - inserts code that finds the work-item's number, by each target's means. */
#include <stdio.h>
#include <string.h>

#include "irprof/stamp/kernel.h"

static LLVMValueRef add(const struct kernel *k, LLVMValueRef a, LLVMValueRef b)
{
    return kernel_marked(k, LLVMBuildAdd(k->w->b, a, b, ""));
}

static LLVMValueRef times(const struct kernel *k, LLVMValueRef a, LLVMValueRef b)
{
    return kernel_marked(k, LLVMBuildMul(k->w->b, a, b, ""));
}

/* x + sizes[0] * (y + sizes[1] * z) */
static LLVMValueRef linear(const struct kernel *k, LLVMValueRef ids[3], LLVMValueRef sizes[2])
{
    LLVMValueRef z = times(k, ids[2], sizes[1]);
    LLVMValueRef y = times(k, add(k, ids[1], z), sizes[0]);
    return add(k, ids[0], y);
}

static LLVMValueRef special(const struct kernel *k, const char *format, unsigned d)
{
    char name[64];
    snprintf(name, sizeof name, format, "xyz"[d]);
    return call_intrinsic(k->w, name, 0, 0, k->point);
}

/* AMDGPU, code object version 5: the implicit arguments begin with the numbers of work-groups, 32 bits each (LLVM,
 * "User Guide for AMDGPU Backend", implicit kernel arguments). */
static LLVMValueRef amd_groups(const struct kernel *k, unsigned d)
{
    struct work *w = k->w;
    LLVMValueRef at = call_intrinsic(w, "llvm.amdgcn.implicitarg.ptr", 0, 0, k->point);
    LLVMValueRef index = LLVMConstInt(w->half, d, 0);
    at = kernel_marked(k, LLVMBuildInBoundsGEP2(w->b, w->half, at, &index, 1, ""));
    return kernel_marked(k, LLVMBuildLoad2(w->b, w->half, at, ""));
}

/* Removes attributes by which the back end would leave out what is needed now. */
static void need_ids(const struct kernel *k)
{
    static const char *const attributes[] = {
        "amdgpu-no-workitem-id-x",  "amdgpu-no-workitem-id-y",  "amdgpu-no-workitem-id-z",  "amdgpu-no-workgroup-id-x",
        "amdgpu-no-workgroup-id-y", "amdgpu-no-workgroup-id-z", "amdgpu-no-implicitarg-ptr"};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        LLVMRemoveStringAttributeAtIndex(k->function, LLVMAttributeFunctionIndex, attributes[i],
                                         (unsigned)strlen(attributes[i]));
}

static LLVMValueRef call_get(const struct kernel *k, const char *mangled, unsigned d)
{
    struct work *w = k->w;
    LLVMValueRef f = LLVMGetNamedFunction(w->module, mangled), dimension = LLVMConstInt(w->half, d, 0);
    if (!f) {
        f = LLVMAddFunction(w->module, mangled, LLVMFunctionType(w->word, &w->half, 1, 0));
        LLVMSetFunctionCallConv(f, w->target == ON_SPIR ? 75 : 0); /* spir_func */
        llvm_function_add(f, "nounwind");
    }
    LLVMValueRef call = LLVMBuildCall2(w->b, LLVMGlobalGetValueType(f), f, &dimension, 1, "");
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(f));
    kernel_marked(k, call);
    return LLVMTypeOf(call) == w->half ? call : kernel_marked(k, LLVMBuildTrunc(w->b, call, w->half, ""));
}

/* Calls OpenCL's own functions. */
static LLVMValueRef by_library(const struct kernel *k)
{
    LLVMValueRef ids[3], sizes[2];
    for (unsigned d = 0; d < 3; d++)
        ids[d] = call_get(k, "_Z13get_global_idj", d);
    for (unsigned d = 0; d < 2; d++)
        sizes[d] = call_get(k, "_Z15get_global_sizej", d);
    return linear(k, ids, sizes);
}

LLVMValueRef kernel_ids(struct kernel *k, LLVMValueRef *local)
{
    bool nvidia = k->w->target == ON_NVPTX, writes = k->w->options->mode == STAMP_ADD;
    LLVMValueRef items[3], groups[3], sizes[2], counts[2];
    if (!local)
        return writes ? by_library(k) : 0;
    need_ids(k);
    for (unsigned d = 0; d < 3; d++)
        items[d] = special(k, nvidia ? "llvm.nvvm.read.ptx.sreg.tid.%c" : "llvm.amdgcn.workitem.id.%c", d);
    for (unsigned d = 0; d < 2; d++)
        sizes[d] = LLVMConstInt(k->w->half, k->group[d], 0);
    *local = linear(k, items, sizes);
    if (!writes)
        return 0;
    for (unsigned d = 0; d < 3; d++)
        groups[d] = special(k, nvidia ? "llvm.nvvm.read.ptx.sreg.ctaid.%c" : "llvm.amdgcn.workgroup.id.%c", d);
    for (unsigned d = 0; d < 2; d++)
        counts[d] = nvidia ? special(k, "llvm.nvvm.read.ptx.sreg.nctaid.%c", d) : amd_groups(k, d);
    return add(k, times(k, linear(k, groups, counts), LLVMConstInt(k->w->half, k->items, 0)), *local);
}
