/* target.c - the LLVM target machine that microbenchmarks are compiled for. */
#include "samples/micro/target.h"

#include <llvm-c/Core.h>

#include "irprof/module/llvm.h"

enum status target_machine(LLVMTargetMachineRef *out, const struct micro_set *set, struct error *e)
{
    LLVMTargetRef target;
    char *message = NULL;
    llvm_know_targets();
    if (LLVMGetTargetFromTriple(set->triple, &target, &message)) {
        enum status s = error_set(e, ERR_UNSUPPORTED, NOWHERE, "%s", message);
        LLVMDisposeMessage(message);
        return s;
    }
    *out = LLVMCreateTargetMachine(target, set->triple, set->cpu, set->features, LLVMCodeGenLevelDefault, LLVMRelocPIC,
                                   LLVMCodeModelDefault);
    return *out ? OK : error_set(e, ERR_UNSUPPORTED, NOWHERE, "LLVM cannot make code for '%s'", set->triple);
}
