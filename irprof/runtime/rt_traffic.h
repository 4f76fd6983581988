/*
 * rt_traffic.h - what parts of a program hand on to each other through memory: for each byte who wrote it last, in
 * a shadow of the memory, and who has read it since (irprof instrument --traffic).
 *
 * A PLACE is a line of the source, and the calls that lead to it from the step function. When a byte is written again, or
 * at the end, what was read of it is counted: so many bytes of this writer had these readers. Everything is of one
 * thread; a second one that takes part in it is noticed, and said in the profile.
 */
#ifndef IRPROF_RT_TRAFFIC_H
#define IRPROF_RT_TRAFFIC_H

#include <stdint.h>

/* A place as instrumented code has it (irprof/events/traffic_events.c). */
struct irprof_rt_place {
    const char *file;
    struct irprof_rt_place *parent; /* that it was inlined into; NULL */
    uint32_t line;
    uint32_t context,
        number; /* the runtime's: the place of the calls so far, and this one in it; 0: not asked for yet */
};
void irprof_rt_traffic_read(const void *address, uintptr_t size, struct irprof_rt_place *place);
void irprof_rt_traffic_written(const void *address, uintptr_t size, struct irprof_rt_place *place);
/* A new variable. */
void irprof_rt_traffic_fresh(const void *address, uintptr_t size, struct irprof_rt_place *place);
/* Around a call. The result is for the other one. */
uint32_t irprof_rt_traffic_call(struct irprof_rt_place *place);
void irprof_rt_traffic_back(uint32_t before);

/* ---- between the files of the runtime ---- */

enum { RT_PLACES = 1 << 16, RT_SETS = 1 << 17, RT_ROWS = 1 << 17 };
enum { RT_TRAFFIC_THREADS = 1, RT_TRAFFIC_FULL = 2 }; /* flaws */
struct rt_place {
    const char *file; /* a copy */
    uint32_t line, parent;
    const struct irprof_rt_place *from;
};
struct rt_row {
    uint64_t bytes; /* 0: no row */
    uint32_t writer, set;
};
struct rt_traffic {
    uint32_t flaws, n_places, n_rows;
    const struct rt_place *places; /* from 1 on */
    const struct rt_row *rows;     /* RT_ROWS */
};
void rt_traffic_begin(void); /* of a step; with the lock held */
void rt_traffic_end(void);
/* When the profile is written: NULL, size 0: nothing was recorded. */
const struct rt_traffic *rt_traffic(void);
uint64_t rt_traffic_size(void);
/* Of a row: how many readers; one after the other (2 * place + 1 if it read in a later step, else 2 * place), 0 after
 * the last. */
uint32_t rt_traffic_readers(uint32_t set);
uint32_t rt_traffic_reader(uint32_t *set);

#endif
