/*
 * Fits with groups left out, and with groups drawn: many problems that differ little from that of all rows.
 *
 *  by several threads    each has a copy of the fitter; every solve starts at the solution of all rows, so that nothing
 *                        depends on who solves what
 *  nnls                  by normal equations (gram.h), and by QR where these refuse
 *  ols, rows left out    without a fit: the residuals of a fold's rows by the fit on the others are (I - H_ff)^-1 e_f,
 *                        where e are those of the fit on all and H = A (A'A)^-1 A' (Cook, Weisberg, Residuals and
 *                        Influence in Regression, 1982, 2.2); where I - H_ff is nearly singular the rows of the fold
 *                        decide some value alone, and the rest is fitted again
 */
#include "regress/validate/validate.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/random.h"
#include "regress/solve/decompose.h"
#include "regress/solve/gram.h"
#include "regress/solve/lapack.h"
#include "regress/solve/parallel.h"
#include "regress/solve/error_stats.h"

size_t *validate_each_group(const struct fitter *f)
{
    size_t *fold = xcalloc(f->n_groups, sizeof *fold);
    for (size_t g = 0; g < f->n_groups; g++)
        fold[g] = g;
    return fold;
}

enum status validate_each_domain(size_t **fold, size_t *folds, const struct fitter *f, struct error *e)
{
    const struct regress_data *d = f->table->data;
    if (!d->domains)
        return error_set(e, ERR_INPUT, AT_FILE(d->path),
                         "no row says its domain, so none can be left out; give the samples' manifests with "
                         "--domains FILE,..., or a column 'domain'");
    struct map domains = {0};
    enum status s = OK;
    *fold = xcalloc(f->n_groups, sizeof **fold);
    for (size_t i = 0; !s && i < f->n; i++) {
        size_t row = f->row[i], first = f->row[f->first[f->group[i]]];
        if (strcmp(d->domains[row], d->domains[first]) != 0)
            s = error_set(e, ERR_INPUT, AT(d->path, d->lines[row]), "'%s' is of the domain '%s', but '%s' of '%s'",
                          d->labels[row], d->domains[row], d->labels[first], d->domains[first]);
        char *name = *d->domains[row] ? xasprintf("domain %s", d->domains[row])
                                      : xasprintf("program %s", d->group_names[d->groups[row]]);
        (*fold)[f->group[i]] = map_number(&domains, name);
        free(name);
    }
    *folds = domains.n;
    map_release(&domains);
    return s;
}

size_t *validate_assign_folds(const struct fitter *f, size_t folds, uint64_t seed)
{
    size_t *fold = xcalloc(f->n_groups, sizeof *fold);
    struct random r = random_start(seed);
    random_order(&r, fold, f->n_groups);
    for (size_t g = 0; g < f->n_groups; g++)
        fold[g] %= folds;
    return fold;
}

/* ---- solving in several threads ---- */

struct solving {
    struct fitter *f; /* the caller's, which the first worker uses */
    size_t workers;
    struct fitter **own; /* one for each worker */
    struct gram *gram;   /* NULL: the solver is not nnls */
    struct gram_work **gram_work;
    double **weight, **row_weight, **x; /* of each worker: by group, by row, by variable */
    double *start;                      /* the solution for all rows */
};

/* Makes the problem of all rows, scaled, column by column. */
static struct gram *gram_of(const struct fitter *f)
{
    double *a = xcalloc(f->n * f->p, sizeof *a), *b = xcalloc(f->n, sizeof *b);
    for (size_t i = 0; i < f->n; i++) {
        b[i] = f->target[i] * f->scale[i];
        for (size_t j = 0; j < f->p; j++)
            a[j * f->n + i] = f->table->counts[f->row[i] * f->p + j] * f->scale[i];
    }
    struct gram *g = gram_new(f->n, f->p, a, b);
    free(a);
    free(b);
    return g;
}

static void solving_release(struct solving *s)
{
    for (size_t w = 0; w < s->workers; w++) {
        if (w)
            fitter_free(s->own[w]);
        gram_work_free(s->gram_work[w]);
        free(s->weight[w]);
        free(s->row_weight[w]);
        free(s->x[w]);
    }
    gram_free(s->gram);
    free(s->own);
    free(s->gram_work);
    free(s->weight);
    free(s->row_weight);
    free(s->x);
    free(s->start);
}

static enum status solving_init(struct solving *s, struct fitter *f, size_t n, struct error *e)
{
    *s = (struct solving){.f = f, .workers = parallel_workers(f->jobs, n)};
    s->own = xcalloc(s->workers, sizeof(struct fitter *));
    s->gram_work = xcalloc(s->workers, sizeof(struct gram_work *));
    s->weight = xcalloc(s->workers, sizeof(double *));
    s->row_weight = xcalloc(s->workers, sizeof(double *));
    s->x = xcalloc(s->workers, sizeof(double *));
    s->start = xcalloc(f->p, sizeof *s->start);
    s->gram = strcmp(f->solver->name, "nnls") == 0 ? gram_of(f) : 0;
    for (size_t w = 0; w < s->workers; w++) {
        s->own[w] = w ? fitter_copy(f) : f;
        s->gram_work[w] = s->gram ? gram_work_new(s->gram) : 0;
        s->weight[w] = xcalloc(f->n_groups, sizeof(double));
        s->row_weight[w] = xcalloc(f->n, sizeof(double));
        s->x[w] = xcalloc(f->p, sizeof(double));
    }
    return f->solver->start ? fitter_solve(f, 0, s->start, 0, e) : OK;
}

/* The groups' weights are in weight[worker]. */
static enum status solve(struct solving *s, size_t worker, double *x, struct error *e)
{
    const struct fitter *f = s->f;
    memcpy(x, s->start, f->p * sizeof *x);
    if (s->gram) {
        for (size_t i = 0; i < f->n; i++)
            s->row_weight[worker][i] = s->weight[worker][f->group[i]];
        if (gram_nnls(s->gram, s->gram_work[worker], s->row_weight[worker], x))
            return OK;
    }
    fitter_start(s->own[worker], s->start);
    return fitter_solve(s->own[worker], s->weight[worker], x, 0, e);
}

/* ---- folds ---- */

struct folds {
    struct solving solving;
    const size_t *fold;
    size_t *first, *row; /* rows of fold k: row[first[k]] .. row[first[k + 1] - 1] */
    bool *done;          /* folds that needed no fit */
    double *estimates;   /* for each row; NULL: not wanted */
    double *values;      /* folds x p; NULL: not wanted */
};

static void list_rows(struct folds *v, const struct fitter *f, size_t folds)
{
    v->first = xcalloc(folds + 2, sizeof *v->first);
    v->row = xcalloc(f->n, sizeof *v->row);
    for (size_t i = 0; i < f->n; i++)
        v->first[v->fold[f->group[i]] + 2]++;
    for (size_t k = 1; k <= folds; k++)
        v->first[k + 1] += v->first[k];
    for (size_t i = 0; i < f->n; i++)
        v->row[v->first[v->fold[f->group[i]] + 1]++] = i;
}

static enum status fit_without(void *context, size_t worker, size_t k, struct error *e)
{
    struct folds *v = context;
    struct solving *s = &v->solving;
    const struct fitter *f = s->f;
    if (v->done[k])
        return OK;
    for (size_t g = 0; g < f->n_groups; g++)
        s->weight[worker][g] = v->fold[g] != k;
    enum status status = solve(s, worker, s->x[worker], e);
    if (v->values)
        memcpy(v->values + k * f->p, s->x[worker], f->p * sizeof *v->values);
    for (size_t at = v->first[k]; !status && v->estimates && at < v->first[k + 1]; at++)
        v->estimates[v->row[at]] = fitter_estimate(f, v->row[at], s->x[worker]);
    return status;
}

/* ---- ordinary least squares with rows left out ---- */

#define CERTAIN 1e-4 /* smallest 1 - leverage of a fold's rows for which this is used */

/* Estimates a fold's m rows. u: r orthonormal columns that span A's range. */
static bool close_fold(struct folds *v, const struct fitter *f, size_t k, const double *u, size_t r, const double *e,
                       double *h, double *d)
{
    const size_t *row = v->row + v->first[k];
    size_t m = v->first[k + 1] - v->first[k];
    for (size_t a = 0; a < m; a++) {
        d[a] = e[row[a]];
        for (size_t b = 0; b <= a; b++)
            h[b * m + a] = (a == b) - cblas_ddot((int)r, u + row[a], (int)f->n, u + row[b], (int)f->n);
    }
    if (!isfinite(lapack_cholesky(m, h)))
        return false;
    for (size_t a = 0; a < m; a++)
        if (!(h[a * m + a] * h[a * m + a] > CERTAIN))
            return false;
    lapack_solve(m, h, d);
    for (size_t a = 0; a < m; a++)
        v->estimates[row[a]] = f->target[row[a]] - d[a] / f->scale[row[a]];
    return true;
}

/* U = A V S^-1 (n x rank), and the residual of b. */
static double *range_of(const struct decomposition *d, double *rest)
{
    double *u = xcalloc(d->n * d->rank, sizeof *u);
    for (size_t i = 0; i < d->rank; i++) {
        cblas_dgemv(CblasColMajor, CblasNoTrans, (int)d->n, (int)d->p, 1 / d->values[i], d->a, (int)d->n, d->vt + i,
                    (int)d->p, 0, u + i * d->n, 1);
        cblas_daxpy((int)d->n, -cblas_ddot((int)d->n, u + i * d->n, 1, rest, 1), u + i * d->n, 1, rest, 1);
    }
    return u;
}

static size_t present(const struct fitter *f, const double *scaled)
{
    size_t n = 0;
    for (size_t j = 0; j < f->p; j++)
        n += cblas_dnrm2((int)f->n, scaled + j * f->n, 1) > 0;
    return n;
}

/* Used if the columns are independent, and for folds of few rows. */
static enum status close_folds(struct folds *v, const struct fitter *f, size_t folds, struct error *e)
{
    double *scaled = fitter_scaled(f), *rest = xcalloc(f->n, sizeof *rest);
    struct decomposition d = {0};
    enum status s = decompose(&d, scaled, f->n, f->p, true, e);
    if (!s && d.rank == present(f, scaled)) {
        for (size_t i = 0; i < f->n; i++)
            rest[i] = f->target[i] * f->scale[i];
        double *u = range_of(&d, rest), *h = xcalloc(f->p * f->p, sizeof *h), *x = xcalloc(f->p, sizeof *x);
        for (size_t k = 0; k < folds; k++)
            if (v->first[k + 1] - v->first[k] <= f->p)
                v->done[k] = close_fold(v, f, k, u, d.rank, rest, h, x);
        free(u);
        free(h);
        free(x);
    }
    release_decomposition(&d);
    free(scaled);
    free(rest);
    return s;
}

static enum status leave_out(struct folds *v, struct fitter *f, size_t folds, struct error *e)
{
    v->done = xcalloc(folds, sizeof *v->done);
    list_rows(v, f, folds);
    enum status s = solving_init(&v->solving, f, folds, e);
    if (!s && !v->values && strcmp(f->solver->name, "ols") == 0 && f->n > f->p)
        s = close_folds(v, f, folds, e);
    if (!s)
        s = parallel_run(v->solving.workers, folds, fit_without, v, e);
    solving_release(&v->solving);
    free(v->first);
    free(v->row);
    free(v->done);
    return s;
}

enum status validate_folds(struct fitter *f, const size_t *fold, size_t folds, double *estimates, struct error *e)
{
    struct folds v = {.fold = fold, .estimates = estimates};
    return leave_out(&v, f, folds, e);
}

enum status validate_values(struct fitter *f, const size_t *fold, size_t folds, double *values, struct error *e)
{
    struct folds v = {.fold = fold, .values = values};
    return leave_out(&v, f, folds, e);
}

/* ---- the bootstrap ---- */

static void draw(struct random *r, double *weight, size_t groups)
{
    memset(weight, 0, groups * sizeof *weight);
    for (size_t k = 0; k < groups; k++)
        weight[random_below(r, groups)]++;
}

/* Sets values of variables that no drawn row has to NAN. */
static void blank_absent(const struct fitter *f, const double *weight, double *x, bool *present)
{
    memset(present, 0, f->p * sizeof *present);
    for (size_t i = 0; i < f->n; i++)
        for (size_t j = 0; weight[f->group[i]] > 0 && j < f->p; j++)
            present[j] |= f->table->counts[f->row[i] * f->p + j] != 0;
    for (size_t j = 0; j < f->p; j++)
        if (!present[j])
            x[j] = NAN;
}

static void quantiles(const double *draws, size_t resamples, size_t p, size_t j, double *scratch, double *low,
                      double *high)
{
    size_t n = 0;
    for (size_t k = 0; k < resamples; k++)
        if (!isnan(draws[k * p + j]))
            scratch[n++] = draws[k * p + j];
    if (!n)
        return;
    stats_sort(scratch, n);
    *low = fmin(*low, stats_quantile(scratch, n, 0.05));
    *high = fmax(*high, stats_quantile(scratch, n, 0.95));
}

struct resampling {
    struct solving solving;
    struct random *random; /* of each worker: each draws all samples, and solves only its own */
    size_t *drawn;
    bool **present;
    double *draws;
};

static enum status fit_resample(void *context, size_t worker, size_t k, struct error *e)
{
    struct resampling *v = context;
    struct solving *s = &v->solving;
    double *x = v->draws + k * s->f->p;
    for (; v->drawn[worker] <= k; v->drawn[worker]++)
        draw(&v->random[worker], s->weight[worker], s->f->n_groups);
    enum status status = solve(s, worker, x, e);
    if (!status)
        blank_absent(s->f, s->weight[worker], x, v->present[worker]);
    return status;
}

static enum status resample(struct resampling *v, struct fitter *f, size_t resamples, struct error *e)
{
    enum status s = solving_init(&v->solving, f, resamples, e);
    size_t workers = v->solving.workers;
    v->random = xcalloc(workers, sizeof *v->random);
    v->drawn = xcalloc(workers, sizeof *v->drawn);
    v->present = xcalloc(workers, sizeof(bool *));
    for (size_t w = 0; w < workers; w++) {
        v->random[w] = random_start(f->seed);
        v->present[w] = xcalloc(f->p, sizeof(bool));
    }
    if (!s)
        s = parallel_run(workers, resamples, fit_resample, v, e);
    for (size_t w = 0; w < workers; w++)
        free(v->present[w]);
    free(v->present);
    free(v->random);
    free(v->drawn);
    solving_release(&v->solving);
    return s;
}

enum status validate_bootstrap(struct fitter *f, const double *values, double strength, size_t resamples, double *low,
                               double *high, struct error *e)
{
    double *scratch = xcalloc(resamples, sizeof *scratch);
    struct resampling v = {.draws = xcalloc(resamples * f->p, sizeof *v.draws)};
    double asked = f->strength;
    f->strength = isnan(strength) ? asked : strength;
    enum status s = resamples ? resample(&v, f, resamples, e) : OK;
    f->strength = asked;
    memcpy(low, values, f->p * sizeof *low);
    memcpy(high, values, f->p * sizeof *high);
    for (size_t j = 0; !s && j < f->p; j++)
        quantiles(v.draws, resamples, f->p, j, scratch, &low[j], &high[j]);
    free(v.draws);
    free(scratch);
    return s;
}
