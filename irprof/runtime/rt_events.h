/*
 * rt_events.h - what instrumented code and the runtime agree on for caches and
 * branches. Instrumented code finds hits (and right predictions that change nothing) by
 * itself; it calls through the state for everything else.
 */
#ifndef IRPROF_RT_EVENTS_H
#define IRPROF_RT_EVENTS_H

#include <stdint.h>

#include "sim/branch.h"
#include "sim/cache.h"

enum {
    RT_WRITE = 1,     /* else: read */
    RT_ATOMIC = 2,    /* the counters are incremented by several threads */
    RT_ALL_LINES = 4, /* *lines counts all lines that are touched; else those beyond the first */
    RT_ELEMENT = 8    /* `masked`: flags / RT_ELEMENT is the size of an element */
};

/* A thread's caches. `counters`: refills, and if there is a second level its accesses and its refills. `lines` may be
 * null where nobody counts lines. */
struct irprof_rt_caches {
    void (*access)(struct irprof_rt_caches *c, uintptr_t address, uintptr_t size, uint32_t flags, uint64_t *counters,
                   uint64_t *lines);
    /* Elements one behind the other, of which those are accessed whose bit is set. */
    void (*masked)(struct irprof_rt_caches *c, uintptr_t address, uint64_t mask, uint32_t flags, uint64_t *counters,
                   uint64_t *lines);
    struct sim_caches caches; /* begins with sim_recent */
};
/* A thread's predictor, and behind this structure a struct sim_predictor. `number`: of the two-bit counter. */
struct irprof_rt_predictor {
    void (*learn)(struct irprof_rt_predictor *p, uint32_t number, uint32_t taken, uint32_t flags, uint64_t *counter);
    void *reserved;
};

/* The calling thread's, for a model: the same for equal models. Never null: what there is no memory for, or what calls
 * from inside the runtime, gets one that calls nobody. */
struct irprof_rt_caches *irprof_rt_caches(const struct sim_cache_levels *levels);
struct irprof_rt_predictor *irprof_rt_predictor(const struct sim_predictor_kind *kind);

/* The calling thread's state for a model of at most 64 bytes, made by `init` at its first call; NULL: there is none. */
void *rt_state(const void *model, size_t model_size, size_t size, void (*init)(void *state, const void *model));

#endif
