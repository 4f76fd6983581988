/* branch.c - predictors with one table of two-bit counters; the choice among all schemes. */
#include "sim/branch/branch.h"

#include "sim/branch/several_tables.h"

static const char *check_tournament(const struct sim_predictor_kind *kind)
{
    if (kind->history_bits || kind->tables)
        return "tournament has two parameters: bits of the global and of the local history";
    return kind->second_bits < 1 || kind->second_bits > SIM_LOCAL_BITS_MAX ? "the local history must have 1 to 16 bits"
                                                                           : 0;
}

static const char *check_tage(const struct sim_predictor_kind *kind)
{
    if (kind->second_bits < 1 || kind->second_bits > SIM_TAGGED_BITS_MAX)
        return "the tagged tables must have 1 to 14 bits";
    if (kind->tables < 2 || kind->tables > SIM_TAGE_TABLES_MAX)
        return "there must be 2 to 8 tagged tables";
    if (kind->history_bits < SIM_TAGE_SHORTEST + kind->tables || kind->history_bits > SIM_TAGE_LONGEST)
        return "the longest history must have 64 bits at most, and 4 more than there are tagged tables at least";
    return 0;
}

const char *sim_predictor_check(const struct sim_predictor_kind *kind)
{
    if (kind->table_bits < 1 || kind->table_bits > SIM_TABLE_BITS_MAX)
        return "the table must have 1 to 20 bits";
    if (kind->scheme == SIM_TOURNAMENT)
        return check_tournament(kind);
    if (kind->scheme == SIM_TAGE)
        return check_tage(kind);
    if (kind->second_bits || kind->tables)
        return "it has only one table";
    if (kind->scheme == SIM_GSHARE && (kind->history_bits < 1 || kind->history_bits > kind->table_bits))
        return "the history must have at least 1 bit, and no more than the table";
    if (kind->scheme == SIM_BIMODAL && kind->history_bits)
        return "bimodal has no history";
    return 0;
}

size_t sim_predictor_size(const struct sim_predictor_kind *kind)
{
    if (kind->scheme == SIM_TOURNAMENT)
        return sizeof(struct sim_predictor) + sim_tournament_size(kind);
    if (kind->scheme == SIM_TAGE)
        return sizeof(struct sim_predictor) + sim_tage_size(kind);
    return sizeof(struct sim_predictor) + ((size_t)1 << kind->table_bits);
}

/* What follows the head of 16 bytes. It is aligned as the head is. */
static void *rest(struct sim_predictor *p)
{
    return p + 1;
}

void sim_predictor_reset(struct sim_predictor *p)
{
    p->history = 0;
    if (p->scheme == SIM_TOURNAMENT)
        sim_tournament_reset(rest(p));
    else if (p->scheme == SIM_TAGE)
        sim_tage_reset(rest(p));
    else
        for (size_t i = 0; i <= p->table_mask; i++)
            p->counters[i] = SIM_COUNTER_START;
}

struct sim_predictor *sim_predictor_init(void *memory, const struct sim_predictor_kind *kind)
{
    struct sim_predictor *p = memory;
    p->scheme = kind->scheme;
    p->table_mask = (UINT32_C(1) << kind->table_bits) - 1;
    p->history_mask = kind->scheme == SIM_GSHARE ? (UINT32_C(1) << kind->history_bits) - 1 : 0;
    if (p->scheme == SIM_TOURNAMENT)
        sim_tournament_init(rest(p), kind);
    else if (p->scheme == SIM_TAGE)
        sim_tage_init(rest(p), kind);
    sim_predictor_reset(p);
    return p;
}

bool sim_predictor_learn(struct sim_predictor *p, uint32_t i, bool taken)
{
    uint8_t *counter = &p->counters[i & p->table_mask];
    bool predicted = *counter > SIM_COUNTER_MAX / 2;
    sim_count(counter, taken, SIM_COUNTER_MAX);
    return predicted != taken;
}

bool sim_predictor_branch(struct sim_predictor *p, uint32_t number, bool taken)
{
    if (p->scheme == SIM_TOURNAMENT)
        return sim_tournament_branch(rest(p), number, taken);
    if (p->scheme == SIM_TAGE)
        return sim_tage_branch(rest(p), number, taken);
    uint32_t i = (number ^ p->history) & p->table_mask;
    p->history = (p->history << 1 | taken) & p->history_mask;
    return sim_predictor_learn(p, i, taken);
}
