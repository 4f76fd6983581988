/* crossval.c - cross-validation of classifications and solvers. */
#include "regress/regress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "regress/data/classes.h"
#include "regress/validate/conformal.h"
#include "regress/data/data.h"
#include "regress/solve/error_stats.h"
#include "regress/validate/validate.h"

/* A comparison while it is being made. */
struct run {
    const struct regress_data *data;
    const struct regress_crossval_spec *spec;
    struct regress_rows training; /* owned */
    struct regress_crossval *out;
    struct error *e;
};

static struct regress_crossval_line *add_line(struct run *r, const char *classes, const char *solver)
{
    struct regress_crossval *c = r->out;
    c->lines = xreallocarray(c->lines, c->n + 1, sizeof *c->lines);
    struct regress_crossval_line *line = &c->lines[c->n++];
    *line = (struct regress_crossval_line){.classes = xstrdup(classes),
                                           .solver = xstrdup(solver),
                                           .strength = NAN,
                                           .coverage = NAN,
                                           .width = NAN,
                                           .level = 1};
    return line;
}

static void put_prediction(struct regress_crossval_line *line, size_t row, double estimate, double measured,
                           const struct conformal *interval)
{
    line->predictions = xreallocarray(line->predictions, line->n_predictions + 1, sizeof *line->predictions);
    struct regress_prediction *p = &line->predictions[line->n_predictions++];
    *p = (struct regress_prediction){.row = row, .estimate = estimate, .measured = measured};
    p->error = measured != 0 ? (estimate - measured) / measured : (double)NAN;
    conformal_bound(estimate, interval, &p->low, &p->high);
}

/* Errors of the fit on all training rows, for these rows. */
static void judge_training(struct regress_crossval_line *line, const struct fitter *f, const double *x)
{
    double *errors = xcalloc(f->n, sizeof *errors), *scratch = xcalloc(f->n, sizeof *scratch);
    char **labels = xcalloc(f->n, sizeof *labels);
    for (size_t i = 0; i < f->n; i++) {
        labels[i] = f->table->data->labels[f->row[i]];
        errors[i] = fitter_error(f, i, x);
    }
    line->training = stats_errors(errors, labels, f->n, scratch);
    line->variables = f->p;
    for (size_t j = 0; j < f->p; j++)
        line->negative += x[j] < 0;
    free(errors);
    free(scratch);
    free(labels);
}

/* Assigns groups to folds by the scheme. */
static enum status choose_folds(size_t **fold, size_t *folds, const struct run *r, const struct fitter *f)
{
    const struct regress_crossval_spec *spec = r->spec;
    enum status s = OK;
    *folds = spec->scheme == REGRESS_K_FOLD ? spec->folds : f->n_groups;
    if (spec->scheme == REGRESS_LEAVE_ONE_DOMAIN_OUT)
        s = validate_each_domain(fold, folds, f, r->e);
    if (!s && (f->n_groups < 2 || *folds > f->n_groups))
        s = error_set(r->e, ERR_INPUT, AT_FILE(r->data->path), "%zu programs cannot be assigned to %zu folds",
                      f->n_groups, *folds < 2 ? 2 : *folds);
    if (!s && *folds < 2)
        s = error_set(r->e, ERR_INPUT, AT_FILE(r->data->path),
                      "all programs are of one domain: nothing is left to fit on when it is left out");
    if (!s && !*fold)
        *fold = spec->scheme == REGRESS_K_FOLD ? validate_assign_folds(f, *folds, spec->settings.seed)
                                               : validate_each_group(f);
    return s;
}

/* The intervals that a fit on these rows alone has. */
static enum status intervals_of(struct conformal_set *out, struct fitter *f, struct error *e)
{
    double *errors = xcalloc(f->n, sizeof *errors);
    *out = (struct conformal_set){.all = {0, NAN, NAN}};
    enum status s = f->n_groups > 1 ? conformal_held_out(f, errors, e) : OK;
    if (!s && f->n_groups > 1)
        *out = conformal_set_of(f, errors);
    free(errors);
    return s;
}

/* The intervals of the fit without fold k, from errors of rows that are held out from that fit in turn. */
static enum status intervals_without(struct conformal_set *out, const struct run *r, const struct fitter *f,
                                     const size_t *fold, size_t k)
{
    struct regress_rows rows = {xcalloc(f->n, sizeof *rows.at), 0};
    struct fitter *rest = 0;
    for (size_t i = 0; i < f->n; i++)
        if (fold[f->group[i]] != k)
            rows.at[rows.n++] = f->row[i];
    enum status s = fitter_new(&rest, f->table, &rows, f->solver, &r->spec->settings, r->e);
    if (!s)
        s = intervals_of(out, rest, r->e);
    fitter_free(rest);
    free(rows.at);
    return s;
}

static enum status hold_out_folds(struct run *r, struct regress_crossval_line *line, struct fitter *f)
{
    size_t *fold = 0, folds;
    double *estimates = xcalloc(f->n, sizeof *estimates);
    enum status s = choose_folds(&fold, &folds, r, f);
    struct conformal_set *intervals = xcalloc(s ? 0 : folds, sizeof *intervals);
    if (!s)
        s = validate_folds(f, fold, folds, estimates, r->e);
    for (size_t k = 0; !s && r->spec->intervals && k < folds; k++)
        s = intervals_without(&intervals[k], r, f, fold, k);
    for (size_t i = 0; !s && i < f->n; i++)
        put_prediction(line, f->row[i], estimates[i], f->target[i],
                       conformal_for(&intervals[fold[f->group[i]]], r->data->programs[f->row[i]]));
    for (size_t k = 0; !s && r->spec->intervals && k < folds; k++)
        line->level = fmin(line->level, intervals[k].all.level);
    free(intervals);
    free(estimates);
    free(fold);
    return s;
}

static enum status hold_out_test(struct run *r, struct regress_crossval_line *line, struct fitter *f, const double *x)
{
    struct conformal_set intervals = {.all = {0, NAN, NAN}};
    const struct regress_crossval_spec *spec = r->spec;
    const char *target = spec->settings.target ? spec->settings.target : "cycles";
    struct table *t = 0;
    size_t column;
    enum status s = fitter_find_target(spec->test, target, &column, r->e);
    if (!s)
        s = table_make(&t, spec->test, f->table->classes, target, spec->test_rows, true, r->e);
    if (!s && spec->intervals)
        s = intervals_of(&intervals, f, r->e);
    line->level = fmin(line->level, intervals.all.level);
    size_t n = spec->test_rows ? spec->test_rows->n : spec->test->n;
    for (size_t k = 0; !s && k < n; k++) {
        size_t row = spec->test_rows ? spec->test_rows->at[k] : k;
        double measured = spec->test->values[row * spec->test->cols + column], estimate = 0;
        for (size_t v = 0; v < t->p; v++)
            estimate += t->counts[row * t->p + v] * x[v];
        if (isnan(measured) || (!f->absolute && !(measured > 0)))
            s = error_set(r->e, ERR_INPUT, AT(spec->test->path, spec->test->lines[row]),
                          "'%s' has no value above 0 in column '%s': it cannot be tested on", spec->test->labels[row],
                          target);
        else
            put_prediction(line, row, estimate, measured, conformal_for(&intervals, spec->test->programs[row]));
    }
    table_free(t);
    return s;
}

static void judge_intervals(struct regress_crossval_line *line)
{
    double *width = xcalloc(line->n_predictions, sizeof *width);
    size_t covered = 0;
    for (size_t k = 0; k < line->n_predictions; k++) {
        const struct regress_prediction *p = &line->predictions[k];
        covered += !(p->measured < p->low) && !(p->measured > p->high); /* a bound that is NAN is unbounded */
        width[k] = isnan(p->low) || isnan(p->high) ? INFINITY : p->high / p->low;
    }
    stats_sort(width, line->n_predictions);
    line->coverage = (double)covered / (double)line->n_predictions;
    line->width = width[line->n_predictions / 2];
    free(width);
}

static enum status fit_line(struct run *r, struct regress_crossval_line *line, const struct table *t,
                            const struct solver *solver)
{
    struct fitter *f = 0;
    double *x = xcalloc(t->p, sizeof *x);
    enum status s = fitter_new(&f, t, &r->training, solver, &r->spec->settings, r->e);
    if (!s)
        s = fitter_solve(f, 0, x, &line->strength, r->e);
    if (!s)
        s = fitter_rank(f, &line->rank, r->e);
    if (!s) {
        judge_training(line, f, x);
        s = r->spec->scheme == REGRESS_TEST ? hold_out_test(r, line, f, x) : hold_out_folds(r, line, f);
    }
    if (!s)
        line->held_out = regress_errors_of(r->spec->scheme == REGRESS_TEST ? r->spec->test : r->data, line->predictions,
                                           line->n_predictions);
    if (!s && r->spec->intervals)
        judge_intervals(line);
    fitter_free(f);
    free(x);
    return s;
}

/* Names the row that caused it, if there is one. */
static char *reason(const struct error *why)
{
    return why->line ? error_text(why) : xstrdup(why->message);
}

/* Adds, for each solver, a line that says that the data lack an event. */
static void unavailable(struct run *r, const char *classes, const char *solver, const struct error *why)
{
    struct regress_crossval_line *line = add_line(r, classes, solver);
    line->unavailable = reason(why);
    line->not_here =
        /* an error with a line number is a formula that failed in that row */
        why->status == ERR_UNSUPPORTED && !why->line;
}

/* Gives up a line; the comparison continues without it. */
static void give_up_line(struct regress_crossval_line *line, const struct error *why)
{
    free(line->predictions);
    line->predictions = 0;
    line->n_predictions = 0;
    line->unavailable = reason(why);
}

static enum status try_line(struct run *r, const struct regress_classes *c, const char *solver_name,
                            const struct table *t)
{
    const struct solver *solver;
    struct error *given = r->e, local = ERROR_INIT;
    struct regress_crossval_line *line = add_line(r, c->name, solver_name);
    r->e = &local;
    enum status s = solver_need(&solver, solver_name, r->e);
    if (!s)
        s = fit_line(r, line, t, solver);
    r->e = given;
    if (s && r->spec->tolerant) {
        give_up_line(line, &local);
        s = OK;
    } else if (s) {
        error_set(given, s, AT(local.file, local.line), "%s", local.message);
    }
    error_release(&local);
    return s;
}

static enum status run_classes(struct run *r, const struct regress_classes *c, const char *const *solvers, size_t n)
{
    const struct regress_settings *settings = &r->spec->settings;
    struct table *t = 0, *test = 0;
    struct error local = ERROR_INIT;
    const char *target = settings->target ? settings->target : "cycles";
    enum status s = table_make(&t, r->data, c, target, &r->training, false, &local);
    if (!s && r->spec->scheme == REGRESS_TEST)
        s = table_make(&test, r->spec->test, c, target, r->spec->test_rows, true, &local);
    bool missing = s == ERR_UNSUPPORTED || (s && r->spec->tolerant);
    if (s && !missing)
        error_set(r->e, s, AT(local.file, local.line), "%s", local.message);
    for (size_t k = 0; k < n && (!s || missing); k++) {
        const struct solver *solver;
        if (!missing)
            s = try_line(r, c, solvers[k], t);
        else if (r->spec->tolerant || !(s = solver_need(&solver, solvers[k], r->e)))
            unavailable(r, c->name, solvers[k], &local);
        else
            missing = false;
    }
    error_release(&local);
    table_free(t);
    table_free(test);
    return missing ? OK : s;
}

/* For each group: does it have a test row? */
static bool *groups_tested(const struct regress_data *d, const struct regress_crossval_spec *spec)
{
    bool *tested = xcalloc(d->n_groups, sizeof *tested);
    if (spec->scheme != REGRESS_TEST)
        return tested;
    size_t n = spec->test_rows ? spec->test_rows->n : spec->test->n;
    for (size_t k = 0; k < n; k++) {
        size_t row = spec->test_rows ? spec->test_rows->at[k] : k;
        const char *name = spec->test->group_names[spec->test->groups[row]];
        for (size_t g = 0; g < d->n_groups; g++)
            tested[g] |= strcmp(d->group_names[g], name) == 0;
    }
    return tested;
}

static bool row_is_tested(const struct regress_data *d, const struct regress_crossval_spec *spec, size_t row)
{
    const struct regress_data *test = spec->test;
    size_t n = spec->test_rows ? spec->test_rows->n : test->n;
    for (size_t k = 0; k < n; k++) {
        size_t other = spec->test_rows ? spec->test_rows->at[k] : k;
        if (strcmp(test->programs[other], d->programs[row]) == 0 && strcmp(test->regions[other], d->regions[row]) == 0)
            return true;
    }
    return false;
}

/* Chooses the rows to fit on: those that were asked for, by default all rows whose group is not tested. */
static enum status choose_training(struct run *r)
{
    const struct regress_data *d = r->data;
    const struct regress_crossval_spec *spec = r->spec;
    bool *tested = groups_tested(d, spec), *shared = xcalloc(d->n_groups, sizeof *shared);
    enum status s = OK;
    r->training.at = xcalloc(d->n, sizeof *r->training.at);
    for (size_t k = 0; !s && k < (spec->rows ? spec->rows->n : d->n); k++) {
        size_t row = spec->rows ? spec->rows->at[k] : k, group = d->groups[row];
        if (tested[group] && !spec->rows)
            continue;
        if (tested[group] && row_is_tested(d, spec, row))
            s = error_set(r->e, ERR_INPUT, AT(d->path, d->lines[row]),
                          "'%s' is to be fitted on and tested on: choose rows so that no row is on both sides",
                          d->labels[row]);
        shared[group] |= tested[group];
        r->training.at[r->training.n++] = row;
    }
    if (!s && r->training.n == 0)
        s = error_set(r->e, ERR_INPUT, AT_FILE(d->path), "no rows are left to fit on besides the test rows");
    for (size_t g = 0; g < d->n_groups; g++)
        r->out->shared_groups += shared[g];
    free(tested);
    free(shared);
    return s;
}

/* A classification that cannot be read becomes a line for each solver, or ends the comparison. */
static enum status run_named(struct run *r, const char *name)
{
    struct regress_classes *c = 0;
    struct error local = ERROR_INIT;
    enum status s = regress_classes_load(&c, name, &local);
    if (!s && r->spec->priors)
        s = regress_classes_priors(c, r->spec->priors, &local);
    if (s && r->spec->tolerant)
        for (size_t k = 0; k < r->spec->n_solvers; k++)
            unavailable(r, name, r->spec->solvers[k], &local);
    else if (s)
        error_set(r->e, s, AT(local.file, local.line), "%s", local.message);
    if (!s)
        s = run_classes(r, c, r->spec->solvers, r->spec->n_solvers);
    else if (r->spec->tolerant)
        s = OK;
    error_release(&local);
    regress_classes_free(c);
    return s;
}

static enum status run_all(struct run *r)
{
    static const char *const plain[] = {"ols"};
    struct regress_classes *c = classes_baseline();
    c->all = !data_has_keys(r->data);
    enum status s = run_classes(r, c, plain, 1);
    regress_classes_free(c);
    for (size_t k = 0; !s && k < r->spec->n_classes; k++)
        s = run_named(r, r->spec->classes[k]);
    return s;
}

/* Compares each line with the best one, row by row. */
static void compare_lines(struct run *r)
{
    struct regress_crossval *c = r->out;
    const struct regress_data *d = r->spec->scheme == REGRESS_TEST ? r->spec->test : r->data;
    while (c->best < c->n && c->lines[c->best].unavailable)
        c->best++;
    if (c->best == c->n) { /* none could be fitted */
        c->best = 0;
        return;
    }
    for (size_t i = 0; i < c->n; i++)
        if (!c->lines[i].unavailable && c->lines[i].held_out.mean_abs < c->lines[c->best].held_out.mean_abs)
            c->best = i;
    size_t n = c->lines[c->best].n_predictions;
    double *first = xcalloc(n, sizeof *first), *second = xcalloc(n, sizeof *second);
    size_t *group = xcalloc(n, sizeof *group);
    for (size_t i = 0; i < c->n; i++) {
        if (c->lines[i].unavailable)
            continue;
        for (size_t k = 0; k < n; k++) { /* every line has the same rows in the same order */
            first[k] = c->lines[c->best].predictions[k].error;
            second[k] = c->lines[i].predictions[k].error;
            group[k] = d->groups[c->lines[i].predictions[k].row];
        }
        c->lines[i].than_best = stats_compare(first, second, group, n, d->n_groups, r->spec->settings.seed);
    }
    free(first);
    free(second);
    free(group);
}

enum status regress_crossval(struct regress_crossval **out, const struct regress_data *d,
                             const struct regress_crossval_spec *spec, struct error *e)
{
    if ((spec->scheme == REGRESS_TEST) != (spec->test != 0))
        BUG("test rows belong to the scheme REGRESS_TEST, and to no other");
    struct run r = {d, spec, {0, 0}, xcalloc(1, sizeof *r.out), e};
    enum status s = choose_training(&r);
    if (!s)
        s = run_all(&r);
    if (!s)
        compare_lines(&r);
    r.out->training_rows = r.training.n;
    r.out->held_out_rows = spec->scheme != REGRESS_TEST ? r.training.n
                           : spec->test_rows            ? spec->test_rows->n
                                                        : spec->test->n;
    free(r.training.at);
    if (s)
        regress_crossval_free(r.out);
    else
        *out = r.out;
    return s;
}

void regress_crossval_free(struct regress_crossval *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->n; i++) {
        free(c->lines[i].classes);
        free(c->lines[i].solver);
        free(c->lines[i].unavailable);
        free(c->lines[i].predictions);
    }
    free(c->lines);
    free(c);
}
