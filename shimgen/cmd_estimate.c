/* shimgen estimate --shim FILE PROFILE...: cycles and time, without the board. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "shimgen/commands.h"
#include "shimgen/estimate_print.h"
#include "shimgen/shim_costs.h"

struct options {
    const char *shim, *core, *by, *region, *format, *output;
    bool strict;
};

struct job {
    const struct options *options;
    const struct costs *costs;
    estimate_lines lines;
    bool incomplete; /* an executed instruction has no value */
};

static char *describe(const struct irprof_profile *p, const struct irprof_row *row, enum irprof_by by)
{
    const char *file = row->file == IRPROF_NONE ? "(no debug information)" : path_basename(p->files[row->file]);
    if (by == IRPROF_BY_FUNCTION)
        return xstrdup(p->functions[row->function].name);
    if (by == IRPROF_BY_LINE)
        return row->line ? xasprintf("%s:%u", file, row->line) : xstrdup(file);
    return xstrdup("");
}

static int by_cycles(const void *a, const void *b)
{
    const struct estimate_line *x = a, *y = b;
    if (x->cycles.typical != y->cycles.typical)
        return x->cycles.typical < y->cycles.typical ? 1 : -1;
    return strcmp(x->what, y->what);
}

/* Executed instructions without a value cost nothing in the sum: the user must know. */
static void warn_missing(struct job *job, const struct irprof_profile *p, const struct irprof_row *total,
                         const struct key_costs *k)
{
    struct missing *missing;
    size_t n;
    estimate_missing(&missing, &n, total, k);
    for (size_t i = 0; i < n; i++)
        fprintf(stderr,
                "shimgen: %s: instruction '%s' has no value in %s and is counted as 0 cycles: %.2g %% of what was "
                "executed\n",
                p->program, missing[i].instruction, job->options->shim,
                100.0 * (double)missing[i].count / (double)total->total);
    job->incomplete |= n > 0;
    free(missing);
}

static enum status add_region(struct job *job, const struct irprof_profile *p, size_t region, enum irprof_by by,
                              const struct key_costs *k, struct error *e)
{
    struct irprof_groups *total = 0, *groups = 0;
    enum status s = irprof_group(&total, p, region, IRPROF_BY_KEY, e);
    if (!s)
        s = irprof_group(&groups, p, region, by, e);
    if (s || !total->n_rows) {
        irprof_groups_free(total);
        irprof_groups_free(groups);
        return s;
    }
    warn_missing(job, p, &total->rows[0], k);
    double all = estimate_row(&total->rows[0], k).typical;
    size_t first = job->lines.n;
    for (size_t i = 0; i < groups->n_rows; i++) {
        struct cycles c = estimate_row(&groups->rows[i], k);
        vec_push(&job->lines, (struct estimate_line){xstrdup(p->program), xstrdup(p->regions[region].name),
                                                     describe(p, &groups->rows[i], by), groups->rows[i].total, c,
                                                     all > 0 ? c.typical / all : 0});
    }
    qsort(job->lines.at + first, job->lines.n - first, sizeof *job->lines.at, by_cycles);
    irprof_groups_free(total);
    irprof_groups_free(groups);
    return OK;
}

static enum status add_profile(struct job *job, const char *path, struct error *e)
{
    const struct options *o = job->options;
    struct irprof_profile *p = 0;
    enum status s = irprof_read(&p, path, e);
    if (s)
        return s;
    enum irprof_by by = strcmp(o->by, "function") == 0 ? IRPROF_BY_FUNCTION
                        : strcmp(o->by, "line") == 0   ? IRPROF_BY_LINE
                                                       : IRPROF_BY_KEY;
    struct key_costs k;
    key_costs_init(&k, p, job->costs);
    size_t region = p->n_regions - 1;
    if (o->region)
        s = irprof_region(&region, p, o->region, e);
    if (!s && strcmp(o->by, "region") == 0) {
        for (size_t i = 0; !s && i < p->n_regions; i++)
            if (!p->regions[i].flaws)
                s = add_region(job, p, i, by, &k, e);
    } else if (!s) {
        s = add_region(job, p, region, by, &k, e);
    }
    key_costs_release(&k);
    irprof_free(p);
    return s;
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    struct costs costs = {0};
    if (!o->shim)
        return usage_error(e, "--shim FILE is needed: the SHIM file whose values are used");
    enum status s = costs_from_shim(&costs, o->shim, o->core, e);
    struct job job = {.options = o, .costs = &costs};
    for (int i = 0; !s && i < args->argc; i++)
        s = add_profile(&job, args->argv[i], e);
    if (!s && o->strict && job.incomplete)
        s = error_set(e, ERR_INPUT, AT_FILE(o->shim), "instructions without a value were executed (--strict)");
    if (!s)
        s = estimate_print(&job.lines, &costs, o->shim, o->format, o->by, o->output, e);
    for (size_t i = 0; i < job.lines.n; i++) {
        free(job.lines.at[i].program);
        free(job.lines.at[i].region);
        free(job.lines.at[i].what);
    }
    vec_release(&job.lines);
    costs_release(&costs);
    return s;
}

static const struct cli_option options[] = {
    {CLI_TEXT, "shim", 's', "FILE", 0, "SHIM file with the core's values (needed)", offsetof(struct options, shim)},
    {CLI_TEXT, "core", 0, "NAME", 0, "MasterComponent, by name or id (default: the first with an instruction set)",
     offsetof(struct options, core)},
    {CLI_CHOICE, "by", 0, "program|function|line|region", "program", "what a line of the result is",
     offsetof(struct options, by)},
    {CLI_TEXT, "region", 0, "NAME", 0, "only this region (default: the whole program)",
     offsetof(struct options, region)},
    {CLI_CHOICE, "format", 0, "text|csv|json", "text", "how to print", offsetof(struct options, format)},
    {CLI_TEXT, "output", 'o', "FILE", "-", "where the result goes", offsetof(struct options, output)},
    {CLI_BOOL, "strict", 0, 0, 0, "fail if an executed instruction has no value", offsetof(struct options, strict)},
    {0},
};
const struct cli_command cmd_estimate = {
    .name = "estimate",
    .synopsis = "estimate --shim FILE PROFILE... [options]",
    .summary = "Cycles and time of programs from their profiles and a SHIM file alone: no board is needed.",
    .details = "A profile is what a program built with 'irprof cc' writes when it runs (irprof.out).\n"
               "An instruction whose operand is the result of the one before costs its Latency, any other its Pitch;\n"
               "best, typical and worst are summed apart. The largest part stands first.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = -1,
    .run = run,
};
