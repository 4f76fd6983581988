/*
 * prefetch.h - a model of a stream prefetcher. It watches the lines that a cache misses, finds those that follow each
 * other at a fixed distance, and says which lines to fetch before they are needed. Freestanding, like cache.h. It knows
 * neither caches nor time, so that both sim/cache/cache.c and simulators of cycles can use it.
 *
 * A stream begins with a miss. A second miss at most `stride` lines away, in either direction, sets its distance. The
 * line at that distance from the last one is expected next. When an expected line is used - missed, or present because
 * it was prefetched - the stream advances by one. After `trigger` lines, and not before the third unless they are
 * ascending neighbours, the stream keeps `ahead` lines fetched beyond its last one. Hits in between do not disturb it.
 * Nothing is fetched outside the last line's page of 4 KiB, because the next page may be anywhere in memory. A miss
 * that no stream expects starts a new stream, which replaces the one used longest ago.
 *
 * This is how the Cortex-A53 is described (ARM DDI 0500: 6.6.2, "a fixed stride pattern that lies in four cache lines,
 * plus or minus"; 4.3.66, CPUACTLR_EL1: 2 streams, 2 lines that start one, 5 prefetches outstanding). With a stride of
 * one it describes simpler prefetchers.
 */
#ifndef SIM_CACHE_PREFETCH_H
#define SIM_CACHE_PREFETCH_H

#include <stdbool.h>
#include <stdint.h>

enum { SIM_STREAMS_MAX = 32, SIM_TRIGGER_MAX = 16, SIM_AHEAD_MAX = 64, SIM_STRIDE_MAX = 64, SIM_PAGE_SHIFT = 12 };

struct sim_prefetch_kind {
    uint8_t streams; /* number of streams; 0: no prefetching */
    uint8_t trigger; /* lines in a row that start prefetching, 1 to 16. 1: every miss makes the next line expected */
    uint8_t ahead;   /* lines fetched ahead, 1 to 64 */
    uint8_t stride;  /* largest distance between lines of a stream, in either direction, 1 to 64 */
};
/* The first error in the description, as a phrase; NULL: none. */
const char *sim_prefetch_check(const struct sim_prefetch_kind *kind);

struct sim_stream {
    uintptr_t last; /* last line used */
    intptr_t step;  /* distance to the next line; 0: not known yet */
    uint32_t run;   /* lines so far; 0: no stream */
    uint32_t asked; /* lines beyond `last` that have been requested */
    uint64_t used;  /* time of its last use */
};
struct sim_prefetcher {
    struct sim_prefetch_kind kind;
    unsigned page_shift; /* page = line >> page_shift */
    uint64_t uses;
    struct sim_stream streams[SIM_STREAMS_MAX];
};
/* Initialises a prefetcher for a cache with lines of 2^line_shift bytes. `kind` must have passed sim_prefetch_check. */
void sim_prefetcher_init(struct sim_prefetcher *p, const struct sim_prefetch_kind *kind, unsigned line_shift);
/* Resets to the initial state. */
void sim_prefetcher_reset(struct sim_prefetcher *p);

/* Lines to fetch now unless they are present: n lines, from `line` on in steps of `step`. */
struct sim_fetch {
    uintptr_t line;
    intptr_t step;
    uint32_t n;
    uintptr_t expected; /* line whose use must be reported from now on, even if it hits; UINTPTR_MAX: no other */
};
/* Reports a use of `line` and whether the cache missed it. */
struct sim_fetch sim_prefetcher_see(struct sim_prefetcher *p, uintptr_t line, bool missed);
/* True: `line` is the next of a stream. If not, a hit need not be reported. */
bool sim_prefetcher_expects(const struct sim_prefetcher *p, uintptr_t line);

#endif
