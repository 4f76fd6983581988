/*
 * schedule.h - shared by the files of method schedule: the machine instructions that IR becomes, their order after
 * compilation, and when they issue.
 */
#ifndef SHIMGEN_ESTIMATE_SCHEDULE_SCHEDULE_H
#define SHIMGEN_ESTIMATE_SCHEDULE_SCHEDULE_H

#include "base/target.h"
#include "shimgen/estimate/estimate.h"

/* What a value is used as. */
enum use { USE_VALUE, USE_ADDRESS, USES };
/* What an instruction becomes; times in cycles. */
struct code {
    float slots;          /* issue slots: instructions times the issue pitch; 0: no code */
    float pitch, latency; /* pitch: how long its unit is busy; latency: until its result can be used */
    float later[USES];    /* than latency, by what uses the result */
    float reads_late;     /* how long after its issue it needs its operands */
    float holds;          /* how long its last instruction waits for its first one; nothing issues meanwhile */
    uint32_t unit;        /* unit: instructions with the same unit wait for `pitch` */
    bool barrier;         /* a call: no instruction is moved across it */
    bool load, store;
    uint32_t pair; /* one of two accesses that one instruction makes: that one, plus 1; 0: not one of two */
};
/* A basic block: its segments. */
struct block {
    uint32_t function;
    uint32_t first_segment, n_segments;
    uint32_t first, n; /* instructions */
    uint32_t before;   /* the block that it is most often entered from, or IRPROF_NONE */
    uint64_t entered;  /* number of entries from there */
};
struct schedule {
    const struct irprof_profile *p;
    const struct irprof_region *region;
    const struct estimate *est;
    const struct ir_key *keys; /* of each key of the profile */
    double issue;              /* issue pitch: cycles per instruction if nothing waits */
    bool out_of_order;         /* the core is out-of-order: instructions after a waiting one can issue */
    double store_pitch, load_pitch;
    unsigned char *folds; /* of each instruction */
    struct code *code;    /* of each instruction, for the current values */
    bool *optimised;      /* of each function */
    uint32_t *variable;   /* of each load and store: the alloca that it accesses directly, or IRPROF_NONE */
    double *quotients[IRPROF_DIVISORS]; /* of each part: irprof_quotient_bits */
    uint32_t *access;                   /* of each load and store: its number in p->accesses, or IRPROF_NONE */
    struct block *blocks;
    size_t n_blocks;
    uint32_t *order; /* instructions in the order of issue, block by block */
    float *when;     /* of each instruction: when it issues in the run of its block; 0 where it makes no code */
    uint32_t *entry; /* of each call of a function of the profile: the part that the function begins with; others:
                        IRPROF_NONE */
};

/* schedule.c: the block of a function with this number. IRPROF_NONE: nothing is counted in it. */
uint32_t schedule_find_block(const struct schedule *s, uint32_t function, uint32_t number);

/* schedule.c: the part of the first instruction that makes code in such a block. False: none does. */
bool schedule_first_part(size_t *part, const struct schedule *s, uint32_t function, uint32_t number);

/* schedule.c: the largest execution count of a part of the block. (A region may begin or end inside a block.) */
double schedule_times(const struct schedule *s, const struct block *b);

/* schedule.c: true for a phi, which only names a value at the start of its block. */
bool schedule_is_phi(const struct schedule *s, uint32_t i);

/* So many units there are at most: each key's instruction, and what it means; those of vectors. */
static inline size_t schedule_units(const struct schedule *s)
{
    return 2 * s->p->n_keys + 1;
}

/* What the i-th instruction is. */
static inline const struct ir_key *schedule_key(const struct schedule *s, uint32_t i)
{
    return &s->keys[s->p->instructions[i].key];
}

/* schedule_code.c: fills s->code with best, typical or worst values. */
void schedule_code(struct schedule *s, enum bound bound);
/* schedule_meaning.c: what a key becomes that is several machine instructions, and the unit of the first one, for an
 * intrinsic. False: the key is no such intrinsic. */
bool schedule_meaning(struct code *c, const struct schedule *s, const struct ir_key *key, struct map *units,
                      enum bound bound);
/* schedule_division.c: changes the code of a division by a constant, or whose quotient is known to be long or short, and
 * of a remainder that is several instructions; of other instructions nothing. */
void schedule_division(struct code *c, const struct schedule *s, uint32_t i, bool optimised,
                       const struct target *target, enum bound bound);
/* schedule_sizes.c: changes the code of a division that the code makes to what its part's quotients take in the mean. Returns
 * false if the profile or the file does not tell, or it is none. */
bool schedule_quotient(struct code *c, const struct schedule *s, uint32_t i, enum bound bound);
/* schedule_vector.c: changes the code of vector instructions; of others nothing. */
void schedule_vector(struct code *c, const struct schedule *s, uint32_t i, enum bound bound);
/* schedule_vector.c: how much longer elements are that the instruction extends; 1: it extends none. */
unsigned schedule_widening(const struct schedule *s, uint32_t i);
/* schedule_vector.c: takes the last step off the code of such an extension. */
void schedule_save_step(struct code *c, const struct schedule *s, uint32_t i);
/* schedule_library.c: changes the code of arithmetic that the compiler's library does; of other instructions nothing. */
void schedule_library(struct code *c, const struct schedule *s, uint32_t i, enum bound bound);
/* schedule_sizes.c: changes the code of a call of the C library whose size the profile has; of others nothing.
 * `segment`: its own. */
void schedule_sizes(struct code *c, const struct schedule *s, uint32_t i, uint32_t segment, enum bound bound);
/* schedule_address.c: changes s->code where loops move addresses by a fixed step. */
void schedule_address(struct schedule *s);
/* Sets optimised[n_functions]: true if no variable of the function is in memory that could be in a register. */
void schedule_optimised(struct schedule *s);

/* schedule_variables fills s->variable[p->n_instructions]. */
void schedule_variables(struct schedule *s);

/* schedule_memory.c: fills s->access[p->n_instructions]. */
void schedule_accesses(struct schedule *s);
/* Whether the access i must come after `before`, an earlier one of its block. */
bool schedule_stays_after(const struct schedule *s, uint32_t i, uint32_t before);
/* Changes s->code where the target makes two accesses with one instruction. */
void schedule_pairs(struct schedule *s);

/* schedule_misses.c: for each part, the share of its misses that must wait for an earlier load, and the share of its
 * accesses that are loads. */
void schedule_misses(const struct schedule *s, float *shares, float *loads);

/* schedule_overlap.c: changes shares, of each part the share of its misses that is waited for, where loads miss together.
 * misses: of each part, how many lines one of its loads asks the next level for. */
void schedule_overlap(const struct schedule *s, const double *misses, float *shares);

/* schedule_events.c: misses and mispredictions that the profile recorded. */
void schedule_events(struct estimate *out, const struct schedule *s);
/* The misprediction penalty [cycles]: from br's worst Latency, otherwise a typical value. */
double schedule_misprediction(const struct costs *c);

/* schedule_target.c: what the code of a function is compiled for. */
const struct target *schedule_target_of(const struct irprof_profile *p, uint32_t function);
/* schedule_target.c: changes s->code where the target fuses instructions and where functions save registers. */
void schedule_target(struct schedule *s, enum bound bound);

/* schedule_order.c: fills s->order for the current code. */
void schedule_order(struct schedule *s);

#endif
