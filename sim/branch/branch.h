/*
 * branch.h - models of predictors of conditional branches: tables of saturating counters (J. E. Smith, "A study of
 * branch prediction strategies", ISCA 1981), indexed by the branch's address, by the directions of the last branches,
 * or by both. Freestanding: no libc, no allocation. It runs inside counted programs (irprof's runtime) and in
 * simulators.
 *
 * In the order of use:
 *     sim_predictor_check(&kind)               is this a possible predictor? if not, why?
 *     sim_predictor_size(&kind)                bytes of memory that the caller must provide
 *     p = sim_predictor_init(memory, &kind)
 *     sim_predictor_branch(p, number, taken)   -> was it mispredicted?
 *
 * A branch is identified by a number: an address without its constant low bits, or a hash of its place in the program.
 * Only the low bits of the number, which index the tables, matter (TAGE also makes its tags from higher bits).
 */
#ifndef SIM_BRANCH_BRANCH_H
#define SIM_BRANCH_BRANCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/branch/predictor_kind.h"

/* The first error in the description, as a phrase; NULL: none. */
const char *sim_predictor_check(const struct sim_predictor_kind *kind);

/* Of bimodal and gshare code may predict for itself, and call sim_predictor_learn only where a counter must change:
 *     i = (number ^ history) & table_mask;  taken is predicted if counters[i] >= 2
 *     history = (2 * history + taken) & history_mask
 * and nothing changes if counters[i] is 3 and the branch is taken, or 0 and it is not. */
struct sim_predictor {
    uint32_t history; /* gshare: directions of the last branches, the latest in bit 0; 1: taken. Otherwise 0 */
    uint32_t table_mask, history_mask;
    uint32_t scheme;
    /* 0 strongly not taken, 1, 2, 3 strongly taken; initially 2. Tournament, TAGE: see several_tables.h. */
    uint8_t counters[];
};
enum { SIM_COUNTER_MAX = 3, SIM_COUNTER_START = 2 };

size_t sim_predictor_size(const struct sim_predictor_kind *kind);
/* Initialises a predictor in `memory`, which is aligned to 16 bytes and stays valid as long as the predictor. `kind`
 * must have passed sim_predictor_check. */
struct sim_predictor *sim_predictor_init(void *memory, const struct sim_predictor_kind *kind);
/* Resets to the initial state. */
void sim_predictor_reset(struct sim_predictor *p);

/* Bimodal, gshare: updates counter i (its low bits count). True: the prediction was wrong. */
bool sim_predictor_learn(struct sim_predictor *p, uint32_t i, bool taken);
/* Predicts and updates for an executed branch. True: it was mispredicted. */
bool sim_predictor_branch(struct sim_predictor *p, uint32_t number, bool taken);

#endif
