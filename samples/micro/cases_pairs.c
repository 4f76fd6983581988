/* cases_pairs.c - two kinds of independent instructions in turn: which ones issue together? */
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

void cases_pairs(struct list *l)
{
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
