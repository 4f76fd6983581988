/* cases_pairs.c - two kinds of instructions in turn: which ones issue together, and how soon does one have what the
 * other computes? */
#include <stdlib.h>

#include "base/alloc.h"
#include "samples/micro/private.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct {
    const char *key;
    struct micro_recipe recipe;
} halves[] = {
    {"add.i32", {.shape = &shape_binary, .op = LLVMAdd, .type = I32, .start = {77, 0}, .other = {3, 0}, .streams = 4}},
    {"mul.i32", {.shape = &shape_binary, .op = LLVMMul, .type = I32, .start = {77, 0}, .other = {3, 0}, .streams = 4}},
    {"shl.i32",
     {.shape = &shape_binary,
      .op = LLVMShl,
      .type = I32,
      .start = {77, 0},
      .other = {1, 0},
      .flags = CONSTANT,
      .streams = 4}},
    {"load.i32", {.shape = &shape_load_stream, .type = I32}},
    {"store.i32", {.shape = &shape_store, .type = I32}},
    {"fadd.double",
     {.shape = &shape_binary,
      .op = LLVMFAdd,
      .type = F64,
      .start = {0, 1.5},
      .other = {0, 0.0009765625},
      .streams = 8}},
    {"fmul.double",
     {.shape = &shape_binary, .op = LLVMFMul, .type = F64, .start = {0, 1.7}, .other = {0, 0.9999999}, .streams = 8}},
};

/* Is it a call? Calls in turn say nothing about issuing together. */
static bool is_call(const struct list *l, const struct micro_recipe *r)
{
    return r->type == F64 && l->set->soft_doubles;
}

/* A result and what needs it: "la" a load and an addition (shape_use.c). */
static const struct {
    const char *words, *args, *with; /* what else than the key is executed: without its type */
    bool real, starts_with_addition;
} uses[] = {
    {"stream,use:add", "la", "add", false, false},    {"stream,use:shl", "ls", "shl", false, false},
    {"stream,use:mul", "lm", "mul", false, false},    {"stream,use:store", "lw", "store", false, false},
    {"stream,use:br", "lz", NULL, false, false},      {"stream,use:add+load", "lal", "add", false, false},
    {"stream,use:load", "al", "load", false, true},   {"stream,use:fadd", "la", "fadd", true, false},
    {"stream,use:store", "lw", "store", true, false}, {"stream,use:store", "aw", "store", true, true},
};

static void add_use(struct list *l, size_t i)
{
    enum type t = uses[i].real ? F64 : word_of(l);
    const char *first = !uses[i].starts_with_addition ? "load" : uses[i].real ? "fadd" : "add";
    char *with = uses[i].with ? xasprintf("%s.%s", uses[i].with, type_name(t)) : xstrdup("br.cond");
    struct draft d = {.condition = uses[i].words,
                      .with = with,
                      .quantity = MICRO_PITCH,
                      .apart = true,
                      .recipe = {.shape = &shape_use, .type = t, .args = uses[i].args}};
    add_typed(l, d, first, t);
    free(with);
}

/* Sums of products: the chain goes through what is added. */
static void sum(struct list *l, enum type t, bool stream)
{
    bool real = type_is_real(t);
    struct draft d = {.condition = stream ? "stream,accumulate" : "chain,accumulate",
                      .quantity = stream ? MICRO_PITCH : MICRO_LATENCY,
                      .with = t == I32   ? "add.i32"
                              : t == I64 ? "add.i64"
                                         : NULL,
                      .apart = true,
                      .recipe = {.shape = &shape_accumulate,
                                 .type = t,
                                 .name = real ? "llvm.fma" : NULL,
                                 .start = {1, 1.5},
                                 .other = {3, 0.5},
                                 .more = {5, 0.0009765625},
                                 .streams = stream ? STREAMS : 1}};
    add_typed(l, d, real ? "call.llvm.fma" : "mul", t);
}

/* The upper half of a product of two words. */
static void high_product(struct list *l, bool stream)
{
    struct draft d = {
        .key = "mul.i128",
        .condition = stream ? "stream,high" : "chain,high",
        .quantity = stream ? MICRO_PITCH : MICRO_LATENCY,
        .apart = true,
        .recipe = {
            .shape = &shape_high, .type = I64, .start = {77, 0}, .other = {3, 0}, .streams = stream ? STREAMS : 1}};
    add_case(l, &d);
}

static void products(struct list *l)
{
    for (unsigned stream = 0; stream < 2; stream++) {
        sum(l, I32, stream);
        if (word_of(l) == I64) {
            sum(l, I64, stream);
            high_product(l, stream);
        }
        if (!l->set->soft_doubles)
            sum(l, F64, stream);
    }
}

void cases_pairs(struct list *l)
{
    for (size_t i = 0; i < COUNT(uses); i++)
        if (!uses[i].real || !l->set->soft_doubles)
            add_use(l, i);
    products(l);
    for (size_t i = 0; i < COUNT(halves); i++)
        for (size_t k = i + 1; k < COUNT(halves); k++) {
            if (is_call(l, &halves[i].recipe) || is_call(l, &halves[k].recipe))
                continue;
            char *condition = xasprintf("pair:%s", halves[k].key);
            struct draft d = {.key = halves[i].key,
                              .condition = condition,
                              .with = halves[k].key,
                              .quantity = MICRO_PITCH,
                              .apart = true,
                              .recipe = {.shape = &shape_pair}};
            struct micro_recipe *first = xmemdup(&halves[i].recipe, sizeof *first);
            first->second = xmemdup(&halves[k].recipe, sizeof *first);
            d.recipe.second = first;
            add_case(l, &d);
            free(condition);
        }
}
