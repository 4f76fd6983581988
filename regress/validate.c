#include "regress/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/random.h"
#include "regress/stats.h"

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

size_t *validate_deal(const struct fitter *f, size_t folds, uint64_t seed)
{
    size_t *fold = xcalloc(f->n_groups, sizeof *fold);
    struct random r = random_start(seed);
    random_order(&r, fold, f->n_groups);
    for (size_t g = 0; g < f->n_groups; g++)
        fold[g] %= folds;
    return fold;
}

enum status validate_folds(struct fitter *f, const size_t *fold, size_t folds, double *estimates, struct error *e)
{
    double *weight = xcalloc(f->n_groups, sizeof *weight);
    double *x = xcalloc(f->p, sizeof *x);
    enum status s = OK;
    for (size_t k = 0; !s && k < folds; k++) {
        for (size_t g = 0; g < f->n_groups; g++)
            weight[g] = fold[g] != k;
        s = fitter_solve(f, weight, x, 0, e);
        for (size_t i = 0; !s && i < f->n; i++)
            if (fold[f->group[i]] == k)
                estimates[i] = fitter_estimate(f, i, x);
    }
    free(weight);
    free(x);
    return s;
}

static void draw(struct random *r, double *weight, size_t groups)
{
    memset(weight, 0, groups * sizeof *weight);
    for (size_t k = 0; k < groups; k++)
        weight[random_below(r, groups)]++;
}

/* Values of variables that no drawn row has become NAN. */
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

enum status validate_bootstrap(struct fitter *f, const double *values, double strength, size_t resamples, double *low,
                               double *high, struct error *e)
{
    double *weight = xcalloc(f->n_groups, sizeof *weight);
    double *draws = xcalloc(resamples * f->p, sizeof *draws), *scratch = xcalloc(resamples, sizeof *scratch);
    bool *present = xcalloc(f->p, sizeof *present);
    struct random r = random_start(f->seed);
    double asked = f->strength;
    enum status s = OK;
    f->strength = isnan(strength) ? asked : strength;
    for (size_t k = 0; !s && k < resamples; k++) {
        draw(&r, weight, f->n_groups);
        s = fitter_solve(f, weight, draws + k * f->p, 0, e);
        if (!s)
            blank_absent(f, weight, draws + k * f->p, present);
    }
    f->strength = asked;
    memcpy(low, values, f->p * sizeof *low);
    memcpy(high, values, f->p * sizeof *high);
    for (size_t j = 0; !s && j < f->p; j++)
        quantiles(draws, resamples, f->p, j, scratch, &low[j], &high[j]);
    free(weight);
    free(draws);
    free(scratch);
    free(present);
    return s;
}
