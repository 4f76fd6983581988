/*
 * cache.h - a model of data caches: one or two levels, set-associative, write-back,
 * write-allocate. It knows which lines are there, not what is in them. Freestanding:
 * no libc, no allocation, no locks; it runs inside counted programs (irprof's
 * runtime) and inside simulators.
 *
 * In the order of use:
 *     sim_cache_levels_check(&levels)               is this a geometry? what is wrong with it?
 *     sim_caches_size(&levels)                      bytes of memory it needs: the caller's
 *     c = sim_caches_init(memory, &levels)          empty caches
 *     sim_caches_access(c, address, size, true, &counts)
 *
 * An access touches each line that it overlaps once. A line that is not in the first
 * level is brought from the second (a miss there: from memory) and takes the place of
 * another, which is written to the second level if it was written to before. A line
 * written back takes a place in the second level without being fetched first: all of
 * it is new. The levels are neither inclusive nor exclusive. Ways that hold nothing are
 * taken first, whatever the policy. Sizes and addresses in bytes.
 *
 * With a prefetcher (prefetch.h) lines that it asks for are brought into the first level, behind the miss or the first
 * use of a line that made it ask; they are counted apart. There is no time here: they are there at once.
 */
#ifndef SIM_CACHE_CACHE_H
#define SIM_CACHE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/cache/prefetch.h"

enum sim_replacement {
    SIM_LRU,
    SIM_FIFO,   /* the line that came first, however often it was used since ("round robin") */
    SIM_RANDOM, /* pseudo-random from a fixed seed: the same addresses give the same misses */
    SIM_PLRU,   /* tree pseudo-LRU: a bit at each node points to the half used less recently. Ways: a power of two */
    SIM_REPLACEMENT_N
};
/* One cache. size = sets * ways * line; sets and line are powers of two. size 0: there is none. */
struct sim_cache {
    uint64_t size;
    uint32_t ways, line;
    enum sim_replacement replacement;
};
struct sim_cache_levels {
    struct sim_cache l1d, l2; /* l2 may be none */
    struct sim_prefetch_kind prefetch;
};
enum {
    SIM_LINE_MIN = 8,
    SIM_LINE_MAX = 4096,
    SIM_WAYS_MAX = 4096,
    SIM_PLRU_WAYS_MAX = 64,
    SIM_LINES_MAX = 1 << 20 /* in one cache */
};

/* The first thing that is wrong with the geometry, as a phrase ("l1d: 96 sets are not a power of two"), or NULL. */
const char *sim_cache_levels_check(const struct sim_cache_levels *levels);

/* What happened, added up. */
struct sim_counts {
    uint64_t accesses;   /* lines touched: a line once for each access */
    uint64_t refills;    /* lines brought into the first level since they were asked for: its misses */
    uint64_t l2;         /* accesses of the second level: for lines of the first, prefetched or not, and written back */
    uint64_t l2_refills; /* lines brought into the second level from memory, likewise */
    uint64_t prefetched; /* lines brought into the first level before they were asked for */
    uint64_t l2_prefetched; /* of these: from memory */
};

/* The line used last in each part of the first level: code of its own that looks here finds most
 * hits with one comparison, and calls nothing. An access may be left out, since it hits and changes nothing, when
 *     it is a read,  overlaps one line, and read[line & mask] == line, or
 *     it is a write, overlaps one line, and written[line & mask] == line
 * where line = address >> sim_caches_shift(levels), mask = sim_caches_mask(levels). */
enum { SIM_RECENT = 512 };
struct sim_recent {
    uintptr_t read[SIM_RECENT];    /* there, and nothing to do if it is read again */
    uintptr_t written[SIM_RECENT]; /* moreover it is to be written back already */
};
unsigned sim_caches_shift(const struct sim_cache_levels *levels);
unsigned sim_caches_mask(const struct sim_cache_levels *levels);

struct sim_level {
    uintptr_t *lines; /* sets * ways entries: 2 * line, + 1 if it must be written back; all ones: nothing */
    uint64_t *trees;  /* SIM_PLRU: a tree for each set; bit n is node n, 1 the root, 2n and 2n + 1 below n */
    uintptr_t set_mask;
    uint32_t ways;
    unsigned shift; /* line = address >> shift */
    enum sim_replacement replacement;
    uint64_t random; /* SIM_RANDOM: the generator's state */
};
struct sim_caches {
    struct sim_recent recent;
    struct sim_level l1d, l2; /* l2.ways 0: none */
    unsigned mask;            /* sim_caches_mask */
    struct sim_prefetcher prefetcher;
};

/* `memory`: aligned to 16 bytes; it lives as long as the caches do. The geometry has been checked. */
size_t sim_caches_size(const struct sim_cache_levels *levels);
struct sim_caches *sim_caches_init(void *memory, const struct sim_cache_levels *levels);
/* Empties them; nothing is written back. */
void sim_caches_flush(struct sim_caches *c);

/* `size` bytes are read or written; 0: nothing happens. Bytes beyond the end of the address space are left out. */
void sim_caches_access(struct sim_caches *c, uintptr_t address, size_t size, bool write, struct sim_counts *add);
/* The same where all of it is in one line that the first level has, and no stream goes on with it: one access, and
 * nothing else to count. Otherwise false, and nothing has happened. */
bool sim_caches_hit(struct sim_caches *c, uintptr_t address, size_t size, bool write);

/* One level alone, for simulators that put several together in another way. The geometry has been checked (as l1d). */
size_t sim_level_size(const struct sim_cache *c);
void sim_level_init(struct sim_level *v, const struct sim_cache *c, void *memory); /* aligned to 16 bytes */
void sim_level_flush(struct sim_level *v);
#define SIM_NO_LINE UINTPTR_MAX
struct sim_used {
    bool hit, dirty;   /* was it there; must it be written back, now */
    uintptr_t evicted; /* the entry that had to go, 2 * line, + 1 if it must be written back; SIM_NO_LINE: none */
};
/* `line` is used; it is there afterwards. */
struct sim_used sim_level_use(struct sim_level *v, uintptr_t line, bool write);
/* Is it there? Nothing changes. */
bool sim_level_has(const struct sim_level *v, uintptr_t line);

#endif
