/*
 * cache.h - a model of data caches: one or two levels, set-associative, write-back, write-allocate. It tracks which
 * lines are present, not their content. Freestanding: no libc, no allocation, no locks. It runs inside counted programs
 * (irprof's runtime) and in simulators.
 *
 * In the order of use:
 *     sim_cache_levels_check(&levels)               is this a possible geometry? if not, why?
 *     sim_caches_size(&levels)                      bytes of memory that the caller must provide
 *     c = sim_caches_init(memory, &levels)          empty caches
 *     sim_caches_access(c, address, size, true, &counts)
 *
 * An access touches each line that it overlaps once. A line that is not in the first level is brought from the second
 * (a miss there: from memory) and replaces another line. A replaced line that was modified is written to the second
 * level. It takes a place there without being fetched first, since all of it is new. The levels are neither inclusive
 * nor exclusive. Empty ways are filled first under every policy. Sizes and addresses are in bytes.
 *
 * With a prefetcher (prefetch.h), the lines that it asks for are brought into the first level after the miss or the
 * first use that made it ask. They are counted separately. The model has no time: they arrive at once.
 */
#ifndef SIM_CACHE_CACHE_H
#define SIM_CACHE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/cache/prefetch.h"

enum sim_replacement {
    SIM_LRU,
    SIM_FIFO,   /* replaces the oldest line, however often it was used since ("round robin") */
    SIM_RANDOM, /* pseudo-random with a fixed seed: the same addresses give the same misses */
    SIM_PLRU,   /* tree pseudo-LRU: a bit at each node points to the half used less recently. ways is a power of two */
    SIM_REPLACEMENT_N
};
/* One cache: size = sets * ways * line. sets and line are powers of two. size 0: no cache. */
struct sim_cache {
    uint64_t size;
    uint32_t ways, line;
    enum sim_replacement replacement;
};
struct sim_cache_levels {
    struct sim_cache l1d, l2; /* l2.size may be 0: no second level */
    struct sim_prefetch_kind prefetch;
};
enum {
    SIM_LINE_MIN = 8,
    SIM_LINE_MAX = 4096,
    SIM_WAYS_MAX = 4096,
    SIM_PLRU_WAYS_MAX = 64,
    SIM_LINES_MAX = 1 << 20 /* in one cache */
};

/* The first error in the geometry, as a phrase ("l1d: 96 sets are not a power of two"); NULL: none. */
const char *sim_cache_levels_check(const struct sim_cache_levels *levels);

/* Event counts. */
struct sim_counts {
    uint64_t accesses;      /* lines touched; each line once per access */
    uint64_t refills;       /* lines brought into the first level on demand: its misses */
    uint64_t l2;            /* accesses of the second level: lines for the first, prefetched or not, and write-backs */
    uint64_t l2_refills;    /* lines brought into the second level from memory, likewise */
    uint64_t prefetched;    /* lines prefetched into the first level */
    uint64_t l2_prefetched; /* prefetched lines that came from memory */
};

/* A short cut for hits: the line used last in each part of the first level. Inlined code that looks here finds most
 * hits with one comparison and without a call. An access hits, changes nothing and may be left out if
 *     it is a read,  overlaps one line, and read[line & mask] == line, or
 *     it is a write, overlaps one line, and written[line & mask] == line
 * where line = address >> sim_caches_shift(levels), mask = sim_caches_mask(levels). */
enum { SIM_RECENT = 512 };
struct sim_recent {
    uintptr_t read[SIM_RECENT];    /* present; another read changes nothing */
    uintptr_t written[SIM_RECENT]; /* present and already modified */
};
unsigned sim_caches_shift(const struct sim_cache_levels *levels);
unsigned sim_caches_mask(const struct sim_cache_levels *levels);

struct sim_level {
    uintptr_t *lines; /* sets * ways entries: 2 * line, + 1 if it is modified; all ones: empty */
    /* SIM_PLRU: a tree for each set; bit n is node n, 1 is the root, the children of n are 2n and 2n + 1 */
    uint64_t *trees;
    uintptr_t set_mask;
    uint32_t ways;
    unsigned shift; /* line = address >> shift */
    enum sim_replacement replacement;
    uint64_t random; /* SIM_RANDOM: state of the generator */
};
struct sim_caches {
    struct sim_recent recent;
    struct sim_level l1d, l2; /* l2.ways 0: none */
    unsigned mask;            /* sim_caches_mask */
    struct sim_prefetcher prefetcher;
};

/* `memory` must be aligned to 16 bytes and stay valid as long as the caches. `levels` must have passed
 * sim_cache_levels_check. */
size_t sim_caches_size(const struct sim_cache_levels *levels);
struct sim_caches *sim_caches_init(void *memory, const struct sim_cache_levels *levels);
/* Empties all caches without write-backs. */
void sim_caches_flush(struct sim_caches *c);

/* Reads or writes `size` bytes; 0: does nothing. Bytes beyond the end of the address space are ignored. */
void sim_caches_access(struct sim_caches *c, uintptr_t address, size_t size, bool write, struct sim_counts *add);
/* The same if all bytes are in one line that the first level has, and no prefetch stream expects it: one access,
 * nothing else to count. False: not so, and nothing was changed. */
bool sim_caches_hit(struct sim_caches *c, uintptr_t address, size_t size, bool write);

/* One level alone, for simulators that combine levels in other ways. The geometry must have passed the check (as
 * l1d). */
size_t sim_level_size(const struct sim_cache *c);
void sim_level_init(struct sim_level *v, const struct sim_cache *c, void *memory); /* aligned to 16 bytes */
void sim_level_flush(struct sim_level *v);
#define SIM_NO_LINE UINTPTR_MAX
struct sim_used {
    bool hit, dirty;   /* hit: it was present; dirty: it is modified now */
    uintptr_t evicted; /* the replaced entry, 2 * line, + 1 if it must be written back; SIM_NO_LINE: none */
};
/* Uses `line`; afterwards it is present. */
struct sim_used sim_level_use(struct sim_level *v, uintptr_t line, bool write);
/* True: the line is present. Changes nothing. */
bool sim_level_has(const struct sim_level *v, uintptr_t line);

#endif
