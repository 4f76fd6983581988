/* looking.h - a function whose parts are looked at: its instructions, the part of each, its flow. Internal to irprof/depend. */
#ifndef IRPROF_DEPEND_LOOKING_H
#define IRPROF_DEPEND_LOOKING_H

#include "base/graph.h"
#include "irprof/depend/effects.h"

/* An instruction of the function. */
struct spot {
    LLVMValueRef value;
    size_t block, part;
    size_t first_effect, n_effects;
};
/* One reason why `to` comes after `from`. Values: object is VALUES + number of the instruction. */
struct piece {
    size_t from, to;
    bool next;
    enum depend_kind kind;
    uint32_t object;
    int64_t lo, hi;
};
#define VALUES 0x80000000u
struct looking {
    struct depend_world w;
    LLVMValueRef function;
    size_t module; /* it is in w.modules */
    VEC(struct spot) spots;
    struct depend_effects effects; /* of all spots */
    struct map blocks;             /* of the function: address -> number */
    struct map values;             /* instructions: address -> number in spots */
    struct graph flow;
    unsigned char *reaches; /* [from * blocks + to]: over at least one edge */
    VEC(struct piece) pieces;
    const struct depend_parts *parts;
    struct depend_inlines inlines;
};
/* Loads the modules and finds the function, its instructions, their parts. ERR_INPUT: as depend_make. depend_look_release in
 * any case. */
enum status depend_look(struct looking *x, const char *const *modules, const char *function,
                        const struct depend_parts *parts, struct error *e) MUST_CHECK;
void depend_look_release(struct looking *x);
/* The number of a block or of an instruction in its map; false: it has none. */
bool depend_number_of(const struct map *m, const void *what, size_t *number);
/* An instruction that does nothing and is not waited for: it has no spot. */
bool depend_is_nothing(LLVMValueRef i);
/* The flow backwards: node 0 is where the function is left, b + 1 is block b. graph_release. */
void depend_flow_back(struct graph *back, const struct looking *x);

#endif
