/* evaluate.c - evaluates classifications and solvers on a board's dataset, and fits the chosen models. */
#include "shimgen/values/evaluate.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"

/* Splits rows into training and test programs. A program that is in no manifest comes from the user, for training. */
static void split_rows(struct evaluation *v, const struct regress_data *d, const struct samples *s)
{
    v->train.at = xcalloc(d->n, sizeof *v->train.at);
    v->test.at = xcalloc(d->n, sizeof *v->test.at);
    for (size_t i = 0; i < d->n; i++) {
        const struct sample *sample = samples_find(s, d->programs[i]);
        struct regress_rows *rows = sample && sample->test ? &v->test : &v->train;
        rows->at[rows->n++] = i;
    }
}

typedef VEC(const char *) names_t;

/* Classification and solver for whole programs. */
static const char program_classes[] = "target", program_solver[] = "shrink";

/* Do the data have the events that its formulas need? */
static bool has_events(const struct regress_data *d, const struct regress_classes *c)
{
    char **events = 0;
    size_t n = 0, column;
    bool all = true;
    regress_classes_events(c, &events, &n);
    for (size_t i = 0; i < n; i++) {
        all = all && regress_data_column(d, events[i], &column);
        free(events[i]);
    }
    free(events);
    return all;
}

enum status evaluation_fit_programs(struct evaluation *v, const struct regress_data *d, struct error *e)
{
    struct regress_classes *c = 0;
    struct regress_settings settings = REGRESS_SETTINGS_INIT;
    settings.solver = program_solver;
    enum status s = regress_classes_load(&c, program_classes, e);
    if (!s && has_events(d, c))
        s = regress_fit(&v->programs, d, c, &settings, &v->train, "role train", e);
    regress_classes_free(c);
    return s;
}

/* The model's own first, then all others. */
static void names_of(names_t *out, const char *first, char *const *others, size_t n)
{
    vec_push(out, first);
    for (size_t i = 0; i < n; i++)
        if (strcmp(others[i], first) != 0)
            vec_push(out, others[i]);
}

/* Removes classifications for tables of any counters ("columns all"), which say nothing about instructions. One that
 * cannot be read stays, and the comparison reports it. */
static void of_instructions(char **names, size_t *n)
{
    size_t kept = 0;
    for (size_t i = 0; i < *n; i++) {
        struct regress_classes *c = 0;
        struct error ignored = ERROR_INIT;
        bool keep = regress_classes_load(&c, names[i], &ignored) || !c->all;
        error_release(&ignored);
        regress_classes_free(c);
        if (keep)
            names[kept++] = names[i];
        else
            free(names[i]);
    }
    *n = kept;
}

static enum status judge(struct evaluation *v, const struct regress_data *d, const names_t *classes,
                         const names_t *solvers, struct error *e)
{
    struct regress_crossval_spec spec = {
        .classes = classes->at,
        .n_classes = classes->n,
        .solvers = solvers->at,
        .n_solvers = solvers->n,
        .scheme = REGRESS_LEAVE_ONE_OUT,
        .rows = &v->train,
        .tolerant = true,
        .settings = REGRESS_SETTINGS_INIT,
    };
    enum status s = regress_crossval(&v->left_out, d, &spec, e);
    spec.scheme = REGRESS_TEST;
    spec.test = d;
    spec.test_rows = &v->test;
    return s || !v->test.n ? s : regress_crossval(&v->tested, d, &spec, e);
}

/* A line that exists and could be fitted. */
static size_t find_line(const struct regress_crossval *c, const char *classes, const char *solver)
{
    for (size_t i = 0; c && i < c->n; i++)
        if (!c->lines[i].unavailable && strcmp(c->lines[i].classes, classes) == 0 &&
            strcmp(c->lines[i].solver, solver) == 0)
            return i;
    return REGRESS_NONE;
}

enum status evaluation_compare(struct evaluation *v, const struct regress_data *d, const struct evaluation_spec *spec,
                               struct error *e)
{
    const char *classes = v->model->classes->name, *solver = v->model->solver;
    char **listed = 0;
    size_t n = 0;
    names_t class_names = {0}, solver_names = {0};
    /* the paper's solver, and those that bound values; others are used only on request */
    static char *const compared[] = {"ols", "nnls", "shrink"};
    enum status s = spec->compare ? regress_classes_list(&listed, &n, e) : OK;
    of_instructions(listed, &n);
    names_of(&class_names, spec->classes ? spec->classes : REGRESS_DEFAULT_CLASSES, listed, n);
    if (!spec->compare && v->programs && strcmp(classes, program_classes) != 0)
        vec_push(&class_names, program_classes);
    names_of(&solver_names, solver, compared, spec->compare ? sizeof compared / sizeof *compared : 0);
    if (!s)
        s = judge(v, d, &class_names, &solver_names, e);
    vec_release(&class_names);
    vec_release(&solver_names);
    for (size_t i = 0; i < n; i++)
        free(listed[i]);
    free(listed);
    v->chosen = find_line(v->left_out, classes, solver);
    v->best = v->programs ? find_line(v->left_out, program_classes, program_solver) : REGRESS_NONE;
    return s;
}

enum status evaluation_fit(struct evaluation *out, const struct regress_data *d, const struct samples *samples,
                           const struct evaluation_spec *spec, struct error *e)
{
    *out = (struct evaluation){.chosen = REGRESS_NONE, .best = REGRESS_NONE};
    split_rows(out, d, samples);
    if (!out->train.n)
        return error_set(e, ERR_INPUT, AT_FILE(d->path),
                         "no training program is in this dataset, so nothing can be fitted");
    struct regress_classes *c = 0;
    struct regress_settings settings = REGRESS_SETTINGS_INIT;
    settings.solver = spec->solver ? spec->solver : REGRESS_DEFAULT_SOLVER;
    enum status s = regress_classes_load(&c, spec->classes ? spec->classes : REGRESS_DEFAULT_CLASSES, e);
    if (!s)
        s = regress_fit(&out->model, d, c, &settings, &out->train, "role train", e);
    regress_classes_free(c);
    return s;
}

void evaluation_release(struct evaluation *v)
{
    free(v->train.at);
    free(v->test.at);
    regress_crossval_free(v->left_out);
    regress_crossval_free(v->tested);
    regress_model_free(v->model);
    regress_model_free(v->programs);
    *v = (struct evaluation){0};
}
