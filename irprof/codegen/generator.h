/*
 * generator.h - LLVM's code generator in a process of its own, because LLVM ends the process when it cannot go on, and
 * because its options are global. Internal to irprof.
 *
 * The parent calls generator_run. The function that it is given runs in the child: generator_begin, a target machine made
 * by the caller, generator_emit. Before that, numbers may take the place of source lines (generator_numbers_begin).
 */
#ifndef IRPROF_CODEGEN_GENERATOR_H
#define IRPROF_CODEGEN_GENERATOR_H

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"

/* ---- the parent ---- */

struct generator_result {
    struct str text; /* what the child wrote to `out` */
    char *complaint; /* owned: the first line that it wrote to standard error, or which signal ended it */
    bool failed;     /* it did not end with status 0; text is empty then */
};
/* Runs `compile`, which does not return, in a copy of this process. `out` is the path for generator_emit. An error here
 * means that there was no child, or that the text is too long (ERR_UNSUPPORTED). generator_release frees, even then. */
enum status generator_run(struct generator_result *r, void (*compile)(void *data, char *out), void *data,
                          struct error *e) MUST_CHECK;
void generator_release(struct generator_result *r);

/* ---- the child ---- */

/* From here on, LLVM's errors end the child, with the message on standard error. options: a program's name, then LLVM's. */
void generator_begin(LLVMModuleRef module, const char *const *options, int n);
_Noreturn void generator_give_up(const char *message);
/* Writes the module's assembly, or what an option has it stop at, and ends the child. machine NULL: LLVM has none. */
_Noreturn void generator_emit(LLVMTargetMachineRef machine, LLVMModuleRef module, char *out);

/* How much the code generator optimises: nothing if all functions are for -O0, which clang marks. */
bool generator_is_plain(LLVMModuleRef module);
LLVMCodeGenOptLevel generator_level(LLVMModuleRef module);

/* ---- numbers in place of source lines ---- */

struct generator_numbers {
    LLVMContextRef context;
    LLVMDIBuilderRef builder;
    LLVMMetadataRef file, scope;
};
/* Removes the module's debug information. */
void generator_numbers_begin(struct generator_numbers *n, LLVMModuleRef module);
/* The function whose instructions are numbered next. */
void generator_numbers_function(struct generator_numbers *n, LLVMValueRef function);
void generator_number(const struct generator_numbers *n, LLVMValueRef instruction, unsigned line, unsigned column);
void generator_numbers_end(struct generator_numbers *n);

#endif
