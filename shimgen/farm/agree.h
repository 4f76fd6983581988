/*
 * agree.h - do boards of one kind agree? The same few programs were measured on each.
 *
 * For each row of cycles that all boards have, x is a board's value over the median of the boards' values, less 1. A
 * board's deviation is the median of its x. The boards' middle is the median of their deviations. A board further than
 * `tolerance` from it does not agree. The spread is the standard deviation of the deviations of those that agree.
 */
#ifndef SHIMGEN_FARM_AGREE_H
#define SHIMGEN_FARM_AGREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "boards/boards.h"

struct agree_place {
    const char *name;                    /* borrowed */
    const struct measurements *measured; /* borrowed; NULL: no results */
    double deviation;                    /* result: 0.01 is 1 % slower than the boards' middle */
    bool agrees;                         /* result; false if nothing was measured */
};
struct agreement {
    size_t rows;   /* that were compared */
    size_t agree;  /* places that do */
    double spread; /* relative standard deviation between these; 0 with fewer than two */
};
/* ERR_INPUT: the boards have no row of cycles in common, or no more than half of those that were measured agree: then
 * it is unknown which are right. One board alone agrees with itself. */
enum status agree_judge(struct agreement *a, struct agree_place *places, size_t n, double tolerance,
                        struct error *e) MUST_CHECK;
/* Adds the spread to each row of cycles: its stddev and half_width become the root of the sum of squares with `spread`
 * times the value (for half_width 1.96 times that: half of a normal 95 % interval). */
void agree_widen(struct measurements *m, double spread);

#endif
