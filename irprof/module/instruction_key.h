/*
 * instruction_key.h - IR instruction -> key, `opcode[.type][_d]` (docs/method/counting.md).
 * Internal to irprof.
 */
#ifndef IRPROF_MODULE_INSTRUCTION_KEY_H
#define IRPROF_MODULE_INSTRUCTION_KEY_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* False for what is not counted: what makes no code by definition, and the calls that mark regions. */
bool key_counted(LLVMValueRef instruction);

/* The key of a counted instruction; `previous` is the counted instruction before it in its block, or NULL. The caller
 * frees. */
char *key_of(LLVMValueRef instruction, LLVMValueRef previous);

/* A direct call of shim_region_begin or shim_region_end. */
bool key_marks_region(LLVMValueRef instruction);
/* "shim_region_begin", "shim_region_end". */
bool key_is_region_function(LLVMValueRef function);

/* Call, invoke, callbr. */
bool key_is_call(LLVMValueRef instruction);
/* A call through a pointer. */
bool key_is_indirect(LLVMValueRef instruction);

#endif
