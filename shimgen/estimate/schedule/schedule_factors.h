/*
 * schedule_factors.h - factors of the values that blocks are scheduled by. Microbenchmarks measure single instructions;
 * in programs a load, say, waits less. `tune` finds the factors, a SHIM file keeps them beside the values as measured.
 */
#ifndef SHIMGEN_ESTIMATE_SCHEDULE_FACTORS_H
#define SHIMGEN_ESTIMATE_SCHEDULE_FACTORS_H

#include "shimgen/estimate/estimate.h"

enum { SCHEDULE_FACTORS = 19 };
/* What a factor scales: "Latency of load"; static. NULL past the last. */
const char *schedule_factor_name(size_t i);
/* The Instruction that has it in a SHIM file, "factor.load-latency"; the caller frees it. */
char *schedule_factor_instruction(size_t i);
/* Is what it scales the value of a microbenchmark? Else nothing but programs tells it. */
bool schedule_factor_measured(size_t i);
/* The values of `from` multiplied by the factors; both have the same names. */
void schedule_scale(struct costs *to, const struct costs *from, const double *by);
/* Before scaling: br's worst Latency becomes what a misprediction costs. */
void schedule_say_misprediction(struct costs *c);

#endif
