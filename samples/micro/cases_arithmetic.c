/*
 * cases_arithmetic.c - integer and floating-point arithmetic. On many processors the time of a division depends on its
 * operands. So operands are the same in every iteration: acc / 1 is acc, and c / acc is acc if c is its square.
 */
#include <string.h>

#include "base/key.h"
#include "samples/micro/micro.h"
#include "samples/micro/private.h"

static const enum type integers[] = {I8, I16, I32, I64, I128};
static const enum type reals[] = {F32, F64};
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Adds a case as a chain and as streams. `words` is appended to the condition: "", ",large". */
static void both(struct list *l, const char *opcode, enum type t, const char *words, struct draft d)
{
    char condition[64];
    for (unsigned stream = 0; stream < 2; stream++) {
        size_t n = 0;
        for (const char *s = stream ? "stream" : "chain"; *s; s++)
            condition[n++] = *s;
        for (const char *s = words; *s && n + 1 < sizeof condition; s++)
            condition[n++] = *s;
        condition[n] = 0;
        d.condition = condition;
        bool calls = d.recipe.op == LLVMFRem && d.recipe.shape == &shape_binary;
        d.quantity = stream ? MICRO_PITCH : MICRO_LATENCY;
        d.recipe.streams = stream ? calls ? 2 : streams_of(l, t) : 1;
        add_typed(l, d, opcode, t);
    }
}

static struct draft binary(LLVMOpcode op, enum type t, struct number start, struct number other, unsigned flags)
{
    return (struct draft){
        .recipe = {.shape = &shape_binary, .op = op, .type = t, .start = start, .other = other, .flags = flags}};
}

/* ---- Integers ---- */

static void plain_integers(struct list *l)
{
    static const struct {
        const char *name;
        LLVMOpcode op;
        int64_t other;
        bool constant; /* as C code usually has it */
    } ops[] = {{"add", LLVMAdd, 3, false},  {"sub", LLVMSub, 3, false},  {"mul", LLVMMul, 3, false},
               {"shl", LLVMShl, 1, true},   {"lshr", LLVMLShr, 1, true}, {"ashr", LLVMAShr, 1, true},
               {"and", LLVMAnd, -3, false}, {"or", LLVMOr, 12, false},   {"xor", LLVMXor, 12, false}};
    for (size_t i = 0; i < COUNT(ops); i++)
        for (size_t k = 0; k < COUNT(integers); k++) {
            struct number start = {77, 0}, other = {ops[i].other, 0};
            struct draft d = binary(ops[i].op, integers[k], start, other, 0);
            d.typical = !ops[i].constant;
            both(l, ops[i].name, integers[k], "", d);
            d.recipe.flags = CONSTANT;
            d.typical = ops[i].constant;
            both(l, ops[i].name, integers[k], ",constant", d);
        }
}

/* Roots whose squares fit into the type. So the quotient has about half of the bits, as is usual. */
static const struct {
    enum type type;
    int64_t root, most;
} widths[] = {
    {I8, 11, 127}, {I16, 181, 32767}, {I32, 31622, 2147483647}, {I64, 1000003, INT64_MAX}, {I128, 1000003, INT64_MAX}};

enum { SMALL = 3 };

static void division(struct list *l, const char *name, LLVMOpcode op)
{
    for (size_t k = 0; k < COUNT(widths); k++) {
        enum type t = widths[k].type;
        int64_t root = widths[k].root;
        struct draft d = binary(op, t, (struct number){root, 0}, (struct number){root * root, 0}, SECOND);
        d.step = t == I128 ? 2 : 8;
        d.trips = 128;
        d.typical = true;
        both(l, name, t, "", d);
        d.typical = false;
        d.recipe.start.i = SMALL;
        d.recipe.other.i = SMALL * SMALL;
        both(l, name, t, ",small", d);
        d.recipe.start.i = widths[k].most;
        d.recipe.other.i = 1;
        d.recipe.flags = 0;
        both(l, name, t, ",large", d);
        if (t == I128)
            continue; /* a call again */
        d.recipe.other.i = 10;
        d.recipe.flags = CONSTANT;
        both(l, name, t, ",constant", d);
        d.recipe.other.i = 8;
        both(l, name, t, ",power-of-2", d);
    }
}

/* (acc + c) % d is acc again if c is a multiple of d. */
static void remainder_of(struct list *l, const char *name, LLVMOpcode op)
{
    for (size_t k = 0; k < COUNT(widths); k++) {
        enum type t = widths[k].type;
        int64_t root = widths[k].root;
        struct draft d = binary(op, t, (struct number){1, 0}, (struct number){root, 0}, PLUS);
        char with[16] = "add.";
        for (size_t i = 0; (with[4 + i] = type_name(t)[i]); i++)
            ;
        d.recipe.more.i = root * (root - 1);
        d.step = t == I128 ? 2 : 8;
        d.trips = 128;
        d.with = with;
        d.share = MICRO_MINUS;
        d.typical = true;
        both(l, name, t, "", d);
        d.with = NULL;
        d.share = MICRO_ALONE;
        d.typical = false;
        d.recipe.flags = 0;
        both(l, name, t, ",small", d);
        if (t == I128)
            continue;
        d.recipe.start.i = 9;
        d.recipe.other.i = 10;
        d.recipe.flags = CONSTANT;
        both(l, name, t, ",constant", d);
        d.recipe.other.i = 8;
        both(l, name, t, ",power-of-2", d);
    }
}

static int bits_of(int64_t n)
{
    int bits = 0;
    for (; n; n >>= 1)
        bits++;
    return bits;
}

int micro_quotient_bits(const char *key, const char *condition)
{
    struct ir_key k = ir_key(key);
    const char *words = condition + strcspn(condition, ",");
    bool divides = k.opcode == IR_UDIV || k.opcode == IR_SDIV;
    if (!divides || k.type.kind != IR_TYPE_INTEGER || k.type.lanes || k.type.bits > 64)
        return -1;
    for (size_t i = 0; i < COUNT(widths); i++) {
        if (type_bits(widths[i].type) != k.type.bits)
            continue;
        if (!*words)
            return bits_of(widths[i].root);
        if (strcmp(words, ",small") == 0)
            return bits_of(SMALL);
        return strcmp(words, ",large") == 0 ? bits_of(widths[i].most) : -1;
    }
    return -1;
}

/* ---- Floating point ---- */

struct range {
    const char *words;
    bool typical;
    struct number start, other;
    unsigned flags;
};

static void with_ranges(struct list *l, const char *name, LLVMOpcode op, enum type t, const struct range *r, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct draft d = binary(op, t, r[i].start, r[i].other, r[i].flags);
        d.typical = r[i].typical;
        if (op == LLVMFRem) {
            d.step = 2;
            d.trips = 32;
        }
        both(l, name, t, r[i].words, d);
    }
}

static void add_reals(struct list *l, enum type t)
{
    double tiny = t == F32 ? 1e-40 : 1e-310, big = t == F32 ? 1e18 : 1e150;
    const struct range sum[] = {{"", true, {0, 1.5}, {0, 0.0009765625}, 0}, {",denormal", false, {0, tiny}, {0, 0}, 0}};
    const struct range product[] = {{"", true, {0, 1.7}, {0, 0.9999999}, 0},
                                    {",denormal", false, {0, tiny}, {0, 1}, 0}};
    const struct range quotient[] = {{"", true, {0, 1.7320508}, {0, 2.9999999}, SECOND},
                                     {",small", false, {0, 1.5}, {0, 1}, 0},
                                     {",large", false, {0, big * 1.7320508}, {0, big * big * 2.9999999}, SECOND},
                                     {",denormal", false, {0, tiny}, {0, 1}, 0}};
    const struct range rest[] = {{",small", false, {0, 2.25}, {0, 3.5}, 0}};
    with_ranges(l, "fadd", LLVMFAdd, t, sum, COUNT(sum));
    with_ranges(l, "fsub", LLVMFSub, t, sum, COUNT(sum));
    with_ranges(l, "fmul", LLVMFMul, t, product, COUNT(product));
    with_ranges(l, "fdiv", LLVMFDiv, t, quotient, COUNT(quotient));
    with_ranges(l, "frem", LLVMFRem, t, rest, COUNT(rest));
    for (unsigned large = 0; large < 2; large++) {
        struct draft d = binary(LLVMFRem, t, (struct number){0, 1.25}, (struct number){0, 3.5}, PLUS);
        d.recipe.more.f = large ? 3.5 * 1048576 : 3.5 * 3;
        d.with = t == F32 ? "fadd.float" : "fadd.double";
        d.share = MICRO_MINUS;
        d.step = 2;
        d.trips = 32;
        d.typical = !large;
        both(l, "frem", t, large ? ",large" : "", d);
    }
    struct draft d = {.typical = true, .recipe = {.shape = &shape_unary, .type = t, .start = {0, 1.5}}};
    both(l, "fneg", t, "", d);
}

void cases_arithmetic(struct list *l)
{
    plain_integers(l);
    division(l, "sdiv", LLVMSDiv);
    division(l, "udiv", LLVMUDiv);
    remainder_of(l, "srem", LLVMSRem);
    remainder_of(l, "urem", LLVMURem);
    for (size_t i = 0; i < COUNT(reals); i++)
        add_reals(l, reals[i]);
    for (size_t k = 0; k < COUNT(integers); k++) {
        struct draft d = {.typical = true, .recipe = {.shape = &shape_freeze, .type = integers[k], .start = {5, 5}}};
        both(l, "freeze", integers[k], "", d);
    }
}
