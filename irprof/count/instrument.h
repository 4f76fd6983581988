/*
 * instrument.h - the instrumenter: adds to a module counters, simulators of caches and branches if requested, the
 * module's description, and a constructor that passes all of it to the runtime. Internal to irprof.
 */
#ifndef IRPROF_COUNT_INSTRUMENT_H
#define IRPROF_COUNT_INSTRUMENT_H

#include <stdbool.h>

#include "base/error.h"
#include "irprof/irprof.h"
#include "irprof/count/llvm.h"
#include "irprof/profile/predictor_text.h"
#include "sim/cache/cache.h"

/* Which counters there are. */
enum place_scheme {
    PLACE_SPARSE, /* on the edges outside a spanning tree, kept in registers through loops; the others follow */
    PLACE_PLAIN   /* one a segment (and edge), nothing derived: what the sparse ones are checked against */
};

enum { INSTRUMENT_PREDICTORS_MAX = 24 };
/* Zeroed: counters per thread, sparse, no events. */
struct instrument_options {
    enum irprof_counters counters;
    enum place_scheme scheme;
    bool memory;                                                   /* simulate caches on the addresses of the run */
    struct sim_cache_levels levels;                                /* when `memory`: their geometry */
    struct irprof_predictor predictors[INSTRUMENT_PREDICTORS_MAX]; /* simulated side by side */
    size_t n_predictors;                                           /* 0: branches are not simulated */
    bool switches_known;   /* where branches are simulated: nothing of a switch is mispredicted */
    bool cold_regions;     /* what is simulated starts again where a region is entered first */
    const char *steps;     /* functions whose calls are counted one by one: "step0,step1", borrowed; NULL: none */
    const char *instances; /* functions whose calls are counted apart by the place that calls; likewise */
    const char *spills;    /* target to count register spills for: "TRIPLE" or "TRIPLE:CPU", borrowed; NULL: do not */
};

/* Reads one option and its value ("--l1d", "32K:4:64") into *o; `value` is NULL where there is none. *used says how
 * many of the two were taken; 0: not an option of the instrumenter. `irprof instrument` and IRPROF_FLAGS both use it.
 * ERR_INPUT: the value is wrong. */
enum status instrument_option(struct instrument_options *o, const char *option, const char *value, int *used,
                              struct error *e) MUST_CHECK;
/* ERR_USAGE: the options do not fit together. */
enum status instrument_options_check(const struct instrument_options *o, struct error *e) MUST_CHECK;

/* Instruments m in place. ERR_INPUT: it has been before (`path` stands in the message). */
enum status instrument(struct llvm_module *m, const char *path, const struct instrument_options *o,
                       struct error *e) MUST_CHECK;
/* Load, instrument, store. */
enum status instrument_file(const char *in, const char *out, const struct instrument_options *o,
                            struct error *e) MUST_CHECK;

/* What a program is linked from that has no counters: an object, a member of an archive. */
struct instrument_missing {
    const char *name, *why; /* borrowed */
};
/* Writes a module that counts nothing, and whose description names these as functions that are not counted: linked
 * with the program they stand in its profile. No two have one name. */
enum status instrument_missing(const char *out, const struct instrument_missing *list, size_t n,
                               const struct instrument_options *o, struct error *e) MUST_CHECK;

#endif
