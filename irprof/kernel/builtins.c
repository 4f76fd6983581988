/*
 * builtins.c - functions of OpenCL C become instructions and intrinsics of LLVM.
 *
 * They are declared in its header and mangled as in C++ (_Z4sqrtf, _Z3minDv4_iS_). What they mean is in the OpenCL C specification, version 1.2: 6.12.2 (mathematical), 6.12.3 (integers), 6.12.4 (common), 6.2.3 (conversions),
 * 6.12.11 (atomic). An intrinsic of LLVM takes their place, so that counts name the operation, and the code generator
 * finds the instruction or the function of the C library.
 */
#include "irprof/kernel/builtins.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "irprof/module/llvm.h"

enum form {
    SAME,     /* the intrinsic has the type of the result */
    ABS,      /* of integers; an unsigned operand is returned as it is */
    CLAMP,    /* min(max(x, low), high) */
    RSQRT,    /* 1 / sqrt(x) */
    RECIP,    /* 1 / x */
    DIVIDE,   /* x / y */
    PRODUCT,  /* x * y */
    PRODUCT3, /* x * y + z */
    ROTATE,   /* llvm.fshl(x, x, n) */
    DOT,      /* sum of the products of elements */
    ATOMIC,   /* atomicrmw */
    ATOMIC1,  /* atomicrmw with 1 */
    EXCHANGE  /* cmpxchg */
};

struct builtin {
    const char *name;
    enum form form;
    const char *real, *with_sign, *without; /* intrinsics by kind of elements; NULL: none */
    int atomic;                             /* LLVMAtomicRMWBinOp */
};
#define REAL(name, intrinsic)                                                                                          \
    {                                                                                                                  \
        name, SAME, intrinsic, 0, 0, 0                                                                                 \
    }
static const struct builtin builtins[] = {
    REAL("sqrt", "llvm.sqrt"),
    REAL("native_sqrt", "llvm.sqrt"),
    REAL("half_sqrt", "llvm.sqrt"),
    REAL("fabs", "llvm.fabs"),
    REAL("floor", "llvm.floor"),
    REAL("ceil", "llvm.ceil"),
    REAL("trunc", "llvm.trunc"),
    REAL("rint", "llvm.rint"),
    REAL("round", "llvm.round"),
    REAL("exp", "llvm.exp"),
    REAL("native_exp", "llvm.exp"),
    REAL("half_exp", "llvm.exp"),
    REAL("exp2", "llvm.exp2"),
    REAL("native_exp2", "llvm.exp2"),
    REAL("log", "llvm.log"),
    REAL("native_log", "llvm.log"),
    REAL("half_log", "llvm.log"),
    REAL("log2", "llvm.log2"),
    REAL("native_log2", "llvm.log2"),
    REAL("log10", "llvm.log10"),
    REAL("sin", "llvm.sin"),
    REAL("native_sin", "llvm.sin"),
    REAL("cos", "llvm.cos"),
    REAL("native_cos", "llvm.cos"),
    REAL("pow", "llvm.pow"),
    REAL("powr", "llvm.pow"),
    REAL("native_powr", "llvm.pow"),
    REAL("fma", "llvm.fma"),
    REAL("mad", "llvm.fmuladd"),
    REAL("fmin", "llvm.minnum"),
    REAL("fmax", "llvm.maxnum"),
    REAL("copysign", "llvm.copysign"),
    {"min", SAME, "llvm.minnum", "llvm.smin", "llvm.umin", 0},
    {"max", SAME, "llvm.maxnum", "llvm.smax", "llvm.umax", 0},
    {"clz", SAME, 0, "llvm.ctlz", "llvm.ctlz", 0},
    {"popcount", SAME, 0, "llvm.ctpop", "llvm.ctpop", 0},
    {"abs", ABS, 0, "llvm.abs", 0, 0},
    {"clamp", CLAMP, "llvm.minnum", "llvm.smin", "llvm.umin", 0},
    {"rsqrt", RSQRT, "llvm.sqrt", 0, 0, 0},
    {"native_rsqrt", RSQRT, "llvm.sqrt", 0, 0, 0},
    {"native_recip", RECIP, 0, 0, 0, 0},
    {"half_recip", RECIP, 0, 0, 0, 0},
    {"native_divide", DIVIDE, 0, 0, 0, 0},
    {"half_divide", DIVIDE, 0, 0, 0, 0},
    {"mul24", PRODUCT, 0, 0, 0, 0},
    {"mad24", PRODUCT3, 0, 0, 0, 0},
    {"rotate", ROTATE, 0, "llvm.fshl", "llvm.fshl", 0},
    {"dot", DOT, 0, 0, 0, 0},
    {"atomic_add", ATOMIC, 0, 0, 0, LLVMAtomicRMWBinOpAdd},
    {"atomic_sub", ATOMIC, 0, 0, 0, LLVMAtomicRMWBinOpSub},
    {"atomic_and", ATOMIC, 0, 0, 0, LLVMAtomicRMWBinOpAnd},
    {"atomic_or", ATOMIC, 0, 0, 0, LLVMAtomicRMWBinOpOr},
    {"atomic_xor", ATOMIC, 0, 0, 0, LLVMAtomicRMWBinOpXor},
    {"atomic_xchg", ATOMIC, 0, 0, 0, LLVMAtomicRMWBinOpXchg},
    {"atomic_inc", ATOMIC1, 0, 0, 0, LLVMAtomicRMWBinOpAdd},
    {"atomic_dec", ATOMIC1, 0, 0, 0, LLVMAtomicRMWBinOpSub},
    {"atomic_cmpxchg", EXCHANGE, 0, 0, 0, 0},
};

/* Functions of the runtime (runtime/kr_functions.c). */
static const char *const runtime_names[] = {
    "get_work_dim",   "get_global_size", "get_global_id", "get_global_offset", "get_local_size", "get_local_id",
    "get_num_groups", "get_group_id",    "barrier",       "mem_fence",         "read_mem_fence", "write_mem_fence",
};

/* A mangled name, taken apart: the function's name, and the code of its first parameter's element type. */
struct mangled {
    const char *name;
    size_t n;
    char code; /* as in the Itanium C++ ABI, 5.1.5.2: 'i' int, 'j' unsigned ... */
};

static bool demangle(struct mangled *m, LLVMValueRef function)
{
    size_t n;
    const char *s = LLVMGetValueName2(function, &n);
    char *rest;
    if (n < 4 || s[0] != '_' || s[1] != 'Z')
        return false;
    m->n = strtoul(s + 2, &rest, 10);
    m->name = rest;
    if (!m->n || m->n > strlen(rest))
        return false;
    const char *code = rest + m->n;
    if (strncmp(code, "Dv", 2) == 0)
        code += 2 + strspn(code + 2, "0123456789_");
    m->code = *code;
    return true;
}

static bool has_name(const struct mangled *m, const char *name)
{
    return strlen(name) == m->n && memcmp(name, m->name, m->n) == 0;
}

static bool is_without_sign(char code)
{
    return code && strchr("htjmby", code);
}

/* ---- building ---- */

struct lowering {
    LLVMModuleRef module;
    LLVMBuilderRef b;
    LLVMValueRef call;
    struct mangled name;
};

static LLVMTypeRef element_of(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

static bool is_whole(LLVMTypeRef type)
{
    return LLVMGetTypeKind(element_of(type)) == LLVMIntegerTypeKind;
}

static LLVMValueRef argument(const struct lowering *w, unsigned i)
{
    return LLVMGetOperand(w->call, i);
}

/* Do all arguments and the result have one type? */
static bool of_one_type(const struct lowering *w)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(w->call); i++)
        if (LLVMTypeOf(argument(w, i)) != LLVMTypeOf(w->call))
            return false;
    return true;
}

static LLVMValueRef intrinsic(const struct lowering *w, const char *name, LLVMValueRef *arguments, unsigned n)
{
    LLVMTypeRef type = LLVMTypeOf(arguments[0]);
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(w->module, id, &type, 1);
    return LLVMBuildCall2(w->b, LLVMGlobalGetValueType(f), f, arguments, n, "");
}

static const char *intrinsic_for(const struct lowering *w, const struct builtin *f)
{
    if (!is_whole(LLVMTypeOf(w->call)))
        return f->real;
    return is_without_sign(w->name.code) ? f->without : f->with_sign;
}

static LLVMValueRef one(const struct lowering *w)
{
    LLVMTypeRef type = LLVMTypeOf(w->call), element = element_of(type);
    LLVMValueRef value = LLVMConstReal(element, 1);
    if (type == element)
        return value;
    unsigned n = LLVMGetVectorSize(type);
    LLVMValueRef *all = xcalloc(n, sizeof *all);
    for (unsigned i = 0; i < n; i++)
        all[i] = value;
    value = LLVMConstVector(all, n);
    free(all);
    return value;
}

static LLVMValueRef build_same(const struct lowering *w, const struct builtin *f)
{
    const char *name = intrinsic_for(w, f);
    unsigned n = LLVMGetNumArgOperands(w->call);
    if (!name || n > 3 || !of_one_type(w))
        return 0;
    LLVMValueRef arguments[4] = {0};
    for (unsigned i = 0; i < n; i++)
        arguments[i] = argument(w, i);
    LLVMValueRef no = LLVMConstInt(LLVMInt1TypeInContext(LLVMGetModuleContext(w->module)), 0, 0);
    if (strcmp(name, "llvm.ctlz") == 0) /* of 0: the number of bits */
        arguments[n++] = no;
    return intrinsic(w, name, arguments, n);
}

static LLVMValueRef build_abs(const struct lowering *w)
{
    LLVMValueRef no = LLVMConstInt(LLVMInt1TypeInContext(LLVMGetModuleContext(w->module)), 0, 0);
    if (!of_one_type(w) || !is_whole(LLVMTypeOf(w->call)))
        return 0;
    return is_without_sign(w->name.code) ? argument(w, 0)
                                         : intrinsic(w, "llvm.abs", (LLVMValueRef[]){argument(w, 0), no}, 2);
}

static LLVMValueRef build_clamp(const struct lowering *w, const struct builtin *f)
{
    const char *least = intrinsic_for(w, f);
    if (!least || !of_one_type(w) || LLVMGetNumArgOperands(w->call) != 3)
        return 0;
    const char *most = strcmp(least, "llvm.minnum") == 0 ? "llvm.maxnum" : least[5] == 's' ? "llvm.smax" : "llvm.umax";
    LLVMValueRef x = intrinsic(w, most, (LLVMValueRef[]){argument(w, 0), argument(w, 1)}, 2);
    return intrinsic(w, least, (LLVMValueRef[]){x, argument(w, 2)}, 2);
}

static LLVMValueRef build_dot(const struct lowering *w)
{
    LLVMTypeRef type = LLVMTypeOf(argument(w, 0));
    LLVMValueRef product = LLVMBuildFMul(w->b, argument(w, 0), argument(w, 1), "");
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return product;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(w->module));
    LLVMValueRef sum = LLVMBuildExtractElement(w->b, product, LLVMConstInt(i32, 0, 0), "");
    for (unsigned i = 1; i < LLVMGetVectorSize(type); i++)
        sum = LLVMBuildFAdd(w->b, sum, LLVMBuildExtractElement(w->b, product, LLVMConstInt(i32, i, 0), ""), "");
    return sum;
}

static LLVMValueRef build_atomic(const struct lowering *w, const struct builtin *f)
{
    LLVMTypeRef type = LLVMTypeOf(w->call);
    LLVMAtomicOrdering relaxed = LLVMAtomicOrderingMonotonic;
    if (f->form == EXCHANGE) {
        LLVMValueRef pair =
            LLVMBuildAtomicCmpXchg(w->b, argument(w, 0), argument(w, 1), argument(w, 2), relaxed, relaxed, 0);
        return LLVMBuildExtractValue(w->b, pair, 0, "");
    }
    LLVMAtomicRMWBinOp op = (LLVMAtomicRMWBinOp)f->atomic;
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind && op != LLVMAtomicRMWBinOpXchg)
        return 0;
    LLVMValueRef value = f->form == ATOMIC1 ? LLVMConstInt(type, 1, 0) : argument(w, 1);
    return LLVMBuildAtomicRMW(w->b, op, argument(w, 0), value, relaxed, 0);
}

static LLVMValueRef build(const struct lowering *w, const struct builtin *f)
{
    LLVMValueRef x = argument(w, 0);
    switch (f->form) {
    case SAME:
        return build_same(w, f);
    case ABS:
        return build_abs(w);
    case CLAMP:
        return build_clamp(w, f);
    case RSQRT:
        return LLVMBuildFDiv(w->b, one(w), intrinsic(w, f->real, &x, 1), "");
    case RECIP:
        return LLVMBuildFDiv(w->b, one(w), x, "");
    case DIVIDE:
        return LLVMBuildFDiv(w->b, x, argument(w, 1), "");
    case PRODUCT:
        return LLVMBuildMul(w->b, x, argument(w, 1), "");
    case PRODUCT3:
        return LLVMBuildAdd(w->b, LLVMBuildMul(w->b, x, argument(w, 1), ""), argument(w, 2), "");
    case ROTATE:
        return of_one_type(w) ? intrinsic(w, "llvm.fshl", (LLVMValueRef[]){x, x, argument(w, 1)}, 3) : 0;
    case DOT:
        return build_dot(w);
    case ATOMIC:
    case ATOMIC1:
    case EXCHANGE:
        return build_atomic(w, f);
    }
    return 0;
}

/* Builds convert_float4(uchar4) and the like, without rounding mode or saturation. */
static LLVMValueRef build_conversion(const struct lowering *w)
{
    static const char prefix[] = "convert_";
    size_t n = sizeof prefix - 1;
    if (w->name.n <= n || memcmp(w->name.name, prefix, n) != 0 || memchr(w->name.name + n, '_', w->name.n - n) ||
        LLVMGetNumArgOperands(w->call) != 1)
        return 0;
    LLVMTypeRef to = LLVMTypeOf(w->call), from = LLVMTypeOf(argument(w, 0));
    bool to_plain = w->name.name[n] == 'u', from_plain = is_without_sign(w->name.code);
    LLVMValueRef x = argument(w, 0);
    if (is_whole(from) && is_whole(to))
        return LLVMBuildIntCast2(w->b, x, to, !from_plain, "");
    if (is_whole(from))
        return from_plain ? LLVMBuildUIToFP(w->b, x, to, "") : LLVMBuildSIToFP(w->b, x, to, "");
    if (is_whole(to))
        return to_plain ? LLVMBuildFPToUI(w->b, x, to, "") : LLVMBuildFPToSI(w->b, x, to, "");
    return LLVMBuildFPCast(w->b, x, to, "");
}

/* ---- all calls ---- */

static void copy_metadata(LLVMValueRef to, LLVMValueRef from)
{
    size_t n;
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(from));
    LLVMValueMetadataEntry *all = LLVMInstructionGetAllMetadataOtherThanDebugLoc(from, &n);
    for (size_t i = 0; i < n; i++)
        LLVMSetMetadata(to, LLVMValueMetadataEntriesGetKind(all, (unsigned)i),
                        LLVMMetadataAsValue(context, LLVMValueMetadataEntriesGetMetadata(all, (unsigned)i)));
    LLVMDisposeValueMetadataEntries(all);
}

/* Returns false if there is no replacement. */
static bool lower_call(struct lowering *w)
{
    LLVMValueRef made = 0, before = LLVMGetPreviousInstruction(w->call);
    LLVMPositionBuilderBefore(w->b, w->call);
    LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(w->call));
    for (size_t i = 0; !made && i < sizeof builtins / sizeof *builtins; i++)
        if (has_name(&w->name, builtins[i].name))
            made = build(w, &builtins[i]);
    if (!made)
        made = build_conversion(w);
    if (!made)
        return false;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(w->call);
    LLVMValueRef i = before ? LLVMGetNextInstruction(before) : LLVMGetFirstInstruction(block);
    for (; i != w->call; i = LLVMGetNextInstruction(i)) {
        copy_metadata(i, w->call);
        if (LLVMCanValueUseFastMathFlags(i) && LLVMCanValueUseFastMathFlags(w->call))
            LLVMSetFastMathFlags(i, LLVMGetFastMathFlags(w->call));
    }
    LLVMReplaceAllUsesWith(w->call, made);
    LLVMInstructionEraseFromParent(w->call);
    return true;
}

static bool in_runtime(const struct mangled *m)
{
    for (size_t i = 0; i < sizeof runtime_names / sizeof *runtime_names; i++)
        if (has_name(m, runtime_names[i]))
            return true;
    return false;
}

static enum status lower_function(struct lowering *w, LLVMValueRef function, const char *path, struct error *e)
{
    if (!demangle(&w->name, function) || in_runtime(&w->name))
        return OK;
    for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
        next = LLVMGetNextUse(use);
        w->call = LLVMGetUser(use);
        if (!LLVMIsACallInst(w->call) || LLVMGetCalledValue(w->call) != function || !lower_call(w))
            return error_set(e, ERR_UNSUPPORTED, AT_FILE(path),
                             "the function '%.*s' (%s) cannot be run here; write it in the kernel's source",
                             (int)w->name.n, w->name.name, LLVMGetValueName(function));
    }
    return OK;
}

enum status builtins_lower(LLVMModuleRef module, const char *path, struct error *e)
{
    struct lowering w = {.module = module, .b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
    enum status s = OK;
    for (LLVMValueRef f = LLVMGetFirstFunction(module), next; !s && f; f = next) {
        next = LLVMGetNextFunction(f);
        if (!LLVMIsDeclaration(f))
            continue;
        s = lower_function(&w, f, path, e);
        if (!s && !LLVMGetFirstUse(f))
            LLVMDeleteFunction(f);
    }
    LLVMDisposeBuilder(w.b);
    return s;
}
