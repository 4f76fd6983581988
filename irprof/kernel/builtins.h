/* builtins.h - functions of OpenCL C as instructions and intrinsics of LLVM. Internal to irprof. */
#ifndef IRPROF_KERNEL_BUILTINS_H
#define IRPROF_KERNEL_BUILTINS_H

#include <llvm-c/Core.h>

#include "base/error.h"

/* Replaces calls of functions of OpenCL C by what LLVM has for them: sqrt by llvm.sqrt, min by llvm.smin, atomic_add by
 * atomicrmw. Functions of work-items and barriers stay calls: the runtime has them. ERR_UNSUPPORTED: a function is called
 * that neither LLVM nor the runtime has; the message names it, `path` stands in it. */
enum status builtins_lower(LLVMModuleRef module, const char *path, struct error *e) MUST_CHECK;

#endif
