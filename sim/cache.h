/*
 * cache.h - a model of data caches: set-associative, physically as large as said, one
 * or two levels, write-back and write-allocate. Freestanding: no libc, no allocation;
 * what runs inside counted programs (irprof's runtime) and inside simulators.
 *
 * In the order of use:
 *     sim_cache_levels_check(&levels)             is this a geometry?
 *     sim_caches_size(&levels)                    bytes of state, from the caller
 *     sim_caches_init(memory, &levels)
 *     sim_access(c, address, size, write)         -> what it missed
 *
 * Addresses and sizes in bytes.
 */
#ifndef SIM_CACHE_H
#define SIM_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sim_replacement {
    SIM_LRU,
    SIM_FIFO,
    SIM_RANDOM, /* pseudo-random from a fixed seed: the same addresses give the same misses */
    SIM_PLRU,   /* tree pseudo-LRU */
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
};
#endif
