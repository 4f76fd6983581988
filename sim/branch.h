/*
 * branch.h - models of predictors of conditional branches: tables of two-bit
 * saturating counters (J. E. Smith, "A study of branch prediction strategies", ISCA
 * 1981; S. McFarling, "Combining branch predictors", DEC WRL TN-36, 1993).
 * Freestanding: no libc, no allocation; it runs inside counted programs (irprof's
 * runtime) and inside simulators.
 *
 * In the order of use:
 *     sim_predictor_check(&kind)            is this a predictor? what is wrong with it?
 *     sim_predictor_size(&kind)             bytes of memory it needs: the caller's
 *     p = sim_predictor_init(memory, &kind)
 *     sim_predictor_branch(p, number, taken)   -> was it predicted wrongly?
 *
 * A branch is known by a number: an address without its constant low bits, a hash of
 * its place in the program. Only the low bits of the number that index the table count.
 */
#ifndef SIM_BRANCH_H
#define SIM_BRANCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sim_predictor_scheme {
    SIM_BIMODAL, /* the counter of the branch's number */
    SIM_GSHARE,  /* the counter of its number xor the directions that the last branches took, whichever they were */
    SIM_PREDICTOR_N
};
struct sim_predictor_kind {
    enum sim_predictor_scheme scheme;
    unsigned table_bits;   /* 2^table_bits counters, 1 to SIM_TABLE_BITS_MAX */
    unsigned history_bits; /* gshare: 1 to table_bits; bimodal: 0 */
};
enum { SIM_TABLE_BITS_MAX = 20 };

/* The first thing that is wrong, as a phrase, or NULL. */
const char *sim_predictor_check(const struct sim_predictor_kind *kind);

/* Code may predict for itself, and call sim_predictor_learn only where a counter must change:
 *     i = (number ^ history) & table_mask;  taken is predicted if counters[i] >= 2
 *     history = (2 * history + taken) & history_mask
 * and nothing changes if counters[i] is 3 and the branch is taken, or 0 and it is not. */
struct sim_predictor {
    uint32_t history; /* of the last branches, the latest in bit 0; 1: taken. Bimodal: always 0 */
    uint32_t table_mask, history_mask;
    uint8_t counters[]; /* 0 strongly not taken, 1, 2, 3 strongly taken. At first 2 */
};
enum { SIM_COUNTER_MAX = 3, SIM_COUNTER_START = 2 };

size_t sim_predictor_size(const struct sim_predictor_kind *kind);
/* `memory`: aligned to 16 bytes; it lives as long as the predictor does. The kind has been checked. */
struct sim_predictor *sim_predictor_init(void *memory, const struct sim_predictor_kind *kind);
/* As it was at first. */
void sim_predictor_forget(struct sim_predictor *p);

/* Counter i (of which the low bits count) learns; true: it had predicted the other way. */
bool sim_predictor_learn(struct sim_predictor *p, uint32_t i, bool taken);
/* A branch is executed; true: it was mispredicted. */
bool sim_predictor_branch(struct sim_predictor *p, uint32_t number, bool taken);

#endif
