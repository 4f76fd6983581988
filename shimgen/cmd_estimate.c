/* shimgen estimate --shim FILE PROFILE...: cycles and time, without the board. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "shimgen/commands.h"
#include "shimgen/compile.h"
#include "shimgen/estimate/leverage.h"
#include "shimgen/estimate/print.h"
#include "shimgen/estimate/trust.h"

struct options {
    const char *shim, *core, *method, *by, *region, *model, *dataset, *board, *program, *format, *output;
    bool strict;
};

struct job {
    const struct options *options;
    const struct estimator *method;
    struct regress_model *model; /* NULL: no intervals */
    struct leverage leverage;    /* of the model's rows, with --dataset */
    struct estimate_table table;
    struct costs *cores;
    struct board_args programs;
    bool incomplete; /* an executed instruction has no value */
};

/* What the estimate rests on that the SHIM file does not say. */
static void say_assumed(struct job *job, const struct estimate *est)
{
    double total = est->total.typical;
    for (size_t i = 0; i < est->n_assumed; i++) {
        const struct assumption *a = &est->assumed[i];
        char *as = strcmp(a->as, "nothing") == 0 ? xstrdup("it is taken to make no code")
                                                 : xasprintf("%s stands for it", a->as);
        fprintf(stderr,
                "shimgen: %s: core %s: '%s' has no value in %s: %s; executed %llu times, %.2g %% of the estimate\n",
                est->profile->program, est->costs->core, a->instruction, job->options->shim, as,
                (unsigned long long)a->count, total > 0 ? 100 * a->cycles / total : 0);
        free(as);
    }
    job->incomplete |= est->n_assumed > 0;
    for (size_t i = 0; i < est->n_notes; i++)
        fprintf(stderr, "shimgen: %s: %s\n", est->profile->program, est->notes[i]);
}

static enum status add_region(struct job *job, const struct irprof_profile *p, size_t region, enum estimate_by by,
                              struct error *e)
{
    enum status s = OK;
    for (size_t c = 0; c < job->table.n_cores && !s; c++) {
        struct estimate *est;
        struct estimate_request q = {.profile = p, .region = region, .costs = &job->cores[c]};
        q.board = job->options->board;
        q.programs = (const char *const *)job->programs.at;
        s = estimate_run(&est, job->method, &q, e);
        if (s)
            break;
        if (job->model)
            trust_domain(est, job->model);
        if (job->options->dataset)
            leverage_note(est, &job->leverage);
        say_assumed(job, est);
        estimate_lines_add(&job->table.lines, est, c, by, job->model);
        estimate_free(est);
    }
    return s;
}

static enum estimate_by by_of(const char *name)
{
    static const char *const names[] = {[ESTIMATE_BY_FUNCTION] = "function",
                                        [ESTIMATE_BY_LINE] = "line",
                                        [ESTIMATE_BY_LOOP] = "loop",
                                        [ESTIMATE_BY_BLOCK] = "block"};
    for (size_t i = ESTIMATE_BY_FUNCTION; i <= ESTIMATE_BY_BLOCK; i++)
        if (strcmp(names[i], name) == 0)
            return (enum estimate_by)i;
    return ESTIMATE_BY_PROGRAM;
}

/* PROFILE or NAME=PROFILE; a file whose own name has a '=' is still a file. */
static enum status read_profile(struct irprof_profile **out, const char *operand, struct error *e)
{
    const char *equals = strchr(operand, '=');
    bool named = equals && equals != operand && !file_exists(operand);
    enum status s = irprof_read(out, named ? equals + 1 : operand, e);
    if (!s && named) {
        free((*out)->program);
        (*out)->program = xstrndup(operand, (size_t)(equals - operand));
    }
    return s;
}

static enum status add_profile(struct job *job, const char *operand, struct error *e)
{
    const struct options *o = job->options;
    struct irprof_profile *p = 0;
    enum status s = read_profile(&p, operand, e);
    if (s)
        return s;
    enum estimate_by by = by_of(o->by);
    size_t region = p->n_regions - 1;
    if (o->region)
        s = irprof_region(&region, p, o->region, e);
    if (!s && strcmp(o->by, "region") == 0) {
        for (size_t i = 0; !s && i < p->n_regions; i++)
            if (!p->regions[i].flaws)
                s = add_region(job, p, i, by, e);
    } else if (!s) {
        s = add_region(job, p, region, by, e);
    }
    irprof_free(p);
    return s;
}

static enum status read_cores(struct job *job, struct error *e)
{
    const struct options *o = job->options;
    if (o->core && strcmp(o->core, "all") == 0)
        return costs_list(&job->cores, &job->table.n_cores, o->shim, e);
    job->cores = xcalloc(1, sizeof *job->cores);
    enum status s =
        o->shim ? costs_from_shim(job->cores, o->shim, o->core, e) : costs_from_board(job->cores, o->board, e);
    job->table.n_cores = s ? 0 : 1;
    return s;
}

static void job_release(struct job *job)
{
    estimate_lines_release(&job->table.lines);
    costs_list_free(job->cores, job->table.n_cores);
    leverage_release(&job->leverage);
    regress_model_free(job->model);
    board_args_release(&job->programs);
}

/* Values come from a SHIM file, or all that is needed from a board. */
static enum status check(const struct options *o, struct error *e)
{
    bool from_board = o->method && estimator_from_board(estimator_find(o->method));
    if (o->dataset && !o->model)
        return usage_error(e, "--dataset belongs to --model: it is the table that the model was fitted on");
    if (!from_board && (o->board || o->program))
        return usage_error(e, "--board and --program are for --method compiled");
    if (!from_board && !o->shim)
        return usage_error(e, "--shim FILE is needed: the SHIM file whose values are used");
    if (from_board && !o->board)
        return usage_error(e, "--method compiled needs --board NAME: a board with a model of its core");
    if (from_board && !o->program)
        return usage_error(e, "--method compiled needs --program FILES: the IR that was counted (.bc, .ll)");
    return OK;
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    struct job job = {
        .options = o,
    };
    enum status s = check(o, e);
    args_add_words(&job.programs, o->program);
    if (!s)
        s = read_cores(&job, e);
    if (!s)
        job.method = estimator_choose(o->method, job.cores);
    if (!s && o->model)
        s = regress_model_read(&job.model, o->model, e);
    if (!s && o->dataset)
        s = leverage_make(&job.leverage, job.model, o->dataset, e);
    for (int i = 0; !s && i < args->argc; i++)
        s = add_profile(&job, args->argv[i], e);
    if (!s && o->strict && job.incomplete)
        s = error_set(e, ERR_INPUT, AT_FILE(o->shim), "instructions without a value were executed (--strict)");
    job.table.cores = job.cores;
    job.table.shim = o->shim ? o->shim : o->board;
    job.table.method = job.method ? job.method->name : 0;
    job.table.kind = o->by;
    job.table.level = job.model ? job.model->level : 0;
    if (!s)
        s = estimate_print(&job.table, o->format, o->output, e);
    job_release(&job);
    return s;
}

static const struct cli_option options[] = {
    {CLI_TEXT, "shim", 's', "FILE", 0, "SHIM file with the cores' values (needed but for --method compiled)",
     offsetof(struct options, shim)},
    {CLI_TEXT, "core", 0, "NAME", 0,
     "MasterComponent, by name or id, or all: side by side (default: the first with an instruction set)",
     offsetof(struct options, core)},
    {CLI_CHOICE, "method", 0, ESTIMATOR_NAMES, 0,
     "how cycles follow from values (default: what the SHIM file says they are for, else operand)",
     offsetof(struct options, method)},
    {CLI_TEXT, "board", 0, "NAME", 0,
     "method compiled: a board with timing data (raspberrypi3-sim); then no --shim is needed",
     offsetof(struct options, board)},
    {CLI_TEXT, "program", 0, "FILES", 0,
     "method compiled: the IR that was counted, of all modules (.bc, .ll; blanks between)",
     offsetof(struct options, program)},
    {CLI_CHOICE, "by", 0, "program|function|line|loop|block|region", "program", "what a line of the result is",
     offsetof(struct options, by)},
    {CLI_TEXT, "region", 0, "NAME", 0, "only this region (default: the whole program)",
     offsetof(struct options, region)},
    {CLI_TEXT, "model", 0, "FILE", 0, "the model.json that the values are from: intervals, and what it never saw",
     offsetof(struct options, model)},
    {CLI_TEXT, "dataset", 0, "FILE", 0,
     "with --model: the table it was fitted on; says what mix of instructions is outside",
     offsetof(struct options, dataset)},
    {CLI_CHOICE, "format", 0, "text|csv|json", "text", "how to print", offsetof(struct options, format)},
    {CLI_TEXT, "output", 'o', "FILE", "-", "where the result goes", offsetof(struct options, output)},
    {CLI_BOOL, "strict", 0, 0, 0, "fail if an executed instruction has no value", offsetof(struct options, strict)},
    {0},
};
const struct cli_command cmd_estimate = {
    .name = "estimate",
    .synopsis = "estimate --shim FILE [NAME=]PROFILE... [options]",
    .summary = "Cycles and time of programs from their profiles and a SHIM file alone: no board is needed.",
    .details = "NAME stands in place of the name that the program was run by.\n"
               "A profile is what a program built with 'irprof cc' writes when it runs (irprof.out).\n"
               "Methods: sum, every instruction costs its Latency; operand, its Latency if its operand is the result\n"
               "of the one before, else its Pitch; schedule, instructions issue by their Pitch and wait for what they\n"
               "need; compiled, the IR is compiled for a board that has a model of its core, and its machine code is\n"
               "scheduled. A SHIM file says what its values are for: BOARD.schedule.shim.xml of 'shimgen build' for "
               "schedule, which\n"
               "is nearer to programs that nothing was fitted on (docs/method/estimating.md says by how much).\n"
               "best, typical and worst are estimated apart. The largest part stands first.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = -1,
    .run = run,
};
