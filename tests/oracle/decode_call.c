/* Calls: of functions, of the regions' marks, of intrinsics. */
#include "decode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- functions ---- */

static uint64_t byval_bytes(LLVMValueRef v, unsigned argument)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(v, argument + 1, kind);
    return a ? LLVMABISizeOfType(layout, LLVMGetTypeAttributeValue(a)) : 0;
}

static struct call *make_call(struct decoder *d, LLVMValueRef v)
{
    struct call *c = xcalloc(1, sizeof *c);

    c->type = LLVMGetCalledFunctionType(v);
    c->n = LLVMGetNumArgOperands(v);
    c->args = xcalloc(c->n + 1, sizeof *c->args);
    c->result_size = frame_size(LLVMTypeOf(v));
    for (unsigned i = 0; i < c->n; i++) {
        LLVMValueRef argument = LLVMGetOperand(v, i);
        LLVMTypeRef t = LLVMTypeOf(argument);
        c->args[i] = (struct argument){offset_of(d, argument), frame_size(t), t, byval_bytes(v, i)};
    }
    return c;
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

/* Those that the machine's own function could not do for interpreted code. */
static bool decode_special(struct decoder *d, LLVMValueRef v, const char *name)
{
    static const char *const saves[] = {"setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", NULL};
    static const char *const jumps[] = {"longjmp", "_longjmp", "siglongjmp", NULL};
    static const char *const others[] = {"pthread_create", "thrd_create", "fork", "vfork", "makecontext", NULL};
    uint32_t a, b;
    struct op *o;

    if (is_one_of(name, others)) {
        emit_refusal(d, v, "this call is not supported");
        return true;
    }
    if (!is_one_of(name, saves) && !is_one_of(name, jumps))
        return false;
    a = operand_at(d, v, 0);
    b = is_one_of(name, jumps) ? operand_at(d, v, 1) : 0;
    o = emit(d, is_one_of(name, saves) ? OP_SETJMP : OP_LONGJMP);
    o->a = a;
    o->b = b;
    if (o->code == OP_SETJMP)
        o->dst = offset_of(d, v);
    return true;
}

/* SHIM_KEEP and its like: an empty template, which hands on at most its first operand. */
static void decode_asm(struct decoder *d, LLVMValueRef v, LLVMValueRef callee)
{
    char *text = llvm_asm_part(callee, 0);
    char *constraints = llvm_asm_part(callee, 1);
    uint32_t a;
    struct op *o;

    if (!*text && frame_size(LLVMTypeOf(v)) == 0) {
        emit(d, OP_NOTHING);
    } else if (!*text && (strncmp(constraints, "=r,0", 4) == 0 || strncmp(constraints, "=x,0", 4) == 0)) {
        a = operand_at(d, v, 0);
        o = emit(d, OP_COPY);
        o->a = a;
        o->dst = offset_of(d, v);
        o->u.count = frame_size(LLVMTypeOf(v));
    } else {
        emit_refusal(d, v, "inline assembly that is not empty is not supported");
    }
    free(text);
    free(constraints);
}

void decode_call(struct decoder *d, LLVMValueRef v)
{
    LLVMValueRef callee = LLVMGetCalledValue(v);
    bool begins;
    size_t n;
    struct op *o;
    uint32_t a = 0;
    struct call *c;

    if (LLVMIsAGlobalAlias(callee))
        callee = LLVMAliasGetAliasee(callee);
    if (LLVMIsAInlineAsm(callee)) {
        decode_asm(d, v, callee);
        return;
    }
    if (is_region_call(v, &begins)) {
        a = operand_at(d, v, 0);
        emit(d, begins ? OP_REGION_BEGIN : OP_REGION_END)->a = a;
        return;
    }
    if (LLVMIsAFunction(callee)) {
        const char *name = LLVMGetValueName2(callee, &n);
        unsigned id = LLVMGetIntrinsicID(callee);
        if (id) {
            decode_intrinsic(d, v, LLVMIntrinsicGetName(id, &n));
            return;
        }
        if (LLVMIsDeclaration(callee) && decode_special(d, v, name))
            return;
    }
    c = make_call(d, v);
    if (LLVMIsAFunction(callee))
        c->callee = function_of(callee);
    else
        a = offset_of(d, callee);
    o = emit(d, c->callee ? OP_CALL : OP_CALL_INDIRECT);
    o->a = a;
    o->u.call = c;
    if (c->result_size)
        o->dst = offset_of(d, v);
}

/* ---- intrinsics ---- */

/* IEEE 754-2019 minimum and maximum: NaN if either is, and -0 < +0. */
#define MINMAX(name, type, relation, zero)                                                                             \
    static type name(type a, type b)                                                                                   \
    {                                                                                                                  \
        if (isnan(a) || isnan(b))                                                                                      \
            return a + b;                                                                                              \
        if (a == b)                                                                                                    \
            return zero(a) ? a : b;                                                                                    \
        return a relation b ? a : b;                                                                                   \
    }
#define IS_NEGATIVE(x) signbit(x)
#define IS_POSITIVE(x) !signbit(x)
MINMAX(minimum_float, float, <, IS_NEGATIVE)
MINMAX(minimum_double, double, <, IS_NEGATIVE)
MINMAX(maximum_float, float, >, IS_POSITIVE)
MINMAX(maximum_double, double, >, IS_POSITIVE)

static const struct math {
    const char *name;
    float (*one_float)(float);
    double (*one_double)(double);
    float (*two_floats)(float, float);
    double (*two_doubles)(double, double);
} maths[] = {
    {"fabs", fabsf, fabs, 0, 0},
    {"sqrt", sqrtf, sqrt, 0, 0},
    {"floor", floorf, floor, 0, 0},
    {"ceil", ceilf, ceil, 0, 0},
    {"trunc", truncf, trunc, 0, 0},
    {"rint", rintf, rint, 0, 0},
    {"nearbyint", nearbyintf, nearbyint, 0, 0},
    {"round", roundf, round, 0, 0},
    {"roundeven", rintf, rint, 0, 0}, /* in the default rounding mode */
    {"sin", sinf, sin, 0, 0},
    {"cos", cosf, cos, 0, 0},
    {"tan", tanf, tan, 0, 0},
    {"exp", expf, exp, 0, 0},
    {"exp2", exp2f, exp2, 0, 0},
    {"log", logf, log, 0, 0},
    {"log2", log2f, log2, 0, 0},
    {"log10", log10f, log10, 0, 0},
    {"pow", 0, 0, powf, pow},
    {"copysign", 0, 0, copysignf, copysign},
    {"minnum", 0, 0, fminf, fmin},
    {"maxnum", 0, 0, fmaxf, fmax},
    {"minimum", 0, 0, minimum_float, minimum_double},
    {"maximum", 0, 0, maximum_float, maximum_double},
};

static const struct math *find_math(const char *name)
{
    for (size_t i = 0; i < sizeof maths / sizeof *maths; i++)
        if (strcmp(name, maths[i].name) == 0)
            return &maths[i];
    return NULL;
}

/* Sets code and function; false: not for this kind of real. */
static bool set_math(struct op *o, const struct math *m, enum leaf_kind kind)
{
    if (kind == LEAF_FLOAT && m->one_float) {
        o->sub = OP_MATH32;
        o->u.math32 = m->one_float;
    } else if (kind == LEAF_DOUBLE && m->one_double) {
        o->sub = OP_MATH64;
        o->u.math64 = m->one_double;
    } else if (kind == LEAF_FLOAT) {
        o->sub = OP_MATH32_2;
        o->u.math32_2 = m->two_floats;
    } else if (kind == LEAF_DOUBLE) {
        o->sub = OP_MATH64_2;
        o->u.math64_2 = m->two_doubles;
    } else {
        return false;
    }
    return true;
}

static bool decode_math(struct decoder *d, LLVMValueRef v, const char *name)
{
    const struct math *m = find_math(name);
    LLVMTypeRef t = LLVMTypeOf(v);
    uint32_t a, b;
    struct op *o, probe;

    if (!m || !set_math(&probe, m, scalar_leaf(element_of(t)).kind))
        return false;
    a = operand_at(d, v, 0);
    b = LLVMGetNumArgOperands(v) > 1 ? operand_at(d, v, 1) : a;
    o = emit_lanes(d, probe.sub, t);
    set_math(o, m, scalar_leaf(element_of(t)).kind);
    o->a = a;
    o->b = b;
    o->dst = offset_of(d, v);
    return true;
}

/* fma and fmuladd */
static bool decode_fused(struct decoder *d, LLVMValueRef v, const char *name)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    bool fused = strcmp(name, "fma") == 0;
    enum leaf_kind kind;
    uint32_t a, b, c;
    struct op *o;

    if (!fused && strcmp(name, "fmuladd") != 0)
        return false;
    kind = scalar_leaf(element_of(t)).kind;
    if (kind == LEAF_LONG_DOUBLE && fused)
        return false;
    a = operand_at(d, v, 0);
    b = operand_at(d, v, 1);
    c = operand_at(d, v, 2);
    o = emit_lanes(d,
                   kind == LEAF_LONG_DOUBLE ? OP_FMULADD80
                   : kind == LEAF_DOUBLE    ? (fused ? OP_FMA64 : OP_FMULADD64)
                                            : (fused ? OP_FMA32 : OP_FMULADD32),
                   t);
    o->a = a;
    o->b = b;
    o->c = c;
    o->dst = offset_of(d, v);
    return true;
}

/* On integers, lane by lane: c is the width of the operands, the mask that of the result. */
static bool decode_integer(struct decoder *d, LLVMValueRef v, const char *name)
{
    static const struct {
        const char *name;
        enum op_code code;
        unsigned operands; /* that are values; the others are flags */
    } table[] = {
        {"smax", OP_SMAX, 2},         {"smin", OP_SMIN, 2},
        {"umax", OP_UMAX, 2},         {"umin", OP_UMIN, 2},
        {"abs", OP_ABS, 1},           {"ctpop", OP_CTPOP, 1},
        {"ctlz", OP_CTLZ, 1},         {"cttz", OP_CTTZ, 1},
        {"bswap", OP_BSWAP, 1},       {"bitreverse", OP_BITREVERSE, 1},
        {"fshl", OP_FSHL, 3},         {"fshr", OP_FSHR, 3},
        {"sadd.sat", OP_SADD_SAT, 2}, {"uadd.sat", OP_UADD_SAT, 2},
        {"ssub.sat", OP_SSUB_SAT, 2}, {"usub.sat", OP_USUB_SAT, 2},
        {"scmp", OP_SCMP, 2},         {"ucmp", OP_UCMP, 2},
    };
    LLVMTypeRef t = LLVMTypeOf(v);
    size_t i = 0;
    uint32_t at[3] = {0, 0, 0};
    unsigned bits;
    struct op *o;

    while (i < sizeof table / sizeof *table && strcmp(name, table[i].name) != 0)
        i++;
    if (i == sizeof table / sizeof *table)
        return false;
    bits = scalar_leaf(element_of(LLVMTypeOf(LLVMGetOperand(v, 0)))).bits;
    if (bits > 64)
        return false;
    for (unsigned k = 0; k < table[i].operands; k++)
        at[k] = operand_at(d, v, k);
    o = emit_lanes(d, table[i].code, t);
    o->a = at[0];
    o->b = at[1];
    o->c = table[i].operands == 3 ? at[2] : bits;
    o->u.how = bits;
    o->mask = mask_of(scalar_leaf(element_of(t)).bits);
    o->dst = offset_of(d, v);
    return true;
}

static bool decode_overflow(struct decoder *d, LLVMValueRef v, const char *name)
{
    static const struct {
        const char *name;
        LLVMOpcode op;
    } table[] = {{"add.with.overflow", LLVMAdd}, {"sub.with.overflow", LLVMSub}, {"mul.with.overflow", LLVMMul}};
    size_t i = 0;
    uint32_t a, b;
    struct op *o;

    while (i < 3 && strcmp(name + 1, table[i].name) != 0)
        i++;
    if (i == 3 || (*name != 's' && *name != 'u'))
        return false;
    if (is_vector(LLVMTypeOf(LLVMGetOperand(v, 0))) || scalar_leaf(LLVMTypeOf(LLVMGetOperand(v, 0))).bits > 64)
        return false;
    a = operand_at(d, v, 0);
    b = operand_at(d, v, 1);
    o = emit(d, OP_OVERFLOW);
    o->a = a;
    o->b = b;
    o->c = scalar_leaf(LLVMTypeOf(LLVMGetOperand(v, 0))).bits;
    o->mask = *name == 's';
    o->u.how = table[i].op;
    o->dst = offset_of(d, v);
    return true;
}

static bool decode_class(struct decoder *d, LLVMValueRef v, const char *name)
{
    LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(v, 0));
    uint32_t a;
    struct op *o;

    if (strcmp(name, "is.fpclass") != 0 || scalar_leaf(element_of(t)).kind == LEAF_LONG_DOUBLE)
        return false;
    a = operand_at(d, v, 0);
    o = emit_lanes(d, OP_FPCLASS, t);
    o->a = a;
    o->c = scalar_leaf(element_of(t)).bits;
    o->u.how = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1));
    o->dst = offset_of(d, v);
    return true;
}

/* vector.reduce.X: X between all lanes, in order; the reals' sums and products begin with operand 0. */
static bool decode_reduction(struct decoder *d, LLVMValueRef v, const char *name)
{
    static const struct {
        const char *name;
        enum op_code code, code64; /* integers: the first; float, double */
    } table[] = {{"add", OP_ADD, OP_ADD},        {"mul", OP_MUL, OP_MUL},       {"and", OP_AND, OP_AND},
                 {"or", OP_OR, OP_OR},           {"xor", OP_XOR, OP_XOR},       {"smax", OP_SMAX, OP_SMAX},
                 {"smin", OP_SMIN, OP_SMIN},     {"umax", OP_UMAX, OP_UMAX},    {"umin", OP_UMIN, OP_UMIN},
                 {"fadd", OP_FADD32, OP_FADD64}, {"fmul", OP_FMUL32, OP_FMUL64}};
    const size_t n = sizeof table / sizeof *table;
    struct leaf l;
    bool starts;
    size_t i = 0;
    uint32_t a, b;
    struct op *o;

    if (strncmp(name, "vector.reduce.", 14) != 0)
        return false;
    while (i < n && strcmp(name + 14, table[i].name) != 0)
        i++;
    if (i == n)
        return false;
    l = scalar_leaf(LLVMTypeOf(v));
    if (l.slots != 1)
        return false;
    starts = LLVMGetNumArgOperands(v) == 2;
    a = operand_at(d, v, starts);
    b = starts ? operand_at(d, v, 0) : 0;
    o = emit(d, starts ? OP_FREDUCE : OP_REDUCE);
    o->sub = (uint16_t)(l.kind == LEAF_DOUBLE ? table[i].code64 : table[i].code);
    o->lanes = (uint16_t)lanes_of(LLVMTypeOf(LLVMGetOperand(v, starts)));
    o->a = a;
    o->b = b;
    o->c = l.bits;
    o->mask = mask_of(l.bits);
    o->dst = offset_of(d, v);
    return true;
}

uint32_t va_list_of(LLVMValueRef function)
{
    const char *target = LLVMGetTarget(LLVMGetGlobalParent(function));

    return strncmp(target, "x86_64", 6) == 0 ? 24 : strncmp(target, "aarch64", 7) == 0 ? 32 : 0;
}

/* Those with operands a, b, c and no more to say. */
static bool decode_plain(struct decoder *d, LLVMValueRef v, const char *name)
{
    static const struct {
        const char *name;
        enum op_code code;
        unsigned operands;
    } table[] = {
        {"memcpy", OP_MEMMOVE, 3},
        {"memcpy.inline", OP_MEMMOVE, 3},
        {"memmove", OP_MEMMOVE, 3},
        {"memset", OP_MEMSET, 3},
        {"memset.inline", OP_MEMSET, 3},
        {"stacksave", OP_STACKSAVE, 0},
        {"stackrestore", OP_STACKRESTORE, 1},
        {"load.relative", OP_LOAD_RELATIVE, 2},
        {"trap", OP_TRAP, 0},
        {"debugtrap", OP_TRAP, 0},
        {"prefetch", OP_NOTHING, 0},
        {"threadlocal.address", OP_MOVE, 1},
        {"va_start", OP_VA_START, 1},
        {"va_end", OP_NOTHING, 0},
    };
    const size_t n = sizeof table / sizeof *table;
    uint32_t at[3] = {0, 0, 0}, size = 0;
    size_t i = 0;
    struct op *o;

    while (i < n && strcmp(name, table[i].name) != 0)
        i++;
    if (i == n)
        return false;
    if (table[i].code == OP_VA_START)
        size = va_list_of(LLVMGetBasicBlockParent(LLVMGetInstructionParent(v)));
    if (table[i].code == OP_VA_START && size == 0)
        return false;
    for (unsigned k = 0; k < table[i].operands; k++)
        at[k] = operand_at(d, v, k);
    o = emit(d, table[i].code);
    o->a = at[0];
    o->b = at[1];
    o->c = at[2];
    if (table[i].code == OP_VA_START)
        o->u.count = size;
    if (table[i].code == OP_LOAD_RELATIVE)
        o->lanes = (uint16_t)LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(v, 1)));
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMVoidTypeKind)
        o->dst = offset_of(d, v);
    return true;
}

void decode_intrinsic(struct decoder *d, LLVMValueRef v, const char *name)
{
    const char *short_name = name + strlen("llvm.");
    bool no_result = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVoidTypeKind;

    if (d->key == NOT_COUNTED) { /* makes no code; if it has a result, that is its first operand */
        if (!no_result && strncmp(short_name, "invariant", 9) == 0)
            return; /* an object that nobody reads */
        if (!no_result) {
            uint32_t a = operand_at(d, v, 0), size = frame_size(LLVMTypeOf(v));
            struct op *o = emit(d, OP_COPY);
            o->a = a;
            o->dst = offset_of(d, v);
            o->u.count = size;
        }
        return;
    }
    if (decode_plain(d, v, short_name))
        return;
    if (!no_result &&
        (decode_integer(d, v, short_name) || decode_overflow(d, v, short_name) || decode_reduction(d, v, short_name) ||
         decode_fused(d, v, short_name) || decode_class(d, v, short_name) || decode_math(d, v, short_name)))
        return;
    emit_refusal(d, v, "this intrinsic is not supported");
}
