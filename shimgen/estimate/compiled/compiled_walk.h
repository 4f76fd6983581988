/* compiled_walk.h - all costs on a core that issues out of order, along windows of the executed order. */
#ifndef SHIMGEN_ESTIMATE_COMPILED_COMPILED_WALK_H
#define SHIMGEN_ESTIMATE_COMPILED_COMPILED_WALK_H

#include "shimgen/estimate/compiled/compiled_paths.h"

/* Into c->costs. */
void cost_walk(struct coster *c);

#endif
