/*
 * rt_stamp.h - the runtime inside stamped programs. It gives each thread that stamps room of its own, writes what is there
 * when the thread or the program ends, and what it cannot do it says in one line on standard error. libc only. It never
 * exits or aborts. A library of its own (libirprof_stamp.a): programs may be counted, stamped, or both.
 *
 * IRPROF_STAMP_OUT: the raw file (irprof.stamps; %p: the process's number). IRPROF_STAMPS: stamps of a thread (65536).
 * IRPROF_STAMP_FLIP=1: replaced stores write their results. IRPROF_SLEDS=0: sleds stay as they were compiled.
 */
#ifndef IRPROF_RT_STAMP_H
#define IRPROF_RT_STAMP_H

#include <stddef.h>
#include <stdint.h>

#include "irprof/profile/stamp_format.h"

/* ---- what stamped modules call ---- */
extern uint8_t irprof_stamp_never;                  /* 1: replaced stores write their results */
void irprof_stamp_register(struct stamp_module *m); /* from the module's constructor */
struct stamp_thread *irprof_stamp_thread(void);     /* the calling thread's; never NULL */

/* ---- between the files ---- */
enum { RT_STAMP_CALIBRATIONS = 31, RT_STAMP_BATCH = 64 };

uint64_t rt_stamp_clock(uint32_t clock);     /* reads it; a clock that this processor does not have: 0 */
uint64_t rt_stamp_frequency(uint32_t clock); /* [Hz]; 0: not known */
uint64_t rt_stamp_cost(uint32_t clock,
                       struct stamp_thread *scratch); /* [1/1000 ticks] of a stamp like those of the IR */
struct stamp_moment rt_stamp_now(uint32_t clock);
/* A stamp in the calling thread. */
void rt_stamp_add(struct stamp_thread *t, uint32_t clock, uint32_t point);

void rt_stamp_say(const char *a, const char *b);
void rt_stamp_lock(void);
void rt_stamp_unlock(void);
extern uint32_t rt_stamp_which; /* the program's clock */

/* rt_stamp_file.c. With the lock held, or in a handler without it. Async-signal-safe. */
void rt_stamp_open(void); /* makes the file, with what it begins with; once a process */
void rt_stamp_chunk(uint32_t kind, const void *head, size_t head_size, const void *body, size_t body_size);
void rt_stamp_reopen(void); /* in a forked child: a file of its own */

/* rt_stamp_sled.c */
void rt_stamp_sleds(const struct stamp_module *m);

#endif
