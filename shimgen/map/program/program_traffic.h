/* program_traffic.h - bytes that a run has handed on from unit to unit of a step function, from a profile's traffic. */
#ifndef SHIMGEN_MAP_PROGRAM_PROGRAM_TRAFFIC_H
#define SHIMGEN_MAP_PROGRAM_PROGRAM_TRAFFIC_H

#include "irprof/irprof.h"
#include "shimgen/map/mapping.h"

/* The unit of a source line, below n_units; any other number: it is no unit's. */
struct traffic_units {
    size_t (*of)(void *data, const char *file, unsigned line);
    void *data;
    size_t n;
};
struct traffic {
    double *bytes; /* owned; in a step: [(from * n + to) * 2 + later] */
    size_t n;
    uint64_t steps;
};
/* ERR_INPUT: the profile has no traffic, or none that can be used, or no steps of this function. traffic_release in any
 * case. */
enum status traffic_make(struct traffic *out, const struct irprof_profile *p, const char *step,
                         const struct traffic_units *units, struct error *e) MUST_CHECK;
void traffic_release(struct traffic *t);
/* Sets the bytes of the graph's edges to those of the run. by_value[i]: edge i hands on values without a variable, which
 * a run does not always show; they keep their bytes then. Bytes between units without an edge become a note. */
void traffic_apply(struct traffic *t, struct map_graph *g, const bool *by_value);
/* ERR_INPUT: they were compiled from different states of a source. */
enum status traffic_same_sources(const struct irprof_profile *p, const struct irprof_profile *traffic,
                                 struct error *e) MUST_CHECK;

#endif
