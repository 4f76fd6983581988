/*
 * access_order.c - asks LLVM's alias analysis which writes each access may depend on. The C API cannot answer that. A
 * pass prints the answers to standard error, and may end the process, so it runs in a child process on the child's copy
 * of the module.
 */
#include <errno.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "irprof/access/access.h"
#include "irprof/module/child.h"

static void unname(LLVMValueRef v)
{
    LLVMSetValueName2(v, "", 0);
}

/* Values get no names, so they are printed as numbers and cannot be confused. Blocks get names, since LLVM numbers the
 * whole function each time it mentions a block without one. */
static void rename_values(LLVMValueRef function)
{
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        unname(LLVMGetParam(function, i));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMSetValueName2(LLVMBasicBlockAsValue(b), "b", 1);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            unname(i);
    }
}

/* Limit on the accesses of a function that was compiled at -O0, where each variable is in memory. For more accesses,
 * LLVM's answer takes several times as long as compiling the function. */
enum { MOST_AT_O0 = 4000 };

static bool is_too_large(LLVMValueRef f)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("optnone", 7);
    size_t n = 0;
    if (!LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind))
        return false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            n += LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
            if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMTokenTypeKind)
                return false; /* no value stands for it */
        }
    return n > MOST_AT_O0;
}

/* Removes the blocks of a function, so that it is not printed. */
static void empty_function(LLVMValueRef f)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i; (i = LLVMGetLastInstruction(b)) != 0; LLVMInstructionEraseFromParent(i))
            if (LLVMGetFirstUse(i))
                LLVMReplaceAllUsesWith(i, LLVMGetPoison(LLVMTypeOf(i)));
    for (LLVMBasicBlockRef b; (b = LLVMGetFirstBasicBlock(f)) != 0;)
        LLVMDeleteBasicBlock(b);
}

static void rename_functions(LLVMModuleRef module)
{
    char name[48];
    size_t number = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        snprintf(name, sizeof name, ACCESS_FUNCTION, number++);
        LLVMSetValueName2(f, name, strlen(name));
        if (is_too_large(f)) {
            empty_function(f);
        } else {
            rename_values(f);
            /* LLVM 17 prints nothing about functions that are not to be optimised */
            LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                           LLVMGetEnumAttributeKindForName("optnone", strlen("optnone")));
        }
    }
}

static _Noreturn void print_orders(void *data)
{
    LLVMModuleRef module = data;
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMStripModuleDebugInfo(module);
    rename_functions(module);
    _exit(LLVMRunPasses(module, "function(print<memoryssa-walker>)", 0, options) ? 1 : 0);
}

/* Is any function left to be asked about? If not, the child, which copies the module's memory while it changes it,
 * would do so for nothing. */
static bool is_any_asked(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !is_too_large(f))
            return true;
    return false;
}

void access_orders(struct access_functions *out, LLVMModuleRef module)
{
    if (!is_any_asked(module))
        return;
    struct error e = ERROR_INIT;
    struct str text = STR_INIT;
    /* in memory: LLVM writes each word by itself, which is slow on a disk */
    int fd = memfd_create("orders", MFD_CLOEXEC);
    FILE *printed = fd < 0 ? 0 : fdopen(fd, "w+b");
    char *path = printed ? xasprintf("/proc/self/fd/%d", fileno(printed)) : 0;
    int ended = 0;
    bool done = printed && !child_run(print_orders, module, printed, &ended, &e) && WIFEXITED(ended) &&
                WEXITSTATUS(ended) == 0 && !file_read(&text, path, FILE_LIMIT, &e);
    if (done)
        access_parse(out, str_text(&text));
    if (printed)
        fclose(printed);
    free(path);
    str_release(&text);
}
