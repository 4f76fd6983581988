/* leverage.c - leverage: is a program like those that the model was fitted on? */
#include "shimgen/estimate/intervals/leverage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "shimgen/estimate/roles.h"

static const double no_part = 1e-6; /* of a unit vector */

/* Counts of a program's variables from those of its keys. */
static void add_count(double *counts, const struct regress_model *m, size_t key, double count)
{
    size_t variable = m->keys[key].variable;
    if (variable != REGRESS_NONE && !m->values[variable].formula)
        counts[variable] += count;
}

/* What the model estimates; 1 where the fit did not divide. */
static double scale_of(const struct regress_model *m, const double *counts)
{
    double cycles = 0;
    for (size_t j = 0; j < m->n_values && !m->absolute; j++)
        cycles += counts[j] * m->values[j].value;
    return m->absolute ? 1 : cycles;
}

static double leverage_by(const struct leverage *l, const double *counts, double cycles)
{
    const struct decomposition *d = &l->rows;
    double size = 0, outside = 0, h = 0;
    if (!(cycles > 0))
        return NAN;
    double *x = xcalloc(d->p, sizeof *x);
    for (size_t j = 0; j < d->p; j++) {
        x[j] = l->lengths[j] > 0 ? counts[j] / cycles / l->lengths[j] : 0;
        size += x[j] * x[j];
    }
    for (size_t i = 0; i < d->p; i++) {
        double u = 0;
        for (size_t j = 0; j < d->p; j++)
            u += x[j] * d->vt[j * d->p + i];
        if (i < d->rank)
            h += pow(u / d->values[i], 2);
        else
            outside += u * u;
    }
    free(x);
    return outside > no_part * no_part * size ? INFINITY : h;
}

double leverage_of(const struct leverage *l, const double *counts)
{
    return leverage_by(l, counts, scale_of(l->model, counts));
}

/* The rows of the fit, told by what the model notes of their choice. */
static enum status choose(struct regress_rows *rows, struct regress_data *d, const struct regress_model *m,
                          struct error *e)
{
    bool by_role = strcmp(m->selection, "role train") == 0;
    enum status s = by_role ? roles_describe(d, 0, e)
                            : regress_rows_select(rows, d, strcmp(m->selection, "*") == 0 ? 0 : m->selection, e);
    if (!s && by_role) {
        rows->at = xcalloc(d->n, sizeof *rows->at);
        for (size_t i = 0; i < d->n; i++)
            if (!roles_test(d, i))
                rows->at[rows->n++] = i;
    }
    if (!s && rows->n != m->n_rows)
        s = error_set(e, ERR_INPUT, AT_FILE(d->path), "the model was fitted on %zu of its rows, and these are %zu",
                      m->n_rows, rows->n);
    return s;
}

/* n x p, row by row. */
static double *count_rows(const struct regress_data *d, const struct regress_rows *rows, const struct regress_model *m)
{
    double *counts = xcalloc(rows->n * m->n_values, sizeof *counts);
    for (size_t k = 0; k < m->n_keys; k++) {
        size_t column;
        if (!regress_data_column(d, m->keys[k].key, &column))
            continue;
        for (size_t i = 0; i < rows->n; i++)
            add_count(counts + i * m->n_values, m, k, d->values[rows->at[i] * d->cols + column]);
    }
    return counts;
}

/* As the fit scaled them: rows divided by their target, columns by their length. Column by column. */
static enum status scale_rows(struct leverage *l, double **scaled, const double *counts, const struct regress_data *d,
                              const struct regress_rows *rows, struct error *e)
{
    size_t p = l->model->n_values, target;
    if (!regress_data_column(d, l->model->target, &target))
        return error_set(e, ERR_INPUT, AT_FILE(d->path), "it has no column '%s'", l->model->target);
    double *a = *scaled = xcalloc(rows->n * p, sizeof *a);
    l->lengths = xcalloc(p, sizeof *l->lengths);
    for (size_t j = 0; j < p; j++) {
        double sum = 0;
        for (size_t i = 0; i < rows->n; i++) {
            double divisor = l->model->absolute ? 1 : d->values[rows->at[i] * d->cols + target];
            a[j * rows->n + i] = counts[i * p + j] / divisor;
            sum += pow(a[j * rows->n + i], 2);
        }
        l->lengths[j] = sqrt(sum);
        for (size_t i = 0; i < rows->n && sum > 0; i++)
            a[j * rows->n + i] /= l->lengths[j];
    }
    return OK;
}

/* The largest leverage of the fit's own rows, which are scaled already. */
static double largest_of(const struct decomposition *d)
{
    double largest = 0;
    for (size_t row = 0; row < d->n; row++) {
        double h = 0;
        for (size_t i = 0; i < d->rank; i++) {
            double u = 0;
            for (size_t j = 0; j < d->p; j++)
                u += d->a[j * d->n + row] * d->vt[j * d->p + i];
            h += pow(u / d->values[i], 2);
        }
        largest = fmax(largest, h);
    }
    return largest;
}

static enum status take_rows(struct leverage *l, const struct regress_data *d, const struct regress_rows *rows,
                             struct error *e)
{
    double *counts = count_rows(d, rows, l->model), *scaled = 0;
    enum status s = scale_rows(l, &scaled, counts, d, rows, e);
    if (!s)
        s = decompose(&l->rows, scaled, rows->n, l->model->n_values, true, e);
    if (!s)
        l->largest = largest_of(&l->rows);
    l->n = rows->n;
    free(counts);
    free(scaled);
    return s;
}

enum status leverage_make(struct leverage *out, const struct regress_model *m, const char *dataset, struct error *e)
{
    struct regress_data *d = 0;
    struct regress_rows rows = {0};
    *out = (struct leverage){.model = m};
    enum status s = regress_data_read(&d, dataset, e);
    if (!s && d->hash != m->data_hash)
        s = error_set(e, ERR_INPUT, AT_FILE(dataset), "the model was fitted on another table (%s)", m->data_name);
    if (!s)
        s = choose(&rows, d, m, e);
    if (!s)
        s = take_rows(out, d, &rows, e);
    free(rows.at);
    regress_data_free(d);
    return s;
}

void leverage_release(struct leverage *l)
{
    release_decomposition(&l->rows);
    free(l->lengths);
    *l = (struct leverage){0};
}

void leverage_note(struct estimate *est, const struct leverage *l)
{
    const struct irprof_profile *p = est->profile;
    const struct regress_model *m = l->model;
    struct map keys = {0};
    uint64_t *executed = xcalloc(p->n_keys, sizeof *executed);
    double *counts = xcalloc(m->n_values, sizeof *counts);
    irprof_key_counts(p, est->region, executed);
    for (size_t i = 0; i < m->n_keys; i++)
        map_put(&keys, m->keys[i].key, i);
    for (size_t i = 0; i < p->n_keys; i++) {
        size_t key;
        if (map_get(&keys, p->keys[i], &key))
            add_count(counts, m, key, (double)executed[i]);
    }
    double h = leverage_of(l, counts);
    if (isinf(h))
        estimate_note(est,
                      "outside what the model was fitted on: no mix of its %zu rows has the instructions in such "
                      "proportions",
                      l->n);
    else if (h > l->largest * (1 + no_part))
        estimate_note(est, "outside what the model was fitted on: leverage %.3g, the largest of its %zu rows has %.3g",
                      h, l->n, l->largest);
    map_release(&keys);
    free(executed);
    free(counts);
}
