/* map_run.h - runs a mapping on threads, one a core. mapping.c says what runs where; map_run.c is the same for all. */
#ifndef MAP_RUN_H
#define MAP_RUN_H

#include <stdatomic.h>
#include <stdint.h>

/* Of one block, or of several that stay together. */
struct map_unit {
    const char *name;
    void (*run)(void);
};
struct map_core {
    const char *name;
    void (*run)(unsigned step);
};
struct map_variable {
    const char *name;
    void *at;
    uint64_t size;
};
/* The last step that a unit has done; in a line of its own. */
struct map_flag {
    _Alignas(64) atomic_uint step;
};

/* ---- in mapping.c ---- */

extern const struct map_unit map_units[]; /* in an order that is right on one core */
extern const unsigned map_n_units;
extern const struct map_core map_cores[]; /* the first is the thread that calls the step function */
extern const unsigned map_n_cores;
extern const unsigned map_n_waits;
extern struct map_flag map_flags[];                      /* of each unit that another core waits for */
extern const struct map_variable *const map_variables[]; /* of each module; then NULL */
extern const double map_predicted, map_predicted_one;    /* a step on these cores, on one of them */
extern const char *const map_unit_of_time;               /* "us" or "cycles" */

/* ---- in the modules ---- */

void map_sequential(void);
void map_finish(void);

/* ---- in map_run.c ---- */

void map_step(void); /* the step function calls it */
void map_pause(void);

static inline void map_done(unsigned flag, unsigned step)
{
    atomic_store_explicit(&map_flags[flag].step, step, memory_order_release);
}
static inline void map_wait(unsigned flag, unsigned step)
{
    while (atomic_load_explicit(&map_flags[flag].step, memory_order_acquire) != step)
        map_pause();
}
/* Number k of all that cores wait for. Compiled with -DDROP_SYNC=K, wait K is left out: a test of the tests. */
#ifndef DROP_SYNC
#define DROP_SYNC (-1)
#endif
#define MAP_WAIT(k, flag, step)                                                                                        \
    do {                                                                                                               \
        if ((k) != DROP_SYNC)                                                                                          \
            map_wait(flag, step);                                                                                      \
    } while (0)

#endif
