/* cmd_table.c - irprof table: writes profiles as one table of counts. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "irprof/commands.h"
#include "irprof/report/profile_report.h"
#include "irprof/report/wide_table.h"

struct options {
    const char *out, *with;
    bool total;
};

static const struct cli_option options[] = {
    {CLI_TEXT, "output", 'o', "FILE", 0, "write here (default: standard output)", offsetof(struct options, out)},
    {CLI_BOOL, "total", 0, 0, 0, "a row \"(program)\" too, for programs that mark regions",
     offsetof(struct options, total)},
    {CLI_TEXT, "with", 0, "branches|loops|dataflow|events|sizes|predictors,...", 0, "more columns, separated by commas",
     offsetof(struct options, with)},
    {0},
};

static enum status read_extras(struct table_extras *x, const char *list, struct error *e)
{
    static const char *const words[] = {"branches", "loops", "dataflow", "events", "sizes", "predictors"};
    bool *const places[] = {&x->branches, &x->loops, &x->dataflow, &x->events, &x->sizes, &x->predictors};
    char **parts = 0;
    size_t n = 0;
    enum status s = list ? split_list(list, "--with", &parts, &n, e) : OK;
    for (size_t i = 0; i < n && !s; i++) {
        size_t k = 0, n_words = sizeof words / sizeof *words;
        while (k < n_words && strcmp(words[k], parts[i]) != 0)
            k++;
        if (k == n_words)
            s = usage_error(e, "--with: '%s' is not one of branches, loops, dataflow, events, sizes, predictors",
                            parts[i]);
        else
            *places[k] = true;
    }
    free(parts);
    return s;
}

static enum status fill(struct table *t, const struct operand *operands, size_t n, bool total, struct error *flawed,
                        struct error *e)
{
    for (size_t i = 0; i < n; i++) {
        const struct irprof_profile *p = operands[i].profile;
        /* the last region is the whole run; without other regions it is called "main" */
        size_t n_regions = p->n_regions > 1 && !total ? p->n_regions - 1 : p->n_regions;
        for (size_t r = 0; r < n_regions; r++) {
            enum status s = is_usable(p, r, flawed) ? table_add(t, operands[i].name, p, r, e) : OK;
            if (s)
                return s;
        }
    }
    return OK;
}

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct options *o = given;
    struct operand *operands;
    struct table_extras extras = {0};
    enum status s = read_extras(&extras, o->with, e);
    if (!s)
        s = operands_read(&operands, args, e);
    if (s)
        return s;
    struct table t;
    struct outfile out = {0};
    struct error flawed = ERROR_INIT;
    table_init(&t, &extras);
    s = fill(&t, operands, (size_t)args->argc, o->total, &flawed, e);
    if (!s)
        s = outfile_open(&out, o->out, e);
    if (!s) {
        table_write(&t, out.f);
        s = outfile_commit(&out, e);
    }
    if (!s && flawed.status)
        s = error_set(e, flawed.status, NOWHERE, "left out, all else is there: %s", flawed.message);
    error_release(&flawed);
    table_release(&t);
    operands_free(operands, (size_t)args->argc);
    return s;
}

const struct cli_command cmd_table = {
    .name = "table",
    .synopsis = "table [NAME=]PROFILE... [-o FILE] [options]",
    .summary = "Writes counts as one wide CSV: a row per program and region, a column per key.",
    .details = "NAME replaces the program's own name in the column 'program'.\n"
               "Regions whose begins and ends do not match are left out: the command names them and exits with 1.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = -1,
    .run = run,
};
