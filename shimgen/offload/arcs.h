/* arcs.h - calls of the same pair of functions become one, by caller and callee: what each reader ends with. */
#ifndef SHIMGEN_OFFLOAD_ARCS_H
#define SHIMGEN_OFFLOAD_ARCS_H

#include "shimgen/offload/offload.h"

void offload_join_arcs(struct offload_table *t);

#endif
