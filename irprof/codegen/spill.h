/*
 * spill.h - the loads and stores that a target's code has over the IR, as events of
 * the plan (docs/method/spills.md). Internal to irprof.
 */
#ifndef IRPROF_CODEGEN_SPILL_H
#define IRPROF_CODEGEN_SPILL_H

#include "base/error.h"
#include "irprof/module/plan.h"

/* Compiles the module of `plan` for `target` ("TRIPLE" or "TRIPLE:CPU") and adds the events
 *     TARGET_LOAD, TARGET_STORE   memory accesses of the target's code
 *     SPILL_LOAD, SPILL_STORE     those of them that move registers to and from the stack, which the IR does not know
 *     CONSTANT_LOAD               those that load constants and addresses, which the IR has as operands
 *     TARGET_ALU, TARGET_FP ...   its other instructions, by what they do (target_code.h)
 *     WAIT_LOAD, WAIT_FP ...      cycles they would wait on the reference core for results of a class (target_wait.c)
 *     REGISTER_ACCESS             uses and definitions of values in the IR
 * After place_values, because code that the target has between blocks is executed as often as edges are taken; the
 * module is as plan_make left it. `path` stands in messages. ERR_USAGE: no such target. ERR_INPUT: the module cannot be
 * compiled for it. */
enum status spill_plan(struct plan *plan, LLVMModuleRef module, const char *target, const char *path,
                       struct error *e) MUST_CHECK;

#endif
