/* shimgen offload INPUT... --accelerator FILE: which parts of a program are worth an accelerator. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "shimgen/commands.h"
#include "shimgen/estimate/estimate.h"
#include "shimgen/offload/event_weights.h"
#include "shimgen/offload/offload.h"
#include "shimgen/offload/record.h"

struct options {
    const char *accelerator, *shim, *core, *method, *events, *by, *format, *output;
    double least, window;
    long counters;
};

/* Each input is a program, except perf's samples, all of which belong to one program. */
struct work {
    const struct options *o;
    struct accelerator a;
    struct event_weights weights;
    VEC(const char *) samples;
    struct offload_table *tables;
    struct offload_judgement *judgements;
    struct offload_report *reports;
    size_t n;
};

/* *read: false for perf's samples, which are read together later. */
static enum status read_input(struct offload_table *t, bool *read, const struct work *w, const char *path,
                              struct error *e)
{
    struct offload_timing timing = {w->o->shim, w->o->core, w->o->method};
    enum offload_kind kind;
    enum status s = offload_kind_of(&kind, path, e);
    *read = !s && kind != OFFLOAD_UNKNOWN;
    if (s)
        return s;
    if (kind == OFFLOAD_PROFILE)
        return offload_read_profile(t, path, &w->a, &timing, e);
    if (kind == OFFLOAD_CALLGRIND)
        return offload_read_callgrind(t, path, &w->a, e);
    if (w->o->events)
        return OK;
    return error_set(e, ERR_INPUT, AT_FILE(path),
                     "is neither a profile of irprof nor a file of valgrind --tool=callgrind; samples of 'perf script' "
                     "need --events FILE: what the events stand for");
}

static void judge(struct work *w)
{
    struct offload_table *t = &w->tables[w->n];
    for (size_t i = 0; i < t->notes.n; i++)
        progress_note("shimgen: %s: %s", t->program, t->notes.at[i]);
    offload_judge(&w->judgements[w->n], t, &w->a, w->o->least / 100, strcmp(w->o->by, "function") == 0);
    w->reports[w->n] = (struct offload_report){t, &w->judgements[w->n]};
    w->n++;
}

static enum status read_samples(struct work *w, struct error *e)
{
    struct offload_table *t = &w->tables[w->n];
    struct offload_samples samples = {w->samples.at, w->samples.n, &w->weights, w->o->window};
    enum status s = offload_read_perf(t, &samples, &w->a, e);
    if (s)
        offload_table_release(t);
    else
        judge(w);
    return s;
}

static enum status read_all(struct work *w, const struct cli_args *args, struct error *e)
{
    enum status s = OK;
    for (int i = 0; !s && i < args->argc; i++) {
        struct offload_table *t = &w->tables[w->n];
        bool read;
        s = read_input(t, &read, w, args->argv[i], e);
        if (s)
            offload_table_release(t);
        else if (read)
            judge(w);
        else
            vec_push(&w->samples, args->argv[i]);
    }
    return !s && w->samples.n ? read_samples(w, e) : s;
}

static void release(struct work *w)
{
    for (size_t i = 0; i < w->n; i++) {
        offload_judgement_release(&w->judgements[i]);
        offload_table_release(&w->tables[i]);
    }
    free(w->tables);
    free(w->judgements);
    free(w->reports);
    vec_release(&w->samples);
    event_weights_release(&w->weights);
    accelerator_release(&w->a);
}

static enum status check(const struct options *o, struct error *e)
{
    if (!o->accelerator)
        return usage_error(e, "--accelerator is needed: a file, or the name of one that is installed (pcie3-x8)");
    if ((o->core || o->method) && !o->shim)
        return usage_error(e, "--core and --method belong to --shim FILE: the SHIM file that times are estimated from");
    if (!(o->window > 0))
        return usage_error(e, "--window must be a time above 0, in seconds");
    return OK;
}

/* shimgen offload record --events FILE -- COMMAND */
static enum status record(const struct options *o, const struct cli_args *args, struct error *e)
{
    const char *folder = strcmp(o->output, "-") == 0 ? "offload-samples" : o->output;
    struct event_weights weights = {0};
    size_t files = 0;
    if (args->before != 1 || args->argc < 2 || !o->events || o->counters < 1)
        return usage_error(e,
                           "recording is: shimgen offload record --events FILE [--counters N] [-o FOLDER] -- COMMAND");
    if (o->counters > OFFLOAD_COUNTERS_MOST)
        return usage_error(e, "--counters: no processor counts more than %d events at once", OFFLOAD_COUNTERS_MOST);
    enum status s = event_weights_read(&weights, o->events, e);
    struct offload_recording r = {&weights, folder, (size_t)o->counters, (const char *const *)&args->argv[1]};
    if (!s)
        s = offload_record(&files, &r, e);
    if (!s) {
        printf("shimgen offload");
        for (size_t i = 1; i <= files; i++)
            printf(" %s/%zu.txt", folder, i);
        printf(" --events %s --accelerator %s\n", o->events, o->accelerator ? o->accelerator : "pcie3-x8");
    }
    event_weights_release(&weights);
    return s;
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    size_t n = (size_t)args->argc;
    struct work w = {.o = o};
    if (strcmp(args->argv[0], "record") == 0)
        return record(o, args, e);
    enum status s = check(o, e);
    if (s)
        return s;
    w.tables = xcalloc(n, sizeof *w.tables);
    w.judgements = xcalloc(n, sizeof *w.judgements);
    w.reports = xcalloc(n, sizeof *w.reports);
    s = accelerator_read(&w.a, o->accelerator, e);
    if (!s && o->events)
        s = event_weights_read(&w.weights, o->events, e);
    if (!s)
        s = read_all(&w, args, e);
    struct offload_print p = {.accelerator = &w.a, .reports = w.reports, .n = w.n};
    p.alone = strcmp(o->by, "function") == 0;
    p.by_time = strcmp(o->by, "time") == 0;
    if (!s)
        s = offload_print(&p, o->format, o->output, e);
    release(&w);
    return s;
}

static const struct cli_option options[] = {
    {CLI_TEXT, "accelerator", 'a', "FILE", 0,
     "what the accelerator and its host can do: a file, or a name: pcie3-x8, pcie4-x16, pcie5-x16, zynq7000-axi "
     "(required)",
     offsetof(struct options, accelerator)},
    {CLI_TEXT, "shim", 's', "FILE", 0, "SHIM file from which the time of irprof's profiles is estimated",
     offsetof(struct options, shim)},
    {CLI_TEXT, "core", 0, "NAME", 0, "its MasterComponent, by name or id (default: the first with an instruction set)",
     offsetof(struct options, core)},
    {CLI_CHOICE, "method", 0, "sum|operand|schedule", 0,
     "method of estimating (default: the SHIM file's, otherwise operand)", offsetof(struct options, method)},
    {CLI_TEXT, "events", 0, "FILE", 0,
     "for samples of perf: what its events stand for, a file or a name: intel, amd-zen, arm, sandybridge, "
     "sandybridge-paper, haswell-paper, skylake-paper",
     offsetof(struct options, events)},
    {CLI_INTEGER, "counters", 0, "N", "4",
     "with record: how many events are counted at once, beside time and instructions; fewer if the processor has too "
     "few",
     offsetof(struct options, counters)},
    {CLI_REAL, "window", 0, "SECONDS", "0.01", "for samples of perf: the peak data rate is over windows of this time",
     offsetof(struct options, window)},
    {CLI_CHOICE, "by", 0, "root|function|time", "root",
     "judge functions with all that they call, or alone; time: a row for each window of the run",
     offsetof(struct options, by)},
    {CLI_REAL, "least", 0, "PERCENT", "5", "leave out functions with a smaller share of the work",
     offsetof(struct options, least)},
    {CLI_CHOICE, "format", 'f', "text|csv|json|html", "text",
     "output format; html: a page with a roofline and the call tree", offsetof(struct options, format)},
    {CLI_TEXT, "output", 'o', "FILE", "-",
     "write the result here; with record: a folder for the samples, without this option offload-samples",
     offsetof(struct options, output)},
    {0},
};
const struct cli_command cmd_offload = {
    .name = "offload",
    .synopsis = "offload INPUT... --accelerator FILE [options]",
    .summary = "Tells what of a program is worth an accelerator: yes, maybe or no, and which functions.",
    .details =
        "INPUT is a profile of 'irprof cc', a callgrind file of any x86-64 program, or samples of perf:\n"
        "  valgrind --tool=callgrind --dump-instr=yes --cache-sim=yes --D1=262144,8,64 PROGRAM\n"
        "  shimgen offload record --events intel -- PROGRAM    (runs perf as often as the events need counters)\n"
        "  perf script -F comm,tid,time,period,event,ip,sym,dso >samples.txt    (several files: one program, several "
        "sets "
        "of events)\n"
        "The first-level cache has to be as large as the accelerator's local memory; for irprof:\n"
        "  IRPROF_FLAGS='--l1d 256K:8:64:lru --l2 none' irprof cc ...\n"
        "Three indexes are compared with thresholds: operations for each byte demanded, the peak data rate, and how\n"
        "many functions do 80 % of the work. The bound is what the program's speed-up cannot exceed.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = -1,
    .run = run,
};
