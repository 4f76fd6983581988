/*
 * micro_fit.h - what one copy of an instruction costs, from loops with different numbers
 * of copies: cycles of a pass = loop + copies * slope. docs/method/micro.md.
 */
#ifndef SHIMGEN_PROBES_MICRO_FIT_H
#define SHIMGEN_PROBES_MICRO_FIT_H

#include <stdbool.h>
#include <stddef.h>

struct micro_point {
    double copies; /* of the instruction in a pass of the loop */
    double cycles; /* of a pass: centre of the runs */
    double stddev; /* of one run [cycles of a pass]; 0: unknown, or nothing disturbs */
    unsigned runs; /* after the centre; 0 counts as 1 */
};
struct micro_slope {
    double value;     /* [cycles of a copy]; may be below 0 by the scatter */
    double low, high; /* of the value, 90 %: from the points' distances from the line and the spread of their runs */
    double loop;      /* the line at 0 copies: the loop's own part [cycles of a pass] */
    double scatter;   /* root mean square of the distances from the line [cycles of a pass] */
    double hidden;    /* line less what the loop without copies took: < 0, the loop's own cost runs beside the copies;
                         NAN: no such point */
    size_t points;    /* the line was drawn through */
};
#define MICRO_LEVEL 0.90

/* Weighted least squares through the points with copies; the one without is only compared, unless fewer than three are
 * left without it: a loop that is not busy may hide its own cost. The weights are 1 over the variance of each centre,
 * with a floor of a thousandth of the longest pass; distances that are larger than that explains widen the interval.
 * False: fewer than two different numbers of copies, or a value that is no finite number. */
bool micro_fit(struct micro_slope *out, const struct micro_point *points, size_t n);

/* Quantile of Student's t for a two-sided interval of MICRO_LEVEL; degrees 0: that of the normal distribution. */
double micro_t(size_t degrees);

#endif
