/* run_stats.h - the centre, the spread and the outliers of the values of several launches. Private to boards. */
#ifndef BOARDS_MEASURE_RUN_STATS_H
#define BOARDS_MEASURE_RUN_STATS_H

#include <stddef.h>

double median_of(const double *x, size_t n);               /* n > 0; x is left alone */
double quantile_of(const double *x, size_t n, double q);   /* the value below which q of the n > 0 values lie */
double mad_of(const double *x, size_t n, double median);   /* median absolute deviation, not scaled */
double mean_of(const double *x, size_t n, double *stddev); /* stddev of one value (n - 1); 0 for n == 1 */
/* Huber's M-estimator of location: the mean of what lies within 1.5 sigma of the centre, beyond it only the sign
 * counts. sigma from the MAD, but at least `step`, the counter's: values on a coarse grid average out between its
 * lines, where the median would jump from line to line. */
double centre_of(const double *x, size_t n, double step);
/* Half of the 95 % confidence interval of that centre, of n >= 1 values; infinite for one. */
double half_width_of(const double *x, size_t n, double centre, double step);
double step_of(const double *x,
               size_t n);   /* the smallest difference between two different values; 0: all are the same */
#define MAD_TO_SIGMA 1.4826 /* 1 / Phi^-1(3/4): for a normal distribution MAD * this estimates sigma */
/* Above this a value is an outlier: median + 5 sigma, sigma from the MAD, at least 0.1 % of the median and 1 count. */
double outlier_limit(const double *x, size_t n);

#endif
