/* cmd_fit.c - regress fit: fits a model to a dataset. */
#include "regress/commands.h"

#include <stdlib.h>
#include <string.h>

#include "base/progress.h"

struct options {
    struct fit_options fit;
    const char *classes, *solver, *format, *output, *priors;
    long resamples;
    double strength;
};
static const struct cli_option options[] = {
    {CLI_TEXT, "output", 'o', "FILE", "-", "write the model here", offsetof(struct options, output)},
    {CLI_CHOICE, "format", 'f', "text|json", 0,
     "the values as a table, or the model (default: json with -o FILE, else text)", offsetof(struct options, format)},
    {CLI_TEXT, "classes", 'c', "NAME|FILE", REGRESS_DEFAULT_CLASSES, "which keys share a variable",
     offsetof(struct options, classes)},
    {CLI_TEXT, "solver", 0, REGRESS_SOLVER_NAMES, REGRESS_DEFAULT_SOLVER, "solver (docs/method/fitting.md)",
     offsetof(struct options, solver)},
    {CLI_TEXT, "solver", 's', "NAME", 0, 0, offsetof(struct options, solver)},
    FIT_OPTIONS(struct options),
    {CLI_TEXT, "priors", 0, "FILE", 0, "expected costs of variables (CSV); only 'shrink' uses them",
     offsetof(struct options, priors)},
    {CLI_INTEGER, "resamples", 0, "N", "200", "bootstrap samples, for the intervals of values",
     offsetof(struct options, resamples)},
    {CLI_REAL, "strength", 0, "X", "-1", "strength of shrink and tree; below 0: chosen by cross-validation",
     offsetof(struct options, strength)},
    {0},
};

/* Lists columns that only a catch-all rule took. If no other rule took any, the fit would have a single class. */
static enum status check_columns(const struct regress_data *d, const struct regress_classes *c, struct error *e)
{
    struct regress_unknown u;
    regress_unknown_columns(&u, c, d);
    enum status s = OK;
    if (u.n && !u.recognised)
        s = error_set(
            e, ERR_INPUT, AT_FILE(d->path),
            "the classification '%s' recognises none of the %zu columns ('%s' ...), so all would share one value; use "
            "--classes each (a value for each column), the classification that 'regress counters %s' writes, or your "
            "own (docs/formats/classes.md)",
            c->name, u.n, u.first, d->path);
    else if (u.n)
        progress_note(
            "regress: warning: %zu of %zu columns ('%s' ...) are unknown to '%s' and share the variable '%s'; if "
            "their costs differ, use --classes each or your own classification; 'regress classes %s %s' shows which",
            u.n, u.n + u.recognised, u.first, c->name, u.variable, c->name, d->path);
    return s;
}

/* Checks options that the solver cannot use. */
static enum status check_solver(const struct options *o, struct error *e)
{
    if (!regress_solver_known(o->solver))
        return OK; /* the fit names the solvers that exist */
    if (o->priors && !regress_solver_heeds(o->solver, REGRESS_COSTS))
        return usage_error(e, "--priors: the solver '%s' takes none; 'shrink' does", o->solver);
    if (o->strength >= 0 && !regress_solver_heeds(o->solver, REGRESS_STRENGTH))
        return usage_error(e, "--strength: the solver '%s' has none; shrink and tree have", o->solver);
    return OK;
}

static enum status write_result(const struct regress_model *m, const struct options *o, struct error *e)
{
    bool to_file = strcmp(o->output, "-") != 0;
    const char *format = o->format ? o->format : to_file ? "json" : "text";
    if (strcmp(format, "json") != 0)
        return write_fit(m, o->output, e);
    enum status s = regress_model_write(m, o->output, e);
    if (!s && to_file)
        print_fit_summary(m, stdout);
    return s;
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
        s = check_columns(d, c, e);
    if (!s)
        s = write_result(m, o, e);
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
    .details =
        "Prints each variable's value with its interval (5 % and 95 % quantiles of the bootstrap). Then it prints the\n"
        "errors on the rows of the fit, and those on each program left out in turn. With -o FILE it writes the model\n"
        "and prints only the errors.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
