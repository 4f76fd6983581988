#include "regress/commands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct options {
    struct fit_options fit;
    const char *classes, *solver, *output, *priors;
    long resamples;
    double strength;
};
static const struct cli_option options[] = {
    {CLI_TEXT, "output", 'o', "FILE", "-", "the model (JSON)", offsetof(struct options, output)},
    {CLI_TEXT, "classes", 'c', "NAME|FILE", REGRESS_DEFAULT_CLASSES, "which keys share a variable",
     offsetof(struct options, classes)},
    {CLI_TEXT, "solver", 0, REGRESS_SOLVER_NAMES, REGRESS_DEFAULT_SOLVER, "how (docs/method/regression.md)",
     offsetof(struct options, solver)},
    {CLI_TEXT, "solver", 's', "NAME", 0, 0, offsetof(struct options, solver)},
    FIT_OPTIONS(struct options),
    {CLI_TEXT, "priors", 0, "FILE", 0, "what variables are expected to cost (CSV); only 'shrink' takes it",
     offsetof(struct options, priors)},
    {CLI_INTEGER, "resamples", 0, "N", "200", "of the bootstrap, for the values' intervals",
     offsetof(struct options, resamples)},
    {CLI_REAL, "strength", 0, "X", "-1", "of shrink, tree, robust, ridge; below 0: chosen by cross-validation",
     offsetof(struct options, strength)},
    {0},
};

static void print_errors(const char *name, const struct regress_errors *r)
{
    printf("%-9s mean", name);
    put_percent(stdout, r->mean, 8, true);
    printf(" %%  mean abs");
    put_percent(stdout, r->mean_abs, 8, false);
    printf(" %%  median abs");
    put_percent(stdout, r->median_abs, 8, false);
    printf(" %%  90 %% within");
    put_percent(stdout, r->p90_abs, 8, false);
    printf(" %%  worst");
    put_percent(stdout, r->worst, 8, true);
    printf(" %% (%s)\n", r->worst_of ? r->worst_of : "-");
}

/* What the classification says that the solver does not listen to. */
static void print_unheeded(const struct regress_model *m)
{
    const struct regress_classes *c = m->classes;
    size_t orders = 0, bounds = 0;
    for (size_t i = 0; i < c->n_variables; i++) {
        orders += c->variables[i].below != REGRESS_NONE;
        bounds += c->variables[i].low > 0 || isfinite(c->variables[i].high);
    }
    if (bounds && !regress_solver_heeds(m->solver, REGRESS_BOUNDS))
        printf("the classification's bounds (%zu) are not kept: solver %s knows none, 'bounded' does\n", bounds,
               m->solver);
    if (orders && !regress_solver_heeds(m->solver, REGRESS_ORDERS))
        printf("the classification's orders (%zu) are not kept: solver %s knows none, 'bounded' and 'shrink' do\n",
               orders, m->solver);
}

static void print_summary(const struct regress_model *m)
{
    size_t empty = 0, negative = 0;
    for (size_t i = 0; i < m->n_values; i++) {
        empty += m->values[i].rows == 0;
        negative += m->values[i].value < 0;
    }
    printf("%s of %s by %s: %zu rows (%zu programs), %zu variables, rank %zu\n", m->solver, m->target, m->classes->name,
           m->n_rows, m->n_groups, m->n_values, m->rank);
    if (empty)
        printf("%zu variable%s without evidence in these rows\n", empty, empty == 1 ? "" : "s");
    if (m->rank + empty < m->n_values)
        printf("%zu variables are not determined by these rows; see 'regress diagnose'\n",
               m->n_values - empty - m->rank);
    if (negative)
        printf("%zu variable%s came out negative\n", negative, negative == 1 ? "" : "s");
    print_unheeded(m);
    print_errors("training", &m->training);
    if (m->held_out.n)
        print_errors("held out", &m->held_out);
    else
        printf("one program only: nothing could be held out, there is no prediction interval\n");
}

/* What is asked of a solver that cannot do it. */
static enum status check_solver(const struct options *o, struct error *e)
{
    if (!regress_solver_known(o->solver))
        return OK; /* the fit names those there are */
    if (o->priors && !regress_solver_heeds(o->solver, REGRESS_COSTS))
        return usage_error(e, "--priors: the solver '%s' takes none; 'shrink' does", o->solver);
    if (o->strength >= 0 && !regress_solver_heeds(o->solver, REGRESS_STRENGTH))
        return usage_error(e, "--strength: the solver '%s' has none; shrink, tree, robust and ridge have", o->solver);
    return OK;
}

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct options *o = given;
    struct regress_data *d = 0;
    struct regress_classes *c = 0;
    struct regress_rows rows = {0};
    struct regress_model *m = 0;
    struct regress_settings settings;
    enum status s = fit_settings(&settings, &o->fit, e);
    if (!s && o->resamples < 0)
        s = usage_error(e, "--resamples: %ld is below 0", o->resamples);
    if (!s)
        s = check_solver(o, e);
    if (!s)
        s = fit_data(&d, args->argv[0], &o->fit, e);
    if (!s)
        s = regress_classes_load(&c, o->classes, e);
    if (!s && o->priors)
        s = regress_classes_priors(c, o->priors, e);
    if (!s)
        s = regress_rows_select(&rows, d, o->fit.rows, e);
    if (!s) {
        settings.solver = o->solver;
        settings.resamples = (size_t)o->resamples;
        settings.strength = o->strength;
        s = regress_fit(&m, d, c, &settings, &rows, o->fit.rows, e);
    }
    if (!s)
        s = regress_model_write(m, o->output, e);
    if (!s && strcmp(o->output, "-") != 0)
        print_summary(m);
    regress_model_free(m);
    free(rows.at);
    regress_classes_free(c);
    regress_data_free(d);
    return s;
}

const struct cli_command cmd_fit = {
    .name = "fit",
    .synopsis = "fit DATA.csv [-o MODEL.json] [options]",
    .summary = "Fits the cost of each variable to the rows of a table.",
    .details = "With -o FILE a summary is printed: errors on the rows of the fit, and with each program left out.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
