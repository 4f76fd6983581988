/*
 * quotient.h - how long the quotients were that a program's divisions gave (irprof's event QUOTIENT_BITS). Many dividers take
 * longer for longer ones.
 */
#ifndef SHIMGEN_ESTIMATE_QUOTIENT_H
#define SHIMGEN_ESTIMATE_QUOTIENT_H

#include "base/key.h"
#include "irprof/irprof.h"

/* Of which divisions: by variables, or by constants, which only code that is not optimised divides by. */
enum divisor { DIVISOR_VARIABLE, DIVISOR_CONSTANT, DIVISORS };
/* Whether an instruction is a division, or a remainder, whose quotient is in that sum; `key`: the instruction's. */
bool quotient_counts(const struct irprof_instruction *in, const struct ir_key *key, enum divisor by);
/* The mean number of significant bits of the quotients of each part; NAN: none was made, or the profile does not tell.
 * `keys`: of each key of the profile. n_parts; free(). */
double *quotient_bits(const struct irprof_profile *p, const struct irprof_region *region, const struct ir_key *keys,
                      enum divisor by);

#endif
