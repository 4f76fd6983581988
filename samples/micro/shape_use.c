/* shape_use.c - a result and what needs it next, over and over: in a core that issues in order, what needs it waits. */
#include "base/error.h"
#include "samples/micro/private.h"

/* args: what a copy executes, a letter each; each needs the result of the one before. The first one waits for nothing.
 * l: load, of an address where something comes before it; s: shift; m: multiply; w: write to memory; z: branch if it
 * is not 0, which it never is; a: add, to integers an address, so that 0 becomes one. */

static void use_enter(struct body *x)
{
    enum type t = x->r->type;
    LLVMValueRef cells = module_bytes(x->m, "micro.cells", CELLS);
    body_add_acc(x, body_opaque(x, body_number(x, t, (struct number){0, 0})));
    body_add_fix(x, body_opaque(x, cells));
    body_add_fix(x, body_opaque(x, module_bytes(x->m, "micro.stores", CELLS)));
    body_add_fix(x, body_opaque(x, type_is_real(t) ? body_number(x, t, (struct number){0, 0.5})
                                                   : LLVMBuildPtrToInt(x->b, cells, body_type(x, t), "")));
}

/* The first half of micro.cells is zeros. */
static LLVMValueRef use_place(struct body *x, unsigned j, unsigned fix)
{
    enum { PLACES = 32 };
    return body_at(x, body_fix(x, fix), (uint64_t)j % PLACES * (type_bits(x->r->type) / 8));
}

static LLVMValueRef use_branch(struct body *x, LLVMValueRef v)
{
    LLVMValueRef zero = body_number(x, x->r->type, (struct number){0, 0});
    LLVMValueRef bit = LLVMBuildICmp(x->b, LLVMIntNE, v, zero, "");
    LLVMBasicBlockRef next = body_block(x, "next");
    LLVMBuildCondBr(x->b, bit, body_away(x), next);
    LLVMPositionBuilderAtEnd(x->b, next);
    return v;
}

static LLVMValueRef used(struct body *x, char letter, LLVMValueRef v, unsigned j, bool first)
{
    bool real = type_is_real(x->r->type);
    LLVMTypeRef t = body_type(x, x->r->type);
    switch (letter) {
    case 'l':
        return LLVMBuildLoad2(x->b, t, first ? use_place(x, j, 0) : LLVMBuildIntToPtr(x->b, v, body_type(x, PTR), ""),
                              "");
    case 'a':
        return LLVMBuildBinOp(x->b, real ? LLVMFAdd : LLVMAdd, v, body_fix(x, 2), "");
    case 'm':
        return LLVMBuildBinOp(x->b, real ? LLVMFMul : LLVMMul, v, body_fix(x, 2), "");
    case 's':
        return LLVMBuildShl(x->b, v, body_number(x, x->r->type, (struct number){3, 0}), "");
    case 'w':
        LLVMBuildStore(x->b, v, use_place(x, j, 1));
        return v;
    case 'z':
        return use_branch(x, v);
    default:
        BUG("no use '%c'", letter);
    }
}

static void use_copy(struct body *x, unsigned j)
{
    LLVMValueRef *acc = body_acc(x, j), v;
    v = *acc = body_opaque(x, *acc);
    for (const char *letter = x->r->args; *letter; letter++) {
        v = used(x, *letter, v, j, letter == x->r->args);
        if (*letter != 'w')
            v = body_opaque(x, v);
    }
    body_memory(x);
}

const struct shape shape_use = {.enter = use_enter, .copy = use_copy};

/* ---- acc = acc + a * b, of another a each time ---- */

static void accumulate_enter(struct body *x)
{
    const struct micro_recipe *r = x->r;
    for (unsigned i = 0; i < r->streams; i++)
        body_add_acc(x, body_opaque(x, body_number(x, r->type, r->start)));
    body_add_acc(x, body_opaque(x, body_number(x, r->type, r->other)));
    body_add_fix(x, body_opaque(x, body_number(x, r->type, r->more)));
}

static void accumulate_copy(struct body *x, unsigned j)
{
    LLVMTypeRef t = body_type(x, x->r->type);
    LLVMValueRef *acc = body_acc(x, j), *factor = &x->acc[x->r->streams], sum;
    *factor = body_opaque(x, *factor);
    if (x->r->name) {
        LLVMValueRef args[] = {*factor, body_fix(x, 0), *acc};
        sum = body_call(x, x->r->name, &t, 1, args, 3);
    } else {
        sum = LLVMBuildAdd(x->b, *acc, LLVMBuildMul(x->b, *factor, body_fix(x, 0), ""), "");
    }
    *acc = body_opaque(x, sum);
}

const struct shape shape_accumulate = {.enter = accumulate_enter, .copy = accumulate_copy};

/* ---- acc = the upper half of acc * other ---- */

static void high_enter(struct body *x)
{
    for (unsigned i = 0; i < x->r->streams; i++)
        body_add_acc(x, body_opaque(x, body_number(x, I64, x->r->start)));
    body_add_fix(x, body_opaque(x, body_number(x, I64, x->r->other)));
}

static void high_copy(struct body *x, unsigned j)
{
    LLVMTypeRef wide = body_type(x, I128);
    LLVMValueRef *acc = body_acc(x, j), a = LLVMBuildZExt(x->b, *acc, wide, "");
    LLVMValueRef product = LLVMBuildMul(x->b, a, LLVMBuildZExt(x->b, body_fix(x, 0), wide, ""), "");
    product = LLVMBuildLShr(x->b, product, LLVMConstInt(wide, type_bits(I64), false), "");
    *acc = body_opaque(x, LLVMBuildTrunc(x->b, product, body_type(x, I64), ""));
}

const struct shape shape_high = {.enter = high_enter, .copy = high_copy};
