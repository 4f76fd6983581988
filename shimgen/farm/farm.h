/*
 * farm.h - a build's programs on many machines or boards: `shimgen build --on`. Programs at levels are independent of each
 * other, so they become tasks. An engine runs the tasks, and the results are as if they had been counted and measured here.
 * docs/farms.md.
 */
#ifndef SHIMGEN_FARM_FARM_H
#define SHIMGEN_FARM_FARM_H

#include "base/error.h"
#include "boards/boards.h"
#include "shimgen/units/losses.h"
#include "shimgen/units/unit.h"

struct farm_options {
    const char *on;                 /* engine_open; NULL: no farm */
    const char *board;              /* as the user named it */
    struct board_overrides changes; /* that the board got; texts borrowed */
    double agree;                   /* how far boards of one kind may be apart: 0.03 */
    bool plan_only;                 /* the plan is written, nothing is run */
};
struct farm_order {
    const struct farm_options *how;
    const struct board *board;
    const char *samples; /* folder of sample sets; NULL: the product's own */
    const struct board_args *simulate;
    uint64_t tools; /* unit_tools_hash */
    const char *work;
    bool again;                /* also units that are counted and measured */
    struct losses *losses;     /* programs that failed there, or did not come back */
    struct findings *findings; /* a warning where boards differ is appended */
};
/* Checks, before the long work, that the engine can be used and that the board can be measured on a farm. ERR_USAGE, ERR_INPUT,
 * ERR_SYSTEM: it cannot. */
enum status farm_check(const struct farm_options *how, const struct board *b, struct error *e) MUST_CHECK;

/* Counts and measures units on the farm. Afterwards units with a result are as unit_count and measure_units leave them.
 * Units that failed are removed from *u. On a simulated board lost units stay in *u, to be counted and measured here.
 * ERR_INPUT, ERR_SYSTEM: there is no result at all, or the boards do not agree. With plan_only nothing changes. */
enum status farm_run(struct units *u, const struct farm_order *o, struct error *e) MUST_CHECK;

#endif
