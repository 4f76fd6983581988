/* shimgen offload INPUT... --accelerator FILE: what of a program is worth an accelerator. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shimgen/commands.h"
#include "shimgen/estimate/estimate.h"
#include "shimgen/offload/offload.h"

struct options {
    const char *accelerator, *shim, *core, *method, *by, *format, *output;
    double least;
};

static enum status read_input(struct offload_table *t, const char *path, const struct options *o,
                              const struct accelerator *a, struct error *e)
{
    struct offload_timing timing = {o->shim, o->core, o->method};
    enum offload_kind kind;
    enum status s = offload_kind_of(&kind, path, e);
    if (s)
        return s;
    if (kind == OFFLOAD_PROFILE)
        return offload_read_profile(t, path, a, &timing, e);
    if (kind == OFFLOAD_CALLGRIND)
        return offload_read_callgrind(t, path, a, e);
    return error_set(e, ERR_INPUT, AT_FILE(path),
                     "is neither a profile of irprof nor a file of valgrind --tool=callgrind");
}

struct work {
    struct offload_table *tables;
    struct offload_judgement *judgements;
    struct offload_report *reports;
};

static enum status read_all(struct work *w, const struct options *o, const struct cli_args *args,
                            const struct accelerator *a, struct error *e)
{
    bool alone = strcmp(o->by, "function") == 0;
    enum status s = OK;
    for (int i = 0; !s && i < args->argc; i++) {
        struct offload_table *t = &w->tables[i];
        s = read_input(t, args->argv[i], o, a, e);
        if (s)
            break;
        for (size_t n = 0; n < t->notes.n; n++)
            fprintf(stderr, "shimgen: %s: %s\n", t->program, t->notes.at[n]);
        offload_judge(&w->judgements[i], t, a, o->least / 100, alone);
        w->reports[i] = (struct offload_report){t, &w->judgements[i]};
    }
    return s;
}

static void release(struct work *w, int n)
{
    for (int i = 0; i < n; i++) {
        offload_judgement_release(&w->judgements[i]);
        offload_table_release(&w->tables[i]);
    }
    free(w->tables);
    free(w->judgements);
    free(w->reports);
}

static enum status run(const void *opt, const struct cli_args *args, struct error *e)
{
    const struct options *o = opt;
    struct accelerator a = {0};
    if (!o->accelerator)
        return usage_error(e, "--accelerator is needed: a file, or the name of one that is installed (pcie3-x8)");
    if ((o->core || o->method) && !o->shim)
        return usage_error(e, "--core and --method belong to --shim FILE: the SHIM file that times are estimated from");
    size_t n = (size_t)args->argc;
    struct work w = {xcalloc(n, sizeof *w.tables), xcalloc(n, sizeof *w.judgements), xcalloc(n, sizeof *w.reports)};
    enum status s = accelerator_read(&a, o->accelerator, e);
    if (!s)
        s = read_all(&w, o, args, &a, e);
    struct offload_print p = {&a, w.reports, n, strcmp(o->by, "function") == 0};
    if (!s)
        s = offload_print(&p, o->format, o->output, e);
    release(&w, args->argc);
    accelerator_release(&a);
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
    {CLI_CHOICE, "by", 0, "root|function", "root", "judge functions with all that they call, or alone",
     offsetof(struct options, by)},
    {CLI_REAL, "least", 0, "PERCENT", "5", "leave out functions with a smaller share of the work",
     offsetof(struct options, least)},
    {CLI_CHOICE, "format", 'f', "text|csv|json", "text", "output format", offsetof(struct options, format)},
    {CLI_TEXT, "output", 'o', "FILE", "-", "write the result here", offsetof(struct options, output)},
    {0},
};
const struct cli_command cmd_offload = {
    .name = "offload",
    .synopsis = "offload INPUT... --accelerator FILE [options]",
    .summary = "Tells what of a program is worth an accelerator: yes, maybe or no, and which functions.",
    .details =
        "INPUT is a profile of 'irprof cc', or a callgrind file of any x86-64 program:\n"
        "  valgrind --tool=callgrind --dump-instr=yes --cache-sim=yes --D1=262144,8,64 PROGRAM\n"
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
