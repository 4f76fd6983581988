/* profile_costs.h - what the functions of an irprof profile cost in one of its regions, or in a window of its run. */
#ifndef SHIMGEN_OFFLOAD_PROFILE_COSTS_H
#define SHIMGEN_OFFLOAD_PROFILE_COSTS_H

#include "irprof/irprof.h"
#include "shimgen/estimate/estimate.h"
#include "shimgen/offload/offload.h"

/* What keys and events of the profile stand for, and how its time is estimated. */
struct profile_costs {
    const struct irprof_profile *profile; /* borrowed */
    struct arithmetic *does;              /* of each key */
    size_t flops;                         /* event: operations of the machine code; n_events: not counted */
    size_t beyond[2];                     /* events: lines beyond the local memory, beyond the host's L2; likewise */
    unsigned line[2];                     /* [bytes] */
    struct costs costs;                   /* of the SHIM file */
    const struct estimator *method;       /* NULL: the time is not known */
    double hertz;
    unsigned known; /* bits 1 << enum offload_cost */
};
/* timing->shim may be NULL. profile_costs_release, also after an error. */
enum status profile_costs_make(struct profile_costs *out, const struct irprof_profile *p, const struct accelerator *a,
                               const struct offload_timing *timing, struct error *e) MUST_CHECK;
void profile_costs_release(struct profile_costs *c);

/* The functions' own costs in a region of `p`, which is the profile or a copy of it with other regions, into
 * self[p->n_functions], which are zero before. operations: of each function; notes: what the estimate says goes there.
 * Both may be NULL. */
struct profile_sums {
    double (*self)[OFFLOAD_COSTS];
    struct operations *operations;
    struct offload_table *notes;
};
enum status profile_costs_sum(const struct profile_sums *out, const struct profile_costs *c,
                              const struct irprof_profile *p, size_t region, struct error *e) MUST_CHECK;

/* Fills windows and spent of the table, if the profile has windows that can be used; says why not in its notes. */
enum status profile_costs_windows(struct offload_table *t, const struct profile_costs *c, struct error *e) MUST_CHECK;

#endif
