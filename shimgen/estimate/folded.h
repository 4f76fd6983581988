/*
 * folded.h - cycles by call path, as lines "program;main;f;g 1200", which flame graphs are drawn from. A profile has
 * calls, not paths: a function's cycles are divided among its callers by their calls, as gprof does
 * (irprof/profile/callgraph.h). Where one place makes all calls of a function, that is exact.
 */
#ifndef SHIMGEN_ESTIMATE_FOLDED_H
#define SHIMGEN_ESTIMATE_FOLDED_H

#include "base/str.h"
#include "shimgen/estimate/estimate.h"

/* Appends the lines of an estimate. They add up to its cycles, rounded down. A path with less than a hundred-thousandth
 * of the cycles is not followed further: its last function has the cycles of its callees too. mangled: names of functions
 * as the linker has them. */
void folded_add(struct str *out, const struct estimate *est, bool mangled);

#endif
