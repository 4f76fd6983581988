/* icicle.h - the call tree as boxes below each other: as wide as their share of the work. */
#ifndef SHIMGEN_OFFLOAD_SHOW_ICICLE_H
#define SHIMGEN_OFFLOAD_SHOW_ICICLE_H

#include "base/str.h"
#include "shimgen/offload/offload.h"

/* `work`: the cost that shares are of. */
void icicle_draw(struct str *out, const struct offload_table *t, enum offload_cost work);

#endif
