/* cases_intrinsics.c - intrinsics that clang makes of C code: of builtins, of <math.h>, and of what its optimiser
 * recognises. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "samples/micro/private.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
enum {
    T8 = 1,
    T16 = 2,
    T32 = 4,
    T64 = 8,
    TF = 16,
    TD = 32,
    T128 = 64,
    INTS = T8 | T16 | T32 | T64,
    WIDE = INTS | T128,
    WORDS = T32 | T64,
    REALS = TF | TD
};

static const struct {
    const char *name, *args;
    unsigned types;
    struct number start, other, more;
    unsigned flags;
    bool call; /* usually a call of the library */
} intrinsics[] = {
    {"llvm.abs", "x1", WIDE, {5, 0}, {0, 0}, {0, 0}, 0, false},
    {"llvm.smax", "xo", WIDE, {5, 0}, {3, 0}, {0, 0}, 0, false},
    {"llvm.smin", "xo", WIDE, {5, 0}, {9, 0}, {0, 0}, 0, false},
    {"llvm.umax", "xo", WIDE, {5, 0}, {3, 0}, {0, 0}, 0, false},
    {"llvm.umin", "xo", WIDE, {5, 0}, {9, 0}, {0, 0}, 0, false},
    {"llvm.uadd.sat", "xo", WIDE, {5, 0}, {1, 0}, {0, 0}, 0, false},
    {"llvm.sadd.sat", "xo", WIDE, {5, 0}, {1, 0}, {0, 0}, 0, false},
    {"llvm.usub.sat", "xo", WIDE, {5, 0}, {1, 0}, {0, 0}, 0, false},
    {"llvm.ssub.sat", "xo", WIDE, {5, 0}, {1, 0}, {0, 0}, 0, false},
    {"llvm.ctpop", "x", WIDE, {5, 0}, {0, 0}, {0, 0}, 0, false},
    {"llvm.ctlz", "x0", WIDE, {5, 0}, {0, 0}, {0, 0}, 0, false},
    {"llvm.cttz", "x0", WIDE, {6, 0}, {0, 0}, {0, 0}, 0, false},
    {"llvm.bswap", "x", T16 | WORDS | T128, {5, 0}, {0, 0}, {0, 0}, 0, false},
    {"llvm.bitreverse", "x", WIDE, {5, 0}, {0, 0}, {0, 0}, 0, false},
    {"llvm.fshl", "xxr", WIDE, {5, 0}, {0, 0}, {0, 0}, 0, false},
    {"llvm.fshl", "xxo", WIDE, {5, 0}, {3, 0}, {0, 0}, 0, false},
    {"llvm.fshr", "xxo", WIDE, {5, 0}, {3, 0}, {0, 0}, 0, false},
    {"llvm.sadd.with.overflow", "xo", WIDE, {5, 0}, {0, 0}, {0, 0}, OVERFLOW_, false},
    {"llvm.uadd.with.overflow", "xo", WIDE, {5, 0}, {0, 0}, {0, 0}, OVERFLOW_, false},
    {"llvm.ssub.with.overflow", "xo", WIDE, {5, 0}, {0, 0}, {0, 0}, OVERFLOW_, false},
    {"llvm.usub.with.overflow", "xo", WIDE, {5, 0}, {0, 0}, {0, 0}, OVERFLOW_, false},
    {"llvm.smul.with.overflow", "xo", WIDE, {5, 0}, {1, 0}, {0, 0}, OVERFLOW_, false},
    {"llvm.umul.with.overflow", "xo", WIDE, {5, 0}, {1, 0}, {0, 0}, OVERFLOW_, false},
    {"llvm.fabs", "x", REALS, {0, 1.5}, {0, 0}, {0, 0}, 0, false},
    {"llvm.sqrt", "x", REALS, {0, 1.7}, {0, 0}, {0, 0}, 0, false},
    {"llvm.fmuladd", "xom", REALS, {0, 1.5}, {0, 0.5}, {0, 0.7}, 0, false},
    {"llvm.fma", "xom", REALS, {0, 1.5}, {0, 0.5}, {0, 0.7}, 0, false},
    {"llvm.copysign", "xo", REALS, {0, 1.5}, {0, -1}, {0, 0}, 0, false},
    {"llvm.minnum", "xo", REALS, {0, 1.5}, {0, 2}, {0, 0}, 0, false},
    {"llvm.maxnum", "xo", REALS, {0, 1.5}, {0, 1}, {0, 0}, 0, false},
    {"llvm.floor", "x", REALS, {0, 1.5}, {0, 0}, {0, 0}, 0, false},
    {"llvm.ceil", "x", REALS, {0, 1.5}, {0, 0}, {0, 0}, 0, false},
    {"llvm.trunc", "x", REALS, {0, 1.5}, {0, 0}, {0, 0}, 0, false},
    {"llvm.rint", "x", REALS, {0, 1.5}, {0, 0}, {0, 0}, 0, false},
    {"llvm.nearbyint", "x", REALS, {0, 1.5}, {0, 0}, {0, 0}, 0, false},
    {"llvm.round", "x", REALS, {0, 1.5}, {0, 0}, {0, 0}, 0, false},
    {"llvm.roundeven", "x", REALS, {0, 1.5}, {0, 0}, {0, 0}, 0, false},
    {"llvm.sin", "x", REALS, {0, 1.5}, {0, 0}, {0, 0}, 0, true},
    {"llvm.cos", "x", REALS, {0, 0.7}, {0, 0}, {0, 0}, 0, true},
    {"llvm.tan", "x", REALS, {0, 0.7}, {0, 0}, {0, 0}, 0, true},
    {"llvm.asin", "x", REALS, {0, 0.7}, {0, 0}, {0, 0}, 0, true},
    {"llvm.acos", "x", REALS, {0, 0.7}, {0, 0}, {0, 0}, 0, true},
    {"llvm.atan", "x", REALS, {0, 0.7}, {0, 0}, {0, 0}, 0, true},
    {"llvm.sinh", "x", REALS, {0, 0.7}, {0, 0}, {0, 0}, 0, true},
    {"llvm.cosh", "x", REALS, {0, 0.7}, {0, 0}, {0, 0}, 0, true},
    {"llvm.tanh", "x", REALS, {0, 0.7}, {0, 0}, {0, 0}, 0, true},
    {"llvm.exp", "x", REALS, {0, -0.7}, {0, 0}, {0, 0}, 0, true},
    {"llvm.exp2", "x", REALS, {0, -0.7}, {0, 0}, {0, 0}, 0, true},
    {"llvm.log", "x", REALS, {0, 1.7}, {0, 0}, {0, 0}, 0, true},
    {"llvm.log2", "x", REALS, {0, 1.7}, {0, 0}, {0, 0}, 0, true},
    {"llvm.log10", "x", REALS, {0, 1.7}, {0, 0}, {0, 0}, 0, true},
    {"llvm.pow", "xo", REALS, {0, 1.7}, {0, 0.9}, {0, 0}, 0, true},
    {"llvm.powi", "x3", REALS, {0, 0.9}, {0, 0}, {0, 0}, 0, true},
    {"llvm.ldexp", "x3", REALS, {0, 0.9}, {0, 0}, {0, 0}, 0, true},
    {"llvm.lround", "x", REALS, {0, 1.5}, {0, 0}, {0, 0}, 0, true},
    {"llvm.lrint", "x", REALS, {0, 1.5}, {0, 0}, {0, 0}, 0, true},
    {"llvm.llround", "x", REALS, {0, 1.5}, {0, 0}, {0, 0}, 0, true},
    {"llvm.llrint", "x", REALS, {0, 1.5}, {0, 0}, {0, 0}, 0, true},
    {"llvm.is.fpclass", "x3", REALS, {0, 1.5}, {0, 0}, {0, 0}, 0, false},
};

/* It would call __muloti4, or __mulodi4 for 64 bits on 32-bit targets, which libgcc does not have. */
static bool cannot_be_linked(const struct list *l, const char *name, enum type t)
{
    return !target_has(l->target, TARGET_LONG_OVERFLOW) && t == (word_of(l) == I32 ? I64 : I128) &&
           strcmp(name, "llvm.smul.with.overflow") == 0;
}

/* LLVM 17 and 18 have no llvm.tan and its like: no program that they compile has them. */
static bool is_known(const char *name)
{
    return LLVMLookupIntrinsicID(name, strlen(name)) != 0;
}

static bool gives_rounded_integer(const char *name)
{
    return strncmp(name, "llvm.l", 6) == 0 && (strstr(name, "round") || strstr(name, "rint"));
}

/* long is a word, long long has 64 bits. */
static enum type rounded_type(const struct list *l, const char *name)
{
    return strncmp(name, "llvm.ll", 7) == 0 ? I64 : word_of(l);
}

static char *key_of_intrinsic(const struct list *l, const char *name, unsigned flags, enum type t)
{
    if (flags & OVERFLOW_)
        return xasprintf("call.%s.agg", name);
    if (strcmp(name, "llvm.is.fpclass") == 0)
        return xasprintf("call.%s.i1", name);
    if (gives_rounded_integer(name))
        return xasprintf("call.%s.%s", name, type_name(rounded_type(l, name)));
    return xasprintf("call.%s.%s", name, type_name(t));
}

/* Sets a second overloaded type: of lround the operand, of powi and ldexp the exponent. */
static void overloads(const struct list *l, struct micro_recipe *r, enum type t)
{
    if (gives_rounded_integer(r->name)) {
        r->type = rounded_type(l, r->name);
        r->from = t;
        r->size = WITH_OPERAND;
    } else if (strcmp(r->name, "llvm.powi") == 0 || strcmp(r->name, "llvm.ldexp") == 0) {
        r->size = WITH_EXPONENT;
    }
}

static void add_intrinsic(struct list *l, size_t i, enum type t)
{
    unsigned flags = intrinsics[i].flags;
    char *key = key_of_intrinsic(l, intrinsics[i].name, flags, t);
    bool rotate = strcmp(intrinsics[i].args, "xxr") == 0;
    bool by_operand = gives_rounded_integer(intrinsics[i].name);
    bool shared = flags & OVERFLOW_ || by_operand || strcmp(intrinsics[i].name, "llvm.is.fpclass") == 0; /* a key */
    bool other = strcmp(intrinsics[i].name, "llvm.fshl") == 0 && !rotate;
    for (unsigned stream = 0; stream < 2; stream++) {
        char condition[64];
        strcpy(condition, stream ? "stream" : "chain");
        if (rotate)
            strcat(condition, ",constant");
        else if (shared)
            strcat(strcat(condition, ","), type_name(t));
        struct draft d = {.key = key,
                          .condition = condition,
                          .quantity = stream ? MICRO_PITCH : MICRO_LATENCY,
                          .typical = !other && (!shared || t == I32 || t == F64),
                          .recipe = {.shape = &shape_intrinsic,
                                     .type = t,
                                     .name = intrinsics[i].name,
                                     .args = intrinsics[i].args,
                                     .start = intrinsics[i].start,
                                     .other = intrinsics[i].other,
                                     .more = intrinsics[i].more,
                                     .flags = flags,
                                     .streams = stream ? streams_of(l, t) : 1}};
        overloads(l, &d.recipe, t);
        /* in a chain the branch does not matter, and extractvalue only names registers */
        if (flags & OVERFLOW_ && stream) {
            d.with = "zext.i8";
            d.share = MICRO_MINUS;
            d.recipe.flags |= EXTENDED;
        }
        if (intrinsics[i].call) {
            d.step = by_operand ? 16 : 4; /* rounding is one instruction where there is one for it */
            d.trips = 64;
            d.recipe.streams = 1;
            d.recipe.flags |= SAME;
        }
        bool comes_back = strcmp(key + strlen(key) - strlen(type_name(t)), type_name(t)) == 0 || flags & OVERFLOW_;
        if (stream || (comes_back && !intrinsics[i].call))
            add_case(l, &d);
        if (flags & OVERFLOW_ && stream && t == I32) { /* next to a branch it may cost nothing */
            d.condition = "stream,branch";
            d.with = "br.cond";
            d.typical = false;
            d.recipe.flags = flags;
            add_case(l, &d);
        }
    }
    free(key);
}

void cases_intrinsics(struct list *l)
{
    static const struct {
        unsigned bit;
        enum type type;
    } types[] = {{T8, I8}, {T16, I16}, {T32, I32}, {T64, I64}, {T128, I128}, {TF, F32}, {TD, F64}};
    for (size_t i = 0; i < COUNT(intrinsics); i++)
        for (size_t k = 0; k < COUNT(types) && is_known(intrinsics[i].name); k++)
            if (intrinsics[i].types & types[k].bit && !cannot_be_linked(l, intrinsics[i].name, types[k].type))
                add_intrinsic(l, i, types[k].type);
}
