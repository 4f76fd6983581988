/* shimgen tune out/BOARD -o FILE: a SHIM file of measured instructions, with factors fitted through the schedule. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/program_name.h"
#include "base/sums.h"
#include "shimgen/commands.h"
#include "shimgen/estimate/tune/tune_files.h"

struct options {
    const char *shim, *core, *values, *micro, *dataset, *profiles, *samples, *output, *json;
    long passes;
    bool as_measured;
};

static void print_errors(const char *what, const struct regress_errors *r)
{
    if (r->n)
        printf("%-34s mean abs %6.1f %%, median %6.1f %%, worst %+7.1f %% (%s)\n", what, 100 * r->mean_abs,
               100 * r->median_abs, 100 * r->worst, r->worst_of);
}

/* Also prints how many rows of test programs are within it. */
static void print_interval(const struct schedule_model *m, size_t i)
{
    const struct shimxml_interval *v = &m->intervals[i];
    size_t n, within;
    char *below = isfinite(v->below) ? xasprintf(", below %.0f cycles", v->below) : xstrdup("");
    char *what = xasprintf("%s, %s%s:", v->code == SHIMXML_OPTIMISED ? "optimised" : "not optimised",
                           v->events ? "misses simulated" : "no misses", below);
    schedule_model_coverage(&n, &within, m, i);
    printf("%-34s %.0f %% of new programs take %.2f to %.2f times the estimate", what, 100 * v->level, v->low, v->high);
    if (n)
        printf(" (test: %zu of %zu)", within, n);
    printf("\n");
    free(below);
    free(what);
}

/* Is it the first row of its level? */
static bool begins_level(const struct schedule_model *m, size_t row, const char *level)
{
    for (size_t i = 0; i < row; i++) {
        const char *other = program_level(m->rows[i].program);
        if (other && !strcmp(other, level))
            return false;
    }
    return true;
}

static void print_level(const char *level, const char *what, const struct regress_errors *r)
{
    if (!r->n)
        return;
    char *name = xasprintf("-%s %s, %d cycles or more:", level, what, SCHEDULE_SHORT_RUN);
    printf("%-34s mean abs %6.1f %%, median %6.1f %%, 90th percentile %.1f %% (%zu rows)\n", name, 100 * r->mean_abs,
           100 * r->median_abs, 100 * r->p90_abs, r->n);
    free(name);
}

/* Short runs are off by much where they are off by a few cycles, so the levels are compared without them. */
static void print_levels(const struct schedule_model *m)
{
    for (size_t i = 0; i < m->n_rows; i++) {
        const char *level = program_level(m->rows[i].program);
        if (!level || !begins_level(m, i, level))
            continue;
        struct regress_errors left_out = schedule_model_errors(m, level, false);
        struct regress_errors test = schedule_model_errors(m, level, true);
        print_level(level, "left out", &left_out);
        print_level(level, "test", &test);
    }
}

static void print_model(const struct schedule_model *m)
{
    print_errors("values as measured:", &m->before);
    print_errors("programs fitted on:", &m->training);
    print_errors("each left out in turn:", &m->left_out);
    print_errors("test programs, never fitted on:", &m->test);
    print_levels(m);
    for (size_t i = 0; i < m->n_intervals; i++)
        print_interval(m, i);
    for (size_t k = 0; k < m->n_factors; k++)
        printf("  x %.3f  %s\n", m->factors[k].factor, m->factors[k].name);
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    struct schedule_model *m = 0;
    struct tune_files f = {.folder = args->argv[0],
                           .shim = o->shim,
                           .core = o->core,
                           .values = o->values,
                           .micro = o->micro,
                           .dataset = o->dataset,
                           .profiles = o->profiles,
                           .samples = o->samples,
                           .passes = o->passes,
                           .as_measured = o->as_measured,
                           .shim_out = o->output,
                           .model_out = o->json};
    if (!o->output)
        return usage_error(e, "-o FILE is needed: where the SHIM file goes");
    if (o->passes < 1)
        return usage_error(e, "--passes: %ld is less than 1", o->passes);
    if (o->as_measured && o->json)
        return usage_error(e, "--json is for what was fitted, and --as-measured fits nothing");
    sums_note(f.folder, NULL, SUMS_TAKEN);
    enum status s = tune_files(&m, &f, e);
    if (!s && m)
        print_model(m);
    schedule_model_free(m);
    return s;
}

static const struct cli_option options[] = {
    {CLI_TEXT, "output", 'o', "FILE", 0, "write the SHIM file here (required)", offsetof(struct options, output)},
    {CLI_TEXT, "json", 0, "FILE", 0, "write factors, errors and intervals of estimates here (schedule.json)",
     offsetof(struct options, json)},
    {CLI_TEXT, "shim", 's', "FILE", 0, "SHIM file to start from (default: the folder's)",
     offsetof(struct options, shim)},
    {CLI_TEXT, "core", 0, "NAME", 0, "MasterComponent that was measured (default: the first with an instruction set)",
     offsetof(struct options, core)},
    {CLI_TEXT, "values", 0, "FILE", 0, "measured instructions, instead of the SHIM file's (default: work/values.csv)",
     offsetof(struct options, values)},
    {CLI_TEXT, "micro", 0, "FILE", 0,
     "the same by type and by function (default: micro.csv, unless --values names others)",
     offsetof(struct options, micro)},
    {CLI_TEXT, "dataset", 0, "FILE", 0, "dataset of measured programs (default: dataset.csv)",
     offsetof(struct options, dataset)},
    {CLI_TEXT, "profiles", 0, "FOLDER", 0, "folder of their profiles, as PROGRAM/profile (default: work)",
     offsetof(struct options, profiles)},
    {CLI_INTEGER, "passes", 0, "N", "1", "the profiled programs did all their work N times in a row",
     offsetof(struct options, passes)},
    {CLI_BOOL, "as-measured", 0, 0, 0, "write the measured instructions unscaled",
     offsetof(struct options, as_measured)},
    {CLI_TEXT, "samples", 0, "FOLDER", 0, "folder of sample sets: they tell the test programs (default: shimgen's own)",
     offsetof(struct options, samples)},
    {0},
};
const struct cli_command cmd_tune = {
    .name = "tune",
    .synopsis = "tune FOLDER -o FILE [options]",
    .summary = "Writes a SHIM file of measured instructions, scaled so that schedules fit the programs of a build.",
    .details =
        "FOLDER is the output folder of 'shimgen build' (out/BOARD). Latency and Pitch are measured by\n"
        "microbenchmarks, then scaled by kind of instruction so that 'shimgen estimate --method schedule' fits the\n"
        "measured programs. Test programs are not used. Use the values with --method schedule.",
    .options = options,
    .options_size = sizeof(struct options),
    .operands = "FOLDER",
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
