/* target.c - the LLVM target machine that microbenchmarks are compiled for. */
#include "samples/micro/target.h"

#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <string.h>

#include "base/target.h"
#include "irprof/module/llvm.h"

/* Uses an addition of doubles, and an atomic one of 64 bits. */
static const char trial[] =
    "define double @sum(double %a, double %b) {\n  %s = fadd double %a, %b\n  ret double %s\n}\n"
    "define i64 @atomic(ptr %p, i64 %n) {\n  %s = atomicrmw add ptr %p, i64 %n seq_cst, align 8\n"
    "  ret i64 %s\n}\n";

enum status target_machine(LLVMTargetMachineRef *out, const struct micro_set *set, struct error *e)
{
    LLVMTargetRef target;
    char *message = NULL;
    const char *features = *set->cpu ? set->features : target_find(set->triple)->features;
    llvm_know_targets();
    if (LLVMGetTargetFromTriple(set->triple, &target, &message)) {
        enum status s = error_set(e, ERR_UNSUPPORTED, NOWHERE, "%s", message);
        LLVMDisposeMessage(message);
        return s;
    }
    *out = LLVMCreateTargetMachine(target, set->triple, set->cpu, features, LLVMCodeGenLevelDefault, LLVMRelocPIC,
                                   LLVMCodeModelDefault);
    return *out ? OK : error_set(e, ERR_UNSUPPORTED, NOWHERE, "LLVM cannot make code for '%s'", set->triple);
}

static bool any_of(const char *text, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strstr(text, words[i]))
            return true;
    return false;
}

enum status target_facts(struct micro_set *set, LLVMTargetMachineRef machine, struct error *e)
{
    static const char *const sums[] = {"__aeabi_dadd", "__adddf3"}, *const atomics[] = {"__atomic_fetch_add_8",
                                                                                        "__sync_fetch_and_add_8"};
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = NULL;
    LLVMMemoryBufferRef code = NULL;
    char *message = NULL;
    LLVMMemoryBufferRef text = LLVMCreateMemoryBufferWithMemoryRangeCopy(trial, sizeof trial - 1, "trial");
    if (LLVMParseIRInContext(context, text, &module, &message) ||
        LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMAssemblyFile, &message, &code)) {
        enum status s = error_set(e, ERR_UNSUPPORTED, NOWHERE, "LLVM makes no code for '%s': %s", set->triple, message);
        LLVMDisposeMessage(message);
        LLVMDisposeModule(module);
        LLVMContextDispose(context);
        return s;
    }
    const char *assembly = LLVMGetBufferStart(code);
    set->soft_doubles = any_of(assembly, sums, sizeof sums / sizeof *sums);
    set->wide_atomics = !any_of(assembly, atomics, sizeof atomics / sizeof *atomics);
    LLVMDisposeMemoryBuffer(code);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return OK;
}
