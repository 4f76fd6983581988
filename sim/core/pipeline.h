/*
 * pipeline.h - the timing of a core that issues in order: given the instructions that were executed, with the addresses
 * that they accessed and where they went, how many cycles did they take? Knows no architecture; all figures come from
 * the model.
 *
 *     core = iss_core_new(model)
 *     iss_step_make(model, &op, address, &step)     once for each instruction
 *     iss_core_run(core, steps, n, accesses, n, next)  each time a straight run of them was executed
 *     iss_core_drain(core); iss_core_counts(core, &counts)
 */
#ifndef SIM_CORE_PIPELINE_H
#define SIM_CORE_PIPELINE_H

#include "sim/core/hierarchy.h"
#include "sim/core/core_model.h"

/* An instruction at its place, ready to be timed. */
struct iss_step {
    const struct iss_timing *timing;
    uint64_t address;
    struct iss_op op;
    uint8_t n_sources, n_dests; /* those that are registers */
    struct {
        uint8_t reg, need;
    } source[ISS_SOURCES];
    struct {
        uint8_t reg, row; /* 0 after, 1 after2, 2 address written back */
    } dest[ISS_DESTS];
    bool skip; /* not timed, not counted */
    /* Of a branch that is executed as one with the instruction after it: the timing of that, whose sources, old
     * destinations and destinations are then among its own. NULL: of all others. */
    const struct iss_timing *across;
};
void iss_step_make(const struct iss_model *m, const struct iss_op *op, uint64_t address, struct iss_step *to);
/* `next` is the instruction that stands after the branch `s` in memory. If the branch leads just across it, and its class
 * is predicated on this model, the branch becomes the step of both. Any other step stays as it is. */
void iss_step_across(const struct iss_model *m, struct iss_step *s, const struct iss_op *next);

struct iss_access_at {
    uint64_t address;
    uint32_t step; /* its index */
    bool loaded;   /* value is what was read, not extended */
    uint64_t value;
};

struct iss_counts {
    uint64_t cycles, instructions, loads, stores, branches, branches_immediate, returns, taken, mispredicted, unknown;
    struct iss_memory_counts memory;
};

/* What the time between two issues goes on with. */
enum iss_wait {
    ISS_WAIT_ISSUE,      /* the last of these cycles, in which the step issues */
    ISS_WAIT_FETCH,      /* nothing to issue: taken branches, mispredictions, groups that begin late */
    ISS_WAIT_INTEGER,    /* an operand is not there: the result of an integer instruction, */
    ISS_WAIT_FP,         /* of floating-point or vector arithmetic, */
    ISS_WAIT_LOAD_STORE, /* of a load; or a store of the same bytes is underway */
    ISS_WAIT_UNIT,       /* a unit is busy, or an instruction lets nothing else begin */
    ISS_WAITS
};
/* By the class of the instruction whose result is waited for. */
enum iss_wait iss_wait_of(enum iss_class class);

struct iss_core;
struct iss_core *iss_core_new(const struct iss_model *m);
/* One whose accesses are aligned and all hit, whose divisions of unknown operands take what they do on the average, and
 * whose branches go as predicted, but those that iss_core_mispredict announces. */
struct iss_core *iss_core_new_ideal(const struct iss_model *m);
/* Of an ideal core: how long quotients of unknown operands are; mean at first, and what it was after a restart. */
enum iss_quotient { ISS_QUOTIENT_MEAN, ISS_QUOTIENT_SHORT, ISS_QUOTIENT_LONG, ISS_QUOTIENTS };
/* How many bits it has, for a division of so many. The mean is that of two operands of random length. */
int iss_quotient_bits(enum iss_quotient q, int width);
void iss_core_quotients(struct iss_core *c, enum iss_quotient q);
/* Of an ideal core: the next branch will have been predicted otherwise. */
void iss_core_mispredict(struct iss_core *c);
/* Of an ideal core: what the next load reads is there so many cycles later; as many of these are underway as the model
 * says. */
void iss_core_delay(struct iss_core *c, int64_t cycles);
/* Of an ideal core: as it was when it was new. */
void iss_core_restart(struct iss_core *c);
/* Of two ideal cores of one model: *to is as *from is. */
void iss_core_copy(struct iss_core *to, const struct iss_core *from);
void iss_core_free(struct iss_core *c);
/* Steps 0 ... n - 1 were executed one after the other, accesses in the order of their steps, at most one a step; then
 * the instruction at `next` (0: not known). */
void iss_core_run(struct iss_core *c, const struct iss_step *steps, size_t n, const struct iss_access_at *accesses,
                  size_t n_accesses, uint64_t next);
/* From now on each step of a run adds its cycles to cycles[i] (NULL: to none): those between the issue of the step before
 * it and its own. So they add up to what the run took. */
void iss_core_attribute(struct iss_core *c, int64_t *cycles);
/* From now on each step adds the same cycles to waits[ISS_WAITS], by what they went on with (NULL: to none). Of several
 * things that are waited for at once the first has the cycles: fetch, operands, units, stores. */
void iss_core_explain(struct iss_core *c, int64_t *waits);
/* Time goes on until all that was issued is done. */
void iss_core_drain(struct iss_core *c);
/* Addresses below this are in the flash: what the program never changes. Until it is said, only what is addressed
 * relative to the program counter is. */
void iss_core_constants(struct iss_core *c, uint64_t end);
/* Empties the caches (with everything: TLBs and predictors too); nothing is in flight. Time and counts stay. */
void iss_core_reset(struct iss_core *c, bool everything);
/* Code has run that was not timed: what registers hold is not known. */
void iss_core_lost_sight(struct iss_core *c);
void iss_core_counts(const struct iss_core *c, struct iss_counts *to);
/* The cycle of the last issue. */
int64_t iss_core_cycle(const struct iss_core *c);

#endif
