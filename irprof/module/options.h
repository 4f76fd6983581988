/* options.h - what is counted and simulated in a module: options, their text, the default caches. Internal to irprof. */
#ifndef IRPROF_MODULE_OPTIONS_H
#define IRPROF_MODULE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/str.h"
#include "irprof/irprof.h"
#include "irprof/profile/predictor_text.h"
#include "sim/cache/cache.h"

/* --memory without a geometry: the caches of a Raspberry Pi 3. */
#define OPTIONS_L1D "32K:4:64:random"
#define OPTIONS_L2  "512K:16:64:lru"
/* --branches without --switches: its table of indirect targets (ARM DDI 0500D, 6.3.1). */
enum { OPTIONS_TARGETS = 256, OPTIONS_TARGETS_MAX = 1 << 16 };

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
    bool by_thread;                 /* what each thread executes is a region of its own */
    bool memory;                    /* simulate caches on the addresses of the run */
    struct sim_cache_levels levels; /* when `memory`: their geometry */
    struct irprof_predictor predictors[INSTRUMENT_PREDICTORS_MAX]; /* simulated side by side */
    size_t n_predictors;                                           /* 0: branches are not simulated */
    bool switches_given;                                           /* --switches: */
    bool switches_known;   /* where branches are simulated: no switch, no call through a pointer is mispredicted */
    uint32_t targets;      /* otherwise: entries of the table of their last targets; options_targets */
    bool cold_regions;     /* what is simulated starts again where a region is entered first */
    const char *steps;     /* functions whose calls are counted one by one: "step0,step1", borrowed; NULL: none */
    const char *instances; /* functions whose calls are counted apart by the place that calls; likewise */
    bool traffic;          /* record which place reads what which other has written, within the functions of `steps` */
    bool sizes;            /* sum up what functions of the library and divisions have to do: SIZE_memcpy and the like */
    bool footprint;        /* record which bytes functions touch, write, need and leave */
    uint64_t
        windows; /* also count each window of so many accesses to memory; 0: do not. Every counter is in memory then */
    const char *spills; /* target to count register spills for: "TRIPLE" or "TRIPLE:CPU", borrowed; NULL: do not */
};

/* Reads one option and its value ("--l1d", "32K:4:64") into *o; `value` is NULL where there is none. *used says how
 * many of the two were taken; 0: not an option of the instrumenter. `irprof instrument` and IRPROF_FLAGS both use it.
 * ERR_INPUT: the value is wrong. */
enum status instrument_option(struct instrument_options *o, const char *option, const char *value, int *used,
                              struct error *e) MUST_CHECK;
/* ERR_USAGE: the options do not fit together. */
enum status instrument_options_check(const struct instrument_options *o, struct error *e) MUST_CHECK;

/* Entries of the table of indirect targets. */
uint32_t options_targets(const struct instrument_options *o);

/* Appends irprof_module.settings of irprof.h: "l1d=32768:4:64:random l2=524288:16:64:lru prefetch=2:2:5:4
 * branches=gshare:12:8". */
void options_describe(struct str *text, const struct instrument_options *o);

#endif
