/* shimgen crossval out/BOARD: estimation methods, judged on programs that their values were not fitted on. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/sums.h"
#include "shimgen/commands.h"
#include "shimgen/estimate/intervals/crossval_estimators.h"
#include "shimgen/estimate/tune/roles.h"

struct options {
    const char *classes, *solvers, *methods, *scheme, *samples, *board, *format, *output;
    long seed;
    bool trust;
};
struct inputs {
    char *board, *shim, *values, *micro, *work; /* owned, as the rest */
    struct regress_data *data;
    struct tune_programs programs;
    struct costs costs;
    char **classes, **solvers, **names;
    const struct estimator **methods;
};

static enum status read_scheme(struct crossval_spec *spec, const char *scheme, struct error *e)
{
    char *end = 0;
    spec->scheme = strcmp(scheme, "test") == 0 ? CROSSVAL_TEST : CROSSVAL_DOMAINS;
    if (strcmp(scheme, "test") == 0 || strcmp(scheme, "lodo") == 0)
        return OK;
    if (strncmp(scheme, "kfold:", 6) != 0)
        return usage_error(e, "--scheme: '%s' is not one of kfold:K, lodo, test", scheme);
    long folds = strtol(scheme + 6, &end, 10);
    if (*end || folds < 2)
        return usage_error(e, "--scheme: '%s' is not a number of folds from 2", scheme + 6);
    spec->scheme = CROSSVAL_FOLDS;
    spec->folds = (size_t)folds;
    return OK;
}

static enum status read_methods(struct crossval_spec *spec, struct inputs *in, const char *list, struct error *e)
{
    enum status s = split_list(list, "methods", &in->names, &spec->n_methods, e);
    in->methods = xcalloc(spec->n_methods + 1, sizeof *in->methods);
    for (size_t i = 0; i < spec->n_methods && !s; i++) {
        in->methods[i] = estimator_find(in->names[i]);
        if (!in->methods[i])
            s = usage_error(e, "--methods: '%s' is not one of " ESTIMATOR_LIST, in->names[i]);
    }
    spec->methods = in->methods;
    return s;
}

static enum status read_lists(struct crossval_spec *spec, struct inputs *in, const struct options *o, struct error *e)
{
    enum status s = read_scheme(spec, o->scheme, e);
    if (!s)
        s = read_methods(spec, in, o->methods, e);
    if (!s)
        s = split_list(o->classes, "classifications", &in->classes, &spec->n_classes, e);
    if (!s)
        s = split_list(o->solvers, "solvers", &in->solvers, &spec->n_solvers, e);
    for (size_t i = 0; i < spec->n_solvers && !s; i++)
        if (!regress_solver_known(in->solvers[i]))
            s = usage_error(e, "--solvers: '%s' is not a solver; 'regress crossval --help' lists them", in->solvers[i]);
    spec->classes = in->classes;
    spec->solvers = in->solvers;
    spec->seed = (uint64_t)o->seed;
    spec->trust = o->trust;
    if (!s && o->trust && (spec->scheme == CROSSVAL_TEST || strcmp(o->format, "text") != 0))
        s = usage_error(e, "--trust is for text, and for programs that are left out: --scheme kfold:K or lodo");
    return s;
}

static void find_places(struct inputs *in, const struct options *o, const char *folder)
{
    size_t n = strlen(folder);
    while (n > 1 && folder[n - 1] == '/')
        n--;
    char *plain = xstrndup(folder, n), *name = xasprintf("%s.shim.xml", path_basename(plain));
    in->board = xstrdup(o->board ? o->board : path_basename(plain));
    in->shim = path_join(folder, name);
    in->values = path_join(folder, "work/values.csv");
    in->micro = path_join(folder, "micro.csv");
    in->work = path_join(folder, "work");
    free(name);
    free(plain);
}

/* Reads what the methods need from the build: profiles, measured instructions. */
static enum status read_build(struct crossval_spec *spec, struct inputs *in, const struct options *o,
                              const char *folder, struct error *e)
{
    bool schedule = false, profiles = false;
    for (size_t i = 0; i < spec->n_methods; i++) {
        schedule |= spec->methods[i] == &estimator_schedule;
        profiles |= spec->methods[i] == &estimator_schedule || spec->methods[i] == &estimator_compiled;
    }
    char *dataset = path_join(folder, "dataset.csv");
    const char *const read[] = {"dataset.csv", path_basename(in->shim), "work/values.csv", "micro.csv", NULL};
    sums_note(folder, read, SUMS_TAKEN);
    enum status s = regress_data_read(&in->data, dataset, e);
    if (!s)
        s = roles_describe(in->data, o->samples, e);
    if (!s && profiles)
        s = tune_programs_read(&in->programs, in->data, in->work, e);
    if (!s && schedule)
        s = costs_from_shim(&in->costs, in->shim, 0, "operand", e);
    if (!s && schedule)
        s = tune_values_read(&in->costs, in->values, e);
    if (!s && schedule && file_exists(in->micro) && tune_cycle_event(in->data))
        s = tune_micro_read(&in->costs, in->micro, tune_cycle_event(in->data), e);
    spec->data = in->data;
    spec->programs = profiles ? &in->programs : 0;
    spec->costs = &in->costs;
    spec->board = in->board;
    spec->work = in->work;
    free(dataset);
    return s;
}

static void release(struct inputs *in)
{
    tune_programs_release(&in->programs);
    regress_data_free(in->data);
    costs_release(&in->costs);
    free(in->board);
    free(in->shim);
    free(in->values);
    free(in->micro);
    free(in->work);
    free(in->classes);
    free(in->solvers);
    free(in->names);
    free(in->methods);
}

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct options *o = given;
    struct crossval_spec spec = {0};
    struct inputs in = {0};
    struct crossval c = {0};
    enum status s = read_lists(&spec, &in, o, e);
    find_places(&in, o, args->argc ? args->argv[0] : "out/host");
    if (!s)
        s = read_build(&spec, &in, o, args->argc ? args->argv[0] : "out/host", e);
    if (!s)
        s = crossval_run(&c, &spec, e);
    if (!s)
        s = crossval_print(&c, &spec, o->scheme, o->format, o->output, e);
    crossval_release(&c);
    release(&in);
    return s;
}

static const struct cli_option options[] = {
    {CLI_TEXT, "classes", 'c', "NAME,...", REGRESS_DEFAULT_CLASSES, "classifications, for sum and operand",
     offsetof(struct options, classes)},
    {CLI_TEXT, "solvers", 0, REGRESS_SOLVER_NAMES ",...", REGRESS_DEFAULT_SOLVER, "solvers, for sum and operand",
     offsetof(struct options, solvers)},
    {CLI_TEXT, "methods", 0, ESTIMATOR_NAMES ",...", "sum,operand,schedule",
     "methods; compiled is for boards with timing data", offsetof(struct options, methods)},
    {CLI_TEXT, "solvers", 's', "NAME,...", 0, 0, offsetof(struct options, solvers)},
    {CLI_TEXT, "methods", 'm', "NAME,...", 0, 0, offsetof(struct options, methods)},
    {CLI_TEXT, "scheme", 0, "SCHEME", "test", "which programs are left out: kfold:K, lodo or test",
     offsetof(struct options, scheme)},
    {CLI_BOOL, "trust", 0, 0, 0, "also show how many rows the 90 % intervals hold, and whether warnings tell",
     offsetof(struct options, trust)},
    {CLI_INTEGER, "seed", 0, "N", "1", "seed of the folds", offsetof(struct options, seed)},
    {CLI_TEXT, "board", 0, "NAME", 0, "method compiled: the board with timing data (default: the folder's name)",
     offsetof(struct options, board)},
    {CLI_TEXT, "samples", 0, "FOLDER", 0,
     "folder of sample sets, for domains and roles (default: the folder's domains.csv)",
     offsetof(struct options, samples)},
    {CLI_CHOICE, "format", 'f', "text|csv|markdown", "text", "output format", offsetof(struct options, format)},
    {CLI_TEXT, "output", 'o', "FILE", "-", "write the table here", offsetof(struct options, output)},
    {0},
};
const struct cli_command cmd_crossval = {
    .name = "crossval",
    .synopsis = "crossval [FOLDER] [options]",
    .summary = "Compares methods of estimating on programs that were not used to fit their values.",
    .details =
        "FOLDER is the output folder of 'shimgen build' (default: out/host).\n"
        "Methods:\n"
        "  sum       every instruction costs as much as a dependent one\n"
        "  operand   the prediction of a linear model: counts x values\n"
        "  schedule  uses tuned microbenchmarks\n"
        "  compiled  fits nothing\n"
        "sum and operand use each classification's values by each solver. They share a line if the classification\n"
        "gives both the same values.\n"
        "Schemes:\n"
        "  test      fits on the training programs and predicts the test programs\n"
        "  kfold:K   leaves out a fold of the training programs at a time; test programs are not used\n"
        "  lodo      the same with one domain at a time\n"
        "Errors are (estimate - measured) / measured, over all optimisation levels and for each level.\n"
        "--trust (with kfold:K or lodo) makes a 90 % interval for each row left out, from the errors of the other\n"
        "folds. It counts the rows within. For each warning of 'shimgen estimate' it prints the median error of\n"
        "the rows with and without the warning.",
    .options = options,
    .options_size = sizeof(struct options),
    .operands = "FOLDER",
    .min_args = 0,
    .max_args = 1,
    .run = run,
};
