/*
 * rt.h - the runtime inside instrumented programs: it knows the modules, keeps the
 * regions, and writes the profile when the program ends. libc only. It never exits,
 * aborts, or prints to standard output; what it cannot do it says in one line on
 * standard error.
 *
 * Counters only ever grow; a forked child sets them to zero. A module brings one array of
 * them. If each thread is to have its own, the runtime gives every thread that comes
 * into the module another array (a BLOCK), and takes it back for the next thread when the
 * thread ends: the module's counts are the sum of all its arrays, whoever has them.
 * Memory comes from mmap, not malloc: the program's malloc may be counted.
 */
#ifndef IRPROF_RT_H
#define IRPROF_RT_H

#include <stddef.h>
#include <stdint.h>

/* What an instrumented module hands over (built by irprof/instrument/instrument.c; 8-byte aligned). */
struct irprof_rt_module {
    uint64_t build_id;         /* hash of the description */
    uint64_t description_size; /* bytes */
    uint64_t n_counters;
    const unsigned char *description;
    uint64_t *counters; /* one array for all threads; if each has its own, for those that could not be given one */
    void *record;       /* the runtime's; NULL: not registered */
    uint32_t abi;       /* FORMAT_ABI */
    uint32_t simulated; /* so many counters, the first, are of what is simulated; the others, of what is executed */
    uint32_t by_thread; /* each thread's counts are kept */
    uint32_t reserved;
};
void irprof_rt_register(struct irprof_rt_module *m);   /* from the module's constructor */
void irprof_rt_unregister(struct irprof_rt_module *m); /* from its destructor: before dlclose unmaps it, or at exit */
/* Where a thread's counters are: thread-local in the module. */
struct irprof_rt_mine {
    uint64_t *counters; /* those of the module to begin with */
    uint32_t asked;     /* they are the thread's own, and need not be asked for again */
};
/* Gives the calling thread counters of its own until it ends, and sets *mine. From whatever comes into the module
 * first, a signal handler too. */
uint64_t *irprof_rt_thread(struct irprof_rt_module *m, struct irprof_rt_mine *mine);

/* ---- between the files of the runtime ---- */

/* The counters of one thread in one module. Never freed, but used again by another thread. */
struct rt_block {
    uint64_t *counters;
    uint32_t thread;             /* number of the thread whose counts these are, from 1; 0: of any */
    struct irprof_rt_mine *mine; /* where the thread has them; NULL: nowhere, or the module is not there any more */
    struct rt_record *record;
    struct rt_block *next;      /* of the same record */
    struct rt_block *next_here; /* of the same thread; or free in the same record */
};
/* A module as the runtime keeps it; stays when the module has been unmapped, with copies of its data. */
struct rt_record {
    uint64_t build_id, description_size, n_counters;
    uint32_t simulated, by_thread;
    const unsigned char *description;
    uint64_t *before;   /* what they were when the window began (rt_windows.c); NULL: zero */
    uint64_t *counters; /* the module's own array; NULL: it has been unmapped, and the description is a copy */
    struct rt_block *blocks, *free;
    struct rt_record *next; /* in the order of registration */
};
/* The counts of one module in one region: while the region is open, minus what the counters were at its begin. */
struct rt_sum {
    const struct rt_record *record;
    uint64_t *counts;
    struct rt_sum *next; /* in the order of the records */
};
struct rt_region {
    const char *name; /* a copy */
    size_t name_size;
    uint32_t flaws;  /* enum irprof_flaw of irprof.h */
    uint32_t said;   /* a line about it has been printed */
    uint64_t active; /* begins without end, all threads */
    uint64_t entries;
    struct rt_sum *sums, *last;
    struct rt_steps *steps; /* of a region whose name ends in '#' (rt_step.c), else NULL */
    struct rt_region *next; /* in the order of their first begin */
};
enum { RT_FLAW_END_ALONE = 1, RT_FLAW_CROSSED = 2, RT_FLAW_OPEN = 4, RT_FLAW_MEMORY = 8 };
enum { RT_END_EXIT, RT_END_QUICK, RT_END_SIGNAL };

/* Where main runs twice (rt_main.c). AGAIN: in the process that runs it once more; DONE: the other one's counts are the
 * profile. */
enum { RT_PLAIN, RT_FIRST, RT_AGAIN, RT_DONE };
extern int rt_phase;
extern uint32_t rt_once;        /* enum format_once */
void rt_run_once(uint32_t why); /* sets that, and says it */
extern int rt_report;           /* AGAIN: a pipe to the process that waits for it; else -1 */
extern int rt_error;            /* where rt_say writes */
enum { RT_SAME = 'S', RT_DIFFERS = 'D', RT_FAILS = 'F', RT_EXITS = 'X', RT_WRITTEN = 'W' }; /* what is said there */

extern struct rt_record *rt_records;
extern struct rt_region *rt_regions;

void rt_start(void);   /* path, handlers; the first call does it */
int rt_counting(void); /* will this process write a profile? */
int rt_fork(void);     /* fork; the child's counters start from zero, and its profile goes where ours would */
/* One lock for everything in the runtime. A thread that has it is not cancelled, nor ended by a signal, and keeps its errno. */
void rt_lock(void);
void rt_unlock(void);
int rt_inside(void); /* does this thread have the lock, or wait for it? Then this is a signal handler, or malloc */
/* After the profile has been written at exit: writes it again if anything was counted since. 0: it has not been
 * written. With the lock held. */
int rt_finish_again(void);
enum { RT_DIGITS = 24 };
const char *rt_decimal(char digits[RT_DIGITS], unsigned long v); /* points into digits */
void *rt_memory(size_t size);                                    /* zeroed, never freed; NULL: none */
/* The same for instrumented code, which has not taken the lock. NULL too in a handler. */
void *rt_memory_unlocked(size_t size);
void rt_say(const char *a, const char *b, const char *c); /* "irprof: <a><b><c>\n" on standard error */
void rt_tell(char what);                                  /* to rt_report */
/* Adds sign (1, or -1) times the record's counters number `first` ... first + n - 1 to into[0 ... n - 1]. With the lock
 * held, or in a handler without it. */
void rt_add(const struct rt_record *r, uint64_t first, uint64_t n, int sign, uint64_t *into);
/* In a forked child: all counters to zero; its other threads are not there any more. With the lock held. */
void rt_counters_restart(void);

/* Threads that have a number, from 1 in the order of their first counts: later ones are counted together. */
enum { RT_THREADS = 4096 };
extern int rt_by_thread;     /* is there a module that is counted by thread? */
void rt_threads_start(void); /* once */
uint32_t rt_threads(void);   /* so many have a number */
/* As rt_add, what one thread has executed; 0: what belongs to none of those that have a number. */
void rt_add_thread(const struct rt_record *r, uint32_t thread, uint64_t first, uint64_t n, uint64_t *into);
struct rt_block *rt_block_of_none(struct rt_record *r); /* a block that is no numbered thread's; NULL: no memory */
void rt_blocks_leave(struct rt_record *r);              /* from the threads that have them: the module is unmapped */
void rt_threads_restart(void);                          /* in a forked child: the others are not there any more */

/* Writes the profile to `path`. With the lock held, or in a handler without it. Async-signal-safe. 0: it could
 * not be written. */
int rt_write(const char *path, uint32_t end, uint32_t signal_number);
/* What is simulated in this thread starts again, if that was asked for (rt_state.c). */
void rt_states_cold(void);
/* With the lock held: the region of this name, made if there is none (NULL: no memory); the counters, sign times, added
 * to its sums; a region's sums added to another's. */
struct rt_region *rt_region_find(const char *name);
void rt_region_add(struct rt_region *r, int sign);
void rt_region_join(struct rt_region *to, const struct rt_region *from);
/* Regions that are kept apart for each way they are gone through (rt_step.c). With the lock held; begin when the region
 * has been begun, end before it ends. */
int rt_is_step(const struct rt_region *r);
void rt_step_begin(struct rt_region *r);
void rt_step_end(struct rt_region *r);
/* In a forked child: open regions start from zero, the others never were. With the lock held. */
void rt_regions_restart(void);
/* In a forked child. */
void rt_traffic_restart(void);
void rt_windows_restart(void);
void rt_footprint_restart(void);

#endif
