/*
 * events.h - what is recorded besides instructions, from the run's own addresses and branches
 * (docs/method/caches-and-branches.md). Internal to irprof.
 *
 * Planning looks at each instruction. One that accesses memory or branches becomes a SITE, and its part gets events
 * with counters. Inserting puts code before each site that simulates the access or branch and increments the counters
 * of the events that occurred.
 */
#ifndef IRPROF_EVENTS_EVENTS_H
#define IRPROF_EVENTS_EVENTS_H

#include "irprof/module/plan.h"

/* memory_events.c: instructions that read or write memory. L1D_CACHE, L1D_CACHE_REFILL, L2D_CACHE, L2D_CACHE_REFILL;
 * with a prefetcher L1D_CACHE_REFILL_HWPRF, L2D_CACHE_REFILL_HWPRF. */
void memory_plan(struct plan *plan, struct plan_part *part, LLVMValueRef instruction);
void memory_insert(const struct plan *plan, const struct place_target *t);

/* branch_events.c: conditional branches. BR_MIS_PRED. */
void branch_plan(struct plan *plan, struct plan_part *part, LLVMValueRef instruction);
void branch_insert(const struct plan *plan, const struct place_target *t);
/* branch_switch.c: switches; branch_insert has them too. BR_MIS_PRED. */
void switch_plan(struct plan *plan, struct plan_part *part, LLVMValueRef instruction);
/* branch_jump.c: calls through pointers, and computed jumps; likewise. */
void jump_plan(struct plan *plan, struct plan_part *part, LLVMValueRef instruction);

/* footprint_events.c: each access, and the functions that are being executed (runtime/rt_footprint.c), if that was asked
 * for. Counts nothing. `data` is what the runtime knows the module by. */
void footprint_plan(struct plan *plan);
void footprint_insert(const struct plan *plan, const struct place_target *t, LLVMValueRef data);

/* window_events.c: where a window of accesses ends and the next begins. Counts nothing; before place_insert. */
void window_insert(struct plan *plan, const struct place_target *t);

/* size_events.c: calls of the C library whose work follows from a number: bytes to copy, letters of a text, elements to
 * sort. SIZE_memcpy and the like: the sum of these numbers. */
void size_plan(struct plan *plan, struct plan_part *part, LLVMValueRef instruction);
void size_insert(const struct plan *plan, const struct place_target *t);

/* quotient_events.c: divisions of integers. QUOTIENT_BITS: the sum of the significant bits of the quotients by variables;
 * QUOTIENT_BITS_CONSTANT: by constants, where the target divides by these. */
void quotient_plan(struct plan *plan, struct plan_part *part, LLVMValueRef instruction);
void quotient_insert(const struct plan *plan, const struct place_target *t);

/* traffic_events.c: which place of the source reads what which other has written (runtime/rt_traffic.c), if that was
 * asked for. Neither counts anything. */
void traffic_plan(struct plan *plan);
void traffic_insert(const struct plan *plan, const struct place_target *t);

#endif
