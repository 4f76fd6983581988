/* crossval_estimators.c - cross-validation of estimation methods. */
#include "shimgen/estimate/intervals/crossval_estimators.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/program_name.h"
#include "base/random.h"
#include "shimgen/estimate/tune/roles.h"

/* Fold numbers of rows that are never left out, and of rows that are not used. */
static const size_t always = REGRESS_NONE - 1, never = REGRESS_NONE;

/* ---- folds ---- */

static void assign_test(struct crossval *c, const struct regress_data *d)
{
    for (size_t i = 0; i < d->n; i++)
        c->fold[i] = roles_test(d, i) ? 0 : always;
    c->n_folds = 1;
}

/* Groups rows by the domain of the group's first row. A group without a domain is a domain of its own. */
static void assign_domains(struct crossval *c, const struct regress_data *d)
{
    struct map names = {0};
    for (size_t i = 0; i < d->n; i++) {
        bool said = d->domains && d->domains[i] && *d->domains[i];
        char *name =
            xasprintf("%s:%s", said ? "domain" : "program", said ? d->domains[i] : d->group_names[d->groups[i]]);
        c->fold[i] = roles_test(d, i) ? never : map_number(&names, name);
        free(name);
    }
    c->n_folds = names.n;
    map_release(&names);
}

static enum status assign_k_folds(struct crossval *c, const struct regress_data *d, size_t folds, uint64_t seed,
                                  struct error *e)
{
    size_t *number = xcalloc(d->n_groups, sizeof *number), *order = xcalloc(d->n_groups, sizeof *order), n = 0;
    for (size_t i = 0; i < d->n; i++)
        if (!roles_test(d, i) && !number[d->groups[i]])
            number[d->groups[i]] = ++n;
    struct random r = random_start(seed);
    random_order(&r, order, n);
    for (size_t i = 0; i < d->n; i++)
        c->fold[i] = roles_test(d, i) ? never : order[number[d->groups[i]] - 1] % folds;
    c->n_folds = folds;
    free(number);
    free(order);
    return folds <= n ? OK
                      : error_set(e, ERR_INPUT, AT_FILE(d->path),
                                  "%zu training programs cannot be assigned to %zu folds", n, folds);
}

static enum status assign_folds(struct crossval *c, const struct crossval_spec *spec, struct error *e)
{
    const struct regress_data *d = spec->data;
    size_t judged = 0, fitted = 0;
    enum status s = OK;
    if (spec->scheme == CROSSVAL_TEST)
        assign_test(c, d);
    else if (spec->scheme == CROSSVAL_DOMAINS)
        assign_domains(c, d);
    else
        s = assign_k_folds(c, d, spec->folds, spec->seed, e);
    if (s)
        return s;
    for (size_t i = 0; i < d->n; i++) {
        judged += c->fold[i] < always;
        fitted += c->fold[i] != never && (c->fold[i] == always || c->n_folds > 1);
    }
    if (!fitted)
        return error_set(e, ERR_INPUT, AT_FILE(d->path), "no program is left to fit on");
    if (!judged)
        return error_set(e, ERR_INPUT, AT_FILE(d->path), "it has no test program (--scheme test)");
    return OK;
}

/* The rows to fit on when fold `without` is left out; `always`: none is. */
static struct regress_rows training_rows(const struct crossval *c, const struct regress_data *d, size_t without)
{
    struct regress_rows rows = {xcalloc(d->n, sizeof *rows.at), 0};
    for (size_t i = 0; i < d->n; i++)
        if (c->fold[i] != never && (c->fold[i] != without || without == always))
            rows.at[rows.n++] = i;
    return rows;
}

/* ---- lines ---- */

struct work {
    struct crossval *c;
    const struct crossval_spec *spec;
    double *cycles[2]; /* for each row, by the values under test */
    unsigned *doubts;
};

static struct crossval_line *add_line(struct work *w, const char *method, const char *classes, const char *solver)
{
    struct crossval *c = w->c;
    size_t n = w->spec->data->n;
    c->lines = xreallocarray(c->lines, c->n + 1, sizeof *c->lines);
    struct crossval_line *l = &c->lines[c->n++];
    *l = (struct crossval_line){method,
                                classes,
                                solver,
                                0,
                                xcalloc(n, sizeof(double)),
                                xcalloc(n, sizeof(double)),
                                xcalloc(n, sizeof(unsigned)),
                                false};
    for (size_t i = 0; i < n; i++)
        l->training[i] = l->held_out[i] = NAN;
    return l;
}

/* Notes errors when fold `without` is left out: of its rows, and of the others if wanted. */
static void note_errors(struct work *w, struct crossval_line *l, const double *cycles, size_t without)
{
    const struct crossval *c = w->c;
    for (size_t i = 0; i < w->spec->data->n; i++) {
        double error = (cycles[i] - c->measured[i]) / c->measured[i];
        if (c->fold[i] == never)
            continue;
        if (c->fold[i] == without && without != always) {
            l->held_out[i] = error;
            l->doubts[i] = w->doubts[i];
        } else if (without == always || w->spec->scheme == CROSSVAL_TEST) {
            l->training[i] = error;
        }
    }
}

static bool asked(const struct work *w, const struct estimator *method)
{
    for (size_t i = 0; i < w->spec->n_methods; i++)
        if (w->spec->methods[i] == method)
            return true;
    return false;
}

/* Number of fits: one per fold, then one of all rows. With test programs there is a single fit, of all rows. */
static size_t fits(const struct work *w)
{
    return w->spec->scheme == CROSSVAL_TEST ? 1 : w->c->n_folds + 1;
}
static size_t left_out(const struct work *w, size_t fit)
{
    return fit < w->c->n_folds ? fit : always;
}

static void drop_line(struct crossval *c)
{
    struct crossval_line *l = &c->lines[--c->n];
    free(l->training);
    free(l->held_out);
    free(l->doubts);
    free(l->unavailable);
}

static enum status linear(struct work *w, const char *classes, const char *solver, struct error *e)
{
    bool apart = false, both = asked(w, &estimator_sum) && asked(w, &estimator_operand);
    size_t first = w->c->n;
    enum status s = OK;
    add_line(w, asked(w, &estimator_operand) ? "operand" : "sum", classes, solver);
    if (both)
        add_line(w, "sum", classes, solver);
    for (size_t k = 0; k < fits(w) && !s; k++) {
        struct regress_rows train = training_rows(w->c, w->spec->data, left_out(w, k));
        bool told = false;
        s = crossval_linear(w->cycles, w->doubts, &told, w->spec->data, classes, solver, &train, e);
        for (size_t i = first; i < w->c->n && !s; i++)
            note_errors(w, &w->c->lines[i], w->cycles[strcmp(w->c->lines[i].method, "sum") == 0], left_out(w, k));
        apart = apart || told;
        free(train.at);
    }
    if (both && !apart) {
        drop_line(w->c);
        w->c->lines[first].method = "sum, operand";
    }
    if (s != ERR_UNSUPPORTED)
        return s;
    w->c->lines[first].unavailable = xstrdup(e->message);
    error_release(e);
    return OK;
}

static enum status scheduled(struct work *w, struct error *e)
{
    struct crossval_line *l = add_line(w, estimator_schedule.name, "", "tuned");
    l->divides_runs = true;
    enum status s = OK;
    for (size_t k = 0; k < fits(w) && !s; k++) {
        struct regress_rows train = training_rows(w->c, w->spec->data, left_out(w, k));
        s = crossval_schedule(w->cycles[0], w->doubts, w->spec, &train, e);
        if (!s)
            note_errors(w, l, w->cycles[0], left_out(w, k));
        free(train.at);
    }
    return s;
}

/* Nothing is fitted, so nothing is left out. */
static enum status compiled(struct work *w, struct error *e)
{
    struct crossval_line *l = add_line(w, estimator_compiled.name, "", "");
    enum status s = crossval_compiled(w->cycles[0], w->doubts, w->spec, e);
    for (size_t k = 0; k < fits(w) && !s; k++)
        note_errors(w, l, w->cycles[0], left_out(w, k));
    return s;
}

/* Refuses a method for which no fit is implemented here: its line would be missing in the table. */
static enum status refuse_others(const struct crossval_spec *spec, struct error *e)
{
    for (size_t i = 0; i < spec->n_methods; i++) {
        const struct estimator *m = spec->methods[i];
        if (m != &estimator_sum && m != &estimator_operand && m != &estimator_schedule && m != &estimator_compiled)
            return error_set(e, ERR_UNSUPPORTED, NOWHERE, "method '%s' cannot be compared: crossval does not fit it",
                             m->name);
    }
    return OK;
}

static enum status all_lines(struct work *w, struct error *e)
{
    const struct crossval_spec *spec = w->spec;
    enum status s = refuse_others(spec, e);
    bool sums = asked(w, &estimator_sum) || asked(w, &estimator_operand);
    for (size_t i = 0; i < spec->n_classes && sums && !s; i++)
        for (size_t k = 0; k < spec->n_solvers && !s; k++)
            s = linear(w, spec->classes[i], spec->solvers[k], e);
    if (!s && asked(w, &estimator_schedule))
        s = scheduled(w, e);
    if (!s && asked(w, &estimator_compiled))
        s = compiled(w, e);
    return s;
}

static enum status read_measured(struct crossval *c, const struct crossval_spec *spec, struct error *e)
{
    const struct regress_data *d = spec->data;
    size_t column;
    if (!regress_data_column(d, "cycles", &column))
        return error_set(e, ERR_INPUT, AT_FILE(d->path), "it has no column 'cycles'");
    for (size_t i = 0, k = 0; i < d->n; i++) {
        c->measured[i] = d->values[i * d->cols + column];
        if (!(c->measured[i] > 0))
            return error_set(e, ERR_INPUT, AT_FILE(d->path), "%s: its cycles are not positive", d->labels[i]);
        if (spec->programs && (k == spec->programs->n || spec->programs->at[k++].row != i))
            return error_set(e, ERR_INPUT, AT_FILE(d->path), "%s: its profile is not there", d->labels[i]);
    }
    return OK;
}

enum status crossval_run(struct crossval *out, const struct crossval_spec *spec, struct error *e)
{
    size_t n = spec->data->n;
    *out = (struct crossval){.measured = xcalloc(n, sizeof(double)), .fold = xcalloc(n, sizeof(size_t))};
    struct work w = {out, spec, {xcalloc(n, sizeof(double)), xcalloc(n, sizeof(double))}, xcalloc(n, sizeof(unsigned))};
    enum status s = read_measured(out, spec, e);
    if (!s)
        s = assign_folds(out, spec, e);
    if (!s)
        s = all_lines(&w, e);
    free(w.cycles[0]);
    free(w.cycles[1]);
    free(w.doubts);
    return s;
}

void crossval_release(struct crossval *c)
{
    while (c->n)
        drop_line(c);
    free(c->lines);
    free(c->measured);
    free(c->fold);
    *c = (struct crossval){0};
}

struct regress_errors crossval_errors(const struct regress_data *d, const double *errors, const char *level)
{
    struct regress_prediction *list = xcalloc(d->n, sizeof *list);
    size_t n = 0;
    for (size_t i = 0; i < d->n; i++) {
        const char *own = program_level(d->programs[i]);
        if (!isnan(errors[i]) && (!level || (own && strcmp(own, level) == 0)))
            list[n++] = (struct regress_prediction){.row = i, .error = errors[i]};
    }
    struct regress_errors result = regress_errors_of(d, list, n);
    free(list);
    return result;
}
