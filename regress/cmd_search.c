/* cmd_search.c - regress search: searches for splits and merges of variables. */
#include "regress/commands.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

struct options {
    struct fit_options fit;
    const char *classes, *solver, *output;
    long steps;
};
static const struct cli_option options[] = {
    {CLI_TEXT, "output", 'o', "FILE", "-", "the classification that is chosen", offsetof(struct options, output)},
    {CLI_TEXT, "classes", 'c', "NAME|FILE", REGRESS_DEFAULT_CLASSES, "where to start",
     offsetof(struct options, classes)},
    {CLI_TEXT, "solver", 0, REGRESS_SOLVER_NAMES, REGRESS_DEFAULT_SOLVER, "whose errors are to be less",
     offsetof(struct options, solver)},
    {CLI_TEXT, "solver", 's', "NAME", 0, 0, offsetof(struct options, solver)},
    {CLI_INTEGER, "steps", 0, "N", "20", "at most so many that lessen the error", offsetof(struct options, steps)},
    FIT_OPTIONS(struct options),
    {0},
};

/* The way, as comments before the classification. */
static void print_way(FILE *f, const struct regress_search *r, const struct options *o)
{
    fprintf(f, "# regress search from %s by %s, %zu folds of programs left out; errors in %%, mean absolute.\n",
            o->classes, o->solver, r->folds);
    fprintf(f, "# Chosen: the fewest variables within one standard error (of the difference) of the least error. These "
               "errors\n"
               "# are of the folds that chose: judge by rows that were not here.\n#\n# vars   error  +- of best\n");
    for (size_t k = 0; k < r->n; k++) {
        const struct regress_search_step *x = &r->steps[k];
        fprintf(f, "# %4zu  %6.2f  %10.2f  %s%s%s\n", x->variables, 100 * x->error, 100 * x->standard_error, x->what,
                k == r->best ? "  <- least" : "", k == r->chosen ? "  <- chosen" : "");
    }
    fputs("#\n", f);
}

static enum status write_all(const struct regress_search *r, const struct options *o, struct error *e)
{
    struct outfile out;
    enum status s = outfile_open(&out, o->output, e);
    if (s)
        return s;
    print_way(out.f, r, o);
    fputs(r->steps[r->chosen].text, out.f);
    s = outfile_commit(&out, e);
    if (!s && strcmp(o->output, "-") != 0)
        print_way(stdout, r, o);
    return s;
}

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct options *o = given;
    struct regress_data *d = 0;
    struct regress_classes *c = 0;
    struct regress_rows rows = {0};
    struct regress_search *r = 0;
    struct regress_search_spec spec = {0};
    if (o->steps < 0)
        return usage_error(e, "--steps: %ld is below 0", o->steps);
    enum status s = fit_settings(&spec.settings, &o->fit, e);
    if (!s)
        s = fit_data(&d, args->argv[0], &o->fit, e);
    if (!s)
        s = regress_classes_load(&c, o->classes, e);
    if (!s)
        s = regress_rows_select(&rows, d, o->fit.rows, e);
    if (!s) {
        spec.rows = &rows;
        spec.most_steps = (size_t)o->steps;
        spec.settings.solver = o->solver;
        s = regress_search(&r, d, c, &spec, e);
    }
    if (!s)
        s = write_all(r, o, e);
    regress_search_free(r);
    free(rows.at);
    regress_classes_free(c);
    regress_data_free(d);
    return s;
}

const struct cli_command cmd_search = {
    .name = "search",
    .synopsis = "search DATA.csv [--classes START] [-o NAME.classes] [options]",
    .summary = "Proposes splits and merges of variables that lessen the error on programs left out.",
    .details =
        "Leaves out domains where the table knows them, else ten folds of programs. The result is a classification\n"
        "with the way to it in comments; give it to the other commands with --classes ./NAME.classes. Keep some\n"
        "programs out of the search (--rows) to judge it by. Bounds and orders of the start are not passed on.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
