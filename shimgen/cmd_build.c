/* shimgen build BOARD, shimgen report BOARD, shimgen task PLAN N (of a build on a farm) */
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/str.h"
#include "shimgen/board/board_options.h"
#include "shimgen/commands.h"
#include "regress/regress.h"
#include "shimgen/units/lock.h"
#include "shimgen/build/build.h"
#include "shimgen/farm/task.h"
#include "shimgen/units/jobs.h"
#include "shimgen/units/quick.h"
#include "shimgen/core/core_build.h"

struct options {
    struct board_choice board;
    struct pipeline_options line;
    const char *out;
    const char *agree;
};

typedef enum status work_fn(const struct board *b, const struct outputs *o, const struct pipeline_options *opt,
                            struct error *e);

static enum status run_with(const struct options *o, const char *name, const struct board *whole, work_fn *what,
                            struct error *e)
{
    struct board *b = 0;
    struct pipeline_options line = o->line;
    enum status s = board_choose(&b, name, &o->board, e);
    if (s)
        return s;
    struct outputs out;
    outputs_init(&out, b->name, o->out);
    line.whole = whole;
    line.farm.board = name;
    s = board_changes(&line.farm.changes, &o->board, e);
    struct lock lock = {-1};
    if (!s)
        s = lock_take(&lock, out.directory, e);
    if (!s)
        s = what(b, &out, &line, e);
    lock_release(&lock);
    outputs_release(&out);
    board_free(b);
    return s;
}

/* Does --core name a model file, such as "cortex-a72.ini", and not a core to run on? */
static bool is_model_file(const char *core)
{
    long number;
    return core && strcmp(core, "auto") != 0 && !parse_long(core, &number);
}

static enum status farm_choose(struct options *o, struct error *e)
{
    double percent = 0;
    if (!parse_double(o->agree, &percent) || !(percent > 0) || percent > 100)
        return usage_error(e, "--agree: '%s' is not a percentage above 0", o->agree);
    if (o->line.farm.plan_only && !o->line.farm.on)
        return usage_error(e, "--plan-only plans a farm's tasks; say --on, too");
    o->line.farm.agree = percent / 100;
    return OK;
}

/* A selection of levels must be a subset of the board's. A quick build launches less often than the board says. */
static enum status run_build(const void *opt, const struct cli_args *args, struct error *e)
{
    struct options part = *(const struct options *)opt;
    struct board *whole = 0;
    if (is_model_file(part.board.core) && args->argc)
        return usage_error(e, "BOARD or --core FILE, not both: a core's model file stands in the place of a board");
    if (is_model_file(part.board.core))
        return core_build(part.board.core, part.out, part.line.jobs > 0 ? (size_t)part.line.jobs : jobs_processors(),
                          e);
    enum status s = farm_choose(&part, e);
    if (s)
        return s;
    struct board_choice all = part.board;
    all.levels = 0;
    if (part.line.quick && !part.board.runs)
        part.board.runs = QUICK_RUNS;
    s = board_choose(&whole, board_operand(args, 0), &all, e);
    if (!s)
        s = run_with(&part, board_operand(args, 0), whole, pipeline_build, e);
    board_free(whole);
    return s;
}

static enum status run_report(const void *opt, const struct cli_args *args, struct error *e)
{
    return run_with(opt, board_operand(args, 0), 0, pipeline_publish, e);
}

#define MODEL_OPTIONS                                                                                                  \
    {                                                                                                                  \
        CLI_TEXT,                                                                                                      \
        "output",                                                                                                      \
        'o',                                                                                                           \
        "FOLDER",                                                                                                      \
        0,                                                                                                             \
        "write the files here (default: out/BOARD)",                                                                   \
        offsetof(struct options, out)},                                                                                \
        {CLI_TEXT, "out", 0, "FOLDER", 0, 0, offsetof(struct options, out)},                                           \
        {CLI_TEXT,                                                                                                     \
         "classes",                                                                                                    \
         'c',                                                                                                          \
         "NAME",                                                                                                       \
         0,                                                                                                            \
         "classification of the model: a name or a file (see 'regress classes')",                                      \
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
         "folder of sample sets (default: shimgen's own)",                                                             \
         offsetof(struct options, line.samples)},                                                                      \
        {CLI_BOOL,                                                                                                     \
         "strict",                                                                                                     \
         0,                                                                                                            \
         0,                                                                                                            \
         0,                                                                                                            \
         "exit 1 if anything was left out; what can be written is written",                                            \
         offsetof(struct options, line.strict)},                                                                       \
    {                                                                                                                  \
        CLI_BOOL, "no-compare", 0, 0, 0, "evaluate only the model's own classification and solver",                    \
            offsetof(struct options, line.no_compare)                                                                  \
    }

static const struct cli_option build_options[] = {
    MODEL_OPTIONS,
    BOARD_OPTIONS(struct options, board),
    {CLI_TEXT, "programs", 0, "GLOBS", 0, "only these samples, such as 'paper/*,suite/fir'",
     offsetof(struct options, line.programs)},
    {CLI_TEXT, "simulate", 0, "FLAGS", 0,
     "simulate this during counting, in the form that 'shimgen profile --flags' prints (default: the board's)",
     offsetof(struct options, line.simulate)},
    {CLI_INTEGER, "jobs", 'j', "N", "0", "compile in N processes (0: one per processor)",
     offsetof(struct options, line.jobs)},
    {CLI_TEXT, "on", 0, "ENGINE", 0,
     "count and measure on a farm: slurm[:PARTITION], command:FILE (a lab's own commands), parallel:LOGINS (GNU "
     "parallel)",
     offsetof(struct options, line.farm.on)},
    {CLI_TEXT, "agree", 0, "PERCENT", "3", "with --on: leave out boards that differ by more from the others",
     offsetof(struct options, agree)},
    {CLI_BOOL, "plan-only", 0, 0, 0, "with --on: write the plan of the tasks, run none",
     offsetof(struct options, line.farm.plan_only)},
    {CLI_BOOL, "again", 0, 0, 0, "compile and measure again even if results exist",
     offsetof(struct options, line.again)},
    {CLI_BOOL, "no-memory", 0, 0, 0, "do not measure accesses to memory and messages between cores",
     offsetof(struct options, line.no_memory)},
    {CLI_BOOL, "no-micro", 0, 0, 0, "do not measure single instructions by microbenchmarks",
     offsetof(struct options, line.no_micro)},
    {CLI_BOOL, "quick", 0, 0, 0, "first results within a minute: fewer programs, launches and microbenchmarks",
     offsetof(struct options, line.quick)},
    {CLI_BOOL, "clean", 0, 0, 0, "remove work/ after success: the next build starts from the beginning",
     offsetof(struct options, line.clean)},
    {CLI_BOOL, "keep-going", 'k', 0, 0, "the default: what fails is left out",
     offsetof(struct options, line.keep_going)},
    {0},
};
static const struct cli_option report_options[] = {MODEL_OPTIONS, {0}};

const struct cli_command cmd_build = {
    .name = "build",
    .operands = "BOARD",
    .synopsis = "build [BOARD] [options]",
    .summary = "Builds a board's SHIM file (default: host): compiles, counts and measures samples, fits values, "
               "writes a report.",
    .details =
        "Writes into out/BOARD/:\n"
        "  BOARD.shim.xml  latencies and pitches in cycles with intervals, for estimates ('shimgen estimate') and\n"
        "                  other SHIM tools; also costs to multiply by counts (only these without microbenchmarks)\n"
        "  schedule.json   the errors and intervals of estimates by latencies and pitches\n"
        "  model.json      the model of the costs\n"
        "  programs.json   the model of whole programs\n"
        "  dataset.csv, measurements.csv, counts.csv, domains.csv, conditions.json, provenance.json, checksums.csv\n"
        "  report.html, work/\n"
        "An interrupted build continues with the same command. It keeps results with the same sources, tools and\n"
        "settings. A failed part is left out if the SHIM files do not need it. The end of the log, losses.csv and\n"
        "the report say what and why. --programs, --levels and --quick measure a part of the programs. Valid earlier\n"
        "results for the others stay. Only one build at a time can write into a folder.\n"
        "The build also counts the samples' spills on the board (irprof's --spills), and simulates caches and a\n"
        "branch predictor. The dataset has these events if the board does not measure them. --simulate chooses\n"
        "other events.\n"
        "'build --core FILE' takes a core's model ('shimgen core') instead of a BOARD. It needs no hardware and runs\n"
        "nothing. From the machine code of the microbenchmarks it makes NAME.shim.xml and micro.csv, in a minute or\n"
        "two. Only the options --output and --jobs apply.",
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
    .summary = "Fits a board (default: host) again from its dataset and writes models, SHIM files "
               "and report; measures nothing.",
    .options = report_options,
    .options_size = sizeof(struct options),
    .min_args = 0,
    .max_args = 1,
    .run = run_report,
};

/* ---- shimgen task: a build on a farm ---- */

struct task_given {
    const char *out, *place, *ssh;
};

static enum status run_task(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct task_given *o = opt;
    long number;
    if (!parse_long(args->argv[1], &number))
        return usage_error(e, "'%s' is not the number of a task", args->argv[1]);
    if (!o->out)
        return usage_error(e, "-o: name the file for the result");
    const struct task_options task = {args->argv[0], number, o->out, o->place, o->ssh};
    return task_run(&task, e);
}

static const struct cli_option task_cli_options[] = {
    {CLI_TEXT, "output", 'o', "FILE", 0, "write the result here", offsetof(struct task_given, out)},
    {CLI_TEXT, "place", 0, "NAME", 0, "name of this place in messages (default: the machine's)",
     offsetof(struct task_given, place)},
    {CLI_TEXT, "ssh", 0, "USER@HOST", 0, "the board is there", offsetof(struct task_given, ssh)},
    {0},
};
const struct cli_command cmd_task = {
    .name = "task",
    .operands = "FILE N",
    .synopsis = "task PLAN N -o FILE [options]",
    .summary =
        "Runs task N of a plan that 'shimgen build --on' wrote. A farm's engine calls it on the farm's machines.",
    .details =
        "The result is one file with the counts, the measurements and checksums of all. Refused: a machine with\n"
        "another shimgen, compiler, runtime or simulator, and a board whose description is another.",
    .options = task_cli_options,
    .options_size = sizeof(struct task_given),
    .min_args = 2,
    .max_args = 2,
    .run = run_task,
};
