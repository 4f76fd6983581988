/* shimgen compare OLD.csv NEW.csv: what has become slower? */
#include <math.h>
#include <stdlib.h>

#include "shimgen/commands.h"
#include "shimgen/compare/compare.h"

struct options {
    const char *column, *limit, *row_limit, *format, *output;
    bool budget, all;
};

/* Reads "5", "5%" or "5 %"; NULL: no limit. */
static enum status read_percent(double *out, const char *option, const char *text, struct error *e)
{
    char *end;
    *out = NAN;
    if (!text)
        return OK;
    *out = strtod(text, &end);
    while (*end == ' ')
        end++;
    end += *end == '%';
    if (end == text || *end || !(*out >= 0) || isinf(*out))
        return usage_error(e, "%s is '%s': it must be a number of percent, 0 or more, like 5", option, text);
    return OK;
}

static enum status judge(const struct compare *c, struct error *e)
{
    if (!c->n_beyond)
        return OK;
    if (c->request->budget)
        return error_set(e, ERR_INPUT, AT_FILE(c->request->new_),
                         "%zu row%s of '%s' %s above the budget or not there (marked '!')", c->n_beyond,
                         c->n_beyond == 1 ? "" : "s", c->request->old, c->n_beyond == 1 ? "is" : "are");
    return error_set(e, ERR_INPUT, AT_FILE(c->request->new_),
                     "%zu row%s or total%s grew by more than the limit (marked '!')", c->n_beyond,
                     c->n_beyond == 1 ? "" : "s", c->n_beyond == 1 ? "" : "s");
}

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct options *o = given;
    struct compare_request q = {.old = args->argv[0], .new_ = args->argv[1], .column = o->column, .budget = o->budget};
    struct compare c = {.request = &q};
    if (o->budget && (o->limit || o->row_limit))
        return usage_error(e, "--budget has the limits in OLD: --limit and --row-limit do not belong to it");
    enum status s = read_percent(&q.limit, "--limit", o->limit, e);
    if (!s)
        s = read_percent(&q.row_limit, "--row-limit", o->row_limit, e);
    if (!s)
        s = compare_tables(&c, &q, e);
    if (!s)
        s = compare_print(&c, o->format, o->all || o->budget, o->output, e);
    if (!s)
        s = judge(&c, e);
    compare_release(&c);
    return s;
}

static const struct cli_option options[] = {
    {CLI_TEXT, "column", 0, "NAME", "cycles", "the column that is compared, for blocks also inclusive or step_mean",
     offsetof(struct options, column)},
    {CLI_TEXT, "limit", 0, "PERCENT", 0, "exit with 1 if a total grew by more", offsetof(struct options, limit)},
    {CLI_TEXT, "row-limit", 0, "PERCENT", 0, "exit with 1 if a single row grew by more",
     offsetof(struct options, row_limit)},
    {CLI_BOOL, "budget", 0, 0, 0,
     "OLD has upper limits of some rows: only these are compared; exit with 1 if one is above its limit or not there",
     offsetof(struct options, budget)},
    {CLI_BOOL, "all", 0, 0, 0, "also print rows that are the same", offsetof(struct options, all)},
    {CLI_CHOICE, "format", 'f', "text|csv|json|markdown", "text", "output format; markdown for a pull request",
     offsetof(struct options, format)},
    {CLI_TEXT, "output", 'o', "FILE", "-", "write the result here", offsetof(struct options, output)},
    {0},
};
const struct cli_command cmd_compare = {
    .name = "compare",
    .synopsis = "compare OLD.csv NEW.csv [options]",
    .summary = "Compares two estimates row by row: tells which functions or blocks became slower, with limits for CI.",
    .details = "OLD and NEW are CSV tables of 'shimgen estimate --format csv' or 'shimgen blocks --format csv', of two "
               "versions\n"
               "of a program, two SHIM files, or two builds. Rows are found by what they are about: program, region, "
               "core, and\n"
               "function, loop, block or line. The greatest change is printed first.\n"
               "An estimate has the same cycles each time, so any change comes from the program or the values.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 2,
    .max_args = 2,
    .run = run,
};
