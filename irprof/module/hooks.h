/* hooks.h - functions of a module that run before the program's constructors or after its destructors. Internal to irprof. */
#ifndef IRPROF_MODULE_HOOKS_H
#define IRPROF_MODULE_HOOKS_H

#include <llvm-c/Core.h>

/* Adds void NAME(void) { if (CALLEE) CALLEE(DATA); }, the callee being weak: a shared library that finds no runtime in the
 * program that loads it must load all the same. */
LLVMValueRef hook_add(LLVMModuleRef module, const char *name, const char *callee_name, LLVMValueRef data);
/* Appends {1, hook, null} to llvm.global_ctors or llvm.global_dtors. Priority 1: before all constructors of the
 * program, after all its destructors. */
void hook_list(LLVMModuleRef module, const char *list_name, LLVMValueRef hook);

#endif
