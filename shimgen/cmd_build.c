/* shimgen build BOARD, shimgen report BOARD */
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "shimgen/board_options.h"
#include "shimgen/commands.h"
#include "regress/regress.h"
#include "shimgen/pipeline.h"

struct options {
    struct board_choice board;
    struct pipeline_options line;
    const char *out;
};

static enum status run_with(const struct options *o, const char *name,
                            enum status (*what)(const struct board *, const struct outputs *,
                                                const struct pipeline_options *, struct error *),
                            struct error *e)
{
    struct board *b = 0;
    enum status s = board_choose(&b, name, &o->board, e);
    if (s)
        return s;
    struct outputs out;
    outputs_init(&out, b->name, o->out);
    s = what(b, &out, &o->line, e);
    outputs_release(&out);
    board_free(b);
    return s;
}

static enum status run_build(const void *opt, const struct cli_args *args, struct error *e)
{
    return run_with(opt, board_operand(args, 0), pipeline_build, e);
}

static enum status run_report(const void *opt, const struct cli_args *args, struct error *e)
{
    return run_with(opt, board_operand(args, 0), pipeline_publish, e);
}

#define MODEL_OPTIONS                                                                                                  \
    {CLI_TEXT, "output", 'o', "FOLDER", 0, "where the files go (default: out/BOARD)", offsetof(struct options, out)},  \
        {CLI_TEXT, "out", 0, "FOLDER", 0, 0, offsetof(struct options, out)},                                           \
        {CLI_TEXT,                                                                                                     \
         "classes",                                                                                                    \
         'c',                                                                                                          \
         "NAME",                                                                                                       \
         0,                                                                                                            \
         "classification of the model, a name or file (see 'regress classes')",                                        \
         offsetof(struct options, line.classes)},                                                                      \
        {CLI_TEXT,                                                                                                     \
         "solver",                                                                                                     \
         0,                                                                                                            \
         REGRESS_SOLVER_NAMES,                                                                                         \
         0,                                                                                                            \
         "solver of the model (default: the board's, else " REGRESS_DEFAULT_SOLVER ")",                                \
         offsetof(struct options, line.solver)},                                                                       \
        {CLI_TEXT,                                                                                                     \
         "samples",                                                                                                    \
         0,                                                                                                            \
         "FOLDER",                                                                                                     \
         0,                                                                                                            \
         "sets of sample programs (default: the product's own)",                                                       \
         offsetof(struct options, line.samples)},                                                                      \
    {                                                                                                                  \
        CLI_BOOL, "no-compare", 0, 0, 0, "judge only the model's own classification and solver",                       \
            offsetof(struct options, line.no_compare)                                                                  \
    }

static const struct cli_option build_options[] = {
    MODEL_OPTIONS,
    BOARD_OPTIONS(struct options, board),
    {CLI_TEXT, "programs", 0, "GLOBS", 0, "only these samples, as 'paper/*,suite/fir'",
     offsetof(struct options, line.programs)},
    {CLI_TEXT, "simulate", 0, "FLAGS", 0,
     "simulate this as they are counted, as 'shimgen profile --flags' prints (default: the board's)",
     offsetof(struct options, line.simulate)},
    {CLI_INTEGER, "jobs", 'j', "N", "0", "compile in N processes (0: one per processor)",
     offsetof(struct options, line.jobs)},
    {CLI_BOOL, "again", 0, 0, 0, "compile and measure again what is already there",
     offsetof(struct options, line.again)},
    {CLI_BOOL, "no-memory", 0, 0, 0, "do not measure accesses to memory and messages between cores",
     offsetof(struct options, line.no_memory)},
    {CLI_BOOL, "no-micro", 0, 0, 0, "do not measure single instructions by microbenchmarks",
     offsetof(struct options, line.no_micro)},
    {CLI_BOOL, "keep-going", 'k', 0, 0, "leave out a program that cannot be measured instead of stopping",
     offsetof(struct options, line.keep_going)},
    {0},
};
static const struct cli_option report_options[] = {MODEL_OPTIONS, {0}};

const struct cli_command cmd_build = {
    .name = "build",
    .operands = "BOARD",
    .synopsis = "build [BOARD] [options]",
    .summary = "Builds a board's SHIM file (default: host): compiles and counts the samples, measures them, fits, "
               "writes, reports.",
    .details =
        "Writes out/BOARD/: BOARD.schedule.shim.xml, whose values are times to be scheduled, to estimate programs by\n"
        "(and schedule.json, intervals); BOARD.shim.xml, whose values are to be multiplied by counts, for other SHIM\n"
        "tools (and model.json); programs.json (of whole programs), dataset.csv, measurements.csv, report.html;\n"
        "beside them counts.csv, domains.csv, conditions.json, work/. Without microbenchmarks no schedule file is\n"
        "written.\n"
        "Interrupted, the same command goes on where it was: what was compiled or measured with the same\n"
        "sources, tools and settings is kept. Beside instructions the samples' code for the board is counted\n"
        "(irprof's --spills), and caches and a predictor are simulated: the dataset has these events where the\n"
        "board does not measure them. --simulate says which events in their place.",
    .options = build_options,
    .options_size = sizeof(struct options),
    .min_args = 0,
    .max_args = 1,
    .run = run_build,
};
const struct cli_command cmd_report = {
    .name = "report",
    .operands = "BOARD",
    .synopsis = "report [BOARD] [options]",
    .summary = "Fits a board (default: host) once more from the dataset that is there and writes models, SHIM files "
               "and report; measures nothing.",
    .options = report_options,
    .options_size = sizeof(struct options),
    .min_args = 0,
    .max_args = 1,
    .run = run_report,
};
