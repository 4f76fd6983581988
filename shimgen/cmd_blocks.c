/* shimgen blocks --shim FILE PROFILE: the cost of each block of a model, without the board. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/progress.h"
#include "base/sums.h"
#include "shimgen/blocks/cores.h"
#include "shimgen/blocks/print_blocks.h"
#include "shimgen/commands.h"
#include "shimgen/core/values/values_board.h"
#include "shimgen/estimate/compile.h"

struct options {
    const char *shim, *core, *by, *method, *board, *program, *region, *step, *sources, *format, *output, *period,
        *measured;
    bool changed_sources, strict, ranges, no_demangle, instances, all, whole_run;
    long top;
};

static void print_notes(const struct blocks *b)
{
    for (size_t i = 0; i < b->notes.n; i++)
        progress_note("shimgen: %s", b->notes.at[i]);
}

static enum status print(const struct blocks *b, const struct blocks_loads *loads, const struct trust *t,
                         const struct options *o, struct error *e)
{
    const struct blocks_print p = {.blocks = b,
                                   .shim = o->shim ? o->shim : o->board,
                                   .trust = t,
                                   .ranges = o->ranges,
                                   .instances = o->instances,
                                   .whole_run = o->whole_run,
                                   .all = o->all,
                                   .top = (size_t)o->top,
                                   .loads = loads,
                                   .mangled = o->no_demangle};
    struct outfile out = {0};
    if (strcmp(o->format, "json") == 0)
        return blocks_json(&p, o->output, e);
    enum status s = outfile_open(&out, o->output, e);
    if (s)
        return s;
    if (strcmp(o->format, "callgrind") == 0)
        s = blocks_callgrind(&p, out.f, e);
    else if (strcmp(o->format, "amalthea") == 0)
        blocks_amalthea(&p, out.f);
    else if (strcmp(o->format, "html") == 0)
        blocks_html(&p, out.f);
    else if (strcmp(o->format, "svg") == 0)
        blocks_svg(&p, out.f);
    else if (strcmp(o->format, "csv") == 0 && o->instances)
        blocks_instances_csv(&p, out.f);
    else if (strcmp(o->format, "csv") == 0)
        blocks_csv(&p, out.f);
    else {
        outfile_is_text(&out);
        blocks_text(&p, out.f);
    }
    if (!s)
        return outfile_commit(&out, e);
    outfile_abort(&out);
    return s;
}

/* Notes intervals that do not quite apply, for each core's estimate. */
static void note_intervals(struct blocks *b, const struct trust *t)
{
    const struct blocks_request *q = b->request;
    if (t->why_none)
        progress_note("shimgen: %s", t->why_none);
    struct trust_kind kind = trust_kind_of(q->profile, q->region, b->total[0].typical);
    char *remark = trust_remark(t, &kind);
    if (remark)
        progress_note("shimgen: %s", remark);
    free(remark);
}

static enum status blocks(const struct options *o, const struct irprof_profile *p, const struct blocks_cores *cores,
                          const struct board_args *programs, struct error *e)
{
    struct blocks_request q = {.profile = p,
                               .region = p->n_regions - 1,
                               .cores = cores->at,
                               .n_cores = cores->n,
                               .method = estimator_choose(o->method, cores->at),
                               .programs = (const char *const *)programs->at,
                               .board = o->board,
                               .step = o->step,
                               .folder = o->sources,
                               .measured = o->measured,
                               .changed_sources = o->changed_sources};
    q.by = strcmp(o->by, "system") == 0     ? BLOCKS_BY_SYSTEM
           : strcmp(o->by, "function") == 0 ? BLOCKS_BY_FUNCTION
                                            : BLOCKS_BY_BLOCK;
    struct blocks *b = 0;
    struct trust t;
    if (estimator_from_board(q.method))
        trust_of_board(&t, o->board, NULL);
    else
        trust_of_shim(&t, cores->at, q.method, o->shim ? o->shim : o->board);
    enum status s = o->region ? irprof_region(&q.region, p, o->region, e) : OK;
    if (!s)
        s = blocks_make(&b, &q, e);
    if (!s)
        print_notes(b);
    if (!s)
        note_intervals(b, &t);
    if (!s && o->strict && b->notes.n)
        s = error_set(e, ERR_INPUT, AT_FILE(p->path), "%zu findings, see above (--strict)", b->notes.n);
    struct blocks_loads loads = {0};
    if (!s && o->period)
        s = blocks_loads_make(&loads, b, o->period, e);
    if (!s)
        s = print(b, &loads, &t, o, e);
    blocks_loads_release(&loads);
    blocks_free(b);
    trust_release(&t);
    return s;
}

/* As in shimgen estimate, values come from a SHIM file, or everything comes from a board. */
static enum status check(const struct options *o, struct error *e)
{
    bool board = o->method && estimator_from_board(estimator_find(o->method));
    if (!board && (o->board || o->program))
        return usage_error(e, "--board and --program are for --method compiled");
    if (o->top < 0)
        return usage_error(e, "--top %ld: a number of rows is needed", o->top);
    if (!board && !o->shim)
        return usage_error(e, "--shim FILE is needed: the SHIM file whose values are used");
    if (board && !o->board && !o->shim)
        return usage_error(e, "--method compiled needs --board NAME: a board with a model of its core, or --shim FILE: "
                              "a SHIM file that a core is made of");
    return OK;
}

/* `compiled` with a SHIM file and no board: its core is made of the file's values. */
static enum status add_core_of_shim(char **path, struct options *o, struct error *e)
{
    if (o->board || !o->method || !estimator_from_board(estimator_find(o->method)))
        return OK;
    if (o->core && (strchr(o->core, ',') || strcmp(o->core, "all") == 0))
        return usage_error(e, "--method compiled is for one core: name it with --core");
    enum status s = values_board(path, o->shim, o->core, e);
    o->board = *path;
    return s;
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    struct options given = *(const struct options *)opt, *o = &given;
    struct blocks_cores cores = {0};
    struct board_args programs = {0};
    struct irprof_profile *p = 0;
    char *path = NULL;
    enum status s = check(o, e);
    args_add_words(&programs, o->program);
    if (!s && o->shim)
        sums_note_read(o->shim);
    if (!s)
        s = add_core_of_shim(&path, o, e);
    if (!s)
        s = o->shim ? blocks_cores_read(&cores, o->shim, o->core, o->method, e)
                    : blocks_cores_of_board(&cores, o->board, e);
    if (!s)
        s = irprof_read(&p, args->argv[0], e);
    if (!s)
        s = blocks(o, p, &cores, &programs, e);
    irprof_free(p);
    board_args_release(&programs);
    blocks_cores_release(&cores);
    free(path);
    return s;
}

static const struct cli_option options[] = {
    {CLI_TEXT, "shim", 's', "FILE", 0, "SHIM file with the cores' values (required except for --method compiled)",
     offsetof(struct options, shim)},
    {CLI_TEXT, "core", 0, "NAMES", 0,
     "MasterComponents, by name or id, separated by commas, or 'all' with an instruction set (default: the first)",
     offsetof(struct options, core)},
    {CLI_CHOICE, "by", 0, "block|system|function", "block", "what a row stands for", offsetof(struct options, by)},
    {CLI_CHOICE, "method", 0, ESTIMATOR_NAMES, 0,
     "method of estimating, see 'shimgen estimate' (default: the SHIM file's, otherwise operand)",
     offsetof(struct options, method)},
    {CLI_TEXT, "board", 0, "NAME", 0,
     "for method compiled: a board with timing data (default: a core made of the SHIM file's values)",
     offsetof(struct options, board)},
    {CLI_TEXT, "program", 0, "FILES", 0,
     "for method compiled: the counted IR of all modules (.bc, .ll; separated by spaces)",
     offsetof(struct options, program)},
    {CLI_TEXT, "region", 0, "NAME", 0, "only this region (default: the whole program)",
     offsetof(struct options, region)},
    {CLI_TEXT, "step", 0, "FUNCTION", 0,
     "function whose steps are printed, if several were counted (default: the first)", offsetof(struct options, step)},
    {CLI_TEXT, "sources", 0, "FOLDER", 0, "folder of the sources, if they are not where they were compiled",
     offsetof(struct options, sources)},
    {CLI_BOOL, "changed-sources", 0, 0, 0, "accept sources that have changed since they were compiled, with a note",
     offsetof(struct options, changed_sources)},
    {CLI_BOOL, "ranges", 0, 0, 0,
     "also print estimates from best and worst values: their spread, not bounds of the cycles (these are the "
     "interval)",
     offsetof(struct options, ranges)},
    {CLI_TEXT, "measured", 0, "FILE", 0,
     "also print the cycles that a simulated board measured: FILE is from 'shimgen measure --lines', of the same IR",
     offsetof(struct options, measured)},
    {CLI_TEXT, "period", 0, "TIME", 0,
     "how often the steps run, such as 10ms, or of each rate, model_step0=1ms,model_step1=10ms: also print the load of "
     "each core",
     offsetof(struct options, period)},
    {CLI_INTEGER, "top", 0, "N", "0", "for people: only the N most expensive rows; 0: all",
     offsetof(struct options, top)},
    {CLI_BOOL, "all", 0, 0, 0, "for people: also rows without cycles", offsetof(struct options, all)},
    {CLI_BOOL, "whole-run", 0, 0, 0, "for people: the whole run, even if the profile has steps",
     offsetof(struct options, whole_run)},
    {CLI_BOOL, "call-paths", 0, 0, 0,
     "also print blocks by call path, if there are several (csv: only these); 'shimgen profile "
     "--instances' keeps their cycles apart",
     offsetof(struct options, instances)},
    {CLI_BOOL, "no-demangle", 0, 0, 0,
     "only linkage names of C++ functions (csv and json always have these and, without this option, the source's names "
     "as 'readable')",
     offsetof(struct options, no_demangle)},
    {CLI_CHOICE, "format", 'f', "text|csv|json|html|svg|callgrind|amalthea", "text",
     "for people (text, html, svg), for programs, for KCachegrind, for Eclipse APP4MC",
     offsetof(struct options, format)},
    {CLI_TEXT, "output", 'o', "FILE", "-", "write the result here", offsetof(struct options, output)},
    {CLI_BOOL, "strict", 0, 0, 0, "fail if there is anything to note: a missing source, an assumed value ...",
     offsetof(struct options, strict)},
    {0},
};
const struct cli_command cmd_blocks = {
    .name = "blocks",
    .synopsis = "blocks --shim FILE PROFILE [options]",
    .summary = "Estimates cycles of each block of a model, from comments in generated code, a profile and a SHIM file.",
    .details =
        "Blocks are: what comments like /* Gain: '<S1>/Gain' */ name; Stateflow's states and transitions; code\n"
        "between /* shim: block NAME */ and /* shim: end */; code between shim_region_begin and shim_region_end;\n"
        "and the rest of each function. They add up to the program. With a profile from 'shimgen profile --steps\n"
        "FUNCTION' the mean, shortest and longest step is printed. The board's cycles lie within the 90 % interval\n"
        "with that probability. It comes from the SHIM file, from errors on programs that its values were not\n"
        "fitted on.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
