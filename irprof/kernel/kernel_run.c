/* kernel_run.c - links kernels with their runtime and tables, runs the program, and reads what it wrote. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/proc.h"
#include "irprof/cc/cc.h"
#include "irprof/instrument/instrument.h"
#include "irprof/kernel/opencl_kernels.h"

void kernel_drop(char *folder)
{
    struct error ignored = ERROR_INIT;
    if (folder && !remove_tree(folder, &ignored))
        cleanup_remove(folder);
    error_release(&ignored);
    free(folder);
}

/* ---- linking ---- */

static enum status link_all(const struct kernel_program *p, const char *kernels, const char *host, struct error *e)
{
    const char *flags[LINK_WORDS];
    char *owned, *runtime = resource_lib("libirprof_kernel.a"), *headers = resource_share("runtime");
    const char *const first[] = {cc_compiler(), "-O2",   "-w", "-Xclang", "-disable-llvm-passes",
                                 "-I",          headers, host, kernels,   runtime};
    VEC(const char *) words = {0};
    struct proc_result r = PROC_RESULT_INIT;
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        vec_push(&words, first[i]);
    size_t n = link_flags(flags, &owned);
    for (size_t i = 0; i < n; i++)
        vec_push(&words, flags[i]);
    const char *const last[] = {"-lm", "-o", p->path, 0};
    for (size_t i = 0; i < sizeof last / sizeof *last; i++)
        vec_push(&words, last[i]);
    struct proc run = {.argv = words.at, .capture = true, .cpu = -1};
    enum status s = proc_must(&run, &r, e);
    proc_result_release(&r);
    vec_release(&words);
    free(owned);
    free(runtime);
    free(headers);
    return s;
}

enum status kernel_build(struct kernel_program *p, struct llvm_module *m, const char *path, const struct launch *launch,
                         struct error *e)
{
    /* one thread runs all work-items, so one set of counters is enough */
    static const struct instrument_options options = {.counters = IRPROF_COUNTERS_PLAIN};
    struct str text = STR_INIT;
    *p = (struct kernel_program){.launch = launch};
    enum status s = temp_directory(&p->folder, "irprof-kernel", e);
    if (s)
        return s;
    p->ir = path_join(p->folder, "kernels.bc");
    p->path = path_join(p->folder, "kernels");
    char *host = path_join(p->folder, "host.c"), *counted = path_join(p->folder, "kernels.i.bc");
    s = host_text(&text, m->module, path, launch, e);
    if (!s)
        s = file_write(host, str_text(&text), text.len, e);
    if (!s)
        s = llvm_store(m, p->ir, e);
    if (!s)
        s = instrument(m, path, &options, e);
    if (!s)
        s = llvm_store(m, counted, e);
    if (!s)
        s = link_all(p, counted, host, e);
    free(host);
    free(counted);
    str_release(&text);
    return s;
}

void kernel_program_release(struct kernel_program *p)
{
    kernel_drop(p->folder);
    free(p->ir);
    free(p->path);
    free(p->stamps);
    *p = (struct kernel_program){0};
}

/* ---- running ---- */

static struct kernel_total *total_of(struct kernel_run *r, const char *kernel)
{
    for (size_t i = 0; i < r->totals.n; i++)
        if (strcmp(r->totals.at[i].kernel, kernel) == 0)
            return &r->totals.at[i];
    vec_push(&r->totals, (struct kernel_total){.kernel = xstrdup(kernel)});
    return &r->totals.at[r->totals.n - 1];
}

/* Reads the runtime's lines "launch KERNEL WORK-ITEMS WORK-GROUPS BARRIERS". */
static enum status read_totals(struct kernel_run *r, const char *path, struct error *e)
{
    struct str text = STR_INIT;
    char *rest = 0;
    enum status s = file_read(&text, path, FILE_LIMIT, e);
    for (char *line = s || !text.s ? 0 : strtok_r(text.s, "\n", &rest); line; line = strtok_r(0, "\n", &rest)) {
        char kernel[256];
        uint64_t items, groups, barriers;
        if (sscanf(line, "launch %255s %" SCNu64 " %" SCNu64 " %" SCNu64, kernel, &items, &groups, &barriers) != 4) {
            s = error_set(e, ERR_SYSTEM, AT_FILE(path), "was not written by the runtime of kernels");
            break;
        }
        struct kernel_total *t = total_of(r, kernel);
        t->launches++;
        t->items += items;
        t->groups += groups;
        t->barriers += barriers;
    }
    str_release(&text);
    return s;
}

static enum status read_results(struct kernel_run *r, const struct launch *l, const char *folder, struct error *e)
{
    enum status s = OK;
    r->n_results = l->buffers.n;
    r->results = xcalloc(l->buffers.n, sizeof *r->results);
    for (size_t i = 0; !s && i < l->buffers.n; i++) {
        if (!l->buffers.at[i].result)
            continue;
        char *name = xasprintf("%s/%s.bin", folder, l->buffers.at[i].name);
        s = file_read(&r->results[i], name, FILE_LIMIT, e);
        free(name);
    }
    return s;
}

/* Turns what the runtime or a kernel printed before it ended into an error. */
static enum status judge(const struct proc *p, const struct proc_result *r, const struct launch *l, unsigned limit,
                         struct error *e)
{
    const char *said = str_text(&r->err);
    size_t n = strcspn(said, "\n");
    if (!r->signal && !r->exit_code)
        return OK;
    if (r->signal == SIGKILL || r->signal == SIGXCPU)
        return error_set(e, ERR_INPUT, AT_FILE(l->path), "the kernels did not end within %u s of processor time",
                         limit);
    if (n)
        return error_set(e, ERR_INPUT, AT_FILE(l->path), "%.*s", (int)n, said);
    char *how = proc_how_ended(p, r);
    error_set(e, ERR_INPUT, AT_FILE(l->path), "the program of the kernels %s", how);
    free(how);
    return ERR_INPUT;
}

enum status kernel_execute(struct kernel_run *run, const struct kernel_program *p, bool flip, unsigned limit,
                           struct error *e)
{
    *run = (struct kernel_run){0};
    char *totals = path_join(p->folder, "totals"), *profile = path_join(p->folder, "profile");
    char *variable = xasprintf("IRPROF_OUT=%s", profile);
    const char *environment[] = {variable, flip ? "IRPROF_STAMP_FLIP=1" : "IRPROF_STAMP_FLIP=0", 0};
    const char *words[] = {p->path, p->folder, totals, p->stamps ? p->stamps : "", 0};
    struct proc_result r = PROC_RESULT_INIT;
    struct proc child = {.argv = words, .environment = environment, .capture = true, .cpu = -1, .cpu_limit_s = limit};
    enum status s = proc_run(&child, &r, e);
    if (!s)
        s = judge(&child, &r, p->launch, limit, e);
    if (!s)
        s = irprof_read(&run->profile, profile, e);
    if (!s)
        s = read_totals(run, totals, e);
    if (!s)
        s = read_results(run, p->launch, p->folder, e);
    proc_result_release(&r);
    free(totals);
    free(profile);
    free(variable);
    return s;
}

void kernel_run_release(struct kernel_run *r)
{
    irprof_free(r->profile);
    for (size_t i = 0; i < r->totals.n; i++)
        free(r->totals.at[i].kernel);
    vec_release(&r->totals);
    for (size_t i = 0; i < r->n_results; i++)
        str_release(&r->results[i]);
    free(r->results);
    *r = (struct kernel_run){0};
}
