/* counting.h - units compiled, instrumented and counted, side by side; their profiles as one table. */
#ifndef SHIMGEN_COUNTING_H
#define SHIMGEN_COUNTING_H

#include <stdbool.h>

#include "boards/run.h"
#include "shimgen/unit.h"

/* Builds all units and runs their counted programs, where these run. `place`: a connection to the board, or NULL;
 * jobs 0: one process per processor; again: also what is there. */
enum status count_units(const struct units *u, const struct board *b, const char *work, struct runner *place, long jobs,
                        bool again, struct error *e) MUST_CHECK;
/* irprof table of all profiles; `with`: further columns ("events", of what was simulated); NULL: none. */
enum status counts_write(const struct units *u, const char *with, const char *path, struct error *e) MUST_CHECK;

#endif
