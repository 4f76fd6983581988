/* shape_value.c - instructions that compute values: arithmetic, comparison, selection, conversion, intrinsics. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "samples/micro/private.h"

static enum type carried(const struct micro_recipe *r)
{
    return r->from ? r->from : r->type;
}

/* A pointer may have any value. */
static LLVMValueRef opaque_number(struct body *x, enum type t, struct number n)
{
    return body_opaque(x, t == PTR ? module_bytes(x->m, "micro.cells", CELLS) : body_number(x, t, n));
}

static void carry(struct body *x, enum type t)
{
    unsigned n = x->r->streams ? x->r->streams : 1;
    for (unsigned i = 0; i < n; i++)
        body_add_acc(x, opaque_number(x, t, x->r->start));
}

/* ---- acc = acc OP other ---- */

static void binary_enter(struct body *x)
{
    const struct micro_recipe *r = x->r;
    carry(x, r->type);
    bool constant = r->flags & CONSTANT;
    body_add_fix(x, constant ? body_number(x, r->type, r->other) : opaque_number(x, r->type, r->other));
    if (r->flags & PLUS)
        body_add_fix(x, opaque_number(x, r->type, r->more));
}

static void binary_copy(struct body *x, unsigned j)
{
    const struct micro_recipe *r = x->r;
    LLVMValueRef *acc = body_acc(x, j), a = *acc, other = body_fix(x, 0);
    if (r->flags & PLUS) {
        LLVMOpcode plus = type_is_real(r->type) ? LLVMFAdd : LLVMAdd;
        a = body_opaque(x, LLVMBuildBinOp(x->b, plus, a, body_fix(x, 1), ""));
    }
    bool second = r->flags & SECOND;
    *acc = body_opaque(x, LLVMBuildBinOp(x->b, (LLVMOpcode)r->op, second ? other : a, second ? a : other, ""));
}

const struct shape shape_binary = {.enter = binary_enter, .copy = binary_copy};

/* ---- acc = OP acc ---- */

static void unary_enter(struct body *x)
{
    carry(x, x->r->type);
}

static void negate_copy(struct body *x, unsigned j)
{
    LLVMValueRef *acc = body_acc(x, j);
    *acc = body_opaque(x, LLVMBuildFNeg(x->b, *acc, ""));
}

static void freeze_copy(struct body *x, unsigned j)
{
    LLVMValueRef *acc = body_acc(x, j);
    *acc = body_opaque(x, LLVMBuildFreeze(x->b, *acc, ""));
}

const struct shape shape_unary = {.enter = unary_enter, .copy = negate_copy};
const struct shape shape_freeze = {.enter = unary_enter, .copy = freeze_copy};

/* ---- comparison of operands of type `from`; the result is used as `type` ---- */

static LLVMValueRef compare(struct body *x, LLVMValueRef a, LLVMValueRef b)
{
    const struct micro_recipe *r = x->r;
    return type_is_real(carried(r)) ? LLVMBuildFCmp(x->b, (LLVMRealPredicate)r->op, a, b, "")
                                    : LLVMBuildICmp(x->b, (LLVMIntPredicate)r->op, a, b, "");
}

static void compare_enter(struct body *x)
{
    enum type t = carried(x->r);
    carry(x, t);
    body_add_fix(x, opaque_number(x, t, x->r->other));
    if (x->r->name && strcmp(x->r->name, "select") == 0)
        body_add_fix(x, opaque_number(x, t, x->r->more));
}

/* name "select": acc = acc OP other ? acc : more. "zext": acc = the widened result of acc OP other. "bitcast": the
 * widened result, as bits of the compared type. NULL: the widened result is only used. */
static void compare_copy(struct body *x, unsigned j)
{
    const struct micro_recipe *r = x->r;
    LLVMValueRef *acc = body_acc(x, j), bit = compare(x, *acc, body_fix(x, 0));
    if (r->name && strcmp(r->name, "select") == 0) {
        *acc = body_opaque(x, LLVMBuildSelect(x->b, bit, *acc, body_fix(x, 1), ""));
        return;
    }
    if (r->name && strcmp(r->name, "zext") == 0) {
        *acc = body_opaque(x, LLVMBuildZExt(x->b, bit, body_type(x, r->from), ""));
        return;
    }
    if (r->name && strcmp(r->name, "bitcast") == 0) {
        bit = LLVMBuildZExt(x->b, bit, body_type(x, r->from == F32 ? I32 : I64), "");
        *acc = body_opaque(x, LLVMBuildBitCast(x->b, bit, body_type(x, r->from), ""));
        return;
    }
    body_use(x, LLVMBuildZExt(x->b, bit, body_type(x, I32), ""));
    *acc = body_opaque(x, *acc);
}

const struct shape shape_compare = {.enter = compare_enter, .copy = compare_copy};

/* ---- acc = bit ? acc : other; AGAIN: each copy extracts the bit from its number ---- */

static LLVMValueRef bit_of(struct body *x, LLVMValueRef v)
{
    return LLVMBuildTrunc(x->b, v, body_type(x, I1), "");
}

static void select_enter(struct body *x)
{
    carry(x, x->r->type);
    body_add_fix(x, opaque_number(x, x->r->type, x->r->other));
    body_add_fix(x, opaque_number(x, I32, (struct number){1, 0}));
}

static void select_copy(struct body *x, unsigned j)
{
    LLVMValueRef *acc = body_acc(x, j), *from = &x->fix[x->first_fix + 1];
    if (x->r->flags & AGAIN)
        *from = body_opaque(x, *from);
    LLVMValueRef bit = bit_of(x, *from);
    *acc = body_opaque(x, LLVMBuildSelect(x->b, bit, *acc, body_fix(x, 0), ""));
}

const struct shape shape_select = {.enter = select_enter, .copy = select_copy};

/* ---- bits: acc is a byte of which one bit counts ---- */

static void bit_enter(struct body *x)
{
    carry(x, I8);
    body_add_fix(x, opaque_number(x, I8, x->r->other));
}

/* op LLVMZExt: only the conversion to the byte */
static void bit_copy(struct body *x, unsigned j)
{
    LLVMValueRef *acc = body_acc(x, j), v = bit_of(x, *acc);
    LLVMOpcode op = (LLVMOpcode)x->r->op;
    LLVMValueRef other = op == LLVMFreeze || op == LLVMZExt ? NULL : bit_of(x, body_fix(x, 0));
    if (op == LLVMFreeze)
        v = LLVMBuildFreeze(x->b, v, "");
    else if (op == LLVMSelect)
        v = LLVMBuildSelect(x->b, v, other, LLVMConstInt(body_type(x, I1), 0, false), "");
    else if (op != LLVMZExt)
        v = LLVMBuildBinOp(x->b, op, v, other, "");
    *acc = body_opaque(x, LLVMBuildZExt(x->b, v, body_type(x, I8), ""));
}

const struct shape shape_bit = {.enter = bit_enter, .copy = bit_copy};

/* ---- conversions ---- */

static void convert_enter(struct body *x)
{
    carry(x, carried(x->r));
}

static void convert_copy(struct body *x, unsigned j)
{
    const struct micro_recipe *r = x->r;
    LLVMValueRef *acc = body_acc(x, j);
    body_use(x, LLVMBuildCast(x->b, (LLVMOpcode)r->op, *acc, body_type(x, r->type), ""));
    *acc = body_opaque(x, *acc);
}

/* size: the opcode of the conversion back */
static void there_and_back_copy(struct body *x, unsigned j)
{
    const struct micro_recipe *r = x->r;
    LLVMValueRef *acc = body_acc(x, j);
    LLVMValueRef there = body_opaque(x, LLVMBuildCast(x->b, (LLVMOpcode)r->op, *acc, body_type(x, r->type), ""));
    *acc = body_opaque(x, LLVMBuildCast(x->b, (LLVMOpcode)r->size, there, body_type(x, r->from), ""));
}

const struct shape shape_convert = {.enter = convert_enter, .copy = convert_copy};
const struct shape shape_there_and_back = {.enter = convert_enter, .copy = there_and_back_copy};

/* ---- intrinsics; args: x acc, o other, m more, 0 and 1 the bits, 3 an int, r 3 in acc's type ---- */

static void intrinsic_enter(struct body *x)
{
    const struct micro_recipe *r = x->r;
    carry(x, carried(r));
    bool constant = r->flags & CONSTANT;
    body_add_fix(x, constant ? body_number(x, r->type, r->other) : opaque_number(x, r->type, r->other));
    body_add_fix(x, opaque_number(x, r->type, r->more));
}

static LLVMValueRef argument(const struct body *x, char letter, LLVMValueRef acc)
{
    switch (letter) {
    case 'x':
        return acc;
    case 'o':
        return body_fix(x, 0);
    case 'm':
        return body_fix(x, 1);
    case '0':
    case '1':
        return LLVMConstInt(body_type(x, I1), letter == '1', false);
    case 'r':
        return LLVMConstInt(body_type(x, x->r->type), 3, false);
    case '3':
        return LLVMConstInt(body_type(x, I32), 3, false);
    default:
        BUG("no argument '%c'", letter);
    }
}

/* The number in a pair. The bit next to it is used as well. */
static LLVMValueRef without_bit(struct body *x, LLVMValueRef pair)
{
    LLVMValueRef bit = LLVMBuildExtractValue(x->b, pair, 1, "");
    if (x->r->flags & EXTENDED) {
        body_use(x, LLVMBuildZExt(x->b, bit, body_type(x, I8), ""));
    } else {
        LLVMBasicBlockRef next = body_block(x, "next");
        LLVMBuildCondBr(x->b, bit, body_away(x), next);
        LLVMPositionBuilderAtEnd(x->b, next);
    }
    return LLVMBuildExtractValue(x->b, pair, 0, "");
}

static void intrinsic_copy(struct body *x, unsigned j)
{
    const struct micro_recipe *r = x->r;
    enum type second = r->size == WITH_EXPONENT ? I32 : carried(r);
    LLVMTypeRef overloads[2] = {body_type(x, r->type), body_type(x, second)};
    LLVMValueRef args[4], *acc = body_acc(x, j);
    unsigned n = 0;
    for (const char *a = r->args; *a; a++)
        args[n++] = argument(x, *a, *acc);
    LLVMValueRef v = body_call(x, r->name, overloads, r->size ? 2 : 1, args, n);
    if (r->flags & OVERFLOW_)
        v = without_bit(x, v);
    if (LLVMTypeOf(v) == LLVMTypeOf(*acc) && !(r->flags & SAME)) {
        *acc = body_opaque(x, v);
        return;
    }
    if (LLVMTypeOf(v) == body_type(x, I1))
        v = LLVMBuildZExt(x->b, v, body_type(x, I32), "");
    body_use(x, v);
    *acc = body_opaque(x, *acc);
}

const struct shape shape_intrinsic = {.enter = intrinsic_enter, .copy = intrinsic_copy};

/* ---- two kinds of instructions in turn ---- */

static void half(struct body *x, const struct micro_recipe *r, unsigned first_acc, unsigned first_fix)
{
    x->r = r;
    x->first_acc = first_acc;
    x->first_fix = first_fix;
}

static void pair_enter(struct body *x)
{
    const struct micro_recipe *first = x->c->recipe->second, *second = first->second;
    half(x, first, 0, 0);
    first->shape->enter(x);
    x->second_acc = x->n_acc;
    x->second_fix = x->n_fix;
    half(x, second, x->second_acc, x->second_fix);
    second->shape->enter(x);
}

static void pair_copy(struct body *x, unsigned j)
{
    const struct micro_recipe *first = x->c->recipe->second, *second = first->second;
    half(x, first, 0, 0);
    first->shape->copy(x, j);
    half(x, second, x->second_acc, x->second_fix);
    second->shape->copy(x, j);
}

const struct shape shape_pair = {.enter = pair_enter, .copy = pair_copy};

/* ---- vectors: insert and extract an element; shuffle elements ---- */

static void element_enter(struct body *x)
{
    carry(x, x->r->type);
    body_add_fix(x, opaque_number(x, x->r->from, x->r->other));
}

/* acc is a scalar: it is inserted into the vector and extracted again */
static void element_copy(struct body *x, unsigned j)
{
    LLVMValueRef *acc = body_acc(x, j), lane = LLVMConstInt(body_type(x, I32), 1, false);
    LLVMValueRef v = body_opaque(x, LLVMBuildInsertElement(x->b, body_fix(x, 0), *acc, lane, ""));
    *acc = body_opaque(x, LLVMBuildExtractElement(x->b, v, lane, ""));
}

const struct shape shape_element = {.enter = element_enter, .copy = element_copy};

/* size: the first element of the new order; op: the step */
static void shuffle_copy(struct body *x, unsigned j)
{
    LLVMValueRef *acc = body_acc(x, j), order[16];
    unsigned n = LLVMGetVectorSize(body_type(x, x->r->type));
    for (unsigned i = 0; i < n; i++)
        order[i] = LLVMConstInt(body_type(x, I32), (x->r->size + i * x->r->op) % n, false);
    *acc = body_opaque(x, LLVMBuildShuffleVector(x->b, *acc, *acc, LLVMConstVector(order, n), ""));
}

const struct shape shape_shuffle = {.enter = unary_enter, .copy = shuffle_copy};

static void reduce_copy(struct body *x, unsigned j)
{
    char name[64];
    LLVMTypeRef type = body_type(x, x->r->type);
    LLVMValueRef *acc = body_acc(x, j);
    snprintf(name, sizeof name, "llvm.vector.reduce.%s", x->r->name);
    body_use(x, body_call(x, name, &type, 1, acc, 1));
    *acc = body_opaque(x, *acc);
}

const struct shape shape_reduce = {.enter = unary_enter, .copy = reduce_copy};

/* ---- structures in registers: a value is inserted and extracted ---- */

static void value_copy(struct body *x, unsigned j)
{
    LLVMTypeRef t = body_type(x, x->r->type), fields[] = {t, body_type(x, I32)};
    LLVMValueRef *acc = body_acc(x, j), pair = LLVMGetUndef(LLVMStructTypeInContext(x->m->context, fields, 2, false));
    pair = LLVMBuildInsertValue(x->b, pair, *acc, 0, "");
    *acc = body_opaque(x, LLVMBuildExtractValue(x->b, pair, 0, ""));
}

const struct shape shape_value = {.enter = unary_enter, .copy = value_copy};

/* ---- phi: k values rotate; `size` 0: each stays in place ---- */

static void phi_enter(struct body *x)
{
    unsigned n = body_is_pair(x, body_type(x, x->r->type)) ? MAX_ACC / 8 : MAX_ACC / 2;
    for (unsigned i = 0; i < n; i++)
        body_add_acc(x, opaque_number(x, x->r->type, (struct number){(int64_t)i, i}));
}

static void phi_copy(struct body *x, unsigned j)
{
    (void)x, (void)j;
}

static void phi_leave(struct body *x)
{
    if (!x->r->size || x->k < 2)
        return;
    LLVMValueRef first = x->acc[0];
    for (unsigned i = 0; i + 1 < x->k; i++)
        x->acc[i] = x->acc[i + 1];
    x->acc[x->k - 1] = first;
}

const struct shape shape_phi = {.enter = phi_enter, .copy = phi_copy, .leave = phi_leave};
