/*
 * estimate_causes.h - what the cycles of an estimate are spent on: issue, waits by what is waited for, calls, caches,
 * mispredictions. Methods that follow code through a core (schedule, compiled) say it of the typical cycles, part by part;
 * the causes of a part add up to its cycles exactly, so those of every sum of parts do too.
 */
#ifndef SHIMGEN_ESTIMATE_ESTIMATE_CAUSES_H
#define SHIMGEN_ESTIMATE_ESTIMATE_CAUSES_H

#include "base/instructions.h"
#include "shimgen/estimate/costs.h"

/* X(enumerator, name in JSON and CSV): in the order of output. docs/formats/estimate.md says what each is. */
#define ESTIMATE_CAUSES(X)                                                                                             \
    X(ISSUE, "issue")                                                                                                  \
    X(FETCH, "fetch")                                                                                                  \
    X(UNITS, "units")                                                                                                  \
    X(INTEGER, "integer")                                                                                              \
    X(FP, "fp")                                                                                                        \
    X(LOAD_STORE, "load_store")                                                                                        \
    X(CALLS, "calls")                                                                                                  \
    X(L2, "l2")                                                                                                        \
    X(MEMORY, "memory")                                                                                                \
    X(MISPREDICTIONS, "mispredictions")

enum estimate_cause {
#define X(id, name) CAUSE_##id,
    ESTIMATE_CAUSES(X)
#undef X
        CAUSES
};
struct causes {
    double at[CAUSES]; /* [cycles] */
};

const char *cause_name(enum estimate_cause c);
/* The wait for the result of such an instruction. */
enum estimate_cause cause_of_class(enum ir_class class);

/* Adds to the cause, and to the cycles of that bound; causes are of the typical cycles alone. */
void causes_charge(struct causes *c, struct cycles *sum, enum estimate_cause cause, enum bound bound, double cycles);
/* The same for all bounds at once, times >= 0. */
void causes_add(struct causes *c, struct cycles *sum, enum estimate_cause cause, const struct cycles *each,
                double times);
/* sum += c */
void causes_sum(struct causes *sum, const struct causes *c);
/* Makes the causes multiples of `step` that add up to `cycles`, a multiple of it, exactly. What rounding left over goes to
 * the greatest of them. No cause is below 0: what a file's negative values take off goes off the last ones. Cycles below
 * 0 are of no cause but issue. */
void causes_exact(struct causes *c, double cycles, double step);

#endif
