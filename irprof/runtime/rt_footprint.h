/*
 * rt_footprint.h - which bytes each function, with all that it calls, touches, writes, needs from outside and leaves for
 * outside (irprof instrument --footprint): for each byte a state in a shadow of the memory.
 *
 * A CONTEXT is the set of functions that are being executed. Everything is of one thread; a second one is noticed, and
 * said in the profile.
 */
#ifndef IRPROF_RT_FOOTPRINT_H
#define IRPROF_RT_FOOTPRINT_H

#include <stdint.h>

struct irprof_rt_module;
struct rt_record;

/* A function as instrumented code has it (irprof/events/footprint_events.c). */
struct irprof_rt_foot_function {
    struct irprof_rt_module *module;
    uint32_t index;    /* in the module's description */
    uint32_t number;   /* the runtime's, from 1; 0: not asked for yet */
    uint32_t from, to; /* the context that it was last entered from, and what that became */
};
/* The context with the function, which now is the thread's. */
uint32_t irprof_rt_footprint_enter(struct irprof_rt_foot_function *f);
/* A call has returned: this is the context again. */
void irprof_rt_footprint_back(uint32_t context);
void irprof_rt_footprint_read(const void *address, uintptr_t size);
void irprof_rt_footprint_written(const void *address, uintptr_t size);
void irprof_rt_footprint_fresh(const void *address, uintptr_t size); /* a new variable of the function at hand */
void irprof_rt_footprint_heap(const void *address, uintptr_t size);  /* new memory */

/* ---- between the files of the runtime ---- */

enum { RT_FOOT_FUNCTIONS = 1024 };
enum { RT_FOOT_THREADS = 1, RT_FOOT_FULL = 2 }; /* flaws */
struct rt_foot_row {
    const struct rt_record *record;
    uint32_t index;
    uint64_t touched, written, needed, left; /* bytes */
};
struct rt_footprint {
    uint32_t flaws, n;
    const struct rt_foot_row *rows; /* from 1 to n */
};
/* When the profile is written; NULL: nothing was recorded. Async-signal-safe. */
const struct rt_footprint *rt_footprint(void);
void rt_footprint_sum(void); /* once before */

#endif
