/*
 * branch.h - models of predictors of conditional branches: tables of saturating
 * counters (J. E. Smith, "A study of branch prediction strategies", ISCA 1981),
 * chosen by the branch's place, by the directions of the last branches, or by both.
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
 * its place in the program. Only the low bits of the number that index the tables count
 * (TAGE: its tags are made of higher ones).
 */
#ifndef SIM_BRANCH_BRANCH_H
#define SIM_BRANCH_BRANCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sim_predictor_scheme {
    SIM_BIMODAL,    /* the counter of the branch's number */
    SIM_GSHARE,     /* the counter of its number xor the directions that the last branches took, whichever they were
                     * (S. McFarling, "Combining branch predictors", DEC WRL TN-36, 1993) */
    SIM_TOURNAMENT, /* local or global history, whichever was right more often here: McFarling's combination as in the
                     * Alpha 21264 (R. E. Kessler, IEEE Micro 19(2), 1999) */
    SIM_TAGE,       /* tagged tables by geometrically longer histories (A. Seznec, P. Michaud, "A case for (partially)
                     * tagged geometric history length branch prediction", JILP 8, 2006) */
    SIM_PREDICTOR_N
};
struct sim_predictor_kind {
    enum sim_predictor_scheme scheme;
    unsigned table_bits;   /* 2^table_bits counters, 1 to SIM_TABLE_BITS_MAX. Tournament: of the global history, and as
                            * many that choose. TAGE: of the table without tags */
    unsigned history_bits; /* gshare: 1 to table_bits. TAGE: the longest history, SIM_TAGE_SHORTEST + tables to
                            * SIM_TAGE_LONGEST. Else 0 */
    unsigned second_bits;  /* tournament: 2^second_bits local histories of second_bits directions and as many counters,
                            * 1 to SIM_LOCAL_BITS_MAX. TAGE: 2^second_bits entries in each tagged table, 1 to
                            * SIM_TAGGED_BITS_MAX. Else 0 */
    unsigned tables;       /* TAGE: tagged tables, 2 to SIM_TAGE_TABLES_MAX. Else 0 */
};
enum {
    SIM_TABLE_BITS_MAX = 20,
    SIM_LOCAL_BITS_MAX = 16,
    SIM_TAGGED_BITS_MAX = 14,
    SIM_TAGE_TABLES_MAX = 8,
    SIM_TAGE_SHORTEST = 4, /* the history of the first tagged table */
    SIM_TAGE_LONGEST = 64
};

/* The first thing that is wrong, as a phrase, or NULL. */
const char *sim_predictor_check(const struct sim_predictor_kind *kind);

/* Of bimodal and gshare code may predict for itself, and call sim_predictor_learn only where a counter must change:
 *     i = (number ^ history) & table_mask;  taken is predicted if counters[i] >= 2
 *     history = (2 * history + taken) & history_mask
 * and nothing changes if counters[i] is 3 and the branch is taken, or 0 and it is not. */
struct sim_predictor {
    uint32_t history; /* gshare: of the last branches, the latest in bit 0; 1: taken. Else 0 */
    uint32_t table_mask, history_mask;
    uint32_t scheme;
    uint8_t counters[]; /* 0 strongly not taken, 1, 2, 3 strongly taken. At first 2. Tournament, TAGE: what
                         * private.h has */
};
enum { SIM_COUNTER_MAX = 3, SIM_COUNTER_START = 2 };

size_t sim_predictor_size(const struct sim_predictor_kind *kind);
/* `memory`: aligned to 16 bytes; it lives as long as the predictor does. The kind has been checked. */
struct sim_predictor *sim_predictor_init(void *memory, const struct sim_predictor_kind *kind);
/* As it was at first. */
void sim_predictor_forget(struct sim_predictor *p);

/* Bimodal, gshare: counter i (of which the low bits count) learns; true: it had predicted the other way. */
bool sim_predictor_learn(struct sim_predictor *p, uint32_t i, bool taken);
/* A branch is executed; true: it was mispredicted. */
bool sim_predictor_branch(struct sim_predictor *p, uint32_t number, bool taken);

#endif
