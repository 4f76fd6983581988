/*
 * flash.h - the memory that a microcontroller's code and constants stand in: a read takes `wait_states` cycles more than
 * one, and gives an aligned line. A prefetch buffer reads the next line while one is executed; a small cache remembers
 * lines of instructions, another one lines of constants. Each of them may be absent (core_model.h).
 *
 * What happens in which order follows ST's RM0090, 3.5.2 "Adaptive real-time memory accelerator": an instruction is
 * looked for in the line in use, in the line read ahead, in the cache; only a line that was in none of them is put into
 * the cache, in the place of the one not used for longest. [assumed] a read that has begun is finished before another.
 */
#ifndef SIM_CORE_FLASH_H
#define SIM_CORE_FLASH_H

#include "sim/core/core_model.h"

struct iss_flash_lines {
    uint64_t line[ISS_FLASH_LINES]; /* the one used last first; UINT64_MAX: none */
    size_t n;
};
struct iss_flash {
    const struct iss_model *model;
    unsigned shift;
    uint64_t current, next; /* lines: in use, read ahead; UINT64_MAX: none */
    int64_t next_ready;     /* the cycle in which the latter is there */
    int64_t free;           /* when another read can begin */
    struct iss_flash_lines code, data;
};

void iss_flash_init(struct iss_flash *f, const struct iss_model *m);
/* Nothing is remembered, nothing underway. */
void iss_flash_reset(struct iss_flash *f);
/* Cycles that an instruction at `address`, wanted in cycle `now`, waits. */
int64_t iss_flash_fetch(struct iss_flash *f, uint64_t address, int64_t now);
/* The same of a constant. */
int64_t iss_flash_load(struct iss_flash *f, uint64_t address, int64_t now);

#endif
