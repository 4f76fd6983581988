/* shimgen core BOARD|llvm:CPU|SHIM: a core's timing, measured, from LLVM's model, or from a SHIM file's values. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/progress.h"
#include "base/target.h"
#include "boards/boards.h"
#include "shimgen/board/board_options.h"
#include "shimgen/commands.h"
#include "shimgen/core/beside.h"
#include "shimgen/core/core_file.h"
#include "shimgen/core/llvm_core.h"
#include "shimgen/core/measured_file.h"
#include "shimgen/core/values/values_core.h"
#include "shimgen/core/wide/wide_core.h"
#include "shimgen/core/wide/wide_trials.h"

struct options {
    struct board_choice board;
    const char *target, *cpu, *like, *set, *beside, *folder, *output;
};

static const char source_prefix[] = "llvm:";

/* Printed to standard error, since the file may go to standard output. */
static enum status say(const char *path, struct error *e)
{
    struct iss_model *m = NULL;
    enum status s = iss_model_read(&m, path, e);
    if (s)
        return s;
    char *origin = iss_model_origin(m), *unknown = iss_model_unknown(m);
    progress_note("shimgen: %s", origin);
    if (m->n_unknown)
        progress_note("shimgen: unknown, costs nothing in estimates until it is filled (--like, --set): %s", unknown);
    free(unknown);
    free(origin);
    iss_model_free(m);
    return OK;
}

static enum status figures(struct core_figures *f, const struct options *o, const char *architecture, struct error *e)
{
    enum status s = o->like ? core_figures_like(f, o->like, architecture, e) : OK;
    return s || !o->set ? s : core_figures_set(f, o->set, e);
}

static enum status make(const struct options *o, const char *source, struct error *e)
{
    const char *cpu = source + strlen(source_prefix);
    struct llvm_core core;
    struct core_figures known = {0};
    struct core_timing timing = {0};
    enum status s = llvm_core_measure(&core, o->target, cpu, e);
    if (!s)
        s = figures(&known, o, target_find(o->target)->name, e);
    if (!s) {
        core_timing_find(&timing, &core.measured);
        const struct core_file file = {.name = cpu,
                                       .source = source,
                                       .version = core.version,
                                       .shared = core.shared,
                                       .target = o->target,
                                       .cpu = cpu,
                                       .timing = &timing,
                                       .measured = &core.measured,
                                       .figures = &known};
        s = core_file_write(&file, o->output, e);
    }
    core_timing_release(&timing);
    core_figures_release(&known);
    llvm_core_release(&core);
    return s;
}

/* ---- a core of a SHIM file ---- */

static enum status write_of_values(const struct options *o, const struct values_core *of, struct error *e)
{
    struct core_figures known = {0};
    struct str text = STR_INIT;
    struct values_core with = *of;
    with.figures = &known;
    enum status s = figures(&known, o, target_find(of->target)->name, e);
    if (!s)
        s = values_core_text(&text, &with, e);
    if (!s)
        s = core_text_write(&text, o->output, e);
    str_release(&text);
    core_figures_release(&known);
    return s;
}

/* Target and processor: as given, else those that the file says. */
static enum status make_of_values(const struct options *o, const char *path, struct error *e)
{
    char *target = NULL, *cpu = NULL;
    enum status s = values_core_target(&target, &cpu, path, o->board.core, e);
    struct values_core of = {.shim = path,
                             .core = o->board.core,
                             .target = o->target ? o->target : target,
                             .cpu = o->cpu              ? o->cpu
                                    : !o->target && cpu ? cpu
                                                        : "generic"};
    if (!s && !of.target)
        s = usage_error(e,
                        "--target TRIPLE is needed, such as aarch64-linux-gnu: %s does not say what its programs were "
                        "compiled for",
                        path);
    if (!s)
        s = write_of_values(o, &of, e);
    free(cpu);
    free(target);
    return s;
}

static bool is_shim(const char *path)
{
    return text_ends(path, ".xml") || text_ends(path, ".xml.gz");
}

/* ---- a measured core ---- */

/* Of a core that issues out of order. */
static enum status measure_wide(const struct options *o, const struct board *b, struct core_run *run,
                                const char *folder, struct error *e)
{
    struct wide_core core = {0};
    struct hierarchy_figures hierarchy = {0};
    struct core_figures known = {0};
    wide_trials_add(&run->trials);
    enum status s = core_run_more(run, b, folder, e);
    if (!s)
        s = figures(&known, o, run->trials.kernels->architecture, e);
    if (!s)
        s = wide_core_find(&core, run, &known, folder, e);
    if (!s)
        s = core_run_write(run, core.predicted, core.errors, folder, e);
    if (!s)
        s = hierarchy_levels_find(&hierarchy, b, core_trials_cycles(&run->trials, "load/chain"), folder, e);
    for (size_t i = 0; !s && i < hierarchy.list.n; i++)
        core_figures_put(&known, hierarchy.list.at[i].section, hierarchy.list.at[i].key, hierarchy.list.at[i].value);
    if (!s)
        s = wide_core_write(&core, b, &known, o->output, e);
    hierarchy_figures_release(&hierarchy);
    core_figures_release(&known);
    wide_core_release(&core);
    return s;
}

static enum status write_measured(const struct options *o, const struct board *b, const struct core_run *run,
                                  const char *folder, struct error *e)
{
    struct core_fit *fit = xcalloc(1, sizeof *fit);
    struct hierarchy_figures hierarchy = {0};
    struct core_figures known = {0};
    enum status s = figures(&known, o, run->trials.kernels->architecture, e);
    if (!s)
        s = core_fit_make(fit, run, e);
    if (!s)
        s = measured_trials_write(fit, folder, e);
    if (!s)
        s = hierarchy_figures_find(&hierarchy, b, fit, folder, e);
    if (!s) {
        const struct measured_file file = {.board = b, .fit = fit, .hierarchy = &hierarchy, .figures = &known};
        s = measured_file_write(&file, o->output, e);
    }
    hierarchy_figures_release(&hierarchy);
    core_figures_release(&known);
    core_fit_release(fit);
    free(fit);
    return s;
}

/* By the order in which the core issues. */
static enum status measure_order(const struct options *o, const struct board *b, struct core_run *run,
                                 const char *folder, struct error *e)
{
    enum status s = core_run_check(run, b, e);
    if (s)
        return s;
    enum wide_order order = wide_order_of(&run->trials);
    bool wide = wide_can_measure(&run->trials);
    if (order == WIDE_OUT_OF_ORDER && !wide)
        return error_set(
            e, ERR_UNSUPPORTED, NOWHERE,
            "the core of %s issues out of order (results are waited for at no cost): there are no programs to "
            "measure such a core of %s with; LLVM's model of it is to be had without: 'shimgen core llvm:CPU "
            "--target TRIPLE'",
            b->name, run->trials.kernels->architecture);
    if (order != WIDE_OUT_OF_ORDER && wide)
        return error_set(e, ERR_UNSUPPORTED, NOWHERE,
                         "the core of %s issues in order, or its trials are too unsteady to tell: cores of %s are "
                         "measured that issue out of order; try again when the machine is idle",
                         b->name, run->trials.kernels->architecture);
    return wide ? measure_wide(o, b, run, folder, e) : write_measured(o, b, run, folder, e);
}

static enum status measure(const struct options *o, const char *name, struct error *e)
{
    struct board *b = NULL;
    struct core_run run = {0};
    char *folder = NULL;
    enum status s = board_choose(&b, name, &o->board, e);
    if (!s)
        s = o->folder ? make_directories(o->folder, e) : temp_directory(&folder, "shimgen-core", e);
    const char *where = o->folder ? o->folder : folder;
    if (!s)
        s = core_run_measure(&run, b, where, e);
    if (!s)
        s = measure_order(o, b, &run, where, e);
    core_run_release(&run);
    board_free(b);
    free(folder);
    return s || strcmp(o->output, "-") == 0 ? s : say(o->output, e);
}

static bool is_llvm(const char *source)
{
    return strncmp(source, source_prefix, strlen(source_prefix)) == 0;
}

static enum status check_source(const char *source, const char *target, struct error *e)
{
    bool nothing = is_llvm(source) && !source[strlen(source_prefix)];
    if (nothing || (!is_llvm(source) && !is_shim(source)))
        return usage_error(e,
                           "'%s': say llvm:CPU, such as llvm:cortex-a72: a processor as clang's -mcpu names it; or a "
                           "SHIM file (.xml); or a board, without --target",
                           source);
    return target || is_shim(source)
               ? OK
               : usage_error(e, "--target TRIPLE is needed, such as aarch64-linux-gnu or riscv64-linux-gnu");
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    const char *source = args->argv[0];
    if (o->beside)
        return core_beside(stdout, source, o->beside, e);
    if (!is_llvm(source) && !is_shim(source) && !o->target)
        return measure(o, source, e);
    enum status s = check_source(source, o->target, e);
    if (!s)
        s = is_shim(source) ? make_of_values(o, source, e) : make(o, source, e);
    return s || strcmp(o->output, "-") == 0 ? s : say(o->output, e);
}

static const struct cli_option options[] = {
    {CLI_TEXT, "target", 0, "TRIPLE", 0,
     "target that programs for the core are compiled for (required with llvm:CPU; default: that of the SHIM file)",
     offsetof(struct options, target)},
    {CLI_TEXT, "cpu", 0, "NAME", 0,
     "with a SHIM file: the processor that code is compiled for, as clang's -mcpu names it (default: that of the file; "
     "with --target: generic)",
     offsetof(struct options, cpu)},
    {CLI_TEXT, "like", 0, "BOARD", 0,
     "board with timing data, for what LLVM or a SHIM file does not know: clock, caches, predictor, branches, memory, "
     "TLB",
     offsetof(struct options, like)},
    {CLI_TEXT, "set", 0, "FIGURES", 0,
     "single figures, such as 'fetch.mispredicted=15 l1d.size=32K model.clock_hz=1500000000'; they override --like and "
     "what "
     "is measured",
     offsetof(struct options, set)},
    {CLI_TEXT, "beside", 0, "FILE", 0, "print a measured model file (the operand) beside another one, figure by figure",
     offsetof(struct options, beside)},
    {CLI_TEXT, "work", 0, "FOLDER", 0,
     "keep the programs that are run on a board, measured and fitted cycles of each trial (trials.csv) and memory.csv "
     "here (default: nowhere)",
     offsetof(struct options, folder)},
    {CLI_TEXT, "output", 'o', "FILE", "-", "write the model file here", offsetof(struct options, output)},
    BOARD_OPTIONS(struct options, board),
    {0},
};
const struct cli_command cmd_core = {
    .name = "core",
    .synopsis = "core BOARD|llvm:CPU|SHIM-FILE [options]",
    .operands = "BOARD",
    .summary =
        "Makes a model of a core's timing: from measurements on a board, LLVM's scheduling model of a processor, or "
        "the values of a SHIM file.",
    .details =
        "BOARD: short programs run there: chains and streams of single machine instructions, waits for results, "
        "pairs,\n"
        "branches, stores that loads follow, splits. The figures are those with which the pipeline explains the "
        "cycles\n"
        "of all of them; each has the interval of values that explain them as well. Boards of aarch64 and riscv64, "
        "whose\n"
        "core issues in order and which count its cycles; and of x86_64, whose core issues out of order: ports from "
        "pairs of\n"
        "kinds, the window from long waits. There ticks do that a chain of additions turns into cycles, and every "
        "output\n"
        "says so. 'shimgen core host' takes a minute or two.\n"
        "A SHIM file (.xml) needs no board either. What its IR instructions cost tells what "
        "the\n"
        "machine instructions cost that they become, and how soon a loaded value can be used. Targets aarch64 and "
        "riscv64,\n"
        "cores in order. What the file does not say is 'unknown'.\n"
        "llvm:CPU, with --target TRIPLE, needs no hardware:\n"
        "llvm-mca runs chains and streams of single machine instructions on LLVM's model. Latencies, needs of "
        "operands,\n"
        "units and the issue width follow. The file has the format of simulated boards' cores\n"
        "(docs/formats/iss-model.md). LLVM knows no clock, caches, predictor or cost of branches: these are 'unknown'\n"
        "in the file, unless --like or --set fills them.\n"
        "'shimgen build --core FILE' makes a SHIM file of it, 'shimgen estimate --method compiled --core FILE' "
        "estimates\n"
        "programs. Nothing is measured, and every output says so. Cores that issue out of order, and x86-64, have "
        "their\n"
        "window and ports in the file, and code is scheduled out of order (docs/method/wide.md).",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
