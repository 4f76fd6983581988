/*
 * shim_caches.h - the data caches that a core's accesses meet, from a SHIM file, as the
 * cache simulator of irprof takes them.
 *
 * L1D is the data or unified cache in the core (MasterComponent) that refers to no other data cache; L2 is the one that
 * refers to it by cacheRef, wherever it stands. SHIM 1.0 does not say how a cache replaces its lines.
 */
#ifndef SHIMGEN_PROFILE_SHIM_CACHES_H
#define SHIMGEN_PROFILE_SHIM_CACHES_H

#include "base/error.h"
#include "shim-xml/shimxml.h"
#include "sim/cache/cache.h"

struct data_caches {
    const struct shimxml_cache *l1d, *l2; /* borrowed from the system; l2 NULL: none */
};
/* ERR_INPUT, with what to do: the core has no data cache, or several may be its first or its second level. `path`
 * stands in messages. */
enum status shim_data_caches(struct data_caches *out, const struct shimxml_system *s, size_t core, const char *path,
                             struct error *e) MUST_CHECK;

/* The geometry of one, as the simulator takes it. ERR_INPUT: the file does not say all of it, or there can be no such
 * cache; `option` ("--l1d") is named as the way out. */
enum status shim_cache_geometry(struct sim_cache *out, const struct shimxml_cache *c, enum sim_replacement replacement,
                                const char *path, const char *option, struct error *e) MUST_CHECK;

/* "32K:4:64:lru", as irprof's --l1d and --l2 take it; the caller frees. */
char *shim_cache_text(const struct sim_cache *c);

/* By its name, "lru" "fifo" "random" "plru"; SIM_REPLACEMENT_N: there is none so called. */
enum sim_replacement shim_cache_replacement(const char *name);

#endif
