/* cmd_diagnose.c - regress diagnose: reports what makes a fit unreliable. */
#include "regress/commands.h"

#include <stdlib.h>

struct options {
    struct fit_options fit;
    const char *classes, *solver, *format, *output;
};
static const struct cli_option options[] = {
    {CLI_TEXT, "classes", 'c', "NAME|FILE", REGRESS_DEFAULT_CLASSES, "which keys share a variable",
     offsetof(struct options, classes)},
    {CLI_TEXT, "solver", 0, REGRESS_SOLVER_NAMES, REGRESS_DEFAULT_SOLVER, "the solver whose values are examined",
     offsetof(struct options, solver)},
    {CLI_TEXT, "solver", 's', "NAME", 0, 0, offsetof(struct options, solver)},
    FIT_OPTIONS(struct options),
    {CLI_CHOICE, "format", 'f', "text|json", "text", "format of the result", offsetof(struct options, format)},
    {CLI_TEXT, "output", 'o', "FILE", "-", "the result", offsetof(struct options, output)},
    {0},
};

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct options *o = given;
    struct regress_data *d = 0;
    struct regress_classes *c = 0;
    struct regress_rows rows = {0};
    struct regress_diagnosis *g = 0;
    struct regress_settings settings;
    enum status s = fit_settings(&settings, &o->fit, e);
    if (!s)
        s = fit_data(&d, args->argv[0], &o->fit, e);
    if (!s)
        s = regress_classes_load(&c, o->classes, e);
    if (!s)
        s = regress_rows_select(&rows, d, o->fit.rows, e);
    settings.solver = o->solver;
    if (!s)
        s = regress_diagnose(&g, d, c, &settings, &rows, e);
    if (!s)
        s = write_diagnosis(g, o->format, o->output, e);
    regress_diagnosis_free(g);
    free(rows.at);
    regress_classes_free(c);
    regress_data_free(d);
    return s;
}

const struct cli_command cmd_diagnose = {
    .name = "diagnose",
    .synopsis = "diagnose DATA.csv [options]",
    .summary = "Tells what a fit on these rows can and cannot determine, and what to do about it.",
    .details =
        "VIF is the variance inflation factor. Above 10, a variable is nearly a combination of others; 'inf': it is\n"
        "exactly one. The exit status is 0 even if there are findings.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
