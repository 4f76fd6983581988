/* key.c - the key of an IR instruction. */
#include "irprof/count/key.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "irprof/count/llvm.h"

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

static bool makes_no_code(const char *name, size_t n)
{
    static const char *const names[] = {
#define OPCODE(opcode_, name_)
#define NO_CODE(name_) name_,
#include "irprof/count/keys.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t k = strlen(names[i]);
        bool family = names[i][k - 1] == '.';
        if (n >= k && memcmp(name, names[i], k) == 0 && (family || n == k))
            return true;
    }
    return false;
}

bool key_counted(LLVMValueRef i)
{
    if (LLVMGetInstructionOpcode(i) == LLVMUnreachable)
        return false;
    if (!key_is_call(i))
        return true;
    size_t n;
    const char *name = llvm_intrinsic_name(LLVMGetCalledValue(i), &n);
    return !(name && makes_no_code(name, n)) && !key_marks_region(i);
}

static int by_name(const void *name, const void *entry)
{
    return strcmp(name, *(const char *const *)entry);
}

static bool is_library_function(const char *name)
{
    static const char *const names[] = {
#define LIBRARY(name_) name_,
#include "irprof/count/library.def"
    };
    return bsearch(name, names, sizeof names / sizeof *names, sizeof *names, by_name) != NULL;
}

/* A function of the program, or of the library, which has no IR. */
static void add_function(struct str *key, LLVMValueRef callee)
{
    size_t n;
    const char *name = LLVMGetValueName2(callee, &n);
    if (LLVMIsDeclaration(callee) && is_library_function(name))
        str_addf(key, ".library.%s", name);
    else
        str_add(key, ".direct");
}

/* ".direct", ".library.sin", ".indirect", ".asm", ".llvm.memcpy", ".llvm.fmuladd.double" */
static void add_callee(struct str *key, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t n;
    const char *intrinsic = llvm_intrinsic_name(callee, &n);
    if (intrinsic) {
        str_addch(key, '.');
        str_addn(key, intrinsic, n);
        char *type = llvm_type_name(LLVMTypeOf(call));
        if (type)
            str_addf(key, ".%s", type);
        free(type);
    } else if (LLVMIsAInlineAsm(callee)) {
        str_add(key, ".asm");
    } else if (LLVMIsAFunction(callee)) {
        add_function(key, callee);
    } else if (LLVMIsAGlobalAlias(callee) || LLVMIsAGlobalIFunc(callee)) {
        str_add(key, ".direct");
    } else {
        str_add(key, ".indirect");
    }
}

/* The type that decides the cost: the result's, where there is one, but the operand's for these. */
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
        str_add(&key, LLVMIsConditional(i) ? ".cond" : ".uncond");
    } else {
        char *type = llvm_type_name(deciding_type(i));
        if (type)
            str_addf(&key, ".%s", type);
        free(type);
    }
    if (previous && LLVMGetInstructionOpcode(i) != LLVMPHI && uses(i, previous))
        str_add(&key, "_d");
    return str_detach(&key);
}
