/* fit.c - fits a model: values, bootstrap intervals, errors, prediction interval. */
#include "regress/regress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cli.h"
#include "base/file.h"
#include "regress/validate/conformal.h"
#include "regress/solve/error_stats.h"
#include "regress/validate/validate.h"

#define MOST_RESAMPLES 100000

static void describe(struct regress_model *m, const struct fitter *f, const struct regress_settings *settings,
                     const char *selection)
{
    const struct regress_data *d = f->table->data;
    m->solver = xstrdup(f->solver->name);
    m->target = xstrdup(settings->target ? settings->target : "cycles");
    m->version = xstrdup(SHIMGEN_VERSION);
    m->absolute = f->absolute;
    m->non_negative = f->solver->non_negative;
    m->seed = settings->seed;
    m->resamples = settings->resamples;
    m->data_name = xstrdup(path_basename(d->path));
    m->selection = xstrdup(selection ? selection : "*");
    m->data_hash = d->hash;
    m->n_rows = f->n;
    m->n_groups = f->n_groups;
    m->training = m->held_out = (struct regress_errors){0, NAN, NAN, NAN, NAN, NAN, 0};
}

/* Counts the rows and groups in which each variable occurs. */
static void count_evidence(struct regress_model *m, const struct fitter *f)
{
    double total = 0;
    bool *seen = xcalloc(f->n_groups, sizeof *seen);
    for (size_t j = 0; j < f->p; j++) {
        struct regress_value *v = &m->values[j];
        memset(seen, 0, f->n_groups * sizeof *seen);
        for (size_t i = 0; i < f->n; i++) {
            double count = f->table->counts[f->row[i] * f->p + j];
            v->count += count;
            v->rows += count != 0;
            v->groups += count != 0 && !seen[f->group[i]];
            seen[f->group[i]] |= count != 0;
        }
        total += v->count;
    }
    for (size_t j = 0; j < f->p; j++)
        m->values[j].share = total > 0 ? m->values[j].count / total : 0;
    free(seen);
}

static void take_values(struct regress_model *m, const struct fitter *f, const double *x, const double *low,
                        const double *high)
{
    const struct regress_classes *c = f->table->classes;
    m->n_values = f->p;
    m->values = xcalloc(f->p, sizeof *m->values);
    for (size_t j = 0; j < f->p; j++)
        m->values[j] = (struct regress_value){.name = xstrdup(c->variables[j].name),
                                              .formula = xstrdup(c->variables[j].formula),
                                              .prior = c->variables[j].prior,
                                              .value = x[j],
                                              .low = low[j],
                                              .high = high[j],
                                              .twin = c->variables[j].twin};
    count_evidence(m, f);
}

static void take_keys(struct regress_model *m, const struct fitter *f)
{
    const struct table *t = f->table;
    const struct regress_data *d = t->data;
    m->keys = xcalloc(d->cols, sizeof *m->keys);
    for (size_t j = 0; j < d->cols; j++) {
        if (!t->is_key[j])
            continue;
        struct regress_key *k = &m->keys[m->n_keys++];
        *k = (struct regress_key){.key = xstrdup(d->names[j]), .variable = t->variable_of[j]};
        for (size_t i = 0; i < f->n; i++)
            k->count += d->values[f->row[i] * d->cols + j];
        if (k->variable != REGRESS_NONE) {
            k->value = m->values[k->variable].value;
            k->low = m->values[k->variable].low;
            k->high = m->values[k->variable].high;
        }
    }
}

/* Copies the labels, since the model outlives the data. */
static void own_worst(struct regress_model *m)
{
    m->names[0] = xstrdup(m->training.worst_of);
    m->names[1] = xstrdup(m->held_out.worst_of);
    m->training.worst_of = m->names[0];
    m->held_out.worst_of = m->names[1];
}

static void take_intervals(struct regress_model *m, const struct fitter *f, const double *errors)
{
    struct conformal_set s = conformal_set_of(f, errors);
    m->level = s.all.level;
    m->error_low = s.all.low;
    m->error_high = s.all.high;
    for (size_t i = 0; i < REGRESS_CODES; i++)
        m->of_code[i] = (struct regress_interval){s.code[i].level, s.code[i].low, s.code[i].high};
}

static enum status judge(struct regress_model *m, struct fitter *f, const double *x, struct error *e)
{
    double *errors = xcalloc(f->n, sizeof *errors), *scratch = xcalloc(f->n, sizeof *scratch);
    char **labels = xcalloc(f->n, sizeof *labels);
    enum status s = OK;
    for (size_t i = 0; i < f->n; i++) {
        labels[i] = f->table->data->labels[f->row[i]];
        errors[i] = fitter_error(f, i, x);
    }
    m->training = stats_errors(errors, labels, f->n, scratch);
    if (f->n_groups > 1) {
        s = conformal_held_out(f, errors, e);
        if (!s) {
            m->held_out = stats_errors(errors, labels, f->n, scratch);
            take_intervals(m, f, errors);
        }
    }
    own_worst(m);
    free(errors);
    free(scratch);
    free(labels);
    return s;
}

static enum status fit(struct regress_model *m, struct fitter *f, struct error *e)
{
    double *x = xcalloc(3 * f->p, sizeof *x), *low = x + f->p, *high = low + f->p;
    enum status s = fitter_solve(f, 0, x, &m->strength, e);
    if (!s)
        s = fitter_rank(f, &m->rank, e);
    if (!s)
        s = validate_bootstrap(f, x, m->strength, m->resamples, low, high, e);
    if (!s) {
        take_values(m, f, x, low, high);
        take_keys(m, f);
        s = judge(m, f, x, e);
    }
    free(x);
    return s;
}

enum status regress_fit(struct regress_model **out, const struct regress_data *d, const struct regress_classes *c,
                        const struct regress_settings *settings, const struct regress_rows *rows, const char *selection,
                        struct error *e)
{
    const struct solver *solver;
    struct table *t = 0;
    struct fitter *f = 0;
    struct regress_model *m = 0;
    enum status s = solver_need(&solver, settings->solver ? settings->solver : REGRESS_DEFAULT_SOLVER, e);
    if (!s && settings->resamples > MOST_RESAMPLES)
        s = error_set(e, ERR_INPUT, NOWHERE, "%zu resamples are too many (%d at most)", settings->resamples,
                      MOST_RESAMPLES);
    if (!s)
        s = table_make(&t, d, c, settings->target ? settings->target : "cycles", rows, false, e);
    if (!s)
        s = fitter_new(&f, t, rows, solver, settings, e);
    if (!s) {
        m = xcalloc(1, sizeof *m);
        describe(m, f, settings, selection);
        s = fit(m, f, e);
    }
    if (!s) {
        m->classes = t->classes; /* the model owns the table's copy now */
        t->classes = 0;
        *out = m;
    } else {
        regress_model_free(m);
    }
    fitter_free(f);
    table_free(t);
    return s;
}

void regress_model_free(struct regress_model *m)
{
    if (!m)
        return;
    regress_classes_free(m->classes);
    free(m->solver);
    free(m->target);
    free(m->version);
    free(m->data_name);
    free(m->selection);
    for (size_t i = 0; i < m->n_values; i++) {
        free(m->values[i].name);
        free(m->values[i].formula);
    }
    for (size_t i = 0; i < m->n_keys; i++)
        free(m->keys[i].key);
    free(m->values);
    free(m->keys);
    free(m->names[0]);
    free(m->names[1]);
    free(m);
}
