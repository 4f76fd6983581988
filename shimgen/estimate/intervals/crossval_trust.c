/* crossval_trust.c - how many left-out rows are inside the intervals, and are rows with warnings worse? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/program_name.h"
#include "regress/solve/error_stats.h"
#include "regress/validate/conformal.h"
#include "shimgen/estimate/intervals/crossval_estimators.h"
#include "shimgen/estimate/tune/schedule_model.h"

/* A warning is informative if the rows with it have this many times larger errors in the median. */
static const double telling = 1.5;

static bool is_of_level(const struct regress_data *d, size_t row, const char *level)
{
    const char *own = program_level(d->programs[row]);
    return !level || (own && strcmp(own, level) == 0);
}

/* ---- intervals ---- */

/* The rows that an interval is for: of one kind of code (REGRESS_CODES: unknown). For method schedule, short runs and
 * others are separate, as in its files. */
enum run { ALL_RUNS, SHORT_RUNS, LONG_RUNS };
struct rows {
    enum regress_code code;
    enum run run;
};

static enum run run_of(const struct crossval *c, const struct crossval_line *l, size_t row)
{
    double estimate = c->measured[row] * (1 + l->held_out[row]);
    return estimate < SCHEDULE_SHORT_RUN ? SHORT_RUNS : LONG_RUNS;
}

static bool are_among(const struct crossval *c, const struct regress_data *d, const struct crossval_line *l, size_t row,
                      struct rows rows)
{
    return regress_code_of(d->programs[row]) == rows.code && (rows.run == ALL_RUNS || run_of(c, l, row) == rows.run);
}

/* all rows: no fold is left out */
static const size_t no_fold = REGRESS_NONE;

static struct conformal interval_without(const struct crossval *c, const struct regress_data *d,
                                         const struct crossval_line *l, size_t fold, struct rows rows)
{
    double *errors = xcalloc(d->n, sizeof *errors);
    for (size_t i = 0; i < d->n; i++)
        errors[i] = c->fold[i] != fold && are_among(c, d, l, i, rows) ? l->held_out[i] : (double)NAN;
    struct conformal interval = conformal_of(errors, d->groups, d->n, d->n_groups);
    free(errors);
    return interval;
}

/* The interval of such a row: from similar runs if there are enough of both kinds, else from all. */
static struct conformal interval_for(const struct crossval *c, const struct regress_data *d,
                                     const struct crossval_line *l, size_t row, enum regress_code code)
{
    size_t fold = c->fold[row];
    struct conformal all = interval_without(c, d, l, fold, (struct rows){code, ALL_RUNS});
    if (!l->divides_runs)
        return all;
    struct conformal brief = interval_without(c, d, l, fold, (struct rows){code, SHORT_RUNS}),
                     rest = interval_without(c, d, l, fold, (struct rows){code, LONG_RUNS});
    bool enough = brief.level >= CONFORMAL_LEVEL && rest.level >= CONFORMAL_LEVEL;
    return !enough ? all : run_of(c, l, row) == SHORT_RUNS ? brief : rest;
}

/* P(X <= k) of n trials. */
static double binomial_up_to(size_t k, size_t n, double p)
{
    double sum = 0;
    if (p <= 0 || k >= n)
        return 1;
    if (p >= 1)
        return 0;
    for (size_t i = 0; i <= k; i++)
        sum += exp(lgamma((double)n + 1) - lgamma((double)i + 1) - lgamma((double)(n - i) + 1) + (double)i * log(p) +
                   (double)(n - i) * log1p(-p));
    return fmin(sum, 1);
}

/* The p for which at most k successes have this probability; it decreases with p. */
static double binomial_p(size_t k, size_t n, double probability)
{
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        double p = (low + high) / 2;
        *(binomial_up_to(k, n, p) > probability ? &low : &high) = p;
    }
    return low;
}

static void count_row(struct crossval_coverage *v, double *width, const struct conformal *interval, double error)
{
    double low, high, measured = 1 / (1 + error); /* relative to the estimate */
    conformal_bound(1, interval, &low, &high);
    width[v->n++] = isnan(low) || isnan(high) ? INFINITY : high / low;
    v->within += !(measured < low) && !(measured > high);
}

struct crossval_coverage crossval_coverage(const struct crossval *c, const struct regress_data *d,
                                           const struct crossval_line *l, const char *level)
{
    struct crossval_coverage v = {.low = NAN, .high = NAN, .width = NAN};
    double *width = xcalloc(d->n, sizeof *width);
    for (size_t i = 0; i < d->n; i++) {
        if (isnan(l->held_out[i]) || !is_of_level(d, i, level) || !(l->held_out[i] > -1))
            continue;
        struct conformal interval = interval_for(c, d, l, i, regress_code_of(d->programs[i]));
        if (interval.level > 0)
            count_row(&v, width, &interval, l->held_out[i]);
    }
    if (v.n) {
        stats_sort(width, v.n);
        v.width = width[v.n / 2];
        v.low = v.within ? binomial_p(v.within - 1, v.n, 0.975) : 0;
        v.high = v.within < v.n ? binomial_p(v.within, v.n, 0.025) : 1;
    }
    free(width);
    return v;
}

/* ---- warnings ---- */

static double median(double *sizes, size_t n)
{
    stats_sort(sizes, n);
    return n ? (sizes[(n - 1) / 2] + sizes[n / 2]) / 2 : (double)NAN;
}

struct crossval_doubt crossval_doubt(const struct regress_data *d, const struct crossval_line *l, const char *level,
                                     enum estimate_doubt doubt)
{
    struct crossval_doubt r = {0};
    double *with = xcalloc(d->n, sizeof *with), *without = xcalloc(d->n, sizeof *without);
    for (size_t i = 0; i < d->n; i++) {
        if (isnan(l->held_out[i]) || !is_of_level(d, i, level))
            continue;
        if (l->doubts[i] >> doubt & 1)
            with[r.with++] = fabs(l->held_out[i]);
        else
            without[r.without++] = fabs(l->held_out[i]);
    }
    r.median_with = median(with, r.with);
    r.median_without = median(without, r.without);
    free(with);
    free(without);
    return r;
}

/* ---- text ---- */

static void print_coverage(FILE *f, const struct crossval *c, const struct regress_data *d, const char *level)
{
    for (size_t i = 0; i < c->n; i++) {
        const struct crossval_line *l = &c->lines[i];
        struct crossval_coverage v = crossval_coverage(c, d, l, level);
        if (l->unavailable || !v.n)
            continue;
        fprintf(f, "%-5s  %-12s  %-8s %-7s %6zu %8.1f   %5.1f to %5.1f  %s %9.2f\n", level ? level : "all", l->method,
                l->classes, l->solver, v.n, 100 * (double)v.within / (double)v.n, 100 * v.low, 100 * v.high,
                v.low <= 0.9 && v.high >= 0.9 ? "yes" : "no ", v.width);
    }
}

/* Prints what a new program takes relative to its estimate: the interval from all left-out rows. */
static void print_interval(FILE *f, const struct crossval *c, const struct regress_data *d, size_t line,
                           enum regress_code code)
{
    const struct crossval_line *l = &c->lines[line];
    double low, high;
    struct conformal v = interval_without(c, d, l, no_fold, (struct rows){code, ALL_RUNS});
    conformal_bound(1, &v, &low, &high);
    if (!l->unavailable && v.level > 0)
        fprintf(f, "%-11s  %-12s  %-8s %-7s %8.4g %8.4g %8.4g\n", conformal_codes[code], l->method, l->classes,
                l->solver, v.level, low, high);
}

static void print_doubts(FILE *f, const struct crossval *c, const struct regress_data *d, const char *level)
{
    for (size_t i = 0; i < c->n; i++)
        for (unsigned k = 0; k < DOUBTS; k++) {
            const struct crossval_line *l = &c->lines[i];
            struct crossval_doubt r = crossval_doubt(d, l, level, (enum estimate_doubt)k);
            if (l->unavailable || !r.with)
                continue;
            double times = r.median_with / r.median_without;
            fprintf(f, "%-5s  %-12s  %-8s %-32s %6zu %8.1f %9zu %8.1f %8.2f  %s\n", level ? level : "all", l->method,
                    l->classes, estimate_doubt_name((enum estimate_doubt)k), r.with, 100 * r.median_with, r.without,
                    100 * r.median_without, times, times >= telling ? "tells" : "does not tell");
        }
}

void crossval_print_trust(FILE *f, const struct crossval *c, const struct crossval_spec *spec, char *const *levels,
                          size_t n_levels)
{
    fprintf(f,
            "\n90 %% intervals, each from the errors of the other folds\n%-5s  %-12s  %-8s %-7s %6s %8s   %-14s  %s\n",
            "level", "method", "classes", "solver", "rows", "within %", "95 % interval",
            "holds 90; median width (high/low)");
    for (size_t v = 0; v <= n_levels; v++)
        print_coverage(f, c, spec->data, v ? levels[v - 1] : 0);
    fprintf(
        f,
        "\nintervals of all rows left out: a program takes `low` to `high` times its estimate\n%-11s  %-12s  %-8s %-7s "
        "%8s %8s %8s\n",
        "code", "method", "classes", "solver", "level", "low", "high");
    for (unsigned code = 0; code < REGRESS_CODES; code++)
        for (size_t i = 0; i < c->n; i++)
            print_interval(f, c, spec->data, i, (enum regress_code)code);
    fprintf(f, "\nwarnings: median error [%%] of rows with and without\n%-5s  %-12s  %-8s %-32s %6s %8s %9s %8s %8s\n",
            "level", "method", "classes", "warning", "with", "error", "without", "error", "times");
    for (size_t v = 0; v <= n_levels; v++)
        print_doubts(f, c, spec->data, v ? levels[v - 1] : 0);
}
