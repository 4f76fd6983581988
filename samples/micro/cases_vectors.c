/* cases_vectors.c - vectors of 16 bytes, on the targets that have them. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "samples/micro/private.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
static const enum type integers[] = {V16I8, V8I16, V4I32, V2I64}, reals[] = {V4F32, V2F64};

static void both(struct list *l, const char *opcode, struct draft d)
{
    for (unsigned stream = 0; stream < 2; stream++) {
        d.condition = stream ? "stream" : "chain";
        d.quantity = stream ? MICRO_PITCH : MICRO_LATENCY;
        d.typical = true;
        d.recipe.streams = stream ? STREAMS : 1;
        add_typed(l, d, opcode, d.recipe.type);
    }
}

static void arithmetic(struct list *l)
{
    static const struct {
        const char *name;
        LLVMOpcode op;
        int64_t other;
    } ops[] = {{"add", LLVMAdd, 3},  {"sub", LLVMSub, 3},   {"mul", LLVMMul, 3},
               {"shl", LLVMShl, 1},  {"lshr", LLVMLShr, 1}, {"ashr", LLVMAShr, 1},
               {"and", LLVMAnd, -3}, {"or", LLVMOr, 12},    {"xor", LLVMXor, 12}},
      floating[] = {{"fadd", LLVMFAdd, 0}, {"fsub", LLVMFSub, 0}, {"fmul", LLVMFMul, 1}, {"fdiv", LLVMFDiv, 1}};
    for (size_t k = 0; k < COUNT(integers); k++)
        for (size_t i = 0; i < COUNT(ops); i++) {
            bool shift = ops[i].op == LLVMShl || ops[i].op == LLVMLShr || ops[i].op == LLVMAShr;
            struct draft d = {.recipe = {.shape = &shape_binary,
                                         .op = ops[i].op,
                                         .type = integers[k],
                                         .start = {77, 0},
                                         .other = {ops[i].other, 0},
                                         .flags = shift ? CONSTANT : 0}};
            both(l, ops[i].name, d);
        }
    for (size_t k = 0; k < COUNT(reals); k++)
        for (size_t i = 0; i < COUNT(floating); i++) {
            double other = floating[i].other ? 0.9999999 : 0.0009765625;
            struct draft d = {.recipe = {.shape = &shape_binary,
                                         .op = floating[i].op,
                                         .type = reals[k],
                                         .start = {0, 1.5},
                                         .other = {0, other}}};
            if (floating[i].op == LLVMFDiv) {
                d.recipe.start.f = 1.7320508;
                d.recipe.other.f = 2.9999999;
                d.recipe.flags = SECOND;
            }
            both(l, floating[i].name, d);
        }
}

static void elements(struct list *l, enum type t, enum type vector)
{
    for (unsigned insert = 0; insert < 2; insert++)
        for (unsigned stream = 0; stream < 2; stream++) {
            char *with = insert ? xasprintf("extractelement.%s", type_name(t))
                                : xasprintf("insertelement.%s", type_name(vector));
            char *condition =
                xasprintf("%s,%s", stream ? "stream" : "chain", insert ? type_name(t) : type_name(vector));
            struct draft d = {.condition = condition,
                              .with = with,
                              .share = MICRO_HALF,
                              .typical = true,
                              .quantity = stream ? MICRO_PITCH : MICRO_LATENCY,
                              .recipe = {.shape = &shape_element,
                                         .type = t,
                                         .from = vector,
                                         .start = {1, 1},
                                         .other = {2, 2},
                                         .streams = stream ? STREAMS / 2 : 1}};
            add_typed(l, d, insert ? "insertelement" : "extractelement", insert ? vector : t);
            free(with);
            free(condition);
        }
}

/* Reductions, which the vectoriser makes of sums and the like. */
static void reductions(struct list *l)
{
    static const char *const names[] = {"add", "mul", "and", "or", "xor", "smax", "smin", "umax", "umin"};
    static const enum type elements[] = {I8, I16, I32, I64};
    for (size_t i = 0; i < COUNT(names); i++)
        for (size_t k = 0; k < COUNT(integers); k++) {
            char *name = xasprintf("call.llvm.vector.reduce.%s", names[i]);
            struct draft d = {.condition = "stream",
                              .quantity = MICRO_PITCH,
                              .typical = true,
                              .recipe = {.shape = &shape_reduce,
                                         .type = integers[k],
                                         .name = names[i],
                                         .start = {1, 1},
                                         .streams = STREAMS}};
            add_typed(l, d, name, elements[k]);
            free(name);
        }
}

void cases_vectors(struct list *l)
{
    if (!has_vectors(l))
        return;
    arithmetic(l);
    reductions(l);
    elements(l, I8, V16I8);
    elements(l, I16, V8I16);
    elements(l, I32, V4I32);
    elements(l, I64, V2I64);
    elements(l, F32, V4F32);
    elements(l, F64, V2F64);
    static const enum type all[] = {V16I8, V8I16, V4I32, V2I64, V4F32, V2F64};
    for (size_t i = 0; i < COUNT(all); i++) {
        struct draft d = {.recipe = {.shape = &shape_shuffle, .type = all[i], .start = {1, 1}, .size = 1, .op = 1}};
        both(l, "shufflevector", d);
    }
    for (size_t i = 0; i < COUNT(reals); i++) {
        struct draft d = {.recipe = {.shape = &shape_unary, .type = reals[i], .start = {1, 1}}};
        both(l, "fneg", d);
    }
}
