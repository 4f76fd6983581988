/* indirect.c - the last targets of branches through a register. */
#include "sim/branch/indirect.h"

size_t sim_indirect_size(uint32_t targets)
{
    return sizeof(struct sim_indirect) + targets * sizeof(uint64_t);
}

void sim_indirect_reset(struct sim_indirect *t)
{
    for (uint64_t i = 0; i < t->targets; i++)
        t->last[i] = 0;
}

struct sim_indirect *sim_indirect_init(void *memory, uint32_t targets)
{
    struct sim_indirect *t = memory;
    t->targets = targets;
    sim_indirect_reset(t);
    return t;
}

bool sim_indirect_jump(struct sim_indirect *t, uint64_t number, uint64_t target)
{
    if (!t->targets)
        return true;
    uint64_t *last = &t->last[number % t->targets];
    bool wrong = *last != target;
    *last = target;
    return wrong;
}
