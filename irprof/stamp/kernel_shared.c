/*
 * kernel_shared.c - where a kernel's stamps are in shared memory. Normally their size is given at the launch, and they
 * stand after the kernel's own memory. An array of the module would move the kernel's own memory, and so change its
 * code. An array is used only if the kernel itself has memory of launch size, which would overlap, or if the user asks
 * for it.
 */
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#include "irprof/stamp/kernel.h"

/* Shared memory of a work-group in bytes: NVIDIA, CUDA C++ Programming Guide, "Compute Capabilities" (without opt-in
 * for more); LLVM, "User Guide for AMDGPU Backend", local memory. */
enum { SHARED_NVPTX = 49152, SHARED_AMDGPU = 65536, SHARED_SPACE = 3 };

/* All kernels share the name: PTX allows no dots in names, and LLVM renames nothing that other modules may see. */
static const char by_launch[] = "irprof_stamp_shared";

static bool is_shared(LLVMValueRef g)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == SHARED_SPACE;
}

static bool uses(LLVMValueRef v, LLVMValueRef global, unsigned depth)
{
    if (v == global)
        return true;
    if (!LLVMIsAConstantExpr(v) || depth > 8)
        return false;
    for (int i = 0; i < LLVMGetNumOperands(v); i++)
        if (uses(LLVMGetOperand(v, (unsigned)i), global, depth + 1))
            return true;
    return false;
}

/* Is the variable used in the kernel, or in a function that is no kernel and that the kernel may call? */
static bool needs(const struct kernel *k, LLVMValueRef global)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(k->w->module); f; f = LLVMGetNextFunction(f)) {
        if (f != k->function && function_is_kernel(k->w, f))
            continue;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                for (int o = 0; o < LLVMGetNumOperands(i); o++)
                    if (uses(LLVMGetOperand(i, (unsigned)o), global, 0))
                        return true;
    }
    return false;
}

static uint64_t shared_bytes(const struct kernel *k)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(k->w->module);
    uint64_t sum = 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(k->w->module); g; g = LLVMGetNextGlobal(g))
        if (is_shared(g) && needs(k, g))
            sum += (LLVMABISizeOfType(layout, LLVMGlobalGetValueType(g)) + 15) / 16 * 16;
    return sum;
}

/* Does the kernel have memory of launch size: an array without a size, or an argument? Both targets place it after the
 * module's arrays. */
static bool has_of_launch(const struct kernel *k)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(k->w->module);
    for (unsigned i = 0; i < LLVMCountParams(k->function); i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(k->function, i));
        if (LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) == SHARED_SPACE)
            return true;
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(k->w->module); g; g = LLVMGetNextGlobal(g))
        if (is_shared(g) && !LLVMABISizeOfType(layout, LLVMGlobalGetValueType(g)) && needs(k, g))
            return true;
    return false;
}

static LLVMValueRef array_of_module(const struct kernel *k, const char *name)
{
    LLVMTypeRef type = LLVMArrayType2(k->w->half, (uint64_t)k->items * (k->room + 1));
    char *global = xasprintf("%s.%s", by_launch, name);
    LLVMValueRef array = LLVMAddGlobalInAddressSpace(k->w->module, type, global, SHARED_SPACE);
    LLVMSetInitializer(array, LLVMGetPoison(type));
    LLVMSetLinkage(array, LLVMInternalLinkage);
    LLVMSetAlignment(array, 4);
    free(global);
    return array;
}

static LLVMValueRef array_of_launch(const struct kernel *k)
{
    LLVMValueRef array = LLVMGetNamedGlobal(k->w->module, by_launch);
    if (array)
        return array;
    array = LLVMAddGlobalInAddressSpace(k->w->module, LLVMArrayType2(k->w->half, 0), by_launch, SHARED_SPACE);
    LLVMSetLinkage(array, LLVMExternalLinkage);
    LLVMSetAlignment(array, 4);
    return array;
}

enum status kernel_shared(struct kernel *k, const char *name, struct error *e)
{
    struct work *w = k->w;
    uint64_t limit = w->options->shared      ? (uint64_t)w->options->shared
                     : w->target == ON_NVPTX ? SHARED_NVPTX
                                             : SHARED_AMDGPU;
    uint64_t have = shared_bytes(k), need = (uint64_t)k->items * (k->room + 1) * 4;
    if (have + need > limit)
        return error_set(
            e, ERR_INPUT, AT_FILE(w->path),
            "no room in shared memory for the stamps of '%s': %u work-items x (%u + 1) stamps x 4 bytes = %llu "
            "bytes; it uses %llu of %llu itself. Take fewer with --room, or a smaller --group",
            name, k->items, k->room, (unsigned long long)need, (unsigned long long)have, (unsigned long long)limit);
    if (w->options->shared_in_module || has_of_launch(k)) {
        k->memory = array_of_module(k, name);
        if (!w->options->shared_in_module)
            str_addf(&w->notes,
                     "%s: has shared memory whose size the launch gives: the stamps are in an array of %llu bytes "
                     "before it, which may move the kernel's own\n",
                     name, (unsigned long long)need);
        return OK;
    }
    k->memory = array_of_launch(k);
    str_addf(&w->notes, "%s: launch it with %llu bytes of shared memory, for its stamps; %llu of %llu are its own\n",
             name, (unsigned long long)need, (unsigned long long)have, (unsigned long long)limit);
    return OK;
}
