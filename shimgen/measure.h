/*
 * measure.h - all units of a build measured on the board: one after the other, or side by
 * side where that changes nothing, as in a simulator. What is there from an earlier run
 * with the same executables and settings is kept.
 */
#ifndef SHIMGEN_MEASURE_H
#define SHIMGEN_MEASURE_H

#include "base/error.h"
#include "boards/boards.h"
#include "boards/run.h"
#include "shimgen/unit.h"

struct measuring {
    struct runner *place; /* an open connection to the board; NULL: opened as needed */
    size_t workers;       /* side by side at most, where the board allows it */
    bool again;           /* what is there is measured anew */
    bool keep_going;      /* a program that fails is left out, not an error */
};
/* The result is complete or an error is returned; every finished program stands in <work>/measurements.csv at once, so
 * that an interrupted run goes on where it was. A program that fails is an error, unless keep_going: then it is noted
 * on stderr and left out. `findings` are the doctor's; the caller frees *out (measurements_free). */
enum status measure_units(struct measurements **out, const struct units *u, const struct board *b, const char *work,
                          const struct findings *findings, const struct measuring *how, struct error *e) MUST_CHECK;

#endif
