/*
 * estimate.h - cycles of a program from its profile and a SHIM file's values, without
 * the board. In the order of use:
 *
 *     costs_from_shim(&costs, "board.shim.xml", core, e)     a core's values
 *     estimate_run(&est, &request, e)                        cycles of every part of the profile, by a method
 *     estimate_sum(est, part) ...                            what a function, a line, a block costs: sums of parts
 *     estimate_free(est)
 *
 * A PART is what irprof.h calls so: the instructions of a segment that come from one source line. All that is asked
 * of an estimate (functions, lines, loops, regions, model blocks) is a sum of parts. Cycles of a part are multiples of
 * a power of two, chosen so that sums of parts are exact in whatever order they are added: sums over blocks, over
 * functions and over lines agree to the last bit.
 */
#ifndef SHIMGEN_ESTIMATE_H
#define SHIMGEN_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "irprof/irprof.h"
#include "shimgen/estimate/costs.h"

/* What is to be estimated, and from what. All borrowed. */
struct estimate_request {
    const struct irprof_profile *profile;
    size_t region; /* index; a usable one */
    const struct costs *costs;
    const char *const *programs; /* method compiled: the IR that was counted (.bc, .ll); NULL-terminated, or NULL */
    const char *board;           /* method compiled: the board whose timing data are used; or NULL */
    bool without_events;         /* method schedule: as if no misses and mispredictions were in the profile */
};

/* The cycles of all executions of the region. */
struct estimate {
    const struct estimator *method;
    const struct irprof_profile *profile; /* borrowed */
    const struct costs *costs;            /* borrowed */
    size_t region;
    struct cycles *parts; /* owned; of each of profile->parts */
    double step;          /* all of them are multiples of it */
    struct cycles total;  /* the sum of all parts */
    struct key_costs keys;
    /* Instructions without a value of their own, and what was assumed (docs/formats/estimate.md); owned */
    struct assumption *assumed;
    size_t n_assumed;
    char **notes; /* owned; sentences a user must know ("misses are not in the profile: ..."); n_notes */
    size_t n_notes;
};
struct assumption {
    char *instruction; /* owned; "fptoui", "call.library.sin" */
    char *as;          /* owned; what stands for it: "fptosi", "call", "the mean of all" */
    uint64_t count;    /* executed */
    double cycles;     /* typical, of the estimate */
};

/* A way to estimate. `run` fills parts[profile->n_parts], which are zero; it may add notes. */
struct estimator {
    const char *name;    /* "sum" */
    const char *summary; /* one line for --help and tables */
    enum status (*run)(struct estimate *out, const struct estimate_request *q, struct error *e);
};
extern const struct estimator estimator_sum, estimator_operand, estimator_schedule, estimator_compiled;
/* By name; NULL: there is none. The i-th; NULL past the last. */
const struct estimator *estimator_find(const char *name);
const struct estimator *estimator_at(size_t i);
#define ESTIMATOR_NAMES "sum|operand|schedule|compiled"
/* By name; NULL: the one that the SHIM file says its values are for, "operand" where it says none. */
const struct estimator *estimator_choose(const char *name, const struct costs *c);

/* Does it take board and programs, and no values of a SHIM file? */
bool estimator_from_board(const struct estimator *method);
/* For such a method without a SHIM file: the core and the clock of the board's model, no instructions.
 * ERR_UNSUPPORTED: the board has no timing data. */
enum status costs_from_board(struct costs *c, const char *board, struct error *e) MUST_CHECK;

enum status estimate_run(struct estimate **out, const struct estimator *method, const struct estimate_request *q,
                         struct error *e) MUST_CHECK;
void estimate_free(struct estimate *est); /* NULL is fine */
void estimate_note(struct estimate *est, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What a line of a result is about. */
enum estimate_by {
    ESTIMATE_BY_PROGRAM,
    ESTIMATE_BY_FUNCTION,
    ESTIMATE_BY_LINE,
    ESTIMATE_BY_LOOP,
    ESTIMATE_BY_BLOCK, /* basic block of the IR */
};
struct estimate_row {
    uint32_t function, file, line; /* IRPROF_NONE, IRPROF_NONE, 0 where the kind has none */
    uint32_t loop, block;          /* likewise IRPROF_NONE */
    uint64_t instructions;         /* counted ones, executed */
    struct cycles cycles;          /* of its own code */
    struct cycles with_callees;    /* functions: with what they call, as far as it is in the profile; loops: with inner
                                      loops; else as cycles */
};
/* Rows that were executed, the largest first. free(*rows). */
void estimate_rows(struct estimate_row **rows, size_t *n, const struct estimate *est, enum estimate_by by);

#endif
