/* error_stats.c - quantiles and summaries of errors. */
#include "regress/solve/error_stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void stats_sort(double *values, size_t n)
{
    if (n)
        qsort(values, n, sizeof *values, by_value);
}

double stats_quantile(const double *sorted, size_t n, double q)
{
    double at = q * (double)(n - 1);
    size_t below = (size_t)floor(at);
    if (below + 1 >= n)
        return sorted[n - 1];
    return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

double stats_median_size(const double *values, size_t n, double *scratch)
{
    for (size_t i = 0; i < n; i++)
        scratch[i] = fabs(values[i]);
    stats_sort(scratch, n);
    return stats_quantile(scratch, n, 0.5);
}

struct regress_errors stats_errors(const double *errors, char *const *labels, size_t n, double *scratch)
{
    struct regress_errors s = {0, NAN, NAN, NAN, NAN, NAN, 0};
    double sum = 0, sum_abs = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(errors[i]))
            continue;
        sum += errors[i];
        sum_abs += fabs(errors[i]);
        if (s.n == 0 || fabs(errors[i]) > fabs(s.worst)) {
            s.worst = errors[i];
            s.worst_of = labels[i];
        }
        scratch[s.n++] = fabs(errors[i]);
    }
    if (s.n == 0)
        return s;
    stats_sort(scratch, s.n);
    s.mean = sum / (double)s.n;
    s.mean_abs = sum_abs / (double)s.n;
    s.median_abs = stats_quantile(scratch, s.n, 0.5);
    s.p90_abs = stats_quantile(scratch, s.n, 0.9);
    return s;
}
