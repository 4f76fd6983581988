/*
 * cases_comparison.c - icmp, fcmp, select.
 *
 * A comparison gives an i1, for which most machines have no register: what it costs depends on what needs it. Here that
 * is
 * - a select, whose cost is taken off: the usual case where there is an instruction for it and the back end uses it,
 * - an extension to a number: on RISC-V one instruction, which is the comparison; else as much as any other extension.
 *   Of floating-point numbers it is moved back to their registers, which is taken off,
 * - a branch, into which it may vanish.
 */
#include <string.h>

#include "samples/micro/private.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
static const struct number one = {1, 1}, two = {2, 2};

/* Each stream is selected more than once even with the fewest copies. So the same values are carried through the loop
 * for any number of copies. */
static unsigned streams_for(const struct list *l, enum type t)
{
    unsigned n = streams_of(l, t);
    return target_has(l->target, TARGET_FLAGS_ONCE) && type_is_real(t) && n > STREAMS / 2 ? STREAMS / 2 : n;
}

static void with_select(struct list *l, const char *opcode, unsigned predicate, enum type t, bool typical)
{
    char with[32] = "select.";
    strcat(with, type_name(t));
    for (unsigned stream = 0; stream < 2; stream++) {
        struct draft d = {.condition = stream ? "stream,select" : "chain,select",
                          .with = with,
                          .quantity = stream ? MICRO_PITCH : MICRO_LATENCY,
                          .share = MICRO_MINUS,
                          .typical = typical,
                          .recipe = {.shape = &shape_compare,
                                     .op = predicate,
                                     .type = t,
                                     .from = t,
                                     .name = "select",
                                     .start = one,
                                     .other = two,
                                     .more = one,
                                     .streams = stream ? streams_for(l, t) : 1}};
        add_typed(l, d, opcode, t);
    }
}

static void with_extension(struct list *l, const char *opcode, unsigned predicate, enum type t, bool typical,
                           bool chain)
{
    char with[32] = "zext.";
    strcat(with, type_name(t));
    struct draft d = {.condition = "stream,zext",
                      .with = "zext.i32",
                      .quantity = MICRO_PITCH,
                      .share = target_has(l->target, TARGET_FUSES_COMPARE) ? MICRO_ALONE : MICRO_MINUS,
                      .typical = typical,
                      .recipe = {.shape = &shape_compare,
                                 .op = predicate,
                                 .type = I32,
                                 .from = t,
                                 .start = one,
                                 .other = two,
                                 .streams = streams_of(l, t)}};
    add_typed(l, d, opcode, t);
    if (!chain)
        return;
    d.condition = "chain,zext";
    d.with = with;
    d.quantity = MICRO_LATENCY;
    d.recipe.name = "zext";
    d.recipe.streams = 1;
    add_typed(l, d, opcode, t);
}

/* The comparison gives a number itself. Its bits, moved to the other registers, are the next operand. */
static void with_bits(struct list *l, unsigned predicate, enum type t)
{
    struct draft d = {.condition = "chain,bitcast",
                      .with = t == F32 ? "bitcast.float" : "bitcast.double",
                      .quantity = MICRO_LATENCY,
                      .share = MICRO_MINUS,
                      .typical = true,
                      .recipe = {.shape = &shape_compare,
                                 .op = predicate,
                                 .type = t,
                                 .from = t,
                                 .name = "bitcast",
                                 .start = one,
                                 .other = two,
                                 .streams = 1}};
    add_typed(l, d, "fcmp", t);
}

static void with_branch(struct list *l, const char *opcode, unsigned predicate, enum type t)
{
    struct draft d = {
        .condition = "stream,branch",
        .with = "br.cond",
        .quantity = MICRO_PITCH,
        .share = MICRO_MINUS,
        .recipe = {.shape = &shape_compare_branch, .op = predicate, .from = t, .start = one, .other = two}};
    add_typed(l, d, opcode, t);
}

static void bits(struct list *l)
{
    static const struct {
        const char *opcode;
        LLVMOpcode op;
    } ops[] = {{"and", LLVMAnd},       {"or", LLVMOr},         {"xor", LLVMXor},
               {"select", LLVMSelect}, {"freeze", LLVMFreeze}, {"zext", LLVMZExt}};
    for (size_t i = 0; i < COUNT(ops); i++)
        for (unsigned stream = 0; stream < 2; stream++) {
            bool extension = ops[i].op == LLVMZExt;
            struct draft d = {.condition = stream ? "stream,from-i1" : "chain,from-i1",
                              .with = extension ? NULL : "zext.i8",
                              .share = extension ? MICRO_ALONE : MICRO_MINUS,
                              .quantity = stream ? MICRO_PITCH : MICRO_LATENCY,
                              .typical = true,
                              .recipe = {.shape = &shape_bit,
                                         .op = ops[i].op,
                                         .start = {1, 1},
                                         .other = {1, 1},
                                         .streams = stream ? STREAMS : 1}};
            if (!extension)
                d.condition = stream ? "stream" : "chain";
            add_typed(l, d, ops[i].opcode, extension ? I8 : I1);
        }
}

void cases_comparison(struct list *l)
{
    bits(l);
    static const enum type integers[] = {I8, I16, I32, I64, I128, PTR}, reals[] = {F32, F64};
    bool usual = target_has(l->target, TARGET_SELECTS);
    for (size_t i = 0; i < COUNT(integers); i++) {
        enum type t = integers[i];
        if (t != PTR)
            with_select(l, "icmp", LLVMIntSLT, t, usual);
        with_extension(l, "icmp", LLVMIntSLT, t, !usual || t == PTR, t != PTR);
        with_branch(l, "icmp", LLVMIntEQ, t);
    }
    for (size_t i = 0; i < COUNT(reals); i++) {
        with_select(l, "fcmp", LLVMRealOLT, reals[i], usual);
        with_extension(l, "fcmp", LLVMRealOLT, reals[i], !usual, false);
        if (!usual)
            with_bits(l, LLVMRealOLT, reals[i]);
        with_branch(l, "fcmp", LLVMRealOGT, reals[i]);
    }
    static const enum type all[] = {I8, I16, I32, I64, I128, PTR, F32, F64};
    for (size_t i = 0; i < COUNT(all); i++)
        for (unsigned stream = 0; stream < 2; stream++) {
            struct draft d = {.condition = stream ? "stream" : "chain",
                              .quantity = stream ? MICRO_PITCH : MICRO_LATENCY,
                              .typical = true,
                              .recipe = {.shape = &shape_select,
                                         .type = all[i],
                                         .start = one,
                                         .other = two,
                                         .streams = stream ? streams_for(l, all[i]) : 1}};
            if (target_has(l->target, TARGET_FLAGS_ONCE)) {
                d.recipe.flags = AGAIN;
                d.with = "lshr.i32";
                d.share = MICRO_MINUS;
            }
            add_typed(l, d, "select", all[i]);
        }
}
