/* options.h - the default geometry of caches, and geometries as text. Internal to irprof. */
#ifndef IRPROF_OPTIONS_H
#define IRPROF_OPTIONS_H

#include "base/str.h"
#include "sim/branch.h"
#include "sim/cache.h"

/* --memory without a geometry: the caches of a Raspberry Pi 3. */
#define OPTIONS_L1D "32K:4:64:random"
#define OPTIONS_L2  "512K:16:64:lru"

/* "l1d=32768:4:64:random l2=524288:16:64:lru"; "branches=gshare:12:8". Appended. */
void options_describe_memory(struct str *text, const struct sim_cache_levels *levels);
void options_describe_branches(struct str *text, const struct sim_predictor_kind *kind);

#endif
