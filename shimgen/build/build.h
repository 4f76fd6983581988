/*
 * build.h - from sample programs to a board's SHIM file: the line of `shimgen build`.
 */
#ifndef SHIMGEN_BUILD_BUILD_H
#define SHIMGEN_BUILD_BUILD_H

#include <stdbool.h>

#include "base/error.h"
#include "boards/boards.h"
#include "shimgen/farm/farm.h"
#include "shimgen/units/outputs.h"

struct pipeline_options {
    const struct board *whole; /* the board with all its levels and runs; NULL: it is the board itself. What an earlier
                                  build has by these stays, also outside of a selection */
    const char *samples;       /* folder of sample sets; NULL: the product's own */
    const char *programs;      /* globs of sample names, comma-separated; NULL: all */
    const char *classes;       /* of the model; NULL: the default */
    const char *solver;        /* NULL: the default */
    const char
        *simulate;   /* options of irprof instrument, as words in one text; NULL: the code of the target (--spills) */
    long jobs;       /* worker processes for compiling; 0: one per processor */
    bool again;      /* measure and compile again what is there */
    bool keep_going; /* what happens anyway: accepted, since scripts have it */
    bool strict;     /* whatever is left out makes the build fail, after all that can be written was */
    bool quick;      /* fewer programs, launches and microbenchmarks */
    bool clean;      /* work/ is removed after success */
    bool no_memory;  /* memory.csv is left as it is: accesses to memory and messages are not measured */
    bool no_micro;   /* micro.csv is left as it is: single instructions are not measured */
    bool no_compare; /* only the model's own classification and solver */
    struct farm_options farm; /* programs are counted and measured there, if its `on` is not NULL */
};

/* The whole line. OK when the SHIM file is there; what was left out on the way is noted, stands in o->losses and in the
 * report (with strict it is an error at the end). Interrupted, it continues where it stopped when called again. */
enum status pipeline_build(const struct board *b, const struct outputs *o, const struct pipeline_options *opt,
                           struct error *e) MUST_CHECK;
/* Fit, SHIM file and report once more from dataset.csv and measurements.csv as they are: nothing is measured. */
enum status pipeline_publish(const struct board *b, const struct outputs *o, const struct pipeline_options *opt,
                             struct error *e) MUST_CHECK;

#endif
