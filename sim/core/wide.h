/*
 * wide.h - the timing of a core that issues out of order: a model with [window] (docs/formats/iss-model.md). One pass over
 * the executed instructions, as the in-order pipeline's (sim/core/pipeline.h). All accesses hit the first-level cache
 * and branches go as predicted, unless it is said that one does not.
 */
#ifndef SIM_CORE_WIDE_H
#define SIM_CORE_WIDE_H

#include "sim/core/pipeline.h"

struct iss_wide;
struct iss_wide *iss_wide_new(const struct iss_model *m);
void iss_wide_free(struct iss_wide *w);
/* As it was when it was new. */
void iss_wide_restart(struct iss_wide *w);
/* Of two of one model: *to is as *from is. */
void iss_wide_copy(struct iss_wide *to, const struct iss_wide *from);
/* The next branch will have been predicted otherwise. */
void iss_wide_mispredict(struct iss_wide *w);
/* What the next load reads is there so many cycles later; as many of these are underway as the model says. */
void iss_wide_delay(struct iss_wide *w, int64_t cycles);
/* The step was executed after all before it, with this access (NULL: none, or its address is not known); then the
 * instruction at `next` (0: not known). */
void iss_wide_run(struct iss_wide *w, const struct iss_step *step, const struct iss_access_at *access, uint64_t next);
/* As iss_core_explain: what the cycles between two retirements go on with. */
void iss_wide_explain(struct iss_wide *w, int64_t *waits);
/* The cycle in which the last instruction left the core. */
int64_t iss_wide_cycle(const struct iss_wide *w);
/* The classes that an instruction has the figures of: its own, and those of a load and a store where it works on a value
 * in memory. How many. */
enum { ISS_WIDE_CLASSES = 3 };
unsigned iss_wide_classes(const struct iss_op *op, enum iss_class classes[ISS_WIDE_CLASSES]);

#endif
