/* conformal.h - prediction intervals from errors held out; formula, sources and what they promise in conformal.c. */
#ifndef REGRESS_VALIDATE_CONFORMAL_H
#define REGRESS_VALIDATE_CONFORMAL_H

#include "regress/regress.h"
#include "regress/solve/fitter.h"

/* The level of an interval of this many programs or more; of fewer it is less. */
#define CONFORMAL_LEVEL 0.9
enum { CONFORMAL_PROGRAMS = 19 };
/* measured lies within estimate / (1 + high) and estimate / (1 + low) with probability `level`; 0: fewer than two
 * groups. */
struct conformal {
    double level, low, high;
};

/* errors[i] of n rows held out, NAN left out, of the groups group[i] < n_groups. */
struct conformal conformal_of(const double *errors, const size_t *group, size_t n, size_t n_groups);
/* For rows of all programs, and of those of one kind of code; level 0: not known. */
struct conformal_set {
    struct conformal all, code[REGRESS_CODES];
};
extern const char *const conformal_codes[REGRESS_CODES]; /* as files call them */
/* errors: held out, of a fitter's rows. */
struct conformal_set conformal_set_of(const struct fitter *f, const double *errors);
/* The one for a program: of its kind of code where that is known. */
const struct conformal *conformal_for(const struct conformal_set *s, const char *program);
/* The errors of a fitter's rows, each estimated by the fit without its group; with more than REGRESS_MOST_LEFT_OUT
 * groups by the fit without one of a hundred folds. At least two groups. */
enum status conformal_held_out(struct fitter *f, double *errors, struct error *e) MUST_CHECK;
/* The ends for an estimate; NAN: unbounded, or not known. */
void conformal_bound(double estimate, const struct conformal *c, double *low, double *high);

#endif
