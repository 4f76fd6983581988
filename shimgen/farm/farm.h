/*
 * farm.h - a build's programs on many machines or boards: `shimgen build --on`. Programs at levels need nothing of each
 * other, so they become tasks; an engine runs these, and what comes back is as if it had been counted and measured here.
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
/* ERR_USAGE, ERR_INPUT, ERR_SYSTEM: the engine cannot be used, or the board not on a farm. For a word before the long work. */
enum status farm_check(const struct farm_options *how, const struct board *b, struct error *e) MUST_CHECK;

/* Counts and measures units on the farm. Afterwards those that came back are as unit_count and measure_units leave them;
 * those that failed are not among the units any more; on a simulated board those that were lost still are, to be done
 * here. ERR_INPUT, ERR_SYSTEM: nothing came back, or boards do not agree. With plan_only nothing changes. */
enum status farm_run(struct units *u, const struct farm_order *o, struct error *e) MUST_CHECK;

#endif
