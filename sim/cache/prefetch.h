/*
 * prefetch.h - a model of a stream prefetcher: it watches which lines a cache lacks, finds those that follow each other
 * at a fixed distance, and says which lines to fetch before they are asked for. Freestanding, like cache.h; it knows
 * neither caches nor time, so that both sim/cache/cache.c and simulators that count cycles can ask it.
 *
 * A stream begins with a miss. A second miss no more than `stride` lines away from it, in either direction, gives
 * it its distance; the line at that distance from the last one is expected next. When an expected line is used, missed
 * or there already (since it was prefetched), the stream goes on by one. From `trigger` lines on, and if they do not
 * follow each other upwards from the third at least, it keeps `ahead` lines fetched before the last one. What hits in
 * the cache in between does not disturb. Nothing is fetched beyond the page of 4 KiB that the last line is in: the next
 * one may be anywhere in memory. A miss that no stream expects begins one of its own, in place of the one used longest
 * ago.
 *
 * So the Cortex-A53 is described (ARM DDI 0500: 6.6.2, "a fixed stride pattern that lies in four cache lines, plus or
 * minus"; 4.3.66, CPUACTLR_EL1: 2 streams, 2 lines that start one, 5 prefetches outstanding), and simpler ones are with
 * a stride of one.
 */
#ifndef SIM_CACHE_PREFETCH_H
#define SIM_CACHE_PREFETCH_H

#include <stdbool.h>
#include <stdint.h>

enum { SIM_STREAMS_MAX = 32, SIM_TRIGGER_MAX = 16, SIM_AHEAD_MAX = 64, SIM_STRIDE_MAX = 64, SIM_PAGE_SHIFT = 12 };

struct sim_prefetch_kind {
    uint8_t streams; /* followed at a time; 0: nothing is prefetched */
    uint8_t trigger; /* lines in a row that make one, 1 to 16. 1: the next line is expected of any miss */
    uint8_t ahead;   /* lines of the stream, 1 to 64 */
    uint8_t stride;  /* lines from one to the next, either way, 1 to 64 */
};
/* The first thing that is wrong, as a phrase, or NULL. */
const char *sim_prefetch_check(const struct sim_prefetch_kind *kind);

struct sim_stream {
    uintptr_t last; /* line */
    intptr_t step;  /* lines to the next; 0: not known yet */
    uint32_t run;   /* lines so far; 0: no stream */
    uint32_t asked; /* lines behind `last` that have been asked for */
    uint64_t used;  /* when it was used last */
};
struct sim_prefetcher {
    struct sim_prefetch_kind kind;
    unsigned page_shift; /* page = line >> page_shift */
    uint64_t uses;
    struct sim_stream streams[SIM_STREAMS_MAX];
};
/* A cache's lines have 2^line_shift bytes. The kind has been checked. */
void sim_prefetcher_init(struct sim_prefetcher *p, const struct sim_prefetch_kind *kind, unsigned line_shift);
/* As it was at first. */
void sim_prefetcher_forget(struct sim_prefetcher *p);

/* Lines to be fetched now, unless they are there: n of them, from `line` on in steps of `step`. */
struct sim_fetch {
    uintptr_t line;
    intptr_t step;
    uint32_t n;
    uintptr_t expected; /* the line whose use must be seen from now on, even if it hits; UINTPTR_MAX: no other */
};
/* `line` is used; the cache lacked it, or not. */
struct sim_fetch sim_prefetcher_see(struct sim_prefetcher *p, uintptr_t line, bool missed);
/* Is it the next of a stream? If not, and it hits, there is nothing to see. */
bool sim_prefetcher_expects(const struct sim_prefetcher *p, uintptr_t line);

#endif
