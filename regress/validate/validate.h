/* validate.h - held-out errors and the bootstrap, over the groups of a fitter. */
#ifndef REGRESS_VALIDATE_VALIDATE_H
#define REGRESS_VALIDATE_VALIDATE_H

#include "regress/solve/fitter.h"

/* Each group belongs to a fold; the rows of a fold are estimated by the fit on the other folds. estimates[i] for each
 * of the fitter's rows. folds of at least 2. */
enum status validate_folds(struct fitter *f, const size_t *fold, size_t folds, double *estimates,
                           struct error *e) MUST_CHECK;
/* The same for the values themselves: folds x p, those of the fit without each fold. */
enum status validate_values(struct fitter *f, const size_t *fold, size_t folds, double *values,
                            struct error *e) MUST_CHECK;
/* fold[g] = g; its domain, of which *folds becomes the number (a group without one is a domain of its own; ERR_INPUT
 * where the data know no domains or a group has two); or groups assigned to k folds by the seed. Free it. */
size_t *validate_each_group(const struct fitter *f);
enum status validate_each_domain(size_t **fold, size_t *folds, const struct fitter *f, struct error *e) MUST_CHECK;
size_t *validate_assign_folds(const struct fitter *f, size_t folds, uint64_t seed);

/* 5 % and 95 % quantiles of the values over `resamples` draws of the groups with replacement (Efron, Annals of
 * Statistics 7 (1979)), the solver's strength as it is in `strength`. A draw in which a variable does not occur says
 * nothing about it. Widened to contain `values`. */
enum status validate_bootstrap(struct fitter *f, const double *values, double strength, size_t resamples, double *low,
                               double *high, struct error *e) MUST_CHECK;

#endif
