#include "sim/branch.h"

const char *sim_predictor_check(const struct sim_predictor_kind *kind)
{
    if (kind->table_bits < 1 || kind->table_bits > SIM_TABLE_BITS_MAX)
        return "the table must have 1 to 20 bits";
    if (kind->scheme == SIM_GSHARE && (kind->history_bits < 1 || kind->history_bits > kind->table_bits))
        return "the history must have at least 1 bit, and no more than the table";
    if (kind->scheme == SIM_BIMODAL && kind->history_bits)
        return "bimodal has no history";
    return 0;
}

size_t sim_predictor_size(const struct sim_predictor_kind *kind)
{
    return sizeof(struct sim_predictor) + ((size_t)1 << kind->table_bits);
}

void sim_predictor_forget(struct sim_predictor *p)
{
    p->history = 0;
    for (size_t i = 0; i <= p->table_mask; i++)
        p->counters[i] = SIM_COUNTER_START;
}

struct sim_predictor *sim_predictor_init(void *memory, const struct sim_predictor_kind *kind)
{
    struct sim_predictor *p = memory;
    p->table_mask = (UINT32_C(1) << kind->table_bits) - 1;
    p->history_mask = (UINT32_C(1) << kind->history_bits) - 1;
    sim_predictor_forget(p);
    return p;
}

bool sim_predictor_learn(struct sim_predictor *p, uint32_t i, bool taken)
{
    uint8_t *counter = &p->counters[i & p->table_mask];
    bool predicted = *counter > SIM_COUNTER_MAX / 2;
    if (taken && *counter < SIM_COUNTER_MAX)
        ++*counter;
    else if (!taken && *counter > 0)
        --*counter;
    return predicted != taken;
}

bool sim_predictor_branch(struct sim_predictor *p, uint32_t number, bool taken)
{
    uint32_t i = (number ^ p->history) & p->table_mask;
    p->history = (p->history << 1 | taken) & p->history_mask;
    return sim_predictor_learn(p, i, taken);
}
