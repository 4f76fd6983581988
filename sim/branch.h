/*
 * branch.h - models of predictors of conditional branches. Freestanding: no libc, no
 * allocation; what runs inside counted programs and inside simulators.
 */
#ifndef SIM_BRANCH_H
#define SIM_BRANCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sim_predictor_scheme {
    SIM_BIMODAL, /* two-bit counters by the branch's number */
    SIM_GSHARE,  /* two-bit counters by its number xor the history of all branches (McFarling 1993) */
    SIM_PREDICTOR_N
};
struct sim_predictor_kind {
    enum sim_predictor_scheme scheme;
    unsigned table_bits;   /* 2^table_bits counters */
    unsigned history_bits; /* gshare; <= table_bits */
};

#endif
