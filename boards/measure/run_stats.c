/* run_stats.c - the median and the median absolute deviation. Even if up to half of the runs are disturbed, they do not
 * move far (breakdown point 50 %; the mean's is 0). Rousseeuw, Croux, JASA 88 (1993). */

#include "boards/measure/run_stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/str.h"

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

double step_of(const double *x, size_t n)
{
    double *sorted = xmemdup(x, n * sizeof *x), step = 0;
    qsort(sorted, n, sizeof *sorted, ascending);
    for (size_t i = 1; i < n; i++) {
        double d = sorted[i] - sorted[i - 1];
        if (d > 0 && (step == 0 || d < step))
            step = d;
    }
    free(sorted);
    return step;
}

/* Huber, Ann. Math. Statist. 35 (1964): reweighted from the median; weight 1 up to 1.5 sigma, then 1.5 sigma /
 * distance. */
double centre_of(const double *x, size_t n, double step)
{
    double centre = median_of(x, n), sigma = fmax(MAD_TO_SIGMA * mad_of(x, n, centre), step);
    for (int iteration = 0; iteration < 50 && sigma > 0; iteration++) {
        double sum = 0, weights = 0;
        for (size_t i = 0; i < n; i++) {
            double away = fabs(x[i] - centre), weight = away <= 1.5 * sigma ? 1 : 1.5 * sigma / away;
            sum += weight * x[i];
            weights += weight;
        }
        double next = sum / weights;
        bool still = fabs(next - centre) <= 1e-9 * sigma;
        centre = next;
        if (still)
            break;
    }
    return centre;
}

/* Student's t at 97.5 % with n degrees of freedom: Abramowitz and Stegun 26.7.5, within 1 % from n = 3 on. */
static double student(size_t n)
{
    const double z = 1.959963984540054, z2 = z * z, v = (double)n;
    double g1 = z * (z2 + 1) / 4, g2 = z * ((5 * z2 + 16) * z2 + 3) / 96,
           g3 = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
    return z + g1 / v + g2 / (v * v) + g3 / (v * v * v);
}

/* Half the 95 % interval of an M-estimate of location: Huber, Ann. Statist. 1 (1973). psi is a residual cut off at 1.5;
 * `inside` is the mean of its derivative. */
double half_width_of(const double *x, size_t n, double centre, double step)
{
    double sigma = fmax(MAD_TO_SIGMA * mad_of(x, n, median_of(x, n)), step), squares = 0, inside = 0;
    if (n < 2)
        return INFINITY;
    for (size_t i = 0; i < n && sigma > 0; i++) {
        double away = fabs(x[i] - centre) / sigma, psi = fmin(away, 1.5);
        squares += psi * psi;
        inside += away <= 1.5;
    }
    if (squares <= 0)
        return 0;
    inside /= (double)n;
    double correction = 1 + (1 - inside) / inside / (double)n;
    double error = correction * sigma * sqrt(squares / (double)(n - 1)) / inside / sqrt((double)n);
    return student(n - 1) * error;
}

double mean_of(const double *x, size_t n, double *stddev)
{
    double mean = 0, squares = 0; /* Welford's method, without cancellation */
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
    /* if the MAD is 0 (a coarse counter), other values must not all become outliers */
    double least = fmax(1, 0.001 * median);
    return median + 5 * fmax(sigma, least);
}
