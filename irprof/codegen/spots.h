/*
 * spots.h - which part of which segment an instruction of a module is counted in, by a number that machine code can
 * carry in place of a source line. Internal to irprof.
 */
#ifndef IRPROF_CODEGEN_SPOTS_H
#define IRPROF_CODEGEN_SPOTS_H

#include "base/alloc.h"
#include "irprof/module/plan.h"

#define SPOT_NONE ((size_t)-1)

/* Where an instruction is counted: number of its block, of its segment in plan_function, of the part in that. */
struct spot {
    size_t block, segment, part; /* SPOT_NONE: not counted anywhere */
};
/* Of instruction 1, 2, 3 ... of spill_numbered; [0] is nowhere. */
typedef VEC(struct spot) spots;

static inline bool spot_nowhere(struct spot s)
{
    return s.segment == SPOT_NONE || s.part == SPOT_NONE;
}

/* Of all instructions of a function, as plan_make left it. The caller releases *out. */
void spots_find(spots *out, struct plan *plan, const struct plan_function *f);

#endif
