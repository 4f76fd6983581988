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
/* What the counts have beside instructions when nothing is asked for: the code of the board's target (--spills; not of
 * one that irprof cannot compile for, or for which another stands in when counting), and simulated: caches (this
 * machine's, for boards that are it; else irprof's own) and a predictor. */
void count_defaults(struct board_args *simulate, const struct board *b);
/* irprof table of all profiles; events: with the columns of what was simulated. */
enum status counts_write(const struct units *u, bool events, const char *path, struct error *e) MUST_CHECK;

#endif
