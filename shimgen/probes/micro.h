/*
 * micro.h - what single instructions cost on the board, measured one by one: the step of
 * `shimgen build` that writes micro.csv. docs/method/micro.md.
 */
#ifndef SHIMGEN_PROBES_MICRO_H
#define SHIMGEN_PROBES_MICRO_H

#include "base/error.h"
#include "boards/boards.h"
#include "boards/run/run.h"
#include "shimgen/units/losses.h"
#include "shimgen/estimate/tune/micro_table.h"
#include "shimgen/units/outputs.h"

struct iss_model;

struct micro_options {
    const struct iss_model *core;    /* modules are timed by this model of a core and not run; NULL: they are run */
    struct runner *place;            /* an open connection to the board; NULL: opened as needed */
    const struct findings *findings; /* the doctor's, for the conditions; NULL: none */
    const char *keys;                /* globs of keys, comma-separated; NULL: all */
    size_t workers;                  /* processes side by side at most */
    bool again;                      /* what is there is compiled and measured again */
    bool quick;                      /* the ordinary case of each instruction alone, and few launches */
    struct losses *losses;           /* modules that fail are left out, and named here; NULL: one that fails ends all */
};
/* Makes the modules of samples/micro, compiles them for the board with its flags by the back end alone, reads what it
 * made of them, measures, and writes o->micro; what is there already of an earlier run is kept. A selection (keys)
 * replaces its rows in o->micro and leaves the others; quick only adds rows that are not there. A board whose
 * measurements are imported is left alone, and one for whose target there are no microbenchmarks: that is noted. */
enum status micro_measure(const struct board *b, const struct outputs *o, const struct micro_options *opt,
                          struct error *e) MUST_CHECK;

#endif
