/* publish.c - writes a build's merged SHIM file, and prints its summary. */
#include "shimgen/build/publish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/proc.h"
#include "shimgen/values/evidence.h"
#include "shimgen/predictor/predictor_file.h"

/* Runs shim-xml with these arguments. Its findings become part of the error. */
static enum status shim_xml(const char *const *arguments, struct error *e)
{
    struct board_args a = {0};
    char *program = resource_program("shim-xml");
    board_args_add(&a, program);
    for (; *arguments; arguments++)
        board_args_add(&a, *arguments);
    struct proc p = {.argv = (const char *const *)a.at, .capture = true, .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    enum status s = proc_run(&p, &r, e);
    if (!s && (r.exit_code || r.signal)) {
        char *how = proc_how_ended(&p, &r);
        s = error_set(e, ERR_SYSTEM, NOWHERE, "'shim-xml %s' %s:\n%s%s", a.at[1], how, str_text(&r.err),
                      str_text(&r.out));
        free(how);
    }
    proc_result_release(&r);
    free(program);
    board_args_release(&a);
    return s;
}
#define SHIM_XML(e, ...) shim_xml((const char *const[]){__VA_ARGS__, 0}, e)

/* The frequency of the dataset's cycles: the counter's, unless they are core cycles. */
static double cycle_clock(const struct measurements *m)
{
    return m->conditions.cycle_hz > 0 ? m->conditions.cycle_hz : m->conditions.clock_hz;
}

/* A document of the board without values: the board's own, or one of this machine with this clock. */
static enum status skeleton_of(const struct board *b, double hz, const char *path, struct error *e)
{
    char *clock = xasprintf("%.9g", hz);
    enum status s = OK;
    struct str text = STR_INIT;
    if (*b->skeleton) {
        s = file_read(&text, b->skeleton, FILE_LIMIT, e);
        if (!s)
            s = file_write(path, str_text(&text), text.len, e);
    } else if (hz > 0) {
        s = SHIM_XML(e, "new", "--detect", "--name", b->name, "--clock", clock, "-o", path);
    } else {
        s = SHIM_XML(e, "new", "--detect", "--name", b->name, "-o", path);
    }
    str_release(&text);
    free(clock);
    return s;
}

/* hz: frequency of the counter whose ticks the cycles are; 0: they are core cycles, and the skeleton has the clocks.
 * values: for instructions that no program showed; NULL: none. */
static enum status merge_model(const struct outputs *o, const char *values, double hz, const char *skeleton,
                               const char *merged, struct error *e)
{
    char *clock = xasprintf("%.9g", hz);
    const char *arguments[] = {"merge", skeleton, o->model, "-o", merged, 0, 0, 0, 0, 0};
    size_t n = 5;
    if (hz > 0) {
        arguments[n++] = "--clock";
        arguments[n++] = clock;
    }
    if (values) {
        arguments[n++] = "--values";
        arguments[n++] = values;
    }
    enum status s = shim_xml(arguments, e);
    free(clock);
    return s ? s : SHIM_XML(e, "check", merged);
}

/* Merges into a separate file first, so that a failure does not spoil the existing one. */
static enum status merge_memory(const struct outputs *o, const char *merged, struct error *e)
{
    char *with = xasprintf("%s.memory", merged);
    enum status s = SHIM_XML(e, "memory", merged, o->memory, "-o", with);
    if (!s)
        s = SHIM_XML(e, "check", with);
    if (!s && rename(with, merged))
        s = error_errno(e, AT_FILE(merged), "this file cannot be written");
    unlink(with);
    free(with);
    return s;
}

static enum status merge_values(const struct outputs *o, const char *values, double hz, const char *skeleton,
                                const char *merged, struct losses *losses, struct error *e)
{
    enum status s = merge_model(o, values, hz, skeleton, merged, e);
    if (s && values) {
        s = losses_take(losses, "shim", "values of microbenchmarks in the SHIM file", s, e);
        if (!s)
            s = merge_model(o, 0, hz, skeleton, merged, e);
    }
    if (s || !file_exists(o->memory))
        return s;
    s = merge_memory(o, merged, e);
    return losses_take(losses, "shim", "costs of memory in the SHIM file", s, e);
}

static enum status make_merged(const struct board *b, const struct outputs *o, const struct evidence *v,
                               const struct measurements *m, const char *merged, struct losses *losses, struct error *e)
{
    char *skeleton = path_join(o->work, "skeleton.shim.xml"), *values = path_join(o->work, "values.csv");
    enum status s = make_directories(o->work, e);
    if (!s)
        s = skeleton_of(b, cycle_clock(m), skeleton, e);
    if (!s)
        s = evidence_write(v, values, e);
    if (!s)
        s = merge_values(o, v->values.at.n ? values : 0, m->conditions.cycle_hz, skeleton, merged, losses, e);
    free(values);
    free(skeleton);
    return s;
}

enum status publish_merged(const struct board *b, const struct outputs *o, const struct evidence *v,
                           struct losses *losses, struct error *e)
{
    struct measurements *m = 0;
    enum status s = measurements_read(&m, o->measurements, o->conditions, e);
    if (!s)
        s = make_merged(b, o, v, m, o->merged, losses, e);
    if (!s)
        s = predictors_annotate(o->merged, o, e);
    measurements_free(m);
    return s;
}

static void print_errors(const char *what, const struct regress_errors *r)
{
    if (r->n)
        printf("  %-34s mean abs %6.1f %%, median %6.1f %%, worst %+7.1f %% (%s)\n", what, 100 * r->mean_abs,
               100 * r->median_abs, 100 * r->worst, r->worst_of);
}

static void print_files(const struct outputs *o)
{
    const struct {
        const char *path, *what;
    } files[] = {
        {o->shim,
         "the SHIM file, to estimate programs and for other tools: shimgen estimate --shim, shimgen blocks --shim"},
        {o->schedule_shim, "  the same, under its old name, for one release"},
        {o->schedule, "  factors, errors, each program left out (its intervals are in the SHIM file)"},
        {o->model, "  its costs for counts: how they were fitted; --model: is a program like those fitted on?"},
        {o->programs, "of whole programs by their code for the board: regress predict --model"},
        {o->report, "how far to trust all this, as a page"},
        {o->predictor, "which predictor of branches is simulated, and why"},
        {o->dataset, "executed instructions and cycles of the programs"},
        {o->measurements, "what was measured"},
        {o->micro, "single instructions"},
        {o->memory, "accesses to memory, messages between cores"},
        {o->losses, "what was left out, and why"},
    };
    size_t width = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        width = file_exists(files[i].path) && strlen(files[i].path) > width ? strlen(files[i].path) : width;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (file_exists(files[i].path))
            printf("%-*s  %s\n", (int)width, files[i].path, files[i].what);
}

void publish_summary(const struct outputs *o, const struct evaluation *v, const struct evidence *evidence,
                     const struct schedule_model *schedule)
{
    const struct regress_model *m = v->model;
    printf("model: %s, %s: %zu variables from %zu measurements of %zu programs\n", m->classes->name, m->solver,
           m->n_values, m->n_rows, m->n_groups);
    print_errors("programs it was fitted on:", &m->training);
    print_errors("each program left out in turn:", &m->held_out);
    if (v->tested && v->chosen < v->tested->n)
        print_errors("test programs, never fitted on:", &v->tested->lines[v->chosen].held_out);
    if (v->best != REGRESS_NONE) {
        print_errors("by the target's code, left out:", &v->left_out->lines[v->best].held_out);
        if (v->tested && v->best < v->tested->n)
            print_errors("by the target's code, test:", &v->tested->lines[v->best].held_out);
    }
    if (schedule) {
        print_errors("schedules, each left out:", &schedule->left_out);
        print_errors("schedules, test programs:", &schedule->test);
    }
    if (v->left_out)
        print_errors("one cost for all, left out:", &v->left_out->lines[0].held_out);
    char *counts = evidence_sentence(evidence, v->model);
    printf("%s\n", counts);
    free(counts);
    print_files(o);
}
