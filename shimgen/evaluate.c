#include "shimgen/evaluate.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"

/* Rows of training and of test programs; a program that no manifest knows was brought by the user to learn from. */
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

/* The classification of whole programs, and its solver. */
static const char program_classes[] = "target", program_solver[] = "shrink";

/* Whether the data have the events that its formulas need. */
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

static enum status fit_programs(struct evaluation *v, const struct regress_data *d, struct error *e)
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

/* The model's own first, then every other there is. */
static void names_of(names_t *out, const char *first, char *const *others, size_t n)
{
    vec_push(out, first);
    for (size_t i = 0; i < n; i++)
        if (strcmp(others[i], first) != 0)
            vec_push(out, others[i]);
}

/* Those made for tables of any counters ("columns all") say nothing about instructions: they are not compared. */
static enum status of_instructions(char **names, size_t *n, struct error *e)
{
    size_t kept = 0;
    enum status s = OK;
    for (size_t i = 0; i < *n; i++) {
        struct regress_classes *c = 0;
        if (!s)
            s = regress_classes_load(&c, names[i], e);
        bool keep = !s && !c->all;
        regress_classes_free(c);
        if (keep)
            names[kept++] = names[i];
        else
            free(names[i]);
    }
    *n = kept;
    return s;
}

static enum status compare_all(struct evaluation *v, const struct regress_data *d, const char *classes,
                               const char *solver, bool compare, struct error *e)
{
    char **listed = 0;
    size_t n = 0;
    names_t class_names = {0}, solver_names = {0};
    VEC(char *) solvers = {0};
    enum status s = compare ? regress_classes_list(&listed, &n, e) : OK;
    if (!s)
        s = of_instructions(listed, &n, e);
    /* The paper's, and what it takes to hold values in place: the others are for whom asks for them. */
    static char *const compared[] = {"ols", "nnls", "shrink"};
    for (size_t i = 0; compare && i < sizeof compared / sizeof *compared; i++)
        vec_push(&solvers, compared[i]);
    names_of(&class_names, classes, listed, n);
    if (!compare && v->programs && strcmp(classes, program_classes) != 0)
        vec_push(&class_names, program_classes);
    names_of(&solver_names, solver, solvers.at, solvers.n);
    struct regress_crossval_spec spec = {
        .classes = class_names.at,
        .n_classes = class_names.n,
        .solvers = solver_names.at,
        .n_solvers = solver_names.n,
        .scheme = REGRESS_LEAVE_ONE_OUT,
        .rows = &v->train,
        .settings = REGRESS_SETTINGS_INIT,
    };
    if (!s)
        s = regress_crossval(&v->left_out, d, &spec, e);
    spec.scheme = REGRESS_TEST;
    spec.test = d;
    spec.test_rows = &v->test;
    if (!s && v->test.n)
        s = regress_crossval(&v->tested, d, &spec, e);
    vec_release(&class_names);
    vec_release(&solver_names);
    vec_release(&solvers);
    for (size_t i = 0; i < n; i++)
        free(listed[i]);
    free(listed);
    return s;
}

static size_t find_line(const struct regress_crossval *c, const char *classes, const char *solver)
{
    for (size_t i = 0; c && i < c->n; i++)
        if (strcmp(c->lines[i].classes, classes) == 0 && strcmp(c->lines[i].solver, solver) == 0)
            return i;
    return REGRESS_NONE;
}

enum status evaluate(struct evaluation *out, const struct regress_data *d, const struct samples *samples,
                     const char *classes, const char *solver, bool compare, struct error *e)
{
    *out = (struct evaluation){0};
    classes = classes ? classes : REGRESS_DEFAULT_CLASSES;
    solver = solver ? solver : REGRESS_DEFAULT_SOLVER;
    split_rows(out, d, samples);
    if (!out->train.n) {
        evaluation_release(out);
        return error_set(e, ERR_INPUT, AT_FILE(d->path),
                         "no training program is in this dataset, so nothing can be fitted");
    }
    struct regress_classes *c = 0;
    struct regress_settings settings = REGRESS_SETTINGS_INIT;
    settings.solver = solver;
    enum status s = regress_classes_load(&c, classes, e);
    if (!s)
        s = regress_fit(&out->model, d, c, &settings, &out->train, "role train", e);
    if (!s)
        s = fit_programs(out, d, e);
    if (!s)
        s = compare_all(out, d, classes, solver, compare, e);
    out->chosen = find_line(out->left_out, classes, solver);
    out->best = out->programs ? find_line(out->left_out, program_classes, program_solver) : REGRESS_NONE;
    regress_classes_free(c);
    if (s)
        evaluation_release(out);
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
