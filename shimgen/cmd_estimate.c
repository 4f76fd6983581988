/* shimgen estimate --shim FILE PROFILE...: cycles and time, without the board. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/progress.h"
#include "shimgen/commands.h"
#include "shimgen/core/values/values_board.h"
#include "shimgen/estimate/job.h"

struct options {
    struct estimate_spec spec;
    const char *format, *output;
    bool strict;
};

/* Values come from a SHIM file, or everything comes from a board. */
static enum status check(const struct estimate_spec *o, struct error *e)
{
    bool from_board = o->method && estimator_from_board(estimator_find(o->method));
    if (o->dataset && !o->model)
        return usage_error(e, "--dataset belongs to --model: it is the table that the model was fitted on");
    if (!from_board && (o->board || o->programs))
        return usage_error(e, "--board and --program are for --method compiled");
    if (!from_board && !o->shim)
        return usage_error(e, "--shim FILE is needed: the SHIM file whose values are used");
    if (from_board && !o->board && !o->shim)
        return usage_error(e, "--method compiled needs --board NAME: a board with a model of its core, or --core FILE: "
                              "such a model (shimgen core), or --shim FILE: a SHIM file that a core is made of");
    if (o->core && strcmp(o->core, "all") == 0 && o->annotate)
        return usage_error(e, "--annotate is for one core: name it with --core");
    return OK;
}

/* Chooses the output: the table, or annotated sources. */
static enum status check_output(const struct options *o, struct error *e)
{
    bool lcov = strcmp(o->format, "lcov") == 0;
    if (lcov && !o->spec.annotate)
        return usage_error(e, "--format lcov needs --annotate: it has the cycles of source lines");
    if (o->spec.annotate && !lcov && strcmp(o->format, "text") != 0)
        return usage_error(e, "--annotate prints text or lcov; --by line --format %s has the same figures", o->format);
    if (o->spec.folded && strcmp(o->spec.by, "program") != 0 && strcmp(o->spec.by, "function") != 0)
        return usage_error(e, "--format folded has functions by call path; --by %s --format csv has the others",
                           o->spec.by);
    if (o->spec.folded && o->spec.core && strcmp(o->spec.core, "all") == 0)
        return usage_error(e, "--format folded is for one core: name it with --core");
    if (o->spec.sources && !o->spec.annotate)
        return usage_error(e, "--sources is for --annotate");
    return OK;
}

/* Prints the notes after the first *said ones. */
static void say_notes(const struct estimate_job *job, size_t *said)
{
    for (; *said < job->notes.n; ++*said)
        progress_note("shimgen: %s", job->notes.at[*said]);
}

static bool is_model(const char *core)
{
    return strchr(core, '/') || text_ends(core, ".ini");
}

/* For methods that use boards, --core is a model file: the named board's timing, or a board that is only a core. With a
 * SHIM file and a board it may also be the name of the file's core. A path must contain '/'. The caller frees. */
static char *core_as_board(struct estimate_spec *o)
{
    bool from_board = o->method && estimator_from_board(estimator_find(o->method));
    if (!from_board || !o->core || (o->shim && !is_model(o->core)))
        return NULL;
    if (o->board) {
        o->timing = o->core;
        o->core = NULL;
        return NULL;
    }
    char *path = strchr(o->core, '/') ? xstrdup(o->core) : xasprintf("./%s", o->core);
    o->board = path;
    o->core = NULL;
    return path;
}

/* `compiled` with a SHIM file and no board: its core is made of the file's values. *path is freed by the caller. */
static enum status add_core_of_shim(char **path, struct estimate_spec *o, struct error *e)
{
    if (o->board || !o->shim || !o->method || !estimator_from_board(estimator_find(o->method)))
        return OK;
    if (o->core && strcmp(o->core, "all") == 0)
        return usage_error(e, "--method compiled is for one core: name it with --core");
    enum status s = values_board(path, o->shim, o->core, e);
    o->board = *path;
    return s;
}

static enum status print(const struct estimate_job *job, const char *format, const char *path, struct error *e)
{
    if (job->spec->annotate)
        return annotation_print(&job->annotation, strcmp(format, "lcov") == 0, path, e);
    if (!job->spec->folded)
        return estimate_print(&job->table, format, path, e);
    struct outfile out = {0};
    enum status s = outfile_open(&out, path, e);
    if (s)
        return s;
    fputs(str_text(&job->folded), out.f);
    return outfile_commit(&out, e);
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    struct estimate_spec spec = o->spec;
    struct estimate_job job = {0};
    size_t said = 0;
    char *board = core_as_board(&spec);
    spec.folded = strcmp(o->format, "folded") == 0;
    enum status s = check(&spec, e);
    if (!s)
        s = check_output(&(struct options){spec, o->format, o->output, o->strict}, e);
    if (!s)
        s = add_core_of_shim(&board, &spec, e);
    if (!s)
        s = estimate_job_start(&job, &spec, e);
    say_notes(&job, &said);
    for (int i = 0; !s && i < args->argc; i++) {
        s = estimate_job_add(&job, args->argv[i], e);
        say_notes(&job, &said);
    }
    if (!s && o->strict && job.incomplete)
        s = error_set(e, ERR_INPUT, AT_FILE(spec.shim), "instructions without a value were executed (--strict)");
    if (!s)
        s = print(&job, o->format, o->output, e);
    estimate_job_release(&job);
    free(board);
    return s;
}

static const struct cli_option options[] = {
    {CLI_TEXT, "shim", 's', "FILE", 0, "SHIM file with the cores' values (required except for --method compiled)",
     offsetof(struct options, spec.shim)},
    {CLI_TEXT, "core", 0, "NAME|FILE", 0,
     "MasterComponent, by name or id, or 'all' side by side (default: the first with an instruction set); for method "
     "compiled: a file with a core's timing (shimgen core), used instead of the board's own",
     offsetof(struct options, spec.core)},
    {CLI_CHOICE, "method", 0, ESTIMATOR_NAMES, 0, "method of estimating (default: the SHIM file's, otherwise operand)",
     offsetof(struct options, spec.method)},
    {CLI_TEXT, "board", 0, "NAME", 0,
     "for method compiled: a board with timing data (raspberrypi3-sim); --shim is not needed then",
     offsetof(struct options, spec.board)},
    {CLI_TEXT, "program", 0, "FILES", 0,
     "for method compiled: the counted IR of all modules (.bc, .ll; separated by spaces; default: what 'shimgen "
     "profile "
     "--board' or 'shimgen cc --board' has kept)",
     offsetof(struct options, spec.programs)},
    {CLI_CHOICE, "by", 0, "program|function|line|loop|block|region", "program", "what a line of the result stands for",
     offsetof(struct options, spec.by)},
    {CLI_TEXT, "region", 0, "NAME", 0, "only this region (default: the whole program)",
     offsetof(struct options, spec.region)},
    {CLI_BOOL, "annotate", 0, 0, 0, "print the source with the cycles of each line beside it",
     offsetof(struct options, spec.annotate)},
    {CLI_TEXT, "sources", 0, "FOLDER", 0, "with --annotate: where the sources are (default: where they were compiled)",
     offsetof(struct options, spec.sources)},
    {CLI_TEXT, "model", 'm', "FILE", 0,
     "the values' model.json or, for schedules, schedule.json: adds intervals, and names instructions it was not "
     "fitted on",
     offsetof(struct options, spec.model)},
    {CLI_TEXT, "dataset", 0, "FILE", 0,
     "with --model: the table that the model was fitted on; tells if hardly any program had such instructions",
     offsetof(struct options, spec.dataset)},
    {CLI_BOOL, "ranges", 0, 0, 0,
     "also print estimates from best and worst values: their spread, not bounds of the cycles (these are the "
     "interval)",
     offsetof(struct options, spec.ranges)},
    {CLI_BOOL, "no-demangle", 0, 0, 0,
     "only linkage names of C++ functions (csv and json always have these and, without this option, the source's names "
     "as 'readable')",
     offsetof(struct options, spec.no_demangle)},
    {CLI_CHOICE, "format", 'f', "text|csv|json|lcov|folded", "text",
     "output format; lcov: with --annotate, for editors and code review; folded: cycles by call path, for flame graphs",
     offsetof(struct options, format)},
    {CLI_TEXT, "output", 'o', "FILE", "-", "write the result here", offsetof(struct options, output)},
    {CLI_BOOL, "strict", 0, 0, 0, "fail if an executed instruction has no value", offsetof(struct options, strict)},
    {0},
};
const struct cli_command cmd_estimate = {
    .name = "estimate",
    .synopsis = "estimate --shim FILE [NAME=]PROFILE... [options]",
    .summary = "Estimates cycles and time of programs from their profiles and a SHIM file, without the board.",
    .details =
        "NAME replaces the program's own name.\n"
        "A program built with 'irprof cc' writes its profile (irprof.out) when it runs.\n"
        "Methods:\n"
        "  sum       every instruction costs its Latency\n"
        "  operand   an instruction costs its Latency if an operand is the result of the one before, otherwise its "
        "Pitch\n"
        "  schedule  instructions issue by their Pitch and wait for their operands\n"
        "  compiled  the IR is compiled for a board with timing data, and its machine code is scheduled\n"
        "A SHIM file says which method its values are for. BOARD.shim.xml of 'shimgen build' is for schedule, the\n"
        "most accurate on most programs (figures: docs/method/estimating.md), and has values for sum and operand too.\n"
        "The board's cycles lie within the 90 % interval with that probability. It comes from the SHIM file, from\n"
        "errors on programs that its values were not fitted on. The largest part is printed first.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = -1,
    .run = run,
};
