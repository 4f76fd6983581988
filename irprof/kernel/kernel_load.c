/* kernel_load.c - loads kernels as IR for this machine, from OpenCL C or from IR, and prepares them. */
#include <llvm-c/TargetMachine.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/proc.h"
#include "base/str.h"
#include "base/target.h"
#include "irprof/cc/cc.h"
#include "irprof/kernel/builtins.h"
#include "irprof/kernel/opencl_kernels.h"

/* The compiler's first line with "error:"; else its last line. */
static char *complaint(const char *text)
{
    const char *at = strstr(text, "error:");
    if (!at)
        at = text;
    while (at > text && at[-1] != '\n')
        at--;
    return xstrndup(at, strcspn(at, "\n"));
}

/* OpenCL's address spaces stay in the IR (-ffake-address-space-map). They tell which memory is accessed, and do not
 * change the code for this machine. */
static enum status compile(const char *path, const char *level, const char *out, struct error *e)
{
    char *optimisation = xasprintf("-%s", level);
    const char *words[] = {cc_compiler(),
                           "-x",
                           "cl",
                           "-cl-std=CL1.2",
                           "-Xclang",
                           "-finclude-default-header",
                           "-Xclang",
                           "-ffake-address-space-map",
                           "-g",
                           "-fno-discard-value-names",
                           optimisation,
                           "-emit-llvm",
                           "-c",
                           path,
                           "-o",
                           out,
                           0};
    struct proc p = {.argv = words, .capture = true, .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    enum status s = proc_run(&p, &r, e);
    if (!s && (r.signal || r.exit_code)) {
        char *said = complaint(str_text(&r.err));
        s = error_set(e, ERR_INPUT, AT_FILE(path), "does not compile as OpenCL C 1.2: %s", said);
        free(said);
    }
    proc_result_release(&r);
    free(optimisation);
    return s;
}

/* This machine's code generator does not know the calling conventions of kernels (spir_kernel, spir_func). */
static void make_ordinary(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMGetIntrinsicID(f))
            continue;
        LLVMSetFunctionCallConv(f, LLVMCCallConv);
        for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef call = LLVMGetUser(use);
            if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == f)
                LLVMSetInstructionCallConv(call, LLVMCCallConv);
        }
    }
}

static enum status check_target(LLVMModuleRef module, const char *path, struct error *e)
{
    char *own = LLVMGetDefaultTargetTriple();
    const char *triple = LLVMGetTarget(module);
    enum status s = OK;
    if (target_find(own) != target_find(triple))
        s = error_set(e, ERR_INPUT, AT_FILE(path),
                      "is for '%s', and can only be run if it is for this machine: compile it for %s", triple, own);
    LLVMDisposeMessage(own);
    return s;
}

enum status kernel_prepare(LLVMModuleRef module, const char *path, struct error *e)
{
    enum status s = check_target(module, path, e);
    if (!s)
        s = builtins_lower(module, path, e);
    if (!s)
        make_ordinary(module);
    return s;
}

enum status kernel_load(struct llvm_module *m, const char *path, const char *level, struct error *e)
{
    char *folder = 0, *ir = 0;
    enum status s = OK;
    if (text_ends(path, ".cl")) {
        s = temp_directory(&folder, "irprof-kernel", e);
        ir = folder ? path_join(folder, "kernels.bc") : 0;
        if (!s)
            s = compile(path, level, ir, e);
    }
    if (!s)
        s = llvm_load(m, ir ? ir : path, e);
    kernel_drop(folder);
    free(ir);
    if (s)
        return s;
    s = kernel_prepare(m->module, path, e);
    if (s)
        llvm_release(m);
    return s;
}
