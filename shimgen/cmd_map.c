/* shimgen map --shim FILE PROFILE: maps blocks to the cores of a SHIM file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/progress.h"
#include "base/sums.h"
#include "shimgen/commands.h"
#include "shimgen/core/values/values_board.h"
#include "shimgen/estimate/estimate.h"
#include "shimgen/map/emit/emit.h"
#include "shimgen/map/program/program_graph.h"
#include "shimgen/map/show/map_show.h"

struct options {
    const char *shim, *core, *graph, *rules, *mapping, *objective, *format, *output, *method, *step, *sources, *program,
        *cflags, *emit, *bytes, *board, *period;
    long cores, draws;
    double limit, message, line;
    bool pipeline, strict, changed_sources, inside;
};

/* Everything that a run makes; all zero at first. */
struct run {
    const struct options *o;
    struct map_graph graph;
    struct map_machine machine;
    struct map_rules rules;
    struct map_curve curve, own;
    struct map_moves moves;
    struct map_draws draws;
    struct map_pipeline pipeline;
    size_t *fixed;
    struct map_problem movable; /* the user's mapping, with movable blocks */
    struct map_report report;
    struct depend_split split; /* for --emit */
    struct map_rates rates;
    double period; /* [unit of the machine]; 0: none */
};

static void release(struct run *x)
{
    map_graph_release(&x->graph);
    map_machine_release(&x->machine);
    map_rules_release(&x->rules);
    map_curve_release(&x->curve);
    map_curve_release(&x->own);
    map_moves_release(&x->moves);
    map_pipeline_release(&x->pipeline);
    map_problem_release(&x->movable);
    depend_split_release(&x->split);
    map_rates_release(&x->rates);
    free(x->fixed);
}

static void print_notes(const struct run *x)
{
    for (size_t i = 0; i < x->graph.notes.n; i++)
        progress_note("shimgen: %s", x->graph.notes.at[i]);
    for (size_t i = 0; i < x->machine.notes.n; i++)
        progress_note("shimgen: %s", x->machine.notes.at[i]);
}

static enum status print(const struct run *x, struct error *e)
{
    static const struct {
        const char *format;
        void (*print)(const struct map_report *, FILE *);
    } formats[] = {
        {"text", map_text}, {"dot", map_dot}, {"svg", map_svg}, {"html", map_html}, {"amalthea", map_amalthea}};
    const struct options *o = x->o;
    struct outfile out = {0};
    if (strcmp(o->format, "json") == 0)
        return map_json(&x->report, o->output, e);
    if (strcmp(o->format, "graph") == 0)
        return map_graph_write(&x->graph, o->output, e);
    enum status s = outfile_open(&out, o->output, e);
    if (s)
        return s;
    if (strcmp(o->format, "text") == 0)
        outfile_is_text(&out);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(o->format, formats[i].format) == 0)
            formats[i].print(&x->report, out.f);
    return outfile_commit(&out, e);
}

static bool fewest(const struct options *o)
{
    return strcmp(o->objective, "cores") == 0;
}

static struct map_curve_wish wish_of(const struct run *x)
{
    const struct options *o = x->o;
    return (struct map_curve_wish){.demands = {&x->rules, 0, x->period},
                                   .effort = {.seconds = o->limit},
                                   .most_cores = o->cores > 0 ? (size_t)o->cores : 0,
                                   .stop_at = fewest(o) ? x->period : 0};
}

static const struct map_point *last_point(const struct map_curve *c)
{
    return &c->points.at[c->points.n - 1];
}

/* Predicts the user's mapping on all cores, in the best order of its blocks, then finds what to move. */
static enum status judge_own(struct run *x, struct error *e)
{
    struct map_curve_wish wish = wish_of(x);
    size_t without = 0;
    enum status s = map_mapping_read(&x->fixed, x->o->mapping, &x->graph, &x->machine, e);
    if (s)
        return s;
    for (size_t b = 0; b < x->graph.blocks.n; b++)
        without += x->fixed[b] == MAP_NONE;
    if (without)
        vec_push(&x->graph.notes, xasprintf("%s: no core for %zu of %zu blocks; they are put where it is best",
                                            x->o->mapping, without, x->graph.blocks.n));
    wish.demands.fixed = x->fixed;
    s = map_curve_make(&x->own, &x->graph, &x->machine, &wish, e);
    if (s)
        return error_context(e, "%s", x->o->mapping);
    x->report.mapping = x->o->mapping;
    x->report.best = x->report.point;
    x->report.point = last_point(&x->own);
    return OK;
}

/* Solves the problem without the user's assignment to cores, so that blocks may move. */
static enum status find_moves(struct run *x, struct error *e)
{
    enum { MOVES = 5 };
    const struct map_problem *own = &x->report.point->problem;
    const struct map_demands d = {&x->rules, 0, x->period};
    enum status s = map_problem_make(&x->movable, &x->graph, &x->machine, own->cores, own->n_cores, &d, e);
    if (!s)
        map_moves_find(&x->moves, &x->report.point->result.plan, &x->movable, MOVES);
    x->report.moves = &x->moves;
    return s;
}

static enum status check_period(const struct run *x, struct error *e)
{
    const struct map_point *p = x->report.point;
    if (!fewest(x->o) || p->result.plan.makespan <= x->period)
        return OK;
    return error_set(
        e, ERR_INPUT, AT_FILE(x->graph.path),
        "no mapping on %zu core%s ends within the period of %g %s: the best found takes %.6g, none can take less "
        "than %.6g (--pipeline works on several steps at once)",
        p->problem.n_cores, p->problem.n_cores == 1 ? "" : "s", x->period, x->machine.unit, p->result.plan.makespan,
        p->result.bound);
}

static enum status make(struct run *x, struct error *e)
{
    const struct options *o = x->o;
    const struct map_curve_wish wish = wish_of(x);
    enum status s = map_curve_make(&x->curve, &x->graph, &x->machine, &wish, e);
    if (s)
        return s;
    x->report = (struct map_report){.graph = &x->graph,
                                    .machine = &x->machine,
                                    .curve = &x->curve,
                                    .point = last_point(&x->curve),
                                    .period = x->period,
                                    .fewest = fewest(o)};
    s = check_period(x, e);
    if (!s && o->mapping)
        s = judge_own(x, e);
    if (!s && o->mapping)
        s = find_moves(x, e);
    if (!s && o->draws > 0) {
        map_draw(&x->draws, &x->report.point->result.plan, o->mapping ? &x->movable : &x->report.point->problem,
                 (size_t)o->draws, o->limit);
        x->report.draws = &x->draws;
    }
    if (!s && o->pipeline) {
        const struct map_effort effort = {.seconds = o->limit};
        s = map_pipeline_make(&x->pipeline, &x->report.point->problem, &effort, e);
        x->report.pipeline = &x->pipeline;
    }
    return s;
}

/* Cycles need a core's values, so for a profile only cores with values are used. */
static enum status read_graph(struct run *x, const char *profile, struct error *e)
{
    const struct options *o = x->o;
    const struct map_program_files f = {.shim = o->shim,
                                        .core = o->core,
                                        .profile = profile,
                                        .method = o->method,
                                        .step = o->step,
                                        .sources = o->sources,
                                        .ir = o->program,
                                        .flags = o->cflags,
                                        .traffic = o->bytes,
                                        .board = o->board,
                                        .inside = o->inside,
                                        .rates = &x->rates,
                                        .changed_sources = o->changed_sources,
                                        .emit = o->emit,
                                        .split = &x->split};
    return o->graph ? map_graph_read(&x->graph, o->graph, e) : map_program_read(&x->graph, &f, e);
}

/* A number in the machine's unit, or times with units: of a step, or of each step function. */
static enum status take_period(struct run *x, struct error *e)
{
    const struct options *o = x->o;
    if (!o->period)
        return OK;
    if (parse_double(o->period, &x->period))
        return x->period > 0 && x->period <= 1e15
                   ? OK
                   : usage_error(e, "--period %s: it must be above 0 and at most 1e15", o->period);
    enum status s = map_rates_read(&x->rates, o->period, e);
    if (!s && x->rates.at.n && (o->graph || o->step))
        s = usage_error(e, "--period %s names step functions: it goes without --graph and --step", o->period);
    if (!s && x->rates.at.n > 1 && o->emit)
        s = usage_error(e, "--emit takes one step function apart: it goes without --period %s", o->period);
    if (!s && !x->machine.clocks)
        s = error_set(e, ERR_INPUT, AT_FILE(o->shim), "a core has no clock, so --period must be a number of cycles");
    x->period = x->rates.period_s * 1e6;
    return s;
}

static enum status read_all(struct run *x, const char *profile, struct error *e)
{
    const struct options *o = x->o;
    const struct map_assumed assumed = {o->message, o->line};
    sums_note_read(o->shim);
    const char *cores = o->core || o->graph || o->board ? o->core : "all";
    enum status s = map_machine_read(&x->machine, o->shim, cores, &assumed, e);
    if (!s)
        s = take_period(x, e);
    if (!s)
        s = read_graph(x, profile, e);
    if (!s && o->rules)
        s = map_rules_read(&x->rules, o->rules, &x->graph, &x->machine, e);
    return s;
}

static enum status check(const struct options *o, int n_profiles, struct error *e)
{
    if (!o->shim)
        return usage_error(e, "--shim FILE is needed: the SHIM file with the cores");
    if (!o->graph && !n_profiles)
        return usage_error(e, "a profile is needed, of 'shimgen profile --steps FUNCTION', or --graph FILE");
    if (o->graph &&
        (n_profiles || o->method || o->step || o->sources || o->program || o->cflags || o->bytes || o->changed_sources))
        return usage_error(e, "--graph FILE has the blocks and their cycles: nothing about a profile goes with it");
    if (o->emit && (o->graph || o->pipeline))
        return usage_error(e, "--emit needs a profile, for its code, and runs one step at a time: it goes without "
                              "--graph and --pipeline");
    if (o->emit && o->inside)
        return usage_error(e, "--emit leaves what the step function calls as it is: it goes without --inside");
    bool compiled = o->method && estimator_from_board(estimator_find(o->method));
    if (!compiled && o->board)
        return usage_error(e, "--board is for --method compiled");
    if (o->cores < 0 || o->draws < 0 || !(o->limit > 0) || o->message < 0 || o->line < 0)
        return usage_error(e, "--cores, --draws, --message and --line cannot be negative, --limit must be above 0");
    if (fewest(o) && !o->period)
        return usage_error(e, "--objective cores needs --period TIME: what a step must end within");
    if (o->pipeline && o->mapping)
        return usage_error(e, "--mapping predicts one step at a time: it goes without --pipeline");
    if (o->pipeline && (strcmp(o->format, "svg") == 0 || strcmp(o->format, "html") == 0))
        return usage_error(e, "the chart shows one step at a time: it goes without --pipeline");
    return OK;
}

/* `compiled` without a board: its core is made of the SHIM file's values. */
static enum status add_core_of_shim(char **path, struct options *o, struct error *e)
{
    if (o->board || !o->method || !estimator_from_board(estimator_find(o->method)))
        return OK;
    bool several = o->core && (strchr(o->core, ',') || strcmp(o->core, "all") == 0);
    enum status s = values_board(path, o->shim, several ? NULL : o->core, e);
    o->board = *path;
    return s;
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    struct options given = *(const struct options *)opt;
    struct run x = {.o = &given};
    char *path = NULL;
    enum status s = check(x.o, args->argc, e);
    if (!s)
        s = add_core_of_shim(&path, &given, e);
    if (!s)
        s = read_all(&x, args->argc ? args->argv[0] : 0, e);
    if (!s)
        s = make(&x, e);
    if (!s)
        print_notes(&x);
    if (!s && x.o->strict && x.graph.notes.n + x.machine.notes.n)
        s = error_set(e, ERR_INPUT, AT_FILE(x.graph.path), "%zu findings, see above (--strict)",
                      x.graph.notes.n + x.machine.notes.n);
    if (!s && x.o->emit)
        s = map_emit(&x.report, &x.split, x.o->emit, e);
    if (!s)
        s = print(&x, e);
    release(&x);
    free(path);
    return s;
}

static const struct cli_option options[] = {
    {CLI_TEXT, "shim", 's', "FILE", 0, "SHIM file with the cores (required)", offsetof(struct options, shim)},
    {CLI_TEXT, "graph", 0, "FILE", 0, "a graph of blocks instead of a profile", offsetof(struct options, graph)},
    {CLI_CHOICE, "method", 0, ESTIMATOR_NAMES, 0,
     "method of estimating, see 'shimgen estimate' (default: the SHIM file's, otherwise operand)",
     offsetof(struct options, method)},
    {CLI_TEXT, "board", 0, "NAME", 0,
     "for method compiled: a board with timing data (default: a core made of the SHIM file's values); its cycles are "
     "taken for all cores of the SHIM file",
     offsetof(struct options, board)},
    {CLI_TEXT, "step", 0, "FUNCTION", 0, "the step function, if several were counted (default: the first)",
     offsetof(struct options, step)},
    {CLI_TEXT, "bytes", 0, "PROFILE", 0,
     "of 'shimgen profile --traffic': the bytes that blocks handed on in a run (default: the profile's, if it has "
     "them)",
     offsetof(struct options, bytes)},
    {CLI_TEXT, "cflags", 0, "FLAGS", 0, "flags that the sources need: -I, -D", offsetof(struct options, cflags)},
    {CLI_TEXT, "program", 0, "FILES", 0,
     "IR of the model's modules as written (clang -O1 -g -Xclang -disable-llvm-passes), instead of compiling its "
     "sources",
     offsetof(struct options, program)},
    {CLI_TEXT, "sources", 0, "FOLDER", 0, "folder of the sources, if they are not where they were compiled",
     offsetof(struct options, sources)},
    {CLI_BOOL, "changed-sources", 0, 0, 0, "accept sources that have changed since they were compiled, with a note",
     offsetof(struct options, changed_sources)},
    {CLI_TEXT, "core", 0, "NAMES", 0,
     "MasterComponents, by name or id, separated by commas (default: all with values; with --graph all processing "
     "units)",
     offsetof(struct options, core)},
    {CLI_INTEGER, "cores", 0, "N", 0, "at most N cores (default: all)", offsetof(struct options, cores)},
    {CLI_CHOICE, "objective", 0, "step|cores", "step", "the shortest step, or the fewest cores for a period",
     offsetof(struct options, objective)},
    {CLI_TEXT, "period", 0, "TIME", 0,
     "of a step [us; cycles if a core has no clock], or with its unit: 10ms; of several rates: step0=1ms,step1=10ms",
     offsetof(struct options, period)},
    {CLI_BOOL, "inside", 0, 0, 0,
     "blocks of called functions are nodes of their own, if called at one place and in the step function's file",
     offsetof(struct options, inside)},
    {CLI_BOOL, "pipeline", 0, 0, 0, "overlap steps: finds the shortest period, and how long a step then takes",
     offsetof(struct options, pipeline)},
    {CLI_TEXT, "rules", 0, "FILE", 0, "demands: blocks on a core, together, apart, cores left free, the load of a core",
     offsetof(struct options, rules)},
    {CLI_TEXT, "mapping", 0, "FILE", 0, "a mapping of your own: predicted, with what to move first",
     offsetof(struct options, mapping)},
    {CLI_TEXT, "emit", 0, "FOLDER", 0, "write a program there that runs the mapping on threads of this machine",
     offsetof(struct options, emit)},
    {CLI_REAL, "limit", 0, "SECONDS", "4", "time for the search", offsetof(struct options, limit)},
    {CLI_INTEGER, "draws", 0, "N", "100", "number of random draws from the blocks' intervals, if they have any",
     offsetof(struct options, draws)},
    {CLI_REAL, "message", 0, "CYCLES", "150",
     "if the SHIM file has no value: cycles until another core has a message with its first 64 bytes",
     offsetof(struct options, message)},
    {CLI_REAL, "line", 0, "CYCLES", "10", "if the SHIM file has no value: cycles for each further 64 bytes",
     offsetof(struct options, line)},
    {CLI_CHOICE, "format", 'f', "text|json|html|svg|dot|amalthea|graph", "text",
     "for people (text, html, svg), for programs, for Graphviz, for Eclipse APP4MC, the graph itself",
     offsetof(struct options, format)},
    {CLI_TEXT, "output", 'o', "FILE", "-", "write the result here", offsetof(struct options, output)},
    {CLI_BOOL, "strict", 0, 0, 0, "fail if there is anything to note: a cost that is assumed ...",
     offsetof(struct options, strict)},
    {0},
};
const struct cli_command cmd_map = {
    .name = "map",
    .synopsis = "map --shim FILE PROFILE [options]",
    .summary = "Maps the blocks of a model to the cores of a SHIM file, and shows what each further core gains.",
    .details =
        "Blocks are those of 'shimgen blocks' in the step function, with the cycles of its steps. Their order and\n"
        "the data they hand on come from the sources. Blocks that may depend on each other both ways stay on one\n"
        "core, and the reason is printed. A step is complete when all blocks have run once. Data to another core\n"
        "take the time that the SHIM file gives. The search begins with a list scheduler (HEFT). Up to 40 blocks,\n"
        "it then tries all mappings and proves the best if time allows. Otherwise it prints how much better the\n"
        "best mapping could be.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 0,
    .max_args = 1,
    .run = run,
};
