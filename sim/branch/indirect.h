/*
 * indirect.h - a model of what predicts branches whose target is in a register, jumps and calls: a table of last targets
 * (Hennessy, Patterson, Computer Architecture, 6th edition, 3.9). Freestanding, as branch.h.
 *
 *     bytes = sim_indirect_size(targets)            memory that the caller must provide
 *     t = sim_indirect_init(memory, targets)
 *     sim_indirect_jump(t, number, target)          -> was it mispredicted?
 */
#ifndef SIM_BRANCH_INDIRECT_H
#define SIM_BRANCH_INDIRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIM_TARGETS_MAX = 1 << 16 };

struct sim_indirect {
    uint64_t targets; /* entries; 0: nothing is predicted */
    uint64_t last[];
};

size_t sim_indirect_size(uint32_t targets);
/* Initialises in `memory`, which is aligned to 8 bytes: nothing has been executed. `targets`: at most SIM_TARGETS_MAX. */
struct sim_indirect *sim_indirect_init(void *memory, uint32_t targets);
void sim_indirect_reset(struct sim_indirect *t);
/* A branch went to `target`, which is not 0. Its entry is the remainder of `number` by the table's size, and it was
 * predicted to go where the last branch of this entry went. True: it was mispredicted. */
bool sim_indirect_jump(struct sim_indirect *t, uint64_t number, uint64_t target);

#endif
