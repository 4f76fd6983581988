/*
 * schedule.h - what the parts of the schedule-aware estimator share: what instructions
 * become, in which order a compiler puts them, when they issue.
 */
#ifndef SHIMGEN_ESTIMATE_SCHEDULE_SCHEDULE_H
#define SHIMGEN_ESTIMATE_SCHEDULE_SCHEDULE_H

#include "shimgen/estimate/estimate.h"

/* What an instruction becomes [cycles]. */
struct code {
    float slots;          /* how long it keeps others from issuing: instructions times the issue pitch; 0: no code */
    float pitch, latency; /* of its unit; until its result can be used */
    uint32_t unit;        /* which others wait for `pitch`: those of the same instruction */
    bool barrier;         /* a call: nothing moves across */
    bool load, store;
};
/* A basic block: its segments. */
struct block {
    uint32_t function;
    uint32_t first_segment, n_segments;
    uint32_t first, n; /* instructions */
    uint32_t before;   /* the block it is most often entered from, or IRPROF_NONE */
    uint64_t entered;  /* from there */
};
struct schedule {
    const struct irprof_profile *p;
    const struct irprof_region *region;
    const struct estimate *est;
    const struct ir_key *keys; /* of each key of the profile */
    double issue;              /* the issue pitch: cycles per instruction where nothing waits */
    bool ahead;                /* the core is out-of-order: instructions after a waiting one can issue */
    double store_pitch, load_pitch;
    double easy_division; /* Latency of a division by a constant: a multiplication and a shift */
    unsigned char *folds; /* of each instruction */
    struct code *code;    /* of each instruction, for the values at hand */
    bool *optimised;      /* of each function */
    uint32_t *variable;   /* of each load and store: the alloca that it goes to itself, or IRPROF_NONE */
    struct block *blocks;
    size_t n_blocks;
    uint32_t *order; /* instructions, block by block, as they issue */
};

/* schedule.c: the block of a function that has this number, or IRPROF_NONE: nothing is counted in it. */
uint32_t schedule_find_block(const struct schedule *s, uint32_t function, uint32_t number);

/* schedule.c: how often a part of the block is executed at most: a region may begin or end in the middle of a block. */
double schedule_times(const struct schedule *s, const struct block *b);

/* schedule.c: a phi: a name for what was there when its block began. */
bool schedule_is_phi(const struct schedule *s, uint32_t i);

/* What the i-th instruction is. */
static inline const struct ir_key *schedule_key(const struct schedule *s, uint32_t i)
{
    return &s->keys[s->p->instructions[i].key];
}

/* schedule_code.c: fills s->code with best, typical or worst values. */
void schedule_code(struct schedule *s, enum bound bound);
/* schedule_meaning.c: what a key that is several instructions becomes, and the unit of the first of them, for an
 * intrinsic; false: it is none of those. */
bool schedule_meaning(struct code *c, const struct schedule *s, const struct ir_key *key, struct map *units,
                      enum bound bound);
/* True where no variable of the function is in memory that could be in a register. Into optimised[n_functions]. */
void schedule_optimised(struct schedule *s);

/* schedule_variables fills s->variable[p->n_instructions]. */
void schedule_variables(struct schedule *s);

/* schedule_misses.c: of each part, which share of its misses must wait for what was loaded before, and which share of
 * its accesses are loads. */
void schedule_misses(const struct schedule *s, float *shares, float *loads);

/* schedule_events.c: misses and mispredictions that the profile recorded. */
void schedule_events(struct estimate *out, const struct schedule *s);
/* What a mispredicted branch costs [cycles]: by br's worst Latency, or what is usual. */
double schedule_misprediction(const struct costs *c);

/* schedule_target.c: changes s->code where a target makes one instruction of several, and where functions save
 * registers. */
void schedule_target(struct schedule *s);

/* schedule_order.c: fills s->order for the code at hand. */
void schedule_order(struct schedule *s);

#endif
