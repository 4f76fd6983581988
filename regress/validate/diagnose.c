/*
 * What a fit on these data can and cannot tell. All of it is about the matrix that
 * the solvers see: rows divided by their target, columns by their length.
 *
 *  condition number   largest by smallest singular value
 *  VIF of variable j  1 / (1 - R_j^2), R_j^2 of the regression of column j on the other
 *                     columns, not centred (there is no intercept); equal to
 *                     sum over i of V_ji^2 / s_i^2 for columns of length 1
 *                     (Belsley, Kuh, Welsch, Regression Diagnostics, 1980, 3.2)
 *  leverage of row i  h_ii of H = A (A'A)^-1 A': how much of the row's own target its
 *                     estimate is (ibid., 2.1)
 *  not identified     variables with a part in a right singular vector whose singular
 *                     value is 0: a change along it changes no estimate
 */
#include "regress/regress.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "regress/solve/decompose.h"
#include "regress/validate/diagnose.h"

#define RARE_GROUPS 3    /* a variable in fewer programs mainly describes those programs */
#define RARE_SHARE  1e-4 /* of all counts */
#define HIGH_VIF    10   /* the usual limit: the standard error is more than three times as large */
#define HIGH_LEVER  0.9  /* the row determines its own estimate */
#define TIED        1e-6 /* of a projection on unit vectors */

void diagnose_find(struct regress_diagnosis *g, enum regress_severity severity, const char *id, char *subject,
                   char *text, char *remedy)
{
    g->findings = xreallocarray(g->findings, g->n_findings + 1, sizeof *g->findings);
    g->findings[g->n_findings++] = (struct regress_finding){severity, id, subject, text, remedy};
}

static enum status conditions(struct regress_diagnosis *g, const struct fitter *f, const double *scaled,
                              struct error *e)
{
    double *raw = xcalloc(f->n * f->p, sizeof *raw), *rows = xcalloc(f->n * f->p, sizeof *rows);
    for (size_t j = 0; j < f->p; j++) {
        for (size_t i = 0; i < f->n; i++) {
            raw[j * f->n + i] = f->table->counts[f->row[i] * f->p + j];
            rows[j * f->n + i] = raw[j * f->n + i] * f->scale[i];
        }
    }
    enum status s = decompose_condition(raw, f->n, f->p, &g->condition_raw, e);
    if (!s)
        s = decompose_condition(rows, f->n, f->p, &g->condition_rows, e);
    if (!s)
        s = decompose_condition(scaled, f->n, f->p, &g->condition_scaled, e);
    free(raw);
    free(rows);
    return s;
}

static void occurrence(struct regress_diagnosis *g, const struct fitter *f)
{
    size_t *last = xcalloc(f->n_groups, sizeof *last);
    double total = 0;
    for (size_t j = 0; j < f->p; j++) {
        for (size_t i = 0; i < f->n; i++) {
            double count = f->table->counts[f->row[i] * f->p + j];
            if (count == 0)
                continue;
            g->counts[j] += count;
            g->rows[j]++;
            g->groups[j] += last[f->group[i]] != j + 1;
            last[f->group[i]] = j + 1;
        }
        total += g->counts[j];
    }
    for (size_t j = 0; j < f->p; j++)
        g->shares[j] = total != 0 ? g->counts[j] / total : 0;
    free(last);
}

static void inflation(struct regress_diagnosis *g, const struct decomposition *d)
{
    for (size_t j = 0; j < d->p; j++) {
        g->vif[j] = 0;
        for (size_t i = 0; i < d->rank; i++)
            g->vif[j] += pow(d->vt[j * d->p + i] / d->values[i], 2);
        if (g->rows[j] == 0)
            g->vif[j] = NAN;
        else if (!decompose_identified(d, j))
            g->vif[j] = INFINITY;
    }
}

/* h_ii = sum over i < rank of (a_row . V_i / s_i)^2 */
static void leverage(struct regress_diagnosis *g, const struct decomposition *d)
{
    for (size_t row = 0; row < d->n; row++)
        for (size_t i = 0; i < d->rank; i++) {
            double u = 0;
            for (size_t j = 0; j < d->p; j++)
                u += d->a[j * d->n + row] * d->vt[j * d->p + i];
            g->leverage[row] += pow(u / d->values[i], 2);
        }
}

static void find_sizes(struct regress_diagnosis *g)
{
    if (g->n < g->p)
        diagnose_find(
            g, REGRESS_SEVERE, "few-rows", xasprintf("%zu rows", g->n),
            xasprintf("fewer rows than the %zu variables: plain least squares fits noise, many values are not "
                      "determined",
                      g->p),
            xstrdup("measure more programs, or take a coarser classification"));
    else if (g->n < 3 * g->p)
        diagnose_find(g, REGRESS_NOTE, "few-rows", xasprintf("%zu rows", g->n),
                      xasprintf("less than three rows for each of %zu variables", g->p),
                      xstrdup("judge by held-out errors only; the solver 'shrink' is made for this"));
}

static void find_empty_and_rare(struct regress_diagnosis *g)
{
    for (size_t j = 0; j < g->p; j++) {
        if (g->rows[j] == 0)
            diagnose_find(g, REGRESS_WARNING, "empty", xstrdup(g->variables[j]),
                          xstrdup("occurs in no row: its value is not a measurement"),
                          xstrdup("add a program that executes it, or map its keys to a neighbour"));
        else if (g->groups[j] < RARE_GROUPS || g->shares[j] < RARE_SHARE)
            diagnose_find(g, REGRESS_WARNING, "rare", xstrdup(g->variables[j]),
                          xasprintf("occurs in %zu program%s, %.2g %% of all counts: its value absorbs everything else "
                                    "that is special there",
                                    g->groups[j], g->groups[j] == 1 ? "" : "s", 100 * g->shares[j]),
                          xstrdup("merge it with a neighbour, add programs that use it, or fit with 'shrink'"));
    }
}

static void find_constant(struct regress_diagnosis *g, const struct fitter *f)
{
    for (size_t j = 0; j < g->p; j++) {
        double first = f->table->counts[f->row[0] * f->p + j];
        bool constant = g->n > 1 && first != 0;
        for (size_t i = 1; constant && i < g->n; i++)
            constant = f->table->counts[f->row[i] * f->p + j] == first;
        if (constant)
            diagnose_find(g, REGRESS_NOTE, "constant", xstrdup(g->variables[j]),
                          xstrdup("has the same count in every row: it acts as a fixed cost per program"),
                          xstrdup("leave it if this is intended, otherwise map it to a neighbour"));
    }
}

/* Are variables j and k moved together by a change along null vectors? They are if element jk of the projection on the
 * null space, N N', is not 0. */
static bool tied(const struct decomposition *d, size_t j, size_t k)
{
    double element = 0;
    for (size_t i = d->rank; i < d->p; i++)
        element += d->vt[j * d->p + i] * d->vt[k * d->p + i];
    return fabs(element) > TIED;
}

static void find_tie(struct regress_diagnosis *g, const size_t *members, size_t n)
{
    struct str names = STR_INIT;
    for (size_t i = 0; i < n; i++)
        str_addf(&names, "%s%s", i ? ", " : "", g->variables[members[i]]);
    const char *a = g->variables[members[0]], *b = g->variables[members[n - 1]];
    if (n == 2)
        diagnose_find(g, REGRESS_SEVERE, "not-identified", str_detach(&names),
                      xasprintf("these two variables cannot be told apart: '%s' and '%s' have the same proportion in "
                                "every row; only their joint cost is known",
                                a, b),
                      xasprintf("merge them, or add a sample that executes '%s' without '%s'", a, b));
    else
        diagnose_find(g, REGRESS_SEVERE, "not-identified", str_detach(&names),
                      xasprintf("these %zu variables cannot be told apart by these rows: some combination of them "
                                "changes no estimate",
                                n),
                      xstrdup("merge some of them, or add programs in which they occur in other proportions"));
    str_release(&names);
}

/* Each set of variables that are tied to each other, directly or through others, is one finding. */
static void find_ties(struct regress_diagnosis *g, const struct decomposition *d)
{
    bool *seen = xcalloc(d->p, sizeof *seen);
    size_t *members = xcalloc(d->p, sizeof *members);
    for (size_t j = 0; j < d->p; j++) {
        if (seen[j] || g->rows[j] == 0 || decompose_identified(d, j))
            continue;
        size_t n = 0;
        seen[j] = true;
        members[n++] = j;
        for (size_t at = 0; at < n; at++)
            for (size_t k = 0; k < d->p; k++)
                if (!seen[k] && g->rows[k] && tied(d, members[at], k)) {
                    seen[k] = true;
                    members[n++] = k;
                }
        find_tie(g, members, n);
    }
    free(seen);
    free(members);
}

/* The column most similar to column j, by the cosine. */
static size_t most_alike(const struct decomposition *d, size_t j, double *cosine)
{
    size_t best = j;
    *cosine = 0;
    for (size_t k = 0; k < d->p; k++) {
        double c = k == j ? 0 : fabs(cblas_ddot((int)d->n, d->a + j * d->n, 1, d->a + k * d->n, 1));
        if (c > *cosine) {
            *cosine = c;
            best = k;
        }
    }
    return best;
}

static void find_collinear(struct regress_diagnosis *g, const struct decomposition *d)
{
    for (size_t j = 0; j < d->p; j++) {
        if (!(g->vif[j] > HIGH_VIF) || isinf(g->vif[j]))
            continue;
        double cosine;
        size_t k = most_alike(d, j, &cosine);
        diagnose_find(
            g, REGRESS_WARNING, "collinear", xstrdup(g->variables[j]),
            xasprintf("VIF %.3g: nearly a combination of the others, most like '%s' (cosine %.3f)", g->vif[j],
                      g->variables[k], cosine),
            xasprintf("merge it with '%s', or add a sample that executes one without the other", g->variables[k]));
    }
}

static void find_leverage(struct regress_diagnosis *g)
{
    for (size_t i = 0; g->n > g->rank && i < g->n; i++)
        if (g->leverage[i] > HIGH_LEVER)
            diagnose_find(g, REGRESS_WARNING, "leverage", xstrdup(g->labels[i]),
                          xasprintf("leverage %.3f: this row alone decides some value", g->leverage[i]),
                          xstrdup("add programs like it, so that one measurement does not stand alone"));
}

static void find_condition(struct regress_diagnosis *g)
{
    if (g->condition_scaled > 1000 && !isinf(g->condition_scaled))
        diagnose_find(g, REGRESS_WARNING, "condition", xstrdup("the table"),
                      xasprintf("condition number %.3g: errors of measurement are amplified up to that much",
                                g->condition_scaled),
                      xstrdup("see the collinear variables"));
}

static struct regress_diagnosis *diagnosis_new(const struct fitter *f)
{
    struct regress_diagnosis *g = xcalloc(1, sizeof *g);
    g->n = f->n;
    g->p = f->p;
    g->variables = xcalloc(f->p, sizeof *g->variables);
    g->counts = xcalloc(f->p, sizeof *g->counts);
    g->shares = xcalloc(f->p, sizeof *g->shares);
    g->vif = xcalloc(f->p, sizeof *g->vif);
    g->rows = xcalloc(f->p, sizeof *g->rows);
    g->groups = xcalloc(f->p, sizeof *g->groups);
    g->labels = xcalloc(f->n, sizeof *g->labels);
    g->leverage = xcalloc(f->n, sizeof *g->leverage);
    for (size_t j = 0; j < f->p; j++)
        g->variables[j] = xstrdup(f->table->classes->variables[j].name);
    for (size_t i = 0; i < f->n; i++)
        g->labels[i] = xstrdup(f->table->data->labels[f->row[i]]);
    return g;
}

static enum status diagnose(struct regress_diagnosis *g, struct fitter *f, struct error *e)
{
    double *scaled = fitter_scaled(f);
    struct decomposition d = {0};
    enum status s = decompose(&d, scaled, f->n, f->p, true, e);
    if (!s)
        s = conditions(g, f, scaled, e);
    if (!s) {
        g->rank = d.rank;
        occurrence(g, f);
        inflation(g, &d);
        leverage(g, &d);
        find_sizes(g);
        find_ties(g, &d);
        find_condition(g);
        find_collinear(g, &d);
        find_empty_and_rare(g);
        find_constant(g, f);
        find_leverage(g);
        s = diagnose_influence(g, f, e);
    }
    if (!s)
        s = diagnose_domains(g, f, e);
    release_decomposition(&d);
    free(scaled);
    return s;
}

enum status regress_diagnose(struct regress_diagnosis **out, const struct regress_data *d,
                             const struct regress_classes *c, const struct regress_settings *settings,
                             const struct regress_rows *rows, struct error *e)
{
    const struct solver *solver;
    struct table *t = 0;
    struct fitter *f = 0;
    enum status s = solver_need(&solver, settings->solver ? settings->solver : REGRESS_DEFAULT_SOLVER, e);
    if (!s)
        s = table_make(&t, d, c, settings->target ? settings->target : "cycles", rows, false, e);
    if (!s)
        s = fitter_new(&f, t, rows, solver, settings, e);
    if (!s) {
        struct regress_diagnosis *g = diagnosis_new(f);
        g->solver = solver->name;
        s = diagnose(g, f, e);
        if (s)
            regress_diagnosis_free(g);
        else
            *out = g;
    }
    fitter_free(f);
    table_free(t);
    return s;
}

void regress_diagnosis_free(struct regress_diagnosis *g)
{
    if (!g)
        return;
    for (size_t j = 0; j < g->p; j++)
        free(g->variables[j]);
    for (size_t i = 0; i < g->n; i++)
        free(g->labels[i]);
    for (size_t i = 0; i < g->n_findings; i++) {
        free(g->findings[i].subject);
        free(g->findings[i].text);
        free(g->findings[i].remedy);
    }
    free(g->variables);
    free(g->counts);
    free(g->shares);
    free(g->vif);
    free(g->rows);
    free(g->groups);
    free(g->labels);
    free(g->leverage);
    free(g->findings);
    diagnose_release_influence(g);
    free(g);
}
