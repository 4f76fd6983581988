/*
 * llvm_versions.h - functions of LLVM's C API that LLVM 17 to 21 lack, under their own names, and what LLVM 23 has in another
 * form, so that the rest of the code is the same for all. Beside llvm.c the only file that asks for LLVM's version.
 */
#ifndef IRPROF_MODULE_LLVM_VERSIONS_H
#define IRPROF_MODULE_LLVM_VERSIONS_H

#include <llvm-c/Core.h>
#include <llvm/Config/llvm-config.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The text (part 0) or the constraints (part 1) of inline assembly, as LLVM prints them: a quote and what is not printable
 * are `\` and two hexadecimal digits. The caller frees. */
static inline char *llvm_asm_part(LLVMValueRef assembly, unsigned part)
{
    char *printed = LLVMPrintValueToString(assembly); /* ptr asm sideeffect "text", "constraints" */
    const char *at = strstr(printed, " asm ");
    for (unsigned quotes = 0; at && quotes < 1 + 2 * part; quotes++)
        at = strchr(at + 1, '"');
    size_t n = at ? strcspn(at + 1, "\"") : 0;
    char *copy = calloc(n + 1, 1);
    if (!copy)
        abort();
    if (at)
        memcpy(copy, at + 1, n);
    LLVMDisposeMessage(printed);
    return copy;
}

/* Inline assembly with effects beyond its result, in AT&T's form on x86. LLVM 17 and 18 take the texts without const. */
static inline LLVMValueRef llvm_inline_asm(LLVMTypeRef type, const char *text, const char *constraints)
{
    return LLVMGetInlineAsm(type, (char *)text, strlen(text), (char *)constraints, strlen(constraints), true, false,
                            LLVMInlineAsmDialectATT, false);
}

/* The pass that adds prologues and epilogues. */
#if LLVM_VERSION_MAJOR >= 23
#define LLVM_PASS_PROLOGUES "prolog-epilog"
#else
#define LLVM_PASS_PROLOGUES "prologepilog"
#endif

#if LLVM_VERSION_MAJOR >= 23
/* LLVM 23 has an opcode for branches with a condition and one for those without. Here they have one, as before and as in
 * keys and SHIM files; LLVMIsConditional tells them apart. */
static inline LLVMOpcode llvm_instruction_opcode(LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    return opcode == LLVMCondBr ? LLVMUncondBr : opcode;
}
#define LLVMBr                   LLVMUncondBr
#define LLVMGetInstructionOpcode llvm_instruction_opcode
#endif

#if LLVM_VERSION_MAJOR < 22
/* Of successor `i`, from 1; 0 is the default. Before LLVM 22 a switch's operands are its value, the default block, then a value
 * and a block for each case. Since then the values of cases are no operands. */
static inline LLVMValueRef LLVMGetSwitchCaseValue(LLVMValueRef terminator, unsigned i)
{
    return LLVMGetOperand(terminator, 2 * i);
}
#endif

#if LLVM_VERSION_MAJOR < 19
static inline LLVMValueRef LLVMConstStringInContext2(LLVMContextRef context, const char *text, size_t n,
                                                     LLVMBool no_terminator)
{
    return LLVMConstStringInContext(context, text, (unsigned)n, no_terminator);
}
static inline LLVMBasicBlockRef LLVMGetBlockAddressBasicBlock(LLVMValueRef address)
{
    return LLVMValueAsBasicBlock(LLVMGetOperand(address, 1)); /* operand 0 is the function */
}
#endif

#if LLVM_VERSION_MAJOR < 18
/* LLVM 17 has neither `disjoint` nor `nneg`. */
static inline LLVMBool LLVMGetIsDisjoint(LLVMValueRef sum)
{
    (void)sum;
    return false;
}
static inline LLVMBool LLVMGetNNeg(LLVMValueRef extension)
{
    (void)extension;
    return false;
}
/* Its C API cannot read fast-math flags: a phi that gets further ways in loses them, and so does what takes the place of a
 * builtin function of OpenCL C. */
static inline LLVMBool LLVMCanValueUseFastMathFlags(LLVMValueRef value)
{
    (void)value;
    return false;
}
static inline unsigned LLVMGetFastMathFlags(LLVMValueRef value)
{
    (void)value;
    return 0;
}
static inline void LLVMSetFastMathFlags(LLVMValueRef value, unsigned flags)
{
    (void)value;
    (void)flags;
}
#endif

#endif
