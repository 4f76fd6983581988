/*
 * rt_windows.h - the run in windows of so many accesses to memory: what each counter counted in each
 * (irprof instrument --windows). The windows are of the thread that ended the first one; a second one that would end
 * another is noticed, and said in the profile.
 */
#ifndef IRPROF_RT_WINDOWS_H
#define IRPROF_RT_WINDOWS_H

#include <stdint.h>

/* As instrumented code knows it (irprof/events/window_events.c). */
struct irprof_rt_window {
    void (*cut)(struct irprof_rt_window *w, uint64_t n); /* n accesses follow that the window has no room for */
    int64_t left;                                        /* accesses */
    uint64_t accesses;                                   /* of a whole window */
};
struct irprof_rt_window_model {
    uint64_t accesses;
};
struct irprof_rt_window *irprof_rt_windows(const struct irprof_rt_window_model *model);

/* ---- between the files of the runtime ---- */

enum { RT_WINDOWS_THREADS = 1, RT_WINDOWS_FULL = 2, RT_WINDOWS_MIXED = 4 }; /* flaws */
/* Memory of changes, in the order in which it was filled. */
struct rt_chunk {
    struct rt_chunk *next;
    uint32_t n; /* bytes used */
    unsigned char bytes[];
};
struct rt_windows {
    uint32_t flaws, n;
    uint64_t accesses, size; /* size: of all bytes */
    const struct rt_chunk *first;
};
/* When the profile is written: the last window ends here. NULL: there are none. Async-signal-safe. */
const struct rt_windows *rt_windows_end(void);
const struct rt_windows *rt_windows(void);

#endif
