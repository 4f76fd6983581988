/* The contract's keys: opcode[.type][_d]. */
#include "oracle.h"

#include <stdio.h>
#include <string.h>

static const char *opcode_name(LLVMOpcode op)
{
    static const struct {
        LLVMOpcode op;
        const char *name;
    } names[] = {
        {LLVMRet, "ret"},
        {LLVMBr, "br"},
        {LLVMSwitch, "switch"},
        {LLVMIndirectBr, "indirectbr"},
        {LLVMUnreachable, "unreachable"},
        {LLVMFNeg, "fneg"},
        {LLVMAdd, "add"},
        {LLVMFAdd, "fadd"},
        {LLVMSub, "sub"},
        {LLVMFSub, "fsub"},
        {LLVMMul, "mul"},
        {LLVMFMul, "fmul"},
        {LLVMUDiv, "udiv"},
        {LLVMSDiv, "sdiv"},
        {LLVMFDiv, "fdiv"},
        {LLVMURem, "urem"},
        {LLVMSRem, "srem"},
        {LLVMFRem, "frem"},
        {LLVMShl, "shl"},
        {LLVMLShr, "lshr"},
        {LLVMAShr, "ashr"},
        {LLVMAnd, "and"},
        {LLVMOr, "or"},
        {LLVMXor, "xor"},
        {LLVMAlloca, "alloca"},
        {LLVMLoad, "load"},
        {LLVMStore, "store"},
        {LLVMGetElementPtr, "getelementptr"},
        {LLVMTrunc, "trunc"},
        {LLVMZExt, "zext"},
        {LLVMSExt, "sext"},
        {LLVMFPToUI, "fptoui"},
        {LLVMFPToSI, "fptosi"},
        {LLVMUIToFP, "uitofp"},
        {LLVMSIToFP, "sitofp"},
        {LLVMFPTrunc, "fptrunc"},
        {LLVMFPExt, "fpext"},
        {LLVMPtrToInt, "ptrtoint"},
        {LLVMIntToPtr, "inttoptr"},
        {LLVMBitCast, "bitcast"},
        {LLVMAddrSpaceCast, "addrspacecast"},
        {LLVMICmp, "icmp"},
        {LLVMFCmp, "fcmp"},
        {LLVMPHI, "phi"},
        {LLVMCall, "call"},
        {LLVMSelect, "select"},
        {LLVMVAArg, "va_arg"},
        {LLVMExtractElement, "extractelement"},
        {LLVMInsertElement, "insertelement"},
        {LLVMShuffleVector, "shufflevector"},
        {LLVMExtractValue, "extractvalue"},
        {LLVMInsertValue, "insertvalue"},
        {LLVMFreeze, "freeze"},
        {LLVMFence, "fence"},
        {LLVMAtomicCmpXchg, "cmpxchg"},
        {LLVMAtomicRMW, "atomicrmw"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].op == op)
            return names[i].name;
    refuse("instructions with LLVM opcode number %d are not known", (int)op);
}

static void scalar_name(char *out, size_t size, LLVMTypeRef t)
{
    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind:
        snprintf(out, size, "i%u", LLVMGetIntTypeWidth(t));
        break;
    case LLVMHalfTypeKind:
        snprintf(out, size, "half");
        break;
    case LLVMBFloatTypeKind:
        snprintf(out, size, "bfloat");
        break;
    case LLVMFloatTypeKind:
        snprintf(out, size, "float");
        break;
    case LLVMDoubleTypeKind:
        snprintf(out, size, "double");
        break;
    case LLVMX86_FP80TypeKind:
        snprintf(out, size, "x86_fp80");
        break;
    case LLVMFP128TypeKind:
        snprintf(out, size, "fp128");
        break;
    case LLVMPointerTypeKind:
        snprintf(out, size, "ptr");
        break;
    case LLVMStructTypeKind:
    case LLVMArrayTypeKind:
        snprintf(out, size, "agg");
        break;
    default:
        refuse("a type of LLVM kind %d has no name in the contract", (int)LLVMGetTypeKind(t));
    }
}

/* "i32", "double"; vectors "v4i32", "v2f64", "v2ptr"; "" for void. */
static void type_name(char *out, size_t size, LLVMTypeRef t)
{
    char element[32];

    if (LLVMGetTypeKind(t) == LLVMVoidTypeKind) {
        *out = '\0';
    } else if (LLVMGetTypeKind(t) == LLVMVectorTypeKind) {
        LLVMTypeRef of = LLVMGetElementType(t);
        LLVMTypeKind k = LLVMGetTypeKind(of);
        if (k == LLVMFloatTypeKind || k == LLVMDoubleTypeKind || k == LLVMHalfTypeKind)
            snprintf(element, sizeof element, "f%d", k == LLVMDoubleTypeKind ? 64 : k == LLVMFloatTypeKind ? 32 : 16);
        else
            scalar_name(element, sizeof element, of);
        snprintf(out, size, "v%u%s", LLVMGetVectorSize(t), element);
    } else {
        scalar_name(out, size, t);
    }
}

/* The function that a call names, or NULL. */
static LLVMValueRef called_function(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAGlobalAlias(callee))
        callee = LLVMAliasGetAliasee(callee);
    return LLVMIsAFunction(callee);
}

bool is_region_call(LLVMValueRef instruction, bool *begins)
{
    LLVMValueRef callee = LLVMGetInstructionOpcode(instruction) == LLVMCall ? called_function(instruction) : NULL;
    size_t n;
    const char *name = callee ? LLVMGetValueName2(callee, &n) : "";
    *begins = strcmp(name, "shim_region_begin") == 0;
    return *begins || strcmp(name, "shim_region_end") == 0;
}

static bool makes_no_code(const char *intrinsic)
{
    static const char *const names[] = {
        "llvm.dbg.value",       "llvm.dbg.declare",     "llvm.dbg.assign",
        "llvm.dbg.label",       "llvm.lifetime.start",  "llvm.lifetime.end",
        "llvm.invariant.start", "llvm.invariant.end",   "llvm.assume",
        "llvm.donothing",       "llvm.sideeffect",      "llvm.experimental.noalias.scope.decl",
        "llvm.var.annotation",  "llvm.ptr.annotation",  "llvm.annotation",
        "llvm.pseudoprobe",     "llvm.fake.use",        "llvm.codeview.annotation",
        "llvm.ssa.copy",        "llvm.expect",          "llvm.expect.with.probability",
        "llvm.type.test",       "llvm.public.type.test"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(intrinsic, names[i]) == 0)
            return true;
    return false;
}

/* A function of the C library, of which there is no code here. */
static bool is_of_library(LLVMValueRef function)
{
    static const char *const names[] = {
#define LIBRARY(name) name,
#include "base/library.def"
    };
    size_t n;
    const char *is = LLVMGetValueName2(function, &n);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(is, names[i]) == 0)
            return LLVMCountBasicBlocks(function) == 0;
    return false;
}

/* "call.direct" and so on, into out; false: not counted. */
static bool call_key(char *out, size_t size, LLVMValueRef call)
{
    LLVMValueRef callee = called_function(call);
    unsigned id = callee ? LLVMGetIntrinsicID(callee) : 0;
    bool begins;

    if (is_region_call(call, &begins))
        return false;
    if (id) {
        size_t n;
        const char *name = LLVMIntrinsicGetName(id, &n);
        char type[48];
        if (makes_no_code(name))
            return false;
        type_name(type, sizeof type, LLVMTypeOf(call));
        snprintf(out, size, "call.%s%s%s", name, *type ? "." : "", type);
    } else if (callee && is_of_library(callee)) {
        size_t n;
        snprintf(out, size, "call.library.%s", LLVMGetValueName2(callee, &n));
    } else {
        snprintf(out, size, "call.%s",
                 callee                                       ? "direct"
                 : LLVMIsAInlineAsm(LLVMGetCalledValue(call)) ? "asm"
                                                              : "indirect");
    }
    return true;
}

/* The type that decides the cost. */
static LLVMTypeRef deciding_type(LLVMValueRef instruction, LLVMOpcode op)
{
    switch (op) {
    case LLVMStore:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSwitch:
    case LLVMFPToSI:
    case LLVMFPToUI:
        return LLVMTypeOf(LLVMGetOperand(instruction, 0));
    default:
        return LLVMTypeOf(instruction);
    }
}

static bool depends_on(LLVMValueRef instruction, LLVMValueRef before)
{
    int n = LLVMGetNumOperands(instruction);
    if (!before || LLVMIsAPHINode(instruction))
        return false;
    for (int i = 0; i < n; i++)
        if (LLVMGetOperand(instruction, (unsigned)i) == before)
            return true;
    return false;
}

char *key_of(LLVMValueRef instruction, LLVMValueRef before)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(instruction);
    char key[160], type[48];

    if (op == LLVMCall) {
        if (!call_key(key, sizeof key, instruction))
            return NULL;
    } else if (op == LLVMBr) {
        snprintf(key, sizeof key, "br.%s", LLVMIsConditional(instruction) ? "cond" : "uncond");
    } else {
        type_name(type, sizeof type, deciding_type(instruction, op));
        snprintf(key, sizeof key, "%s%s%s", opcode_name(op), *type ? "." : "", type);
    }
    return xasprintf("%s%s", key, depends_on(instruction, before) ? "_d" : "");
}
