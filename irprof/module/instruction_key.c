/* instruction_key.c - the key of an IR instruction. */
#include "irprof/module/instruction_key.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/key.h"
#include "base/str.h"
#include "irprof/module/llvm.h"

bool key_is_call(LLVMValueRef i)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    return opcode == LLVMCall || opcode == LLVMInvoke || opcode == LLVMCallBr;
}

bool key_is_region_function(LLVMValueRef function)
{
    size_t n;
    const char *name = LLVMGetValueName2(function, &n);
    return (n == strlen("shim_region_begin") && memcmp(name, "shim_region_begin", n) == 0) ||
           (n == strlen("shim_region_end") && memcmp(name, "shim_region_end", n) == 0);
}

bool key_marks_region(LLVMValueRef i)
{
    if (!key_is_call(i))
        return false;
    LLVMValueRef callee = LLVMGetCalledValue(i);
    return LLVMIsAFunction(callee) && key_is_region_function(callee);
}

bool key_counted(LLVMValueRef i)
{
    if (LLVMGetInstructionOpcode(i) == LLVMUnreachable)
        return false;
    if (!key_is_call(i))
        return true;
    size_t n;
    const char *name = llvm_intrinsic_name(LLVMGetCalledValue(i), &n);
    size_t before = strlen(ir_form_word(IR_INTRINSIC));
    bool no_code = name && n > before && ir_intrinsic_no_code(name + before, n - before);
    return !no_code && !key_marks_region(i);
}

/* Adds ".word". printf would take as long as everything else here, and each instruction of a big function gets a
 * key. */
static void add_word(struct str *key, const char *word)
{
    str_addch(key, '.');
    str_add(key, word);
}

/* A function of the program, or of the library, which has no IR. */
static void add_function(struct str *key, LLVMValueRef callee)
{
    size_t n;
    const char *name = LLVMGetValueName2(callee, &n);
    bool library = LLVMIsDeclaration(callee) && ir_is_library_function(name);
    add_word(key, ir_form_word(library ? IR_LIBRARY : IR_DIRECT));
    str_add(key, library ? name : "");
}

bool key_is_indirect(LLVMValueRef i)
{
    size_t n;
    LLVMValueRef callee = key_is_call(i) ? LLVMGetCalledValue(i) : 0;
    return callee && !llvm_intrinsic_name(callee, &n) && !LLVMIsAInlineAsm(callee) && !LLVMIsAFunction(callee) &&
           !LLVMIsAGlobalAlias(callee) && !LLVMIsAGlobalIFunc(callee);
}

/* ".direct", ".library.sin", ".indirect", ".asm", ".llvm.memcpy", ".llvm.fmuladd.double" */
static void add_callee(struct str *key, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t n;
    const char *intrinsic = llvm_intrinsic_name(callee, &n);
    if (key_is_indirect(call)) {
        add_word(key, ir_form_word(IR_INDIRECT));
    } else if (intrinsic) {
        str_addch(key, '.');
        str_addn(key, intrinsic, n);
        char *type = llvm_type_name(LLVMTypeOf(call));
        if (type)
            add_word(key, type);
        free(type);
    } else if (LLVMIsAInlineAsm(callee)) {
        add_word(key, ir_form_word(IR_ASM));
    } else if (LLVMIsAFunction(callee)) {
        add_function(key, callee);
    } else {
        add_word(key, ir_form_word(IR_DIRECT));
    }
}

/* The type that decides the cost: the result's, if there is a result. For the instructions below it is the
 * operand's. */
static LLVMTypeRef deciding_type(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSwitch:
    case LLVMFPToSI:
    case LLVMFPToUI:
        return LLVMTypeOf(LLVMGetOperand(i, 0));
    default:
        return LLVMTypeOf(i);
    }
}

static bool uses(LLVMValueRef i, LLVMValueRef value)
{
    int n = LLVMGetNumOperands(i);
    for (int k = 0; k < n; k++)
        if (LLVMGetOperand(i, (unsigned)k) == value)
            return true;
    return false;
}

char *key_of(LLVMValueRef i, LLVMValueRef previous)
{
    struct str key = STR_INIT;
    char *opcode = llvm_opcode_name(i);
    str_add(&key, opcode);
    free(opcode);
    if (key_is_call(i)) {
        add_callee(&key, i);
    } else if (LLVMGetInstructionOpcode(i) == LLVMBr) {
        add_word(&key, ir_form_word(LLVMIsConditional(i) ? IR_CONDITIONAL : IR_UNCONDITIONAL));
    } else {
        char *type = llvm_type_name(deciding_type(i));
        if (type)
            add_word(&key, type);
        free(type);
    }
    if (previous && LLVMGetInstructionOpcode(i) != LLVMPHI && uses(i, previous))
        str_add(&key, IR_DEPENDENT);
    return str_detach(&key);
}
