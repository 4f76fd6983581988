/* quick.h - what a quick build takes of the whole. */
#ifndef SHIMGEN_UNITS_QUICK_H
#define SHIMGEN_UNITS_QUICK_H

#include "base/error.h"

/* The programs as globs, from share/shimgen/samples/quick.txt; NULL and the error, where that cannot be read. The
 * caller frees. */
char *quick_programs(struct error *e);

enum { QUICK_RUNS = 5 }; /* launches of each program, where runs differ */

#endif
