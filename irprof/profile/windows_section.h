/* windows_section.h - the part of a profile file that has the run in windows (struct irprof_windows). Internal to irprof. */
#ifndef IRPROF_PROFILE_WINDOWS_SECTION_H
#define IRPROF_PROFILE_WINDOWS_SECTION_H

#include "base/alloc.h"
#include "irprof/profile/traffic_section.h"

/* `more` was counted by counter number `counter` of the container. */
struct container_change {
    size_t counter;
    uint64_t more;
};
struct container_windows {
    uint32_t flaws;
    uint64_t accesses;
    size_t n;
    VEC(struct container_change) changes; /* window by window */
    VEC(size_t) end;                      /* of each window: the first change that is not in it */
};
/* Counters from ... from + n - 1 of a file, or of another container, are to ... to + n - 1 here. */
struct container_slot {
    size_t from, to, n;
    size_t module; /* that has them here */
};

/* NULL: they are right; otherwise what is wrong with them. windows_free *out in any case. slots: modules as they stand in
 * the file, ascending by `from`. */
const char *windows_read(struct container_windows **out, struct cursor *at, const struct container_slot *slots,
                         size_t n_slots);
void windows_free(struct container_windows *w); /* NULL is allowed */
/* The bytes of the file; NULL: none. Counters are written as the container has them. */
uint64_t windows_size(const struct container_windows *w);
void windows_format(struct str *out, const struct container_windows *w);
/* Those of another run follow. slots: the other container's modules, ascending by `from`. */
void windows_add(struct container_windows **into, const struct container_windows *from,
                 const struct container_slot *slots, size_t n_slots);
/* Windows first ... first + n - 1, added to counts[]. */
void windows_sum(uint64_t *counts, const struct container_windows *w, size_t first, size_t n);

#endif
