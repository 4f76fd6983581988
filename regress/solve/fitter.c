/* fitter.c - repeated fits of one scaled table, with groups of rows left out or resampled. */
#include "regress/solve/fitter.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "regress/solve/lapack.h"

#define MOST_CELLS ((size_t)1 << 28) /* limit on a scaled table: 2 GiB */

void fitter_free(struct fitter *f)
{
    if (!f)
        return;
    if (f->work)
        f->solver->work_free(f->work);
    if (!f->shares) {
        free(f->row);
        free(f->group);
        free(f->first);
        free(f->target);
        free(f->scale);
    }
    free(f->a);
    free(f->b);
    free(f->a_group);
    free(f);
}

struct fitter *fitter_copy(const struct fitter *f)
{
    struct fitter *c = xmemdup(f, sizeof *f);
    c->shares = true;
    c->a = xcalloc(f->n * f->p, sizeof *c->a);
    c->b = xcalloc(f->n, sizeof *c->b);
    c->a_group = xcalloc(f->n, sizeof *c->a_group);
    c->work = f->solver->work_new(f->n, f->p);
    return c;
}

void fitter_start(struct fitter *f, const double *x)
{
    if (f->solver->start)
        f->solver->start(f->work, x, f->p);
}

enum status fitter_find_target(const struct regress_data *d, const char *target, size_t *column, struct error *e)
{
    if (regress_data_column(d, target, column))
        return OK;
    const char *near = nearest_word(target, (const char *const *)d->names, d->cols);
    return error_set(e, ERR_INPUT, AT_FILE(d->path), "there is no column '%s' to fit%s%s%s; name one with --target",
                     target, near ? " (there is '" : "", near ? near : "", near ? "')" : "");
}

/* Numbers the rows' groups from 0. */
static void number_groups(struct fitter *f, const struct regress_data *d)
{
    size_t *number = xcalloc(d->n_groups, sizeof *number);
    for (size_t i = 0; i < f->n; i++) {
        size_t *g = &number[d->groups[f->row[i]]];
        if (*g == 0) {
            f->first[f->n_groups] = i;
            *g = ++f->n_groups;
        }
        f->group[i] = *g - 1;
    }
    free(number);
}

static enum status take_targets(struct fitter *f, const struct regress_data *d, size_t column, struct error *e)
{
    double squares = 0;
    for (size_t i = 0; i < f->n; i++) {
        size_t row = f->row[i];
        double y = d->values[row * d->cols + column];
        if (isnan(y))
            return error_set(e, ERR_INPUT, AT(d->path, d->lines[row]), "'%s' has no value in column '%s'",
                             d->labels[row], d->names[column]);
        if (!f->absolute && !(y > 0))
            return error_set(e, ERR_INPUT, AT(d->path, d->lines[row]),
                             "'%s' has %s = %g: a relative fit needs a target above 0 (leave the row out, or take "
                             "--scale none)",
                             d->labels[row], d->names[column], y);
        f->target[i] = y;
        f->scale[i] = f->absolute ? 1 : 1000 / y; /* every program's total becomes 1000 */
        if (!isfinite(f->scale[i]))
            return error_set(e, ERR_INPUT, AT(d->path, d->lines[row]), "'%s' has %s = %g: too small to divide by",
                             d->labels[row], d->names[column], y);
        squares += y * f->scale[i] * y * f->scale[i];
    }
    f->unit = sqrt(squares / (double)f->n);
    return OK;
}

/* Some counts must be non-zero, and none may overflow when its row is scaled. */
static enum status check_counts(const struct fitter *f, struct error *e)
{
    const struct table *t = f->table;
    const struct regress_data *d = t->data;
    bool any = false;
    for (size_t i = 0; i < f->n; i++)
        for (size_t j = 0; j < f->p; j++) {
            double count = t->counts[f->row[i] * t->p + j];
            any |= count != 0;
            if (!isfinite(count * f->scale[i]))
                return error_set(e, ERR_INPUT, AT(d->path, d->lines[f->row[i]]),
                                 "'%s' has %g of '%s': too large to be fitted to its target of %g",
                                 d->labels[f->row[i]], count, t->classes->variables[j].name, f->target[i]);
        }
    if (any)
        return OK;
    return error_set(e, ERR_INPUT, AT_FILE(t->data->path), "every count of every row is 0: there is nothing to fit");
}

enum status fitter_new(struct fitter **out, const struct table *t, const struct regress_rows *rows,
                       const struct solver *solver, const struct regress_settings *settings, struct error *e)
{
    const struct regress_data *d = t->data;
    size_t column, n = rows ? rows->n : d->n;
    enum status s = fitter_find_target(d, settings->target ? settings->target : "cycles", &column, e);
    if (s)
        return s;
    if (n == 0)
        return error_set(e, ERR_INPUT, AT_FILE(d->path), "there are no rows to fit on");
    if (n > MOST_CELLS / t->p)
        return error_set(e, ERR_INPUT, AT_FILE(d->path), "%zu rows of %zu variables are too many (%zu numbers at most)",
                         n, t->p, MOST_CELLS);
    struct fitter *f = xcalloc(1, sizeof *f);
    *f = (struct fitter){.solver = solver, .table = t, .absolute = settings->absolute, .seed = settings->seed};
    f->strength = settings->strength;
    f->jobs = settings->jobs;
    f->n = n;
    f->p = t->p;
    f->row = xcalloc(n, sizeof *f->row);
    f->group = xcalloc(n, sizeof *f->group);
    f->first = xcalloc(n, sizeof *f->first);
    f->target = xcalloc(n, sizeof *f->target);
    f->scale = xcalloc(n, sizeof *f->scale);
    f->a = xcalloc(n * f->p, sizeof *f->a);
    f->b = xcalloc(n, sizeof *f->b);
    f->a_group = xcalloc(n, sizeof *f->a_group);
    for (size_t i = 0; i < n; i++)
        f->row[i] = rows ? rows->at[i] : i;
    number_groups(f, d);
    s = take_targets(f, d, column, e);
    if (!s)
        s = check_counts(f, e);
    if (s) {
        fitter_free(f);
        return s;
    }
    f->work = solver->work_new(n, f->p);
    *out = f;
    return OK;
}

/* Copies the rows with a weight to f->a and f->b. Returns their number. */
static size_t gather(struct fitter *f, const double *weight)
{
    const struct table *t = f->table;
    size_t n = 0, k = 0;
    for (size_t i = 0; i < f->n; i++)
        n += !weight || weight[f->group[i]] > 0;
    for (size_t i = 0; i < f->n; i++) {
        double w = weight ? weight[f->group[i]] : 1;
        if (!(w > 0))
            continue;
        double scale = f->scale[i] * sqrt(w);
        const double *counts = t->counts + f->row[i] * t->p;
        for (size_t j = 0; j < f->p; j++)
            f->a[j * n + k] = counts[j] * scale;
        f->b[k] = f->target[i] * scale;
        f->a_group[k++] = f->group[i];
    }
    return n;
}

enum status fitter_solve(struct fitter *f, const double *weight, double *x, double *strength, struct error *e)
{
    struct problem q = {.n = gather(f, weight), .p = f->p, .a = f->a, .b = f->b, .unit = f->unit, .group = f->a_group};
    q.variables = f->table->classes->variables;
    q.strength = f->strength;
    q.seed = f->seed;
    struct solution s = {x, NAN};
    enum status st =
        q.n ? f->solver->solve(f->work, &q, &s, e) : error_set(e, ERR_INPUT, NOWHERE, "there are no rows to fit on");
    if (!st && strength)
        *strength = s.strength;
    for (size_t j = 0; !st && j < f->p; j++)
        if (!isfinite(x[j]))
            st = error_set(e, ERR_INPUT, AT_FILE(f->table->data->path),
                           "the numbers are too large or too small to be fitted (the value of '%s' overflows)",
                           f->table->classes->variables[j].name);
    return st;
}

double fitter_estimate(const struct fitter *f, size_t i, const double *x)
{
    return cblas_ddot((int)f->p, f->table->counts + f->row[i] * f->p, 1, x, 1);
}

double fitter_error(const struct fitter *f, size_t i, const double *x)
{
    double y = f->target[i];
    return y != 0 ? (fitter_estimate(f, i, x) - y) / y : (double)NAN;
}

double *fitter_scaled(const struct fitter *f)
{
    double *a = xcalloc(f->n * f->p, sizeof *a);
    for (size_t j = 0; j < f->p; j++) {
        double *column = a + j * f->n;
        for (size_t i = 0; i < f->n; i++)
            column[i] = f->table->counts[f->row[i] * f->p + j] * f->scale[i];
        double length = cblas_dnrm2((int)f->n, column, 1);
        for (size_t i = 0; length > 0 && i < f->n; i++)
            column[i] /= length;
    }
    return a;
}

enum status fitter_rank(const struct fitter *f, size_t *rank, struct error *e)
{
    size_t most = f->n > f->p ? f->n : f->p, least = f->n + f->p - most;
    struct lapack_work *w = lapack_work_new(f->n, f->p);
    double *a = fitter_scaled(f), *values = xcalloc(least, sizeof *values);
    enum status s = lapack_svd(w, f->n, f->p, a, values, 0, e);
    *rank = 0;
    for (size_t i = 0; !s && i < least; i++)
        *rank += values[i] > values[0] * DBL_EPSILON * (double)most;
    free(values);
    free(a);
    lapack_work_free(w);
    return s;
}
