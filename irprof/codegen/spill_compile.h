/*
 * spill_compile.h - a module compiled for a target, up to the point where registers
 * are allocated and frames laid out, in a process of its own. Internal to irprof.
 */
#ifndef IRPROF_CODEGEN_SPILL_COMPILE_H
#define IRPROF_CODEGEN_SPILL_COMPILE_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"
#include "irprof/module/plan.h"

/* How far: registers allocated, with every access named as the compiler knows it; in the order of the final code; with
 * blocks merged, copied and laid out as in the final code. */
enum spill_stage { SPILL_ACCESSES, SPILL_ORDERED, SPILL_LAID_OUT };

/* Writes the machine IR of `module`, for `target` ("TRIPLE" or "TRIPLE:CPU"), to *mir. The module itself is not
 * changed: a forked child does it, because LLVM ends the process when it cannot go on, and because its options are
 * global. In the copy that is compiled function i of `plan` is called by LABEL_FUNCTION of i, their blocks by LABEL_BLOCK,
 * and the debug locations are numbers of instructions: see spill_numbered. ERR_USAGE: no such target or CPU. ERR_INPUT:
 * the module cannot be compiled for it; `path` stands in the message. */
enum status spill_compile(struct str *mir, const struct plan *plan, LLVMModuleRef module, const char *target,
                          enum spill_stage stage, const char *path, struct error *e) MUST_CHECK;

/* Marks the functions of `plan` and what is in them as spill_compile marks its copy; `rename`: with their names. */
void spill_mark(LLVMModuleRef module, const struct plan *plan, bool rename);

/* Does the instruction have a number? Those that have are numbered 1, 2, 3 ... in their function. */
bool spill_numbered(LLVMValueRef instruction);

#endif
