/*
 * rt_events.h - what instrumented code and the runtime agree on for caches and
 * branches. Instrumented code finds hits (and right predictions that change nothing) by
 * itself; it calls through the state for everything else.
 */
#ifndef IRPROF_RT_EVENTS_H
#define IRPROF_RT_EVENTS_H

#include <stdint.h>

#include "sim/branch/branch.h"
#include "sim/cache/cache.h"

enum {
    RT_WRITE = 1,     /* else: read */
    RT_ATOMIC = 2,    /* the counters are incremented by several threads */
    RT_ALL_LINES = 4, /* *lines counts all lines that are touched; else those beyond the first */
    RT_ELEMENT = 8    /* `masked`: flags / RT_ELEMENT is the size of an element */
};

/* A thread's caches. `counters`: refills; if there is a second level its accesses and its refills; if there is a
 * prefetcher the lines that it brought into the first level and, if there is a second level, from memory. `lines` may
 * be null where nobody counts lines. */
struct irprof_rt_caches {
    void (*access)(struct irprof_rt_caches *c, uintptr_t address, uintptr_t size, uint32_t flags, uint64_t *counters,
                   uint64_t *lines);
    /* Elements one after the other, of which those are accessed whose bit is set. */
    void (*masked)(struct irprof_rt_caches *c, uintptr_t address, uint64_t mask, uint32_t flags, uint64_t *counters,
                   uint64_t *lines);
    struct sim_caches caches; /* begins with sim_recent */
};
/* A thread's predictors. After this structure comes the table of indirect targets: where the last jump or call of each
 * entry went, 64 bits, 0 nowhere yet. Instrumented code compares and changes it by itself. Then: of one that predicts in
 * place a struct sim_predictor; `number` is that of the two-bit counter, and `learn` is called where it changes. Else
 * `learn` is called for each branch with its whole number, and there are as many counters as predictors. */
struct irprof_rt_predictor {
    void (*learn)(struct irprof_rt_predictor *p, uint32_t number, uint32_t taken, uint32_t flags, uint64_t *counter);
    uintptr_t targets; /* entries of that table */
};

/* What a module asks for. `cold`: it starts again where a region is entered first (irprof instrument
 * --cold-regions). */
struct irprof_rt_cache_model {
    struct sim_cache_levels levels;
    uint32_t cold;
};
enum { RT_PREDICTORS_MAX = 24, RT_TARGETS_MAX = 1 << 16 };
struct irprof_rt_predictor_model {
    uint32_t cold, n;
    uint32_t targets; /* entries of the table of indirect targets */
    struct {
        struct sim_predictor_kind kind;
        uint32_t seen; /* the bits of a branch's number that count */
    } at[RT_PREDICTORS_MAX];
};
/* Does instrumented code predict by itself? */
static inline bool rt_predicts_in_place(const struct irprof_rt_predictor_model *m)
{
    return m->n == 1 && m->at[0].kind.scheme <= SIM_GSHARE;
}
/* The calling thread's, for a model: the same for equal models. Never null: what there is no memory for, or what calls
 * from inside the runtime, gets one that calls nobody. */
struct irprof_rt_caches *irprof_rt_caches(const struct irprof_rt_cache_model *model);
struct irprof_rt_predictor *irprof_rt_predictor(const struct irprof_rt_predictor_model *model);

/* ---- between the files of the runtime ---- */

enum { RT_MODEL_SIZE = sizeof(struct irprof_rt_predictor_model) }; /* the largest */
/* A kind of state: what its model is, and how it starts. */
struct rt_state_kind {
    size_t model_size; /* bytes, at most RT_MODEL_SIZE */
    size_t size;       /* of the state, bytes */
    int cold;
    void (*init)(void *state, const void *model);
};
/* The calling thread's state for a model; NULL: there is none. */
void *rt_state(const void *model, const struct rt_state_kind *kind);

#endif
