/* cmd_import.c - regress import: makes a dataset of tables from GPU profilers. */
#include "regress/commands.h"

#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "regress/data/profilers.h"

struct import_options {
    const char *output;
};
static const struct cli_option options[] = {
    {CLI_TEXT, "output", 'o', "FILE", "-", "the dataset", offsetof(struct import_options, output)},
    {0},
};

/* NAME=TABLE. Without NAME, it is the file's name up to the first dot. */
static enum status add(struct profilers *t, const char *operand, struct error *e)
{
    const char *equals = strchr(operand, '=');
    bool named = equals && equals > operand && !file_exists(operand);
    const char *path = named ? equals + 1 : operand, *base = path_basename(path);
    char *name = named ? xstrndup(operand, (size_t)(equals - operand)) : xstrndup(base, strcspn(base, "."));
    enum status s = profilers_add(t, name, path, e);
    free(name);
    return s;
}

static void say(const char *column, const char *kernel)
{
    progress_note("regress: %s is left out: kernel '%s' has no value of it", column, kernel);
}

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct import_options *o = given;
    struct profilers t = {0};
    struct outfile out;
    enum status s = OK;
    for (int i = 0; !s && i < args->argc; i++)
        s = add(&t, args->argv[i], e);
    if (!s)
        s = outfile_open(&out, o->output, e);
    if (!s) {
        profilers_write(&t, out.f, say);
        s = outfile_commit(&out, e);
    }
    profilers_release(&t);
    return s;
}

const struct cli_command cmd_import = {
    .name = "import",
    .synopsis = "import [NAME=]TABLE... [-o DATASET.csv]",
    .summary = "Makes a dataset of tables that profilers of graphics processors have written.",
    .details =
        "TABLE is what 'ncu --csv' (also with '--page raw'), 'nvprof --csv' (--metrics or --events), 'rocprof' or\n"
        "'rocprofv3' has written. A row is a kernel, each counter a column: means of all launches. Tables of one NAME\n"
        "add their columns to each other. Times are in the column time_ns.",
    .options = options,
    .options_size = sizeof(struct import_options),
    .min_args = 1,
    .max_args = -1,
    .run = run,
};
