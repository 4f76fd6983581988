/*
 * run_time.c - R = 100 (T2 - T1) / T1 over pairs of runs; T1 of the original, T2 of the stamped program. Reports the
 * median and an interval of at least 95 % for it by order statistics: with n pairs, the interval from the k-th smallest
 * to the k-th largest misses the median with probability 2 P(B < k), B binomial with n and 1/2 (Conover, Practical
 * Nonparametric Statistics, 3.2).
 */
#include <math.h>
#include <stdlib.h>

#include "irprof/prove/executed.h"

enum { LEAST_PAIRS = 6 }; /* with fewer pairs even the whole range is no 95 % interval */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The largest k with 2 P(B < k) <= 0.05. */
static size_t rank_of(size_t n)
{
    double term = pow(0.5, (double)n), below = 0;
    size_t k = 0;
    while (2 * (below + term) <= 0.05) {
        below += term;
        term *= (double)(n - k) / (double)(k + 1);
        k++;
    }
    return k;
}

void time_judge(struct prove_finding *f, double *percent, size_t n, double most)
{
    if (n < LEAST_PAIRS) {
        *f = (struct prove_finding){
            PROVE_NOT, xasprintf("not measured often enough: an interval needs %d pairs of runs", LEAST_PAIRS)};
        return;
    }
    qsort(percent, n, sizeof *percent, by_value);
    size_t k = rank_of(n);
    double low = percent[k - 1], high = percent[n - k];
    double median = n % 2 ? percent[n / 2] : (percent[n / 2 - 1] + percent[n / 2]) / 2;
    enum prove_verdict v = high <= most ? PROVE_HOLDS : low > most ? PROVE_DOES_NOT : PROVE_NOT;
    *f = (struct prove_finding){
        v, xasprintf("R = %.2f %%, from %.2f to %.2f %% (median of %zu pairs, 95 %%); allowed: %g %%", median, low,
                     high, n, most)};
}
