/*
 * The matrix is Z, Z_ij = c_ij w_j / y_i: the fraction of row i's cycles that variable j makes by its weight w_j, so
 * that its coefficient is 1 where the weight is right and errors are relative. A has Z's columns at length 1.
 *
 *  G = (A'A)^-1       by the singular value decomposition of A: V S^-2 V'
 *  Q = A G            its column j is what is left of column j when the others explain what they can, over its length
 *                     squared (Frisch, Waugh, Lovell): q_ij^2 is what row i brings to the information on j
 *  VIF of j           G_jj (Belsley, Kuh, Welsch, Regression Diagnostics, 1980, 3.2; not centred)
 *  standard error     the larger of sigma sqrt(G_jj), sigma^2 = |e|^2 / (n - rank), and that by programs, whose rows
 * are not independent: sqrt(m / (m - 1) sum over g of (sum over i in g of q_ij e_i)^2) (Liang, Zeger, Biometrika 73
 * (1986); the larger of the two: Angrist, Pischke, Mostly Harmless Econometrics, 2009, 8.2) likeness of j, k   -G_jk /
 * sqrt(G_jj G_kk), the correlation of the estimates; where they are not identified, the same of the projection on the
 * null space effective          (sum s)^2 / sum s^2 over programs, s the sum of q_ij^2 (of c_ij^2 / y_i^2 for keys):
 * Kish's effective number (Survey Sampling, 1965, 11.7), Hill's of order 2 (Ecology 54 (1973))
 */
#include "regress/design/coverage.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "regress/design/cover.h"
#include "regress/data/data.h"

#define ASSUMED_SCATTER 0.1 /* for rows that were counted, not measured */
#define LEAST_WEIGHT    0.1 /* of a count, in mean counts: even a value of 0 does not hide how often it occurs */

/* ---- one program's contribution ---- */

/* Sums the contributions of rows by program: effective number, strongest program. */
void cover_weigh(struct regress_covered *x, const struct fitter *f, const double *brought)
{
    double *sums = xcalloc(f->n_groups, sizeof *sums), sum = 0, squares = 0;
    size_t best = 0;
    for (size_t i = 0; i < f->n; i++)
        sums[f->group[i]] += brought[i] * brought[i];
    for (size_t g = 0; g < f->n_groups; g++) {
        sum += sums[g];
        squares += sums[g] * sums[g];
        best = sums[g] > sums[best] ? g : best;
    }
    x->effective = sum > 0 ? sum * sum / squares : (double)NAN;
    x->strongest = sum > 0 ? sums[best] / sum : (double)NAN;
    if (sum > 0) {
        const struct regress_data *d = f->table->data;
        x->strongest_of = xstrdup(d->group_names[d->groups[f->row[f->first[best]]]]);
    }
    free(sums);
}

void cover_occurrence(struct regress_covered *x, const struct fitter *f, const double *counts)
{
    bool *seen = xcalloc(f->n_groups, sizeof *seen);
    for (size_t i = 0; i < f->n; i++) {
        x->count += counts[i];
        x->rows += counts[i] != 0;
        x->groups += counts[i] != 0 && !seen[f->group[i]];
        seen[f->group[i]] |= counts[i] != 0;
    }
    free(seen);
}

/* ---- the matrix and what follows from it ---- */

/* The single cost per count that fits best. */
static double unit_cost(const struct fitter *f)
{
    double ab = 0, aa = 0;
    for (size_t i = 0; i < f->n; i++) {
        double a = 0;
        for (size_t j = 0; j < f->p; j++)
            a += f->table->counts[f->row[i] * f->p + j] * cover_row_scale(f, i);
        ab += a * f->target[i] * cover_row_scale(f, i);
        aa += a * a;
    }
    double k = aa > 0 ? fabs(ab / aa) : 0;
    return k > 0 ? k : 1;
}

static void make_matrix(struct cover *c)
{
    const struct fitter *f = c->f;
    struct regress_coverage *o = c->out;
    for (size_t j = 0; j < f->p; j++) {
        double *column = c->z + j * f->n;
        o->weight[j] = fmax(fabs(c->x[j]), LEAST_WEIGHT * o->unit);
        for (size_t i = 0; i < f->n; i++)
            column[i] = f->table->counts[f->row[i] * f->p + j] * o->weight[j] * cover_row_scale(f, i);
        c->length[j] = cblas_dnrm2((int)f->n, column, 1);
    }
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, (int)f->p, (int)f->p, (int)f->n, 1, c->z, (int)f->n, c->z,
                (int)f->n, 0, o->moment, (int)f->p);
    for (size_t i = 0; i < f->n; i++)
        c->residual[i] = (f->target[i] - fitter_estimate(f, i, c->x)) * cover_row_scale(f, i);
}

static enum status conditions(struct cover *c, const double *a, struct error *e)
{
    const struct fitter *f = c->f;
    double *raw = xcalloc(f->n * f->p, sizeof *raw);
    for (size_t j = 0; j < f->p; j++)
        for (size_t i = 0; i < f->n; i++)
            raw[j * f->n + i] = f->table->counts[f->row[i] * f->p + j];
    enum status s = decompose_condition(raw, f->n, f->p, &c->out->condition_raw, e);
    for (size_t j = 0; j < f->p; j++)
        for (size_t i = 0; i < f->n; i++)
            raw[j * f->n + i] *= f->scale[i];
    if (!s)
        s = decompose_condition(raw, f->n, f->p, &c->out->condition_rows, e);
    if (!s)
        s = decompose_condition(a, f->n, f->p, &c->out->condition_scaled, e);
    free(raw);
    return s;
}

static enum status invert(struct cover *c, struct error *e)
{
    size_t n = c->f->n, p = c->f->p;
    double *a = fitter_scaled(c->f);
    enum status s = decompose(&c->d, a, n, p, true, e);
    if (!s)
        s = conditions(c, a, e);
    for (size_t j = 0; !s && j < p; j++)
        for (size_t k = 0; k < p; k++)
            for (size_t i = 0; i < c->d.rank; i++)
                c->g[j * p + k] += c->d.vt[j * p + i] * c->d.vt[k * p + i] / (c->d.values[i] * c->d.values[i]);
    if (!s)
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, (int)n, (int)p, (int)p, 1, a, (int)n, c->g, (int)p, 0,
                    c->q, (int)n);
    free(a);
    c->out->rank = c->d.rank;
    return s;
}

static void scatter(struct cover *c, bool measured)
{
    const struct fitter *f = c->f;
    double squares = cblas_ddot((int)f->n, c->residual, 1, c->residual, 1);
    c->out->sigma = !measured           ? ASSUMED_SCATTER
                    : f->n <= c->d.rank ? (double)NAN
                                        : sqrt(squares / (double)(f->n - c->d.rank));
}

/* The standard error by programs, whose rows may have a common error. 0 if there is only one program. */
static double error_by_programs(const struct cover *c, size_t j)
{
    const struct fitter *f = c->f;
    double *sums = xcalloc(f->n_groups, sizeof *sums), sum = 0;
    for (size_t i = 0; i < f->n; i++)
        sums[f->group[i]] += c->q[j * f->n + i] * c->residual[i];
    for (size_t g = 0; g < f->n_groups; g++)
        sum += sums[g] * sums[g];
    free(sums);
    double m = (double)f->n_groups;
    return m > 1 ? sqrt(sum * m / (m - 1)) : 0;
}

static double tie(const struct cover *c, size_t j, size_t k, bool null)
{
    const struct decomposition *d = &c->d;
    double sum = 0;
    if (!null)
        return c->g[j * d->p + k];
    for (size_t i = d->rank; i < d->p; i++)
        sum += d->vt[j * d->p + i] * d->vt[k * d->p + i];
    return sum;
}

static void find_like(const struct cover *c, size_t j)
{
    struct regress_covered *x = &c->out->variables[j];
    bool null = !decompose_identified(&c->d, j);
    for (size_t k = 0; k < c->d.p; k++) {
        if (k == j || c->length[k] == 0)
            continue;
        double both = sqrt(tie(c, j, j, null) * tie(c, k, k, null));
        double likeness = both > 0 ? fabs(tie(c, j, k, null)) / both : 0;
        if (likeness > x->likeness) {
            x->likeness = fmin(1, likeness);
            x->like = k;
        }
    }
}

static void cover_variable(struct cover *c, size_t j)
{
    const struct fitter *f = c->f;
    struct regress_covered *x = &c->out->variables[j];
    double *counts = xcalloc(f->n, sizeof *counts);
    for (size_t i = 0; i < f->n; i++)
        counts[i] = f->table->counts[f->row[i] * f->p + j];
    *x = (struct regress_covered){.name = xstrdup(f->table->classes->variables[j].name), .value = c->x[j]};
    x->like = x->variable[0] = x->variable[1] = REGRESS_NONE;
    x->dependent = x->vif = x->error = NAN;
    cover_occurrence(x, f, counts);
    bool there = c->length[j] > 0, identified = there && decompose_identified(&c->d, j);
    cover_weigh(x, f, identified ? c->q + j * f->n : counts);
    if (there) {
        find_like(c, j);
        x->vif = identified ? c->g[j * f->p + j] : INFINITY;
        x->error = identified ? c->out->weight[j] / c->length[j] *
                                    fmax(c->out->sigma * sqrt(x->vif), c->out->measured ? error_by_programs(c, j) : 0)
                              : INFINITY;
        if (isnan(c->out->sigma) && identified)
            x->error = NAN;
    }
    free(counts);
}

static void set_shares(struct regress_covered *list, size_t n)
{
    double counts = 0, cycles = 0;
    for (size_t i = 0; i < n; i++) {
        counts += list[i].count;
        cycles += list[i].count > 0 ? list[i].count * list[i].value : 0;
    }
    for (size_t i = 0; i < n; i++) {
        list[i].share = counts > 0 ? list[i].count / counts : 0;
        list[i].cycle_share =
            cycles > 0 ? (list[i].count > 0 ? list[i].count * list[i].value : 0) / cycles : (double)NAN;
    }
}

/* ---- the whole ---- */

static enum status take_values(struct cover *c, const struct regress_model *m, struct fitter *f, struct error *e)
{
    if (!c->out->measured)
        for (size_t j = 0; j < f->p; j++)
            c->x[j] = 1;
    else if (m)
        for (size_t j = 0; j < f->p; j++)
            c->x[j] = m->values[j].value;
    else
        return fitter_solve(f, 0, c->x, 0, e);
    return OK;
}

static enum status cover(struct cover *c, const struct regress_model *m, struct fitter *f, struct error *e)
{
    struct regress_coverage *o = c->out;
    size_t n = f->n, p = f->p;
    o->n = n;
    o->n_groups = f->n_groups;
    o->n_variables = p;
    o->variables = xcalloc(p, sizeof *o->variables);
    o->moment = xcalloc(p * p, sizeof *o->moment);
    o->weight = xcalloc(p, sizeof *o->weight);
    c->x = xcalloc(2 * p, sizeof *c->x);
    c->length = c->x + p;
    c->residual = xcalloc(n, sizeof *c->residual);
    c->z = xcalloc(2 * n * p, sizeof *c->z);
    c->q = c->z + n * p;
    c->g = xcalloc(p * p, sizeof *c->g);
    enum status s = take_values(c, m, f, e);
    o->unit = unit_cost(f);
    make_matrix(c);
    if (!s)
        s = invert(c, e);
    if (s)
        return s;
    scatter(c, o->measured);
    for (size_t j = 0; j < p; j++)
        cover_variable(c, j);
    cover_keys(c);
    set_shares(o->variables, p);
    set_shares(o->keys, o->n_keys);
    for (size_t j = 0; j < p; j++)
        cover_judge_variable(o, j);
    for (size_t k = 0; k < o->n_keys; k++)
        cover_judge_key(o, k);
    return OK;
}

static void cover_release(struct cover *c)
{
    release_decomposition(&c->d);
    free(c->x);
    free(c->residual);
    free(c->z);
    free(c->g);
}

/* The data with a column `cycles`, in which every count costs 1. */
static enum status with_totals(struct regress_data **out, const struct regress_data *d, const struct regress_rows *rows,
                               struct error *e)
{
    struct regress_data *t = data_new(d->path, d->n, d->cols + 1);
    for (size_t j = 0; j < d->cols; j++) {
        t->names[j] = xstrdup(d->names[j]);
        t->kinds[j] = d->kinds[j];
    }
    t->names[d->cols] = xstrdup("cycles");
    t->kinds[d->cols] = REGRESS_CYCLES;
    for (size_t i = 0; i < d->n; i++) {
        t->programs[i] = xstrdup(d->programs[i]);
        t->regions[i] = xstrdup(d->regions[i]);
        t->labels[i] = xstrdup(d->labels[i]);
        t->lines[i] = d->lines[i];
        double *to = t->values + i * t->cols;
        memcpy(to, d->values + i * d->cols, d->cols * sizeof *to);
        for (size_t j = 0; j < d->cols; j++)
            to[d->cols] += d->kinds[j] == REGRESS_KEY ? to[j] : 0;
    }
    data_finish(t);
    *out = t;
    for (size_t k = 0; k < (rows ? rows->n : d->n); k++) {
        size_t i = rows ? rows->at[k] : k;
        if (t->values[i * t->cols + d->cols] == 0)
            return error_set(e, ERR_INPUT, AT(d->path, d->lines[i]),
                             "'%s' has no counts; leave the row out, or give a table with a column 'cycles'",
                             d->labels[i]);
    }
    return OK;
}

enum status regress_coverage(struct regress_coverage **out, const struct regress_data *d,
                             const struct regress_classes *classes, const struct regress_model *m,
                             const struct regress_settings *settings, const struct regress_rows *rows, struct error *e)
{
    const struct solver *solver;
    struct regress_data *own = 0;
    struct table *t = 0;
    struct fitter *f = 0;
    size_t column;
    const char *target = settings->target ? settings->target : m ? m->target : "cycles";
    bool measured = settings->target || m || regress_data_column(d, target, &column);
    struct regress_settings how = *settings;
    how.target = target;
    enum status s = solver_need(&solver, settings->solver ? settings->solver : REGRESS_DEFAULT_SOLVER, e);
    if (!s && !measured)
        s = with_totals(&own, d, rows, e);
    if (!s)
        s = table_make(&t, own ? own : d, m ? m->classes : classes, target, rows, m != 0, e);
    if (!s)
        s = fitter_new(&f, t, rows, solver, &how, e);
    if (!s) {
        struct cover c = {.f = f, .out = xcalloc(1, sizeof *c.out)};
        c.out->measured = measured;
        s = cover(&c, m, f, e);
        cover_release(&c);
        if (s) {
            regress_coverage_free(c.out);
        } else {
            c.out->classes = t->classes; /* the coverage owns the table's copy now */
            t->classes = 0;
            *out = c.out;
        }
    }
    fitter_free(f);
    table_free(t);
    regress_data_free(own);
    return s;
}

static void release_list(struct regress_covered *list, size_t n)
{
    for (size_t i = 0; list && i < n; i++) {
        free(list[i].name);
        free(list[i].strongest_of);
        free(list[i].words);
    }
    free(list);
}

void regress_coverage_free(struct regress_coverage *c)
{
    if (!c)
        return;
    release_list(c->variables, c->n_variables);
    release_list(c->keys, c->n_keys);
    regress_classes_free(c->classes);
    free(c->moment);
    free(c->weight);
    free(c);
}
