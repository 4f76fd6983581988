/*
 * plan.h - what is to be counted in a module: its functions cut into segments, with
 * the keys of each, before a single instruction is added. Internal to irprof.
 *
 * The pipeline (instrument.c): plan_make -> place_values -> describe -> place_insert.
 */
#ifndef IRPROF_PLAN_H
#define IRPROF_PLAN_H

#include <llvm-c/Core.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "base/str.h"

struct plan_item {
    size_t key; /* number in plan.keys */
    size_t times;
};
/* The instructions of a segment that were written on one source line. */
struct plan_part {
    size_t file; /* number in plan.files plus 1; 0: unknown */
    unsigned line;
    VEC(struct plan_item) items;
};
struct plan_segment {
    LLVMValueRef at;      /* the first instruction of the segment before which code can be inserted */
    size_t block, number; /* number of the block in its function, of the segment in its block */
    size_t value;         /* which value counts it: set by place_values */
    VEC(struct plan_part) parts;
};
struct plan_function {
    LLVMValueRef function;
    const char *not_counted; /* why; NULL: it is counted. A literal */
    size_t file;             /* of its definition, as in plan_part */
    unsigned line;
    VEC(struct plan_segment) segments; /* those in which something is counted */
};
/* A value that is not counted but follows from others: the sum of its terms. */
struct plan_term {
    size_t value; /* an earlier one */
    int sign;     /* +1, -1 */
};
struct plan_value {
    VEC(struct plan_term) terms;
};
struct plan {
    struct map keys, files;
    VEC(struct plan_function) functions;
    size_t n_counters;              /* values 0 ... n_counters - 1 are counters */
    VEC(struct plan_value) derived; /* values n_counters ... */
};

/* Cuts all functions that are defined in `module` into segments. plan_release frees. */
void plan_make(struct plan *plan, LLVMModuleRef module);
void plan_release(struct plan *plan);

/* ---- place.c: which segments get a counter, which follow from others ---- */

/* How a counter is incremented: atomically (exact in threads) or by a plain load, add, store. */
enum place_kind { PLACE_ATOMIC, PLACE_PLAIN };

/* Gives every segment its value; sets n_counters and derived. */
void place_values(struct plan *plan);
/* Inserts the increments; `counters` is a global array of plan->n_counters 64-bit integers. */
void place_insert(const struct plan *plan, LLVMModuleRef module, LLVMValueRef counters, enum place_kind kind);

/* ---- describe.c: the plan as bytes (docs/formats/profile.md, "module description") ---- */

void describe(struct str *out, const struct plan *plan, LLVMModuleRef module, enum place_kind kind);

#endif
