/* cmd_counters.c - regress counters: makes a classification from any numeric columns. */
#include "regress/commands.h"

#include <stdlib.h>

struct options {
    struct fit_options fit;
    const char *columns, *output;
    bool intercept, standardise;
    double sparse;
};
static const struct cli_option options[] = {
    {CLI_TEXT, "columns", 0, "GLOB,...", 0, "columns to use (default: all numeric columns but the target)",
     offsetof(struct options, columns)},
    {CLI_BOOL, "intercept", 0, 0, 0, "add a constant term", offsetof(struct options, intercept)},
    {CLI_BOOL, "standardise", 0, 0, 0, "scale each column to mean 0 and variance 1",
     offsetof(struct options, standardise)},
    {CLI_REAL, "merge-sparse", 0, "FRACTION", "0",
     "merge columns with a value in a smaller fraction of the rows, if their names differ only by numbers",
     offsetof(struct options, sparse)},
    {CLI_TEXT, "output", 'o', "FILE", "-", "the classification", offsetof(struct options, output)},
    FIT_OPTIONS(struct options),
    {0},
};

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct options *o = given;
    struct regress_data *d = 0;
    struct regress_rows rows = {0};
    char *text = 0;
    if (o->sparse < 0 || o->sparse > 1)
        return usage_error(e, "--merge-sparse: %g is not a fraction from 0 to 1", o->sparse);
    enum status s = fit_data(&d, args->argv[0], &o->fit, e);
    if (!s)
        s = regress_rows_select(&rows, d, o->fit.rows, e);
    if (!s) {
        struct regress_counters_spec spec = {o->fit.target, o->columns, o->intercept, o->standardise, o->sparse, &rows};
        s = regress_counters(&text, d, &spec, e);
    }
    struct outfile out;
    if (!s)
        s = outfile_open(&out, o->output, e);
    if (!s) {
        fputs(text, out.f);
        s = outfile_commit(&out, e);
    }
    free(text);
    free(rows.at);
    regress_data_free(d);
    return s;
}

const struct cli_command cmd_counters = {
    .name = "counters",
    .synopsis = "counters DATA.csv [-o NAME.classes] [options]",
    .summary = "Writes a classification for a table of any counters: selects, standardises and merges columns.",
    .details = "Comments in the file say what was left out and merged, and why. Use it with --classes ./NAME.classes.\n"
               "With --standardise or --intercept use '--solver ols' and, for absolute times, '--scale none'.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
