/* stats.c - the median and the median absolute deviation: up to half of the runs may be disturbed in any way without
 * moving them far (breakdown point 50 %, that of the mean is 0). Rousseeuw, Croux, JASA 88 (1993). */
#include "private.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median_of(const double *x, size_t n)
{
    if (n == 0)
        BUG("the median of nothing");
    double *sorted = xmemdup(x, n * sizeof *x);
    qsort(sorted, n, sizeof *sorted, ascending);
    double m = n % 2 ? sorted[n / 2] : sorted[n / 2 - 1] / 2 + sorted[n / 2] / 2;
    free(sorted);
    return m;
}

double quantile_of(const double *x, size_t n, double q)
{
    if (n == 0)
        BUG("a quantile of nothing");
    double *sorted = xmemdup(x, n * sizeof *x);
    qsort(sorted, n, sizeof *sorted, ascending);
    double at = q * (double)(n - 1), below = floor(at);
    size_t i = (size_t)below, k = i + 1 < n ? i + 1 : i;
    double value = sorted[i] + (at - below) * (sorted[k] - sorted[i]);
    free(sorted);
    return value;
}

double mad_of(const double *x, size_t n, double median)
{
    double *away = xmalloc(n * sizeof *away);
    for (size_t i = 0; i < n; i++)
        away[i] = fabs(x[i] - median);
    double m = median_of(away, n);
    free(away);
    return m;
}

double mean_of(const double *x, size_t n, double *stddev)
{
    double mean = 0, squares = 0; /* Welford: no cancellation */
    for (size_t i = 0; i < n; i++) {
        double d = x[i] - mean;
        mean += d / (double)(i + 1);
        squares += d * (x[i] - mean);
    }
    *stddev = n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
    return mean;
}

double outlier_limit(const double *x, size_t n)
{
    double median = median_of(x, n), sigma = MAD_TO_SIGMA * mad_of(x, n, median);
    double least = fmax(1, 0.001 * median); /* a MAD of 0 (a coarse counter) must not make outliers of all others */
    return median + 5 * fmax(sigma, least);
}
