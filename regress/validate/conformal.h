/* conformal.h - prediction intervals from errors held out; formula, sources and what they promise in conformal.c. */
#ifndef REGRESS_VALIDATE_CONFORMAL_H
#define REGRESS_VALIDATE_CONFORMAL_H

#include "regress/solve/fitter.h"

/* measured lies within estimate / (1 + high) and estimate / (1 + low) with probability `level`; 0: fewer than two
 * groups. */
struct conformal {
    double level, low, high;
};

/* errors[i] of n rows held out, NAN left out, of the groups group[i] < n_groups. */
struct conformal conformal_of(const double *errors, const size_t *group, size_t n, size_t n_groups);
/* The errors of a fitter's rows, each estimated by the fit without its group; with more than REGRESS_MOST_LEFT_OUT
 * groups by the fit without one of a hundred folds. At least two groups. */
enum status conformal_held_out(struct fitter *f, double *errors, struct error *e) MUST_CHECK;
/* The ends for an estimate; NAN: unbounded, or not known. */
void conformal_bound(double estimate, const struct conformal *c, double *low, double *high);

#endif
