/* several_tables.h - predictors with more than one table of counters: tournament.c and tage.c, called by branch.c. */
#ifndef SIM_BRANCH_SEVERAL_TABLES_H
#define SIM_BRANCH_SEVERAL_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/branch/predictor_kind.h"

/* Moves a counter one step towards `most` or 0. */
static inline void sim_count(uint8_t *counter, bool up, unsigned most)
{
    if (up && *counter < most)
        ++*counter;
    else if (!up && *counter > 0)
        --*counter;
}

/* ---- tournament.c ---- */

struct sim_tournament {
    uint32_t history; /* global, the latest in bit 0 */
    uint32_t global_mask, local_mask, local_bits;
    /* uint16_t histories[2^local_bits]; uint8_t local[2^local_bits], global[2^global_bits], chooser[2^global_bits] */
    uint16_t histories[];
};
size_t sim_tournament_size(const struct sim_predictor_kind *kind);
void sim_tournament_init(struct sim_tournament *t, const struct sim_predictor_kind *kind);
void sim_tournament_reset(struct sim_tournament *t);
bool sim_tournament_branch(struct sim_tournament *t, uint32_t number, bool taken);

/* ---- tage.c ---- */

struct sim_tage_entry {
    uint16_t tag;
    uint8_t counter; /* 0 to 7, taken from 4 on */
    uint8_t useful;  /* 0 to 3 */
};
struct sim_tage {
    uint64_t history; /* the latest in bit 0 */
    uint32_t base_mask, entry_mask, entry_bits, tables;
    uint32_t branches; /* branches since the useful counters were last aged */
    uint32_t random;
    uint32_t longest;                     /* history of the last table */
    uint8_t lengths[SIM_TAGE_TABLES_MAX]; /* of the histories, ascending */
    uint8_t alternate;                    /* 0 to 15: from 8 on new entries are not trusted */
    /* entries of all tables, one table after the other; followed by uint8_t base[] */
    struct sim_tage_entry entries[];
};
size_t sim_tage_size(const struct sim_predictor_kind *kind);
void sim_tage_init(struct sim_tage *t, const struct sim_predictor_kind *kind);
void sim_tage_reset(struct sim_tage *t);
bool sim_tage_branch(struct sim_tage *t, uint32_t number, bool taken);

#endif
