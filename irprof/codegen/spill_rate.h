/*
 * spill_rate.h - how often a block of machine code is executed, in terms of what is
 * counted of the IR. Internal to irprof.
 */
#ifndef IRPROF_CODEGEN_SPILL_RATE_H
#define IRPROF_CODEGEN_SPILL_RATE_H

#include <stddef.h>

#include "base/alloc.h"
#include "irprof/module/plan.h"
#include "irprof/codegen/spill_mir.h"

/* As often as the block `block` of the IR; or, when there are edges, as often as these are taken together. */
struct spill_rate {
    size_t block;      /* MIR_NONE: not known */
    VEC(size_t) edges; /* numbers in plan_function.edges */
};

/* The machine code of a function beside its plan; both are borrowed. */
struct spill_flow *spill_flow_new(const struct mir_function *f, const struct plan_function *plan);
void spill_flow_free(struct spill_flow *w); /* NULL is fine */

/* The rate of f->blocks.at[block]. Exact for a block that stands for one of the IR, for one that lies on edges of the
 * IR, and for what is left of a block that was copied into some of those before it. Where the code generator made ways
 * that the IR does not have, it is a bound: the edges or the block that lead there. The caller releases rate->edges. */
void spill_flow_rate(struct spill_flow *w, size_t block, struct spill_rate *rate);

#endif
