/*
 * leverage.h - leverage of a program: is its mix of instructions like those of the programs that the model was fitted
 * on?
 *
 *     h(x) = x' (A'A)+ x        A: the rows of the fit, as the fit scaled them, columns of length 1
 *
 * h is the smallest sum of squared weights with which the rows of the fit combine to x. For a row of the fit it is its
 * leverage (regress.h: diagnosis), at most 1. Above the largest leverage of the fit's rows an estimate extrapolates
 * (Cook, Technometrics 19 (1977); Weisberg, Applied Linear Regression, 2005, 8.1). x is divided by the model's
 * estimate, because its cycles are not known. Therefore a program that is estimated much too low, even a row of the
 * fit, seems further outside than it is. Variables with formulas (misses) are left out.
 */
#ifndef SHIMGEN_ESTIMATE_INTERVALS_LEVERAGE_H
#define SHIMGEN_ESTIMATE_INTERVALS_LEVERAGE_H

#include "regress/solve/decompose.h"
#include "regress/regress.h"
#include "shimgen/estimate/estimate.h"

struct leverage {
    const struct regress_model *model; /* borrowed */
    struct decomposition rows;
    double *lengths; /* of the columns before they were made 1 */
    double largest;  /* of the fit's rows */
    size_t n;        /* rows */
};
/* From the dataset that the model was fitted on; roles as in roles.h. ERR_INPUT: it is another one, or not the same
 * rows can be chosen. leverage_release in any case. */
enum status leverage_make(struct leverage *out, const struct regress_model *m, const char *dataset,
                          struct error *e) MUST_CHECK;
void leverage_release(struct leverage *l);
/* counts: of each variable. INFINITY: no mix of the rows is such a mix; NAN: the model estimates nothing. */
double leverage_of(const struct leverage *l, const double *counts);
/* A note in the estimate where its leverage is beyond the largest. */
void leverage_note(struct estimate *est, const struct leverage *l);

#endif
