/* count_units.h - units compiled, instrumented and counted, side by side; their profiles as one table. */
#ifndef SHIMGEN_UNITS_COUNT_UNITS_H
#define SHIMGEN_UNITS_COUNT_UNITS_H

#include <stdbool.h>

#include "boards/run/run.h"
#include "shimgen/units/losses.h"
#include "shimgen/units/unit.h"

struct counting {
    struct runner *place;  /* a connection to the board, or NULL */
    long jobs;             /* 0: one process per processor */
    bool again;            /* also what is there */
    struct losses *losses; /* programs that cannot be compiled or counted are left out, and named here */
};
/* Builds all units and runs their counted programs, where these run; those that fail are no more among the units. An
 * error, where none is left. tools: unit_tools_hash. */
enum status count_units(struct units *u, const struct board *b, const char *work, uint64_t tools,
                        const struct counting *how, struct error *e) MUST_CHECK;
/* irprof table of all profiles; `with`: further columns ("events", of what was simulated); NULL: none. */
enum status counts_write(const struct units *u, const char *with, const char *path, struct error *e) MUST_CHECK;

#endif
