/*
 * influence.c - which program has most influence on which value, and which domain is estimated badly.
 *
 *  Values     DFBETAS of variable j and program g: (x_j - x_j(g)) / se_j, the change of the value without g in
 *             standard errors (Belsley, Kuh, Welsch, Regression Diagnostics, 1980, 2.1). A program is left out as a
 *             whole, with any solver. Therefore the standard error is the jackknife's,
 *             se_j^2 = (G - 1) / G sum over g of (x_j(g) - mean_j)^2 (Efron, The Jackknife, the Bootstrap and Other
 *             Resampling Plans, 1982, ch. 3). DFBETAS is at most about sqrt(G / (G - 1)); there, that program alone
 *             makes the value uncertain.
 *  Domains    Errors of the domain's rows, by the fit on all rows and by the fit without the domain.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "regress/validate/diagnose.h"
#include "regress/solve/error_stats.h"
#include "regress/validate/validate.h"

#define INFLUENTIAL 0.7 /* in standard errors: half of the value's variance is due to that program */
#define MOVED       0.2 /* of the value, and of the mean cost of a count: smaller changes do not matter */
#define SLANTED     3   /* a domain's mean error in standard errors */
#define SKEWED      0.2 /* and in absolute terms */

/* ---- values ---- */

/* Finds the group that changes variable j most. left[g * p + j] is the value without group g. */
static void find_most_influential(struct regress_diagnosis *g, const double *left, size_t j)
{
    size_t p = g->p, groups = g->n_groups, most = 0;
    double mean = 0, squares = 0;
    for (size_t k = 0; k < groups; k++) {
        mean += left[k * p + j] / (double)groups;
        if (fabs(left[k * p + j] - g->values[j]) > fabs(left[most * p + j] - g->values[j]))
            most = k;
    }
    for (size_t k = 0; k < groups; k++)
        squares += pow(left[k * p + j] - mean, 2);
    double error = sqrt(squares * (double)(groups - 1) / (double)groups);
    g->most_influential[j] = most;
    g->without[j] = left[most * p + j];
    g->dfbetas[j] = error > 0 ? (g->values[j] - g->without[j]) / error : (double)NAN;
}

static void find_influence(struct regress_diagnosis *g)
{
    double mean = 0; /* mean cost of a count */
    for (size_t j = 0; j < g->p; j++)
        mean += fabs(g->values[j]) * g->shares[j];
    for (size_t j = 0; j < g->p; j++) {
        double moved = fabs(g->values[j] - g->without[j]);
        if (g->groups[j] < 2 || !(fabs(g->dfbetas[j]) > INFLUENTIAL) || moved < MOVED * fmax(fabs(g->values[j]), mean))
            continue;
        diagnose_find(
            g, REGRESS_WARNING, "influence", xstrdup(g->variables[j]),
            xasprintf("its value is %.3g, and %.3g without '%s' (DFBETAS %+.2f): that program decides it", g->values[j],
                      g->without[j], g->group_names[g->most_influential[j]], g->dfbetas[j]),
            xasprintf("check whether '%s' was measured well and is typical; add programs that use this as much",
                      g->group_names[g->most_influential[j]]));
    }
}

enum status diagnose_influence(struct regress_diagnosis *g, struct fitter *f, struct error *e)
{
    struct error local = ERROR_INIT;
    if (f->n_groups < 3 || f->n_groups > REGRESS_MOST_LEFT_OUT)
        return OK;
    double *values = xcalloc(f->p, sizeof *values), *left = xcalloc(f->n_groups * f->p, sizeof *left);
    size_t *fold = validate_each_group(f);
    enum status s = fitter_solve(f, 0, values, 0, &local);
    if (!s)
        s = validate_values(f, fold, f->n_groups, left, &local);
    free(fold);
    if (s) {
        diagnose_find(g, REGRESS_WARNING, "not-fitted", xstrdup(f->solver->name),
                      xasprintf("this solver finds no values for these rows: %s", local.message),
                      xstrdup("choose another with --solver"));
        free(values);
        free(left);
        error_release(&local);
        return s == ERR_CANCELLED ? error_set(e, s, NOWHERE, "cancelled") : OK;
    }
    g->n_groups = f->n_groups;
    g->values = values;
    g->without = xcalloc(f->p, sizeof *g->without);
    g->dfbetas = xcalloc(f->p, sizeof *g->dfbetas);
    g->most_influential = xcalloc(f->p, sizeof *g->most_influential);
    g->group_names = xcalloc(f->n_groups, sizeof *g->group_names);
    for (size_t k = 0; k < f->n_groups; k++)
        g->group_names[k] = xstrdup(f->table->data->group_names[f->table->data->groups[f->row[f->first[k]]]]);
    for (size_t j = 0; j < f->p; j++)
        find_most_influential(g, left, j);
    free(left);
    find_influence(g);
    return OK;
}

/* ---- domains ---- */

/* The errors of a domain's rows. */
static struct regress_errors errors_of(const struct fitter *f, const double *errors, const size_t *domain, size_t k,
                                       double *scratch)
{
    double *mine = xcalloc(f->n, sizeof *mine);
    char **labels = xcalloc(f->n, sizeof *labels);
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++) {
        if (domain[i] != k)
            continue;
        mine[n] = errors[i];
        labels[n++] = f->table->data->labels[f->row[i]];
    }
    struct regress_errors r = stats_errors(mine, labels, n, scratch);
    r.worst_of = 0; /* borrowed from the data, which may be freed */
    free(mine);
    free(labels);
    return r;
}

/* The mean error of a domain's programs, and its standard error. */
static void find_slant(struct regress_diagnosis *g, const struct fitter *f, const double *errors, const size_t *domain,
                       size_t k)
{
    const struct regress_domain *d = &g->domains[k];
    double squares = 0;
    for (size_t i = 0; i < f->n; i++)
        if (domain[i] == k && !isnan(errors[i]))
            squares += pow(errors[i] - d->held_out.mean, 2);
    double spread = sqrt(squares / (double)(d->held_out.n - 1) / (double)d->groups);
    if (d->groups < 3 || fabs(d->held_out.mean) < SKEWED || fabs(d->held_out.mean) < SLANTED * spread || !*d->name)
        return;
    diagnose_find(
        g, REGRESS_WARNING, "domain", xstrdup(d->name),
        xasprintf("its %zu programs are estimated %.0f %% too %s on average by fits without them", d->groups,
                  100 * fabs(d->held_out.mean), d->held_out.mean < 0 ? "low" : "high"),
        xstrdup("something they have in common has no variable: split a variable of the classification, or add "
                "programs of this kind"));
}

static void judge_domains(struct regress_diagnosis *g, const struct fitter *f, const double *training,
                          const double *held_out)
{
    const struct regress_data *d = f->table->data;
    size_t *domain = xcalloc(f->n, sizeof *domain), *last = xcalloc(f->n_groups, sizeof *last);
    double *scratch = xcalloc(f->n, sizeof *scratch);
    struct map names = {0};
    for (size_t i = 0; i < f->n; i++)
        domain[i] = map_number(&names, d->domains[f->row[i]]);
    g->n_domains = names.n;
    g->domains = xcalloc(names.n, sizeof *g->domains);
    for (size_t k = 0; k < names.n; k++) {
        struct regress_domain *to = &g->domains[k];
        to->name = xstrdup(names.keys[k]);
        for (size_t i = 0; i < f->n; i++) {
            to->rows += domain[i] == k;
            to->groups += domain[i] == k && last[f->group[i]] != k + 1;
            last[f->group[i]] = domain[i] == k ? k + 1 : last[f->group[i]];
        }
        to->training = errors_of(f, training, domain, k, scratch);
        if (held_out) {
            to->held_out = errors_of(f, held_out, domain, k, scratch);
            find_slant(g, f, held_out, domain, k);
        }
    }
    map_release(&names);
    free(domain);
    free(last);
    free(scratch);
}

enum status diagnose_domains(struct regress_diagnosis *g, struct fitter *f, struct error *e)
{
    size_t *fold = 0, folds = 0;
    if (!f->table->data->domains || !g->n_groups)
        return OK;
    double *training = xcalloc(f->n, sizeof *training), *held_out = xcalloc(f->n, sizeof *held_out);
    for (size_t i = 0; i < f->n; i++)
        training[i] = fitter_error(f, i, g->values);
    enum status s = validate_each_domain(&fold, &folds, f, e);
    if (!s && folds > 1)
        s = validate_folds(f, fold, folds, held_out, e);
    for (size_t i = 0; !s && i < f->n; i++)
        held_out[i] = f->target[i] != 0 ? (held_out[i] - f->target[i]) / f->target[i] : (double)NAN;
    if (!s)
        judge_domains(g, f, training, folds > 1 ? held_out : 0);
    free(fold);
    free(training);
    free(held_out);
    return s;
}

void diagnose_release_influence(struct regress_diagnosis *g)
{
    for (size_t k = 0; k < g->n_groups; k++)
        free(g->group_names[k]);
    for (size_t k = 0; k < g->n_domains; k++)
        free(g->domains[k].name);
    free(g->group_names);
    free(g->values);
    free(g->without);
    free(g->dfbetas);
    free(g->most_influential);
    free(g->domains);
}
