/*
 * operations.h - the operations of a program, by width and lanes, as an accelerator has to do them. What counts
 * as one is said in sim/core/arithmetic.h.
 */
#ifndef SHIMGEN_OFFLOAD_OPERATIONS_H
#define SHIMGEN_OFFLOAD_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/key.h"
#include "sim/core/arithmetic.h"

enum operations_width { OPERATIONS_16, OPERATIONS_32, OPERATIONS_64, OPERATIONS_LONG, OPERATIONS_WIDTHS };
enum { OPERATIONS_LANES = 5 }; /* 1, 2, 4, 8, 16 and more */
struct operations {
    double fp[OPERATIONS_WIDTHS][OPERATIONS_LANES]; /* lanes times operations */
    double integers;                                /* add, subtract, multiply, divide, shift, logic, compare */
};
/* "fp64"; static. */
const char *operations_width_name(enum operations_width w);
/* W, in single-precision operations: doubles and wider count twice. */
double operations_flops(const struct operations *o);
void operations_add(struct operations *sum, const struct operations *o, double times);

void operations_count(struct operations *sum, const struct arithmetic *a, double times);

/* What an instruction of LLVM IR calculates. */
struct arithmetic arithmetic_of_key(const struct ir_key *k);

#endif
