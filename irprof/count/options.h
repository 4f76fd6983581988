/* options.h - the default geometry of caches, and what is simulated as text. Internal to irprof. */
#ifndef IRPROF_COUNT_OPTIONS_H
#define IRPROF_COUNT_OPTIONS_H

#include "base/str.h"
#include "irprof/count/instrument.h"

/* --memory without a geometry: the caches of a Raspberry Pi 3. */
#define OPTIONS_L1D "32K:4:64:random"
#define OPTIONS_L2  "512K:16:64:lru"

/* Appends irprof_module.settings of irprof.h: "l1d=32768:4:64:random l2=524288:16:64:lru prefetch=2:2:5:4
 * branches=gshare:12:8". */
void options_describe(struct str *text, const struct instrument_options *o);

#endif
