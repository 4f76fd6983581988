/*
 * dataflow.h - finds, within a function, the instruction that produces each operand, and the constant operands.
 * Internal to irprof.
 */
#ifndef IRPROF_COUNT_DATAFLOW_H
#define IRPROF_COUNT_DATAFLOW_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/alloc.h"
#include "irprof/module/plan.h"

#define DATAFLOW_OUTSIDE SIZE_MAX

struct dataflow_operand {
    size_t producer; /* the number of a counted instruction of the function, or DATAFLOW_OUTSIDE */
    bool address;    /* as irprof_operand of irprof.h */
};
/* The counted instructions of a function, numbered from 0. Zero-initialised; dataflow_release frees. */
struct dataflow {
    struct dataflow_slot *slots; /* open addressing, by value; owned */
    size_t n_slots;
    VEC(struct dataflow_operand) operands; /* of the instruction that was looked at last; constants left out */
};

/* Numbers the instructions of f's segments in their order; what was numbered before is lost. */
void dataflow_number(struct dataflow *d, const struct plan_function *f);
/* Fills d->operands; returns irprof_constant bits. */
unsigned dataflow_look(struct dataflow *d, LLVMValueRef instruction);
void dataflow_release(struct dataflow *d);

#endif
