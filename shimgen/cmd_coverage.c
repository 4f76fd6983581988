/* shimgen coverage DATASET.csv | out/BOARD: what the samples contain, and how well they determine the values. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/sums.h"
#include "shimgen/commands.h"
#include "shimgen/coverage/coverage_print.h"
#include "shimgen/units/outputs.h"

struct options {
    const char *classes, *model, *pool, *samples, *target, *scale, *micro, *format, *output;
    long most;
    bool keys;
};

/* Where the inputs are: as given by options, else beside the dataset if a build made it. */
struct places {
    char *data, *model, *micro;
};

static char *there(const char *folder, const char *name)
{
    char *path = path_join(folder, name);
    if (file_exists(path))
        return path;
    free(path);
    return 0;
}

/* The operand is a table, or a build's folder. In a folder, the build's model is used unless a classification is
 * named. */
static void find_places(struct places *p, const struct options *o, const char *operand)
{
    bool folder = file_is_directory(operand);
    const char *base = path_basename(operand);
    char *beside = folder            ? xstrdup(operand)
                   : base == operand ? xstrdup(".")
                                     : xstrndup(operand, (size_t)(base - operand));
    p->data = folder ? path_join(operand, "dataset.csv") : xstrdup(operand);
    p->model = o->model ? xstrdup(o->model) : folder && !o->classes ? there(beside, "model.json") : 0;
    p->micro = o->micro ? xstrdup(o->micro) : there(beside, "micro.csv");
    free(beside);
}

static void release_places(struct places *p)
{
    free(p->data);
    free(p->model);
    free(p->micro);
}

struct inputs {
    struct regress_data *data, *pool;
    struct regress_classes *classes;
    struct regress_model *model;
    struct samples samples;
};

/* Roles and domains come from the known samples. A folder that was named must be readable. */
static enum status read_samples(struct samples *s, const char *folder, struct error *e)
{
    if (folder)
        return samples_read(s, folder, 0, e);
    char *own = resource_share("samples");
    enum status status = own && file_is_directory(own) ? samples_read(s, own, 0, e) : OK;
    free(own);
    return status;
}

static enum status read_all(struct inputs *in, const struct options *o, const struct places *p, struct error *e)
{
    const char *const read[] = {p->data, p->model, p->micro};
    for (size_t i = 0; i < sizeof read / sizeof *read; i++)
        if (read[i])
            sums_note_read(read[i]);
    enum status s = regress_data_read(&in->data, p->data, e);
    if (!s && p->model)
        s = regress_model_read(&in->model, p->model, e);
    if (!s && !p->model)
        s = regress_classes_load(&in->classes, o->classes ? o->classes : REGRESS_DEFAULT_CLASSES, e);
    if (!s && o->pool)
        s = regress_data_read(&in->pool, o->pool, e);
    return s ? s : read_samples(&in->samples, o->samples, e);
}

static void release_all(struct inputs *in)
{
    regress_data_free(in->data);
    regress_data_free(in->pool);
    regress_classes_free(in->classes);
    regress_model_free(in->model);
    samples_release(&in->samples);
}

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct options *o = given;
    struct places p;
    struct inputs in = {0};
    struct coverage c = {0};
    if (o->classes && o->model)
        return usage_error(e, "--classes and --model exclude each other: a model has its classification");
    if (o->most < 1)
        return usage_error(e, "--most: %ld is less than 1", o->most);
    find_places(&p, o, args->argc ? args->argv[0] : "out/host");
    enum status s = read_all(&in, o, &p, e);
    const struct coverage_input input = {.data = in.data,
                                         .classes = in.classes,
                                         .model = in.model,
                                         .pool = in.pool,
                                         .samples = &in.samples,
                                         .micro = p.micro,
                                         .target = o->target,
                                         .absolute = strcmp(o->scale, "none") == 0,
                                         .most = (size_t)o->most};
    if (!s)
        s = coverage_make(&c, &input, e);
    const struct coverage_about about = {p.data,
                                         in.model     ? in.model->classes->name
                                         : in.classes ? in.classes->name
                                                      : "",
                                         o->keys, o->pool != 0};
    if (!s)
        s = coverage_print(&c, &about, o->format, o->output, e);
    coverage_release(&c);
    release_all(&in);
    release_places(&p);
    return s;
}

static const struct cli_option options[] = {
    {CLI_TEXT, "classes", 'c', "NAME|FILE", 0, "classification (default: that of the folder's model, else fine)",
     offsetof(struct options, classes)},
    {CLI_TEXT, "model", 'm', "FILE", 0,
     "model whose values and classification are used (default: model.json of a folder)",
     offsetof(struct options, model)},
    {CLI_TEXT, "target", 't', "COLUMN", 0, "the column that is estimated (default: cycles)",
     offsetof(struct options, target)},
    {CLI_CHOICE, "scale", 0, "relative|none", "relative", "relative: divide each row by its target, as the fit does",
     offsetof(struct options, scale)},
    {CLI_TEXT, "pool", 0, "FILE", 0, "programs that were counted but not measured: tells which of them would help",
     offsetof(struct options, pool)},
    {CLI_INTEGER, "most", 0, "N", "10", "number of programs of the pool to name", offsetof(struct options, most)},
    {CLI_INTEGER, "most", 'n', "N", 0, 0, offsetof(struct options, most)},
    {CLI_TEXT, "samples", 0, "FOLDER", 0, "folder of sample sets, for roles and domains (default: shimgen's own)",
     offsetof(struct options, samples)},
    {CLI_TEXT, "micro", 0, "FILE", 0, "values of microbenchmarks (default: micro.csv in the table's folder)",
     offsetof(struct options, micro)},
    {CLI_BOOL, "all-keys", 0, 0, 0, "also print every key (csv and json always do)", offsetof(struct options, keys)},
    {CLI_BOOL, "keys", 'k', 0, 0, 0, offsetof(struct options, keys)},
    {CLI_CHOICE, "format", 'f', "text|csv|json", "text", "output format", offsetof(struct options, format)},
    {CLI_TEXT, "output", 'o', "FILE", "-", "write the result here", offsetof(struct options, output)},
    {0},
};
const struct cli_command cmd_coverage = {
    .name = "coverage",
    .synopsis = "coverage [DATASET.csv|FOLDER] [options]",
    .summary =
        "Tells what the samples executed, how well that determines each value, what is missing, what would help.",
    .details =
        "FOLDER is the folder of a build (default: out/host). A table without the column 'cycles' (counts.csv) is\n"
        "examined as counts only. Rows of test programs are left out, as in the fit.\n"
        "worth: effective number of programs, as if all were alike; top%: share of the most influential program;\n"
        "+-: standard error.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 0,
    .max_args = 1,
    .run = run,
};
