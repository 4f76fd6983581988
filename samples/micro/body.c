/* body.c - building blocks of the shapes: opaque values, uses, calls, blocks. */
#include <string.h>

#include "base/error.h"
#include "samples/micro/private.h"

LLVMTypeRef body_type(const struct body *x, enum type t)
{
    return type_llvm(x->m->context, t);
}

LLVMTypeRef body_word(const struct body *x)
{
    return module_word(x->m);
}

LLVMValueRef body_size(const struct body *x, uint64_t n)
{
    return LLVMConstInt(body_word(x), n, false);
}

static LLVMValueRef number_of(LLVMTypeRef t, struct number n)
{
    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind:
        return LLVMConstInt(t, (unsigned long long)n.i, true);
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
        return LLVMConstReal(t, n.f);
    case LLVMVectorTypeKind: {
        LLVMValueRef lanes[16];
        unsigned count = LLVMGetVectorSize(t);
        for (unsigned i = 0; i < count; i++)
            lanes[i] = number_of(LLVMGetElementType(t), n);
        return LLVMConstVector(lanes, count);
    }
    default:
        BUG("no number of this type");
    }
}

LLVMValueRef body_number(const struct body *x, enum type t, struct number n)
{
    return number_of(body_type(x, t), n);
}

/* ---- empty inline assembly ---- */

static bool in_real_register(LLVMTypeRef t)
{
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMVectorTypeKind;
}

static char constraint_of(const struct body *x, LLVMTypeRef t)
{
    return in_real_register(t) ? x->m->target->real_constraint : 'r';
}

/* Convergent: blocks that contain it are not copied into their predecessors. */
LLVMValueRef body_asm(struct body *x, const char *text, const char *constraints, LLVMTypeRef result, LLVMValueRef *args,
                      unsigned n)
{
    LLVMTypeRef types[2];
    for (unsigned i = 0; i < n; i++)
        types[i] = LLVMTypeOf(args[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, n, false);
    LLVMValueRef assembly = llvm_inline_asm(type, text, constraints);
    LLVMValueRef call = LLVMBuildCall2(x->b, type, assembly, args, n, "");
    unsigned kind = LLVMGetEnumAttributeKindForName("convergent", strlen("convergent"));
    LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(x->m->context, kind, 0));
    return call;
}

bool body_is_pair(const struct body *x, LLVMTypeRef t)
{
    if (LLVMGetTypeKind(t) == LLVMIntegerTypeKind)
        return LLVMGetIntTypeWidth(t) > LLVMGetIntTypeWidth(body_word(x));
    return x->m->set->soft_doubles && LLVMGetTypeKind(t) == LLVMDoubleTypeKind;
}

static LLVMValueRef opaque_pair(struct body *x, LLVMValueRef v)
{
    if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMDoubleTypeKind) {
        LLVMValueRef integer = LLVMBuildBitCast(x->b, v, body_type(x, I64), "");
        return LLVMBuildBitCast(x->b, opaque_pair(x, integer), body_type(x, F64), "");
    }
    LLVMTypeRef wide = LLVMTypeOf(v), half = body_word(x);
    LLVMValueRef bits = LLVMConstInt(wide, LLVMGetIntTypeWidth(half), false);
    LLVMValueRef low = body_opaque(x, LLVMBuildTrunc(x->b, v, half, ""));
    LLVMValueRef high = body_opaque(x, LLVMBuildTrunc(x->b, LLVMBuildLShr(x->b, v, bits, ""), half, ""));
    high = LLVMBuildShl(x->b, LLVMBuildZExt(x->b, high, wide, ""), bits, "");
    return LLVMBuildOr(x->b, LLVMBuildZExt(x->b, low, wide, ""), high, "");
}

LLVMValueRef body_opaque(struct body *x, LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    if (body_is_pair(x, t))
        return opaque_pair(x, v);
    char constraints[] = {'=', constraint_of(x, t), ',', '0', 0};
    return body_asm(x, "", constraints, t, &v, 1);
}

void body_use(struct body *x, LLVMValueRef v)
{
    LLVMTypeRef t = LLVMTypeOf(v);
    if (body_is_pair(x, t)) {
        (void)opaque_pair(x, v);
        return;
    }
    char constraints[] = {constraint_of(x, t), 0};
    body_asm(x, "", constraints, body_type(x, VOID), &v, 1);
}

void body_memory(struct body *x)
{
    body_asm(x, "", "~{memory}", body_type(x, VOID), NULL, 0);
}

void body_nop(struct body *x)
{
    body_asm(x, "nop", "", body_type(x, VOID), NULL, 0);
}

/* ---- memory, calls, blocks ---- */

LLVMValueRef body_load(struct body *x, LLVMTypeRef t, LLVMValueRef p)
{
    LLVMValueRef v = LLVMBuildLoad2(x->b, t, p, "");
    LLVMSetVolatile(v, true);
    return v;
}

void body_store(struct body *x, LLVMValueRef v, LLVMValueRef p)
{
    LLVMSetVolatile(LLVMBuildStore(x->b, v, p), true);
}

LLVMValueRef body_at(struct body *x, LLVMValueRef base, uint64_t bytes)
{
    LLVMValueRef index = body_size(x, bytes);
    return LLVMBuildGEP2(x->b, body_type(x, I8), base, &index, 1, "");
}

LLVMValueRef body_call(struct body *x, const char *intrinsic, const LLVMTypeRef *overloads, unsigned n_overloads,
                       LLVMValueRef *args, unsigned n_args)
{
    LLVMTypeRef type;
    LLVMValueRef f = module_intrinsic(x->m, intrinsic, overloads, n_overloads, &type);
    return LLVMBuildCall2(x->b, type, f, args, n_args, "");
}

LLVMBasicBlockRef body_block(struct body *x, const char *name)
{
    return LLVMAppendBasicBlockInContext(x->m->context, x->function, name);
}

LLVMBasicBlockRef body_away(struct body *x)
{
    if (!x->away) {
        x->away = body_block(x, "away");
        LLVMBuilderRef b = LLVMCreateBuilderInContext(x->m->context);
        LLVMPositionBuilderAtEnd(b, x->away);
        LLVMBuildRetVoid(b);
        LLVMDisposeBuilder(b);
    }
    return x->away;
}

/* ---- values that are carried through the loop ---- */

LLVMValueRef *body_acc(struct body *x, unsigned j)
{
    return &x->acc[x->first_acc + j % (x->r->streams ? x->r->streams : 1)];
}

void body_add_acc(struct body *x, LLVMValueRef v)
{
    if (x->n_acc == MAX_ACC)
        BUG("too many values carried round a loop");
    x->acc[x->n_acc++] = v;
}

void body_add_fix(struct body *x, LLVMValueRef v)
{
    if (x->n_fix == MAX_FIX)
        BUG("too many fixed values");
    x->fix[x->n_fix++] = v;
}

LLVMValueRef body_fix(const struct body *x, unsigned i)
{
    return x->fix[x->first_fix + i];
}
