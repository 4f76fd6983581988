/*
 * llvm.h - everything that depends on the version of LLVM (17 to 23 compile), and LLVM's diagnostics as our
 * errors. Internal to irprof.
 */
#ifndef IRPROF_MODULE_LLVM_H
#define IRPROF_MODULE_LLVM_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "base/error.h"
#include "irprof/module/llvm_versions.h"

/* LLVM generates code for these from here on, and disassembles it: x86, AArch64, Arm, RISC-V. The only list of them. */
void llvm_know_targets(void);
/* And for AMD's and NVIDIA's graphics processors, whose code is compared but not disassembled. */
void llvm_know_gpus(void);

/* A module with the context it lives in. */
struct llvm_module {
    LLVMContextRef context;
    LLVMModuleRef module;
};

/* Reads bitcode or textual IR ("-": standard input) and verifies it. llvm_release *m. */
enum status llvm_load(struct llvm_module *m, const char *path, struct error *e) MUST_CHECK;
/* The same without verifying: only for IR that the compiler has just made of a source, and that nobody else could change. */
enum status llvm_load_compiled(struct llvm_module *m, const char *path, struct error *e) MUST_CHECK;
/* Writes the module, atomically; as text when the path ends in ".ll". path NULL or "-": standard output. */
enum status llvm_store(const struct llvm_module *m, const char *path, struct error *e) MUST_CHECK;
void llvm_release(struct llvm_module *m); /* a zeroed one is fine */

/* What the verifier has to say, or NULL if the module is right; the caller frees. */
char *llvm_verify(const struct llvm_module *m);

/* Does the function (or a call, or the function it calls) have this attribute? */
bool llvm_function_has(LLVMValueRef function, const char *attribute);
bool llvm_call_has(LLVMValueRef call, const char *attribute);
/* Gives an attribute to a function. */
void llvm_function_add(LLVMValueRef function, const char *attribute);
void llvm_call_add(LLVMValueRef call, const char *attribute); /* to this call alone */
/* Takes an attribute off a function; off a call. Nothing happens if it is not there. */
void llvm_function_drop(LLVMValueRef function, const char *attribute);
void llvm_call_drop(LLVMValueRef call, const char *attribute);

/* "llvm.memcpy": the name without the suffixes of its overloads, borrowed; NULL if `function` is no intrinsic. */
const char *llvm_intrinsic_name(LLVMValueRef function, size_t *length);

/* LLVM's name of the instruction's opcode; the caller frees. */
char *llvm_opcode_name(LLVMValueRef instruction);

/* Scalars by LLVM's names, "ptr", "v4f32" for vectors, "nxv4f32" for scalable ones, "agg" for structures and arrays;
 * NULL where there is no value (void, labels, tokens, metadata). The caller frees. */
char *llvm_type_name(LLVMTypeRef type);

/* Source position of an instruction or of a function's definition. `file` is joined with its directory, the caller
 * frees it; NULL and 0 where unknown. */
void llvm_instruction_place(LLVMValueRef instruction, char **file, unsigned *line);
void llvm_function_place(LLVMValueRef function, char **file, unsigned *line);
/* Of a file in debug information, joined with its directory; NULL: it has none. The caller frees. */
char *llvm_file_name(LLVMMetadataRef file);
enum { LLVM_CHECKSUM = 32 };
/* MD5 of that file's bytes as they were compiled, 32 hexadecimal digits: what -g writes with DWARF 5. The caller frees;
 * NULL where the IR does not say. */
char *llvm_instruction_checksum(LLVMValueRef instruction);
char *llvm_function_checksum(LLVMValueRef function);

/* A constant of these bytes, without a NUL after them; n must fit in 32 bits. */
LLVMValueRef llvm_constant_bytes(LLVMContextRef context, const char *bytes, size_t n);

/* Is a loop whose block ends in this terminator (a jump back) marked llvm.loop.mustprogress? */
bool llvm_loop_must_progress(LLVMValueRef terminator);
/* The weights that the IR gives the successors of a br or switch (!prof branch_weights), as shares of all. NULL: none.
 * The caller frees. */
double *llvm_branch_weights(LLVMValueRef terminator);
/* A call that is sure to return and does nothing that another thread or the world could see but through ordinary
 * memory. */
bool llvm_call_is_quiet(LLVMValueRef call);
/* Name, source position, fast-math flags. */
void llvm_copy_traits(LLVMValueRef to, LLVMValueRef from);

/* The address of a thread-local variable in the thread that executes the builder's place. */
LLVMValueRef llvm_thread_address(LLVMBuilderRef b, LLVMValueRef variable);
/* The calling convention of what is rarely called: where there is one that preserves registers, so that who calls it
 * can keep what it has in them. */
LLVMCallConv llvm_cold_convention(LLVMModuleRef module);
/* How often a conditional branch goes which way. */
void llvm_set_weights(LLVMValueRef branch, unsigned if_true, unsigned if_false);
/* Runs passes over the module, as `opt -passes=PASSES` does. */
void llvm_run(LLVMModuleRef module, const char *passes);

/* A call that must be followed by its ret and nothing else. */
bool llvm_is_musttail(LLVMValueRef call);
/* Inline assembly that is empty: it makes no code. */
bool llvm_is_empty_asm(LLVMValueRef value);

#endif
