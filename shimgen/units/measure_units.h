/*
 * measure_units.h - all units of a build measured on the board: one after the other, or side by
 * side where that changes nothing, as in a simulator. What is there from an earlier run
 * with the same executables and settings is kept.
 */
#ifndef SHIMGEN_UNITS_MEASURE_UNITS_H
#define SHIMGEN_UNITS_MEASURE_UNITS_H

#include "base/error.h"
#include "boards/boards.h"
#include "boards/run/run.h"
#include "shimgen/units/losses.h"
#include "shimgen/units/unit.h"

struct measuring {
    struct runner *place;       /* an open connection to the board; NULL: opened as needed */
    size_t workers;             /* side by side at most, where the board allows it */
    bool again;                 /* what is there is measured again */
    struct losses *losses;      /* programs that fail are left out, and named here; NULL: one that fails ends all */
    const char *step;           /* of the losses */
    const struct board *better; /* what is there by these settings is kept, too; NULL: only by the board's own */
};
/* The result has every unit that could be measured, one at least, or an error is returned; every finished program
 * stands in <work>/measurements.csv at once, so that an interrupted run continues where it stopped. Rows of programs
 * that are not among the units stay in that file. `findings` are the doctor's; the caller frees *out
 * (measurements_free). */
enum status measure_units(struct measurements **out, const struct units *u, const struct board *b, const char *work,
                          const struct findings *findings, const struct measuring *how, struct error *e) MUST_CHECK;
/* Sets is_measured of each unit: measure_units will keep what <work>/measurements.csv has of it, as long as the unit is
 * not compiled again. */
enum status measure_known(struct units *u, const struct board *b, const char *work, const struct measuring *how,
                          struct error *e) MUST_CHECK;
/* Takes over what was measured elsewhere by the same settings: `table` has rows of some of the units, whose folders hold
 * what unit_build and unit_count leave. <work>/measurements.csv has these rows then, stamped as measure_units would, and
 * is_measured of these units is set. Rows of other programs stay in the table; the conditions are the table's. */
enum status measure_adopt(struct units *u, struct measurements *table, const struct board *b, const char *work,
                          struct error *e) MUST_CHECK;
/* Of all that a measurement depends on besides the executable: the board's settings, the simulator. */
enum status measure_place_hash(uint64_t *hash, const struct board *b, struct error *e) MUST_CHECK;

#endif
