/* shimgen tune out/BOARD -o FILE: a SHIM file of measured instructions, fitted through the schedule. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "shim-xml/shimxml.h"
#include "shimgen/commands.h"
#include "shimgen/estimate/tune.h"
#include "shimgen/roles.h"

struct options {
    const char *shim, *core, *values, *dataset, *profiles, *samples, *output;
    long passes;
    bool as_measured;
};

struct inputs {
    char *shim, *values, *dataset, *profiles; /* owned */
    struct costs costs;
    struct regress_data *data;
    struct tune_programs programs;
};

static char *given_or(const char *option, const char *folder, const char *name)
{
    return option ? xstrdup(option) : path_join(folder, name);
}

static void find_places(struct inputs *in, const struct options *o, const char *folder)
{
    size_t n = strlen(folder);
    while (n > 1 && folder[n - 1] == '/')
        n--;
    char *plain = xstrndup(folder, n), *name = xasprintf("%s.shim.xml", path_basename(plain));
    in->shim = given_or(o->shim, folder, name);
    in->values = given_or(o->values, folder, "work/values.csv");
    in->dataset = given_or(o->dataset, folder, "dataset.csv");
    in->profiles = given_or(o->profiles, folder, "work");
    free(name);
    free(plain);
}

static enum status read_all(struct inputs *in, const struct options *o, struct error *e)
{
    enum status s = costs_from_shim(&in->costs, in->shim, o->core, e);
    if (!s)
        s = tune_values_read(&in->costs, in->values, e);
    if (!s)
        s = regress_data_read(&in->data, in->dataset, e);
    if (!s)
        s = roles_describe(in->data, o->samples, e);
    if (!s)
        s = tune_programs_read(&in->programs, in->data, in->profiles, e);
    for (size_t i = 0; i < in->programs.n && !s; i++)
        in->programs.at[i].measured *= (double)o->passes;
    return s;
}

static void print_errors(const char *what, const struct regress_errors *r)
{
    if (r->n)
        printf("%-34s mean abs %6.1f %%, median %6.1f %%, worst %+7.1f %% (%s)\n", what, 100 * r->mean_abs,
               100 * r->median_abs, 100 * r->worst, r->worst_of);
}

static void print_result(const struct tune_result *r)
{
    print_errors("values as measured:", &r->before);
    print_errors("programs fitted on:", &r->training);
    print_errors("each left out in turn:", &r->left_out);
    print_errors("test programs, never fitted on:", &r->test);
    for (size_t k = 0; tune_factor_name(k); k++)
        printf("  x %.3f  %s\n", r->factors[k], tune_factor_name(k));
}

/* Through the latency CSV, which keeps what else the file says. */
static enum status write_values(const struct inputs *in, const struct options *o, struct error *e)
{
    struct shimxml_doc *d = 0;
    struct str text = STR_INIT;
    char *table = xasprintf("%s.latency.csv", o->output);
    str_add(&text, "# performance\n");
    for (size_t i = 0; i < in->costs.names.n; i++) {
        const struct cycles *p = &in->costs.pitch[i], *l = &in->costs.latency[i];
        const char *name = in->costs.names.keys[i];
        str_addf(&text, "%s,32,32,%.9g,%.9g,%.9g\n", name, p->typical, p->best, p->worst);
        str_addf(&text, "%s_d,32,32,%.9g,%.9g,%.9g\n", name, l->typical, l->best, l->worst);
    }
    enum status s = file_write(table, str_text(&text), text.len, e);
    if (!s)
        s = shimxml_read(&d, in->shim, e);
    if (!s)
        s = shimxml_import(d, table, 0, e);
    if (!s)
        s = shimxml_write(d, o->output, e);
    shimxml_free(d);
    unlink(table);
    free(table);
    str_release(&text);
    return s;
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    struct inputs in = {0};
    struct tune_result r;
    if (!o->output)
        return usage_error(e, "-o FILE is needed: where the SHIM file goes");
    if (o->passes < 1)
        return usage_error(e, "--passes: %ld is less than 1", o->passes);
    find_places(&in, o, args->argv[0]);
    enum status s = read_all(&in, o, e);
    if (!s && !o->as_measured)
        s = tune(&r, &in.costs, &in.programs, e);
    if (!s)
        s = write_values(&in, o, e);
    if (!s && !o->as_measured)
        print_result(&r);
    tune_programs_release(&in.programs);
    regress_data_free(in.data);
    costs_release(&in.costs);
    free(in.shim);
    free(in.values);
    free(in.dataset);
    free(in.profiles);
    return s;
}

static const struct cli_option options[] = {
    {CLI_TEXT, "output", 'o', "FILE", 0, "where the SHIM file goes (needed)", offsetof(struct options, output)},
    {CLI_TEXT, "shim", 's', "FILE", 0, "the SHIM file to begin with (default: that of the folder)",
     offsetof(struct options, shim)},
    {CLI_TEXT, "core", 0, "NAME", 0, "MasterComponent that was measured (default: the first with an instruction set)",
     offsetof(struct options, core)},
    {CLI_TEXT, "values", 0, "FILE", 0, "measured instructions, instead of the SHIM file's (default: work/values.csv)",
     offsetof(struct options, values)},
    {CLI_TEXT, "dataset", 0, "FILE", 0, "measured programs (default: dataset.csv)", offsetof(struct options, dataset)},
    {CLI_TEXT, "profiles", 0, "FOLDER", 0, "their profiles, as PROGRAM/profile (default: work)",
     offsetof(struct options, profiles)},
    {CLI_INTEGER, "passes", 0, "N", "1",
     "the profiles are of programs that did all their work N times, one behind the other",
     offsetof(struct options, passes)},
    {CLI_BOOL, "as-measured", 0, 0, 0, "write the measured instructions as they are",
     offsetof(struct options, as_measured)},
    {CLI_TEXT, "samples", 0, "FOLDER", 0, "sets of samples: which are test programs (default: the product's own)",
     offsetof(struct options, samples)},
    {0},
};
const struct cli_command cmd_tune = {
    .name = "tune",
    .synopsis = "tune FOLDER -o FILE [options]",
    .summary = "A SHIM file of measured instructions, corrected through the schedule by the programs of a build.",
    .details =
        "FOLDER is what 'shimgen build' wrote (out/BOARD). Latency and Pitch are those of the microbenchmarks,\n"
        "scaled by kind so that 'shimgen estimate --method schedule' fits the programs that were measured; test\n"
        "programs are not fitted on. The values stay times: use the file with --method schedule.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
