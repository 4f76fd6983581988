/* error_stats.h - summaries of errors and quantiles. */
#ifndef REGRESS_SOLVE_ERROR_STATS_H
#define REGRESS_SOLVE_ERROR_STATS_H

#include "regress/regress.h"

/* Sorts in place; NANs must not be among them. */
void stats_sort(double *values, size_t n);
/* Of sorted values, 0 <= q <= 1: linear between the order statistics (Hyndman, Fan, The American Statistician 50
 * (1996), definition 7). n > 0. */
double stats_quantile(const double *sorted, size_t n, double q);
/* Median of the absolute values; `scratch` has n places. n > 0. */
double stats_median_size(const double *values, size_t n, double *scratch);
/* errors[i] belongs to labels[i]; NANs are left out. `scratch` has n places. */
struct regress_errors stats_errors(const double *errors, char *const *labels, size_t n, double *scratch);
/* Paired comparison: mean of |second| - |first| over the rows where neither is NAN, and the 2.5 % and 97.5 % quantiles
 * of that mean over 2,000 draws of the groups with replacement (Efron, Tibshirani, An Introduction to the Bootstrap,
 * 1993, 13.3). group[i] is below n_groups. */
struct regress_difference stats_compare(const double *first, const double *second, const size_t *group, size_t n,
                                        size_t n_groups, uint64_t seed);

#endif
