/*
 * timing.h - what a core's kernels (kernels.h) took, and what follows for a model file (docs/formats/iss-model.md).
 * Whoever ran them, a scheduling model or a board, fills in core_cycles; the rest is the same.
 */
#ifndef SHIMGEN_CORE_TIMING_H
#define SHIMGEN_CORE_TIMING_H

#include <stdbool.h>
#include <stdint.h>

#include "shimgen/core/kernels.h"
#include "sim/core/core_model.h"

enum { CORE_KNEE = 13 };

/* Cycles of a kernel of one kind, an instruction each (a chain with another kind: both together). NAN: not known. */
struct core_cycles {
    double chain, second, use, stream;
    uint64_t resources;         /* what its stream occupies, a bit each; 0: not known */
    double pressure[ISS_PORTS]; /* for how many cycles */
    double slots;               /* places when it is dispatched; NAN: not known */
    double latency;             /* known otherwise: of what has no chain; NAN: it is not */
};
/* What was measured. */
struct core_measured {
    const struct core_kernels *kernels;
    struct core_cycles *at; /* of each kernel; owned */
    /* By need and number of instructions between, cycles of a pass: with the dependence, and without. */
    double (*waits)[CORE_KNEE], (*free)[CORE_KNEE]; /* owned */
    double write_back;
    double width;                             /* instructions a cycle, if it is known otherwise; else NAN */
    double reorder, scheduler, loads, stores; /* [window], likewise */
    bool out_of_order;                        /* known otherwise */
    unsigned kind[ISS_PORTS];                 /* of a resource: which it is one of; operations go to one of a kind */
};
void core_measured_init(struct core_measured *m, const struct core_kernels *k);
void core_measured_release(struct core_measured *m);

/* What follows, for one class. */
struct core_class {
    bool known;
    int latency, latency2;     /* of the second result; -1: none */
    int to[ISS_NEED_N];        /* cycles to what needs it so, where latency + need is wrong; -1: it is not */
    unsigned unit, take, busy; /* enum iss_unit; of a core that issues in order */
    unsigned n_uses, slots;    /* likewise out of order */
    struct iss_use use[ISS_USES];
    bool split; /* its latency is half of that of a pair there and back: only the sum was measured */
};
struct core_timing {
    const struct core_kernels *kernels;
    struct core_class *classes; /* of each kernel; owned */
    int need[ISS_NEED_N];
    int units[ISS_UNIT_N];
    int width, write_back;
    bool out_of_order;
};
void core_timing_find(struct core_timing *t, const struct core_measured *m);
void core_timing_release(struct core_timing *t);
/* enum iss_need of its name; ISS_NEED_OPERAND for others. */
int core_need_of(const char *name);

#endif
