/*
 * code_schedule.h - code on the model that nobody runs: how many cycles does a sequence of instructions take? The
 * pipeline is that of the simulator (pipeline.c), or one that issues out of order (wide.c) where the model is of
 * such a core. All accesses hit the first-level cache, branches go as predicted
 * unless it is said that one does not. Addresses are followed from registers whose contents nobody knows, as far as two
 * of them can be told equal or different: a load waits for a store to the same place.
 *
 *     struct iss_code *code = iss_code_new(model, bytes, n, address, e);
 *     struct iss_schedule *s = iss_schedule_new(model);
 *     iss_schedule_restart(s);
 *     iss_schedule_run(s, block, n, next);  before = iss_schedule_cycle(s);
 *     iss_schedule_run(s, block, n, next);  cost = iss_schedule_cycle(s) - before;
 */
#ifndef SIM_CORE_CODE_SCHEDULE_H
#define SIM_CORE_CODE_SCHEDULE_H

#include "sim/core/pipeline.h"

/* Machine code, decoded. */
struct iss_code {
    struct iss_step *steps; /* one after the other as they stand in memory */
    size_t n, n_unknown;    /* all of them; those that the decoder does not know */
};
/* ERR_UNSUPPORTED: there is no decoder for the model's architecture, or its code is not plain (op.h). `model` must outlive it. iss_code_free. */
enum status iss_code_new(struct iss_code **out, const struct iss_model *model, const uint8_t *bytes, size_t n,
                         uint64_t address, struct error *e) MUST_CHECK;
/* The same for n pieces, one after the other, between which there is no code; it need not be plain: who calls this knows
 * where constants stand, and that an instruction may leave the function or not. */
struct iss_piece {
    const uint8_t *bytes;
    size_t n;
    uint64_t address;
};
enum status iss_code_of_pieces(struct iss_code **out, const struct iss_model *model, const struct iss_piece *pieces,
                               size_t n, struct error *e) MUST_CHECK;
void iss_code_free(struct iss_code *code);
/* The index of the instruction at an address; code->n: none begins there. */
size_t iss_code_find(const struct iss_code *code, uint64_t address);
/* The index of the first instruction that is not before an address; code->n: all are. */
size_t iss_code_from(const struct iss_code *code, uint64_t address);

struct iss_schedule;
struct iss_schedule *iss_schedule_new(const struct iss_model *model);
/* How long quotients of unknown operands are from now on. */
void iss_schedule_quotients(struct iss_schedule *s, enum iss_quotient q);
void iss_schedule_free(struct iss_schedule *s);
/* Nothing is known of registers, nothing is underway, cycle 0. */
void iss_schedule_restart(struct iss_schedule *s);
/* These steps are executed after what was before, then the instruction at `next`. A branch is the last of them. */
void iss_schedule_run(struct iss_schedule *s, const struct iss_step *steps, size_t n, uint64_t next);
/* The next branch is mispredicted. */
void iss_schedule_mispredict(struct iss_schedule *s);
/* The next load misses: what it reads is there so many cycles later. */
void iss_schedule_delay(struct iss_schedule *s, int64_t cycles);
/* The cycle in which the last step was issued; out of order: in which it left the core. */
int64_t iss_schedule_cycle(const struct iss_schedule *s);
/* From now on each step adds the cycles between the issue before it and its own to waits[ISS_WAITS] (pipeline.h); NULL: no
 * longer. A copy of the schedule does so too. */
void iss_schedule_explain(struct iss_schedule *s, int64_t *waits);
/* How many bytes an access is after the one that the same instruction made the time before. False: it has not been
 * executed twice, or the two addresses have nothing to do with each other. */
bool iss_schedule_stride(const struct iss_schedule *s, const struct iss_step *step, int64_t *bytes);
/* What is the case now, to be gone back to: *to is made the same as *from. */
void iss_schedule_copy(struct iss_schedule *to, const struct iss_schedule *from);

#endif
