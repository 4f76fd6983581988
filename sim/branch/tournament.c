/*
 * tournament.c - two predictors, and a third that chooses between them (R. E. Kessler, "The Alpha 21264
 * microprocessor", IEEE Micro 19(2), 1999). Local: the last directions of the branch itself select a counter of three
 * bits. Global: the last directions of all branches select one of two bits. The chooser is a counter of two bits that
 * is selected like the global one. It learns when the two predictors disagree. The 21264 has 12 global and 10 local
 * history bits.
 */
#include "sim/branch/several_tables.h"

enum { LOCAL_MAX = 7, LOCAL_START = 4, GLOBAL_MAX = 3, GLOBAL_START = 2, CHOOSER_MAX = 3, CHOOSER_START = 1 };

static uint8_t *local_counters(struct sim_tournament *t)
{
    return (uint8_t *)(t->histories + (size_t)t->local_mask + 1);
}

static uint8_t *global_counters(struct sim_tournament *t)
{
    return local_counters(t) + (size_t)t->local_mask + 1;
}

static uint8_t *choosers(struct sim_tournament *t)
{
    return global_counters(t) + (size_t)t->global_mask + 1;
}

size_t sim_tournament_size(const struct sim_predictor_kind *kind)
{
    return sizeof(struct sim_tournament) + ((size_t)3 << kind->second_bits) + ((size_t)2 << kind->table_bits);
}

void sim_tournament_reset(struct sim_tournament *t)
{
    uint8_t *local = local_counters(t), *global = global_counters(t), *chooser = choosers(t);
    t->history = 0;
    for (size_t i = 0; i <= t->local_mask; i++) {
        t->histories[i] = 0;
        local[i] = LOCAL_START;
    }
    for (size_t i = 0; i <= t->global_mask; i++) {
        global[i] = GLOBAL_START;
        chooser[i] = CHOOSER_START;
    }
}

void sim_tournament_init(struct sim_tournament *t, const struct sim_predictor_kind *kind)
{
    t->local_bits = kind->second_bits;
    t->local_mask = (UINT32_C(1) << kind->second_bits) - 1;
    t->global_mask = (UINT32_C(1) << kind->table_bits) - 1;
    sim_tournament_reset(t);
}

bool sim_tournament_branch(struct sim_tournament *t, uint32_t number, bool taken)
{
    uint16_t *own = &t->histories[number & t->local_mask];
    uint8_t *local = &local_counters(t)[*own], *global = &global_counters(t)[t->history];
    uint8_t *chooser = &choosers(t)[t->history];
    bool by_local = *local >= LOCAL_START, by_global = *global >= GLOBAL_START;
    bool predicted = *chooser > CHOOSER_MAX / 2 ? by_global : by_local;
    if (by_local != by_global)
        sim_count(chooser, by_global == taken, CHOOSER_MAX);
    sim_count(local, taken, LOCAL_MAX);
    sim_count(global, taken, GLOBAL_MAX);
    *own = (uint16_t)(((unsigned)*own << 1 | taken) & t->local_mask);
    t->history = (t->history << 1 | taken) & t->global_mask;
    return predicted != taken;
}
