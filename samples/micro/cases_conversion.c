/*
 * cases_conversion.c - from type to type.
 *
 * The streams show one conversion. A chain must come back: trunc and zext make what is known by itself (the other one),
 * of other pairs each gets a half.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "samples/micro/private.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

struct way {
    const char *name;
    LLVMOpcode op;
    enum type from, to;
    const char *back; /* name of `back` */
    LLVMOpcode back_op;
    enum micro_share share;
    bool typical;
};

static void add_way(struct list *l, const struct way *w)
{
    char *with = xasprintf("%s.%s", w->back, type_name(w->from));
    bool by_operand = w->op == LLVMFPToSI || w->op == LLVMFPToUI; /* keys name the operand's type */
    const char *way = by_operand ? "to" : "from", *other = type_name(by_operand ? w->to : w->from);
    char *stream = xasprintf("stream,%s-%s", way, other), *chain = xasprintf("chain,%s-%s", way, other);
    struct draft d = {.condition = stream,
                      .quantity = MICRO_PITCH,
                      .typical = w->typical,
                      .recipe = {.shape = &shape_convert,
                                 .op = w->op,
                                 .type = w->to,
                                 .from = w->from,
                                 .start = {5, 5.5},
                                 .streams = streams_of(l, w->from)}};
    if (w->op == LLVMSExt || w->op == LLVMZExt) { /* a use other than by the next copy would need a move */
        d.recipe.shape = &shape_there_and_back;
        d.recipe.size = w->back_op;
        d.with = with;
        d.share = MICRO_MINUS;
        d.recipe.streams = streams_of(l, w->to) < STREAMS / 2 ? streams_of(l, w->to) : STREAMS / 2;
    }
    add_typed(l, d, w->name, by_operand ? w->from : w->to);
    if (w->back_op == LLVMFPToSI || w->back_op == LLVMFPToUI) {
        free(with);
        with = xasprintf("%s.%s", w->back, type_name(w->to));
    }
    d.condition = chain;
    d.with = with;
    d.share = w->share;
    d.quantity = MICRO_LATENCY;
    d.recipe.shape = &shape_there_and_back;
    d.recipe.size = w->back_op;
    d.recipe.streams = 1;
    add_typed(l, d, w->name, by_operand ? w->from : w->to);
    free(with);
    free(stream);
    free(chain);
}

static void widths(struct list *l)
{
    static const enum type integers[] = {I8, I16, I32, I64, I128};
    for (size_t to = 1; to < COUNT(integers); to++)
        for (size_t from = 0; from < to; from++) {
            enum type a = integers[from], b = integers[to];
            bool usual = a == (b == I16 ? I8 : b == I32 ? I8 : b == I64 ? I32 : I64);
            struct way sext = {"sext", LLVMSExt, a, b, "trunc", LLVMTrunc, MICRO_MINUS, usual};
            struct way zext = {"zext", LLVMZExt, a, b, "trunc", LLVMTrunc, MICRO_MINUS, usual};
            add_way(l, &sext);
            add_way(l, &zext);
            usual = b == (a == I64 ? I128 : a == I32 ? I64 : I32);
            /* The chain returns by a zext from the same type. */
            struct way trunc = {"trunc", LLVMTrunc, b, a, "zext", LLVMZExt, MICRO_MINUS, usual};
            add_way(l, &trunc);
        }
}

static void between_kinds(struct list *l)
{
    static const enum type integers[] = {I8, I16, I32, I64}, reals[] = {F32, F64};
    for (size_t i = 0; i < COUNT(integers); i++)
        for (size_t k = 0; k < COUNT(reals); k++) {
            enum type n = integers[i], r = reals[k];
            bool usual = n == I32;
            const struct way ways[] = {{"sitofp", LLVMSIToFP, n, r, "fptosi", LLVMFPToSI, MICRO_HALF, usual},
                                       {"uitofp", LLVMUIToFP, n, r, "fptoui", LLVMFPToUI, MICRO_HALF, usual},
                                       {"fptosi", LLVMFPToSI, r, n, "sitofp", LLVMSIToFP, MICRO_HALF, usual},
                                       {"fptoui", LLVMFPToUI, r, n, "uitofp", LLVMUIToFP, MICRO_HALF, usual}};
            for (size_t w = 0; w < COUNT(ways); w++)
                add_way(l, &ways[w]);
        }
}

void cases_conversion(struct list *l)
{
    static const struct way others[] = {
        {"fpext", LLVMFPExt, F32, F64, "fptrunc", LLVMFPTrunc, MICRO_HALF, true},
        {"fptrunc", LLVMFPTrunc, F64, F32, "fpext", LLVMFPExt, MICRO_HALF, true},
        {"bitcast", LLVMBitCast, F64, I64, "bitcast", LLVMBitCast, MICRO_HALF, true},
        {"bitcast", LLVMBitCast, I64, F64, "bitcast", LLVMBitCast, MICRO_HALF, true},
        {"bitcast", LLVMBitCast, F32, I32, "bitcast", LLVMBitCast, MICRO_HALF, true},
        {"bitcast", LLVMBitCast, I32, F32, "bitcast", LLVMBitCast, MICRO_HALF, true},
        {"ptrtoint", LLVMPtrToInt, PTR, I64, "inttoptr", LLVMIntToPtr, MICRO_HALF, true},
        {"ptrtoint", LLVMPtrToInt, PTR, I32, "inttoptr", LLVMIntToPtr, MICRO_HALF, true},
        {"inttoptr", LLVMIntToPtr, I64, PTR, "ptrtoint", LLVMPtrToInt, MICRO_HALF, true},
    };
    widths(l);
    between_kinds(l);
    for (size_t i = 0; i < COUNT(others); i++)
        add_way(l, &others[i]);
}
