/* shimgen estimate --shim FILE PROFILE...: cycles and time, without the board. */
#include <stdio.h>

#include "shimgen/commands.h"
#include "shimgen/estimate/job.h"

struct options {
    struct estimate_spec spec;
    const char *format, *output;
    bool strict;
};

/* Values come from a SHIM file, or all that is needed from a board. */
static enum status check(const struct estimate_spec *o, struct error *e)
{
    bool from_board = o->method && estimator_from_board(estimator_find(o->method));
    if (o->dataset && !o->model)
        return usage_error(e, "--dataset belongs to --model: it is the table that the model was fitted on");
    if (!from_board && (o->board || o->programs))
        return usage_error(e, "--board and --program are for --method compiled");
    if (!from_board && !o->shim)
        return usage_error(e, "--shim FILE is needed: the SHIM file whose values are used");
    if (from_board && !o->board)
        return usage_error(e, "--method compiled needs --board NAME: a board with a model of its core");
    if (from_board && !o->programs)
        return usage_error(e, "--method compiled needs --program FILES: the IR that was counted (.bc, .ll)");
    return OK;
}

/* Those that are new, *said of them being known. */
static void say_notes(const struct estimate_job *job, size_t *said)
{
    for (; *said < job->notes.n; ++*said)
        fprintf(stderr, "shimgen: %s\n", job->notes.at[*said]);
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    struct estimate_job job = {0};
    size_t said = 0;
    enum status s = check(&o->spec, e);
    if (!s)
        s = estimate_job_start(&job, &o->spec, e);
    say_notes(&job, &said);
    for (int i = 0; !s && i < args->argc; i++) {
        s = estimate_job_add(&job, args->argv[i], e);
        say_notes(&job, &said);
    }
    if (!s && o->strict && job.incomplete)
        s = error_set(e, ERR_INPUT, AT_FILE(o->spec.shim), "instructions without a value were executed (--strict)");
    if (!s)
        s = estimate_print(&job.table, o->format, o->output, e);
    estimate_job_release(&job);
    return s;
}

static const struct cli_option options[] = {
    {CLI_TEXT, "shim", 's', "FILE", 0, "SHIM file with the cores' values (needed but for --method compiled)",
     offsetof(struct options, spec.shim)},
    {CLI_TEXT, "core", 0, "NAME", 0,
     "MasterComponent, by name or id, or all: side by side (default: the first with an instruction set)",
     offsetof(struct options, spec.core)},
    {CLI_CHOICE, "method", 0, ESTIMATOR_NAMES, 0,
     "how cycles follow from values (default: what the SHIM file says they are for, else operand)",
     offsetof(struct options, spec.method)},
    {CLI_TEXT, "board", 0, "NAME", 0,
     "method compiled: a board with timing data (raspberrypi3-sim); then no --shim is needed",
     offsetof(struct options, spec.board)},
    {CLI_TEXT, "program", 0, "FILES", 0,
     "method compiled: the IR that was counted, of all modules (.bc, .ll; blanks between)",
     offsetof(struct options, spec.programs)},
    {CLI_CHOICE, "by", 0, "program|function|line|loop|block|region", "program", "what a line of the result is",
     offsetof(struct options, spec.by)},
    {CLI_TEXT, "region", 0, "NAME", 0, "only this region (default: the whole program)",
     offsetof(struct options, spec.region)},
    {CLI_TEXT, "model", 'm', "FILE", 0,
     "the model.json that the values are from, of schedules schedule.json: its intervals, and what it never saw",
     offsetof(struct options, spec.model)},
    {CLI_TEXT, "dataset", 0, "FILE", 0,
     "with --model: the table it was fitted on; says what mix of instructions is outside",
     offsetof(struct options, spec.dataset)},
    {CLI_BOOL, "ranges", 0, 0, 0,
     "also what the SHIM file's best and worst values make: the spread of values, no bounds (of the cycles: the "
     "interval)",
     offsetof(struct options, spec.ranges)},
    {CLI_BOOL, "no-demangle", 0, 0, 0,
     "names of C++ functions as the linker has them alone (csv and json always have these; without this option the "
     "source's beside them, as 'readable')",
     offsetof(struct options, spec.no_demangle)},
    {CLI_CHOICE, "format", 'f', "text|csv|json", "text", "how to print", offsetof(struct options, format)},
    {CLI_TEXT, "output", 'o', "FILE", "-", "where the result goes", offsetof(struct options, output)},
    {CLI_BOOL, "strict", 0, 0, 0, "fail if an executed instruction has no value", offsetof(struct options, strict)},
    {0},
};
const struct cli_command cmd_estimate = {
    .name = "estimate",
    .synopsis = "estimate --shim FILE [NAME=]PROFILE... [options]",
    .summary = "Cycles and time of programs from their profiles and a SHIM file alone: no board is needed.",
    .details =
        "NAME stands in place of the name that the program was run by.\n"
        "A profile is what a program built with 'irprof cc' writes when it runs (irprof.out).\n"
        "Methods: sum, every instruction costs its Latency; operand, its Latency if its operand is the result\n"
        "of the one before, else its Pitch; schedule, instructions issue by their Pitch and wait for what they\n"
        "need; compiled, the IR is compiled for a board that has a model of its core, and its machine code is\n"
        "scheduled. A SHIM file says what its values are for; BOARD.schedule.shim.xml of 'shimgen build': schedule,\n"
        "which is nearer on most programs (docs/method/estimating.md says by how much).\n"
        "The 90 % interval says between what the board's cycles are, by the errors on programs that the values were "
        "not\n"
        "fitted on; it is in the SHIM file that 'shimgen build' wrote. The largest part stands first.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = -1,
    .run = run,
};
