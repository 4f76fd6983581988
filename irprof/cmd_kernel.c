/* cmd_kernel.c - irprof kernel: runs kernels of OpenCL C on this processor and counts what they execute. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "irprof/commands.h"
#include "irprof/kernel/opencl_kernels.h"
#include "irprof/stamp/stamped_kernels.h"

struct options {
    const char *out, *launch, *results, *level, *per, *name, *stamps;
    long limit;
};

static const struct cli_option options[] = {
    {CLI_TEXT, "output", 'o', "FILE", 0, "write the counts here (default: standard output)",
     offsetof(struct options, out)},
    {CLI_TEXT, "launch", 0, "FILE", 0, "which kernels are launched, with how many work-items, on which data",
     offsetof(struct options, launch)},
    {CLI_TEXT, "results", 0, "FOLDER", 0, "write the buffers that are results there, as NAME.bin",
     offsetof(struct options, results)},
    {CLI_CHOICE, "level", 0, "O0|O1|O2|O3", "O2", "optimisation level of OpenCL C", offsetof(struct options, level)},
    {CLI_CHOICE, "per", 0, "kernel|item", "kernel", "counts of each kernel, or these divided by its work-items",
     offsetof(struct options, per)},
    {CLI_TEXT, "name", 0, "NAME", 0, "name in the column 'program' (default: the file's name without its ending)",
     offsetof(struct options, name)},
    {CLI_TEXT, "stamps", 0, "FILE", 0, "of kernels with stamps (mode add): write them here, for 'irprof history'",
     offsetof(struct options, stamps)},
    {CLI_INTEGER, "limit", 0, "SECONDS", "600", "processor time after which kernels are ended",
     offsetof(struct options, limit)},
    {0},
};

static char *name_of(const struct options *o, const char *path)
{
    const char *base = path_basename(path), *dot = strrchr(base, '.');
    return o->name ? xstrdup(o->name) : xstrndup(base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
}

static enum status write_results(const struct options *o, const struct launch *l, const struct kernel_run *r,
                                 struct error *e)
{
    enum status s = o->results ? make_directories(o->results, e) : OK;
    for (size_t i = 0; o->results && !s && i < l->buffers.n; i++) {
        if (!l->buffers.at[i].result)
            continue;
        char *path = xasprintf("%s/%s.bin", o->results, l->buffers.at[i].name);
        s = file_write(path, str_text(&r->results[i]), r->results[i].len, e);
        free(path);
    }
    return s;
}

/* Checks whether there are stamps that can be written. */
static enum status want_stamps(struct kernel_program *p, const struct options *o, LLVMModuleRef module,
                               const char *path, const struct launch *l, struct error *e)
{
    struct stamped_kernels kernels;
    bool any = false;
    if (!o->stamps)
        return OK;
    enum status s = stamped_kernels_read(&kernels, module, path, e);
    for (size_t i = 0; !s && i < l->kernels.n; i++) {
        LLVMValueRef f = LLVMGetNamedFunction(module, l->kernels.at[i].name);
        any |= f && stamped_kernels_find(&kernels, l->kernels.at[i].name) &&
               l->kernels.at[i].arguments.n + 2 == LLVMCountParams(f);
    }
    if (!s && !any)
        s = error_set(e, ERR_INPUT, AT_FILE(path),
                      "no kernel that is launched has stamps of 'irprof stamp --mode add': leave out --stamps (of mode "
                      "replace they are in the outputs: --results)");
    stamped_kernels_release(&kernels);
    p->stamps = path_join(p->folder, "stamps");
    return s;
}

static enum status write_stamps(const struct options *o, const struct kernel_program *p, struct error *e)
{
    struct str bytes = STR_INIT;
    enum status s = o->stamps ? file_read(&bytes, p->stamps, FILE_LIMIT, e) : OK;
    if (!s && o->stamps)
        s = file_write(o->stamps, str_text(&bytes), bytes.len, e);
    str_release(&bytes);
    return s;
}

static enum status write_table(const struct options *o, const struct kernel_table *t, struct error *e)
{
    struct outfile out;
    enum status s = outfile_open(&out, o->out, e);
    if (s)
        return s;
    kernel_table_write(t, strcmp(o->per, "item") == 0, out.f);
    return outfile_commit(&out, e);
}

static enum status run(const void *given, const struct cli_args *args, struct error *e)
{
    const struct options *o = given;
    const char *path = args->argv[0];
    struct launch launch = {0};
    struct llvm_module m = {0};
    struct kernel_program program = {0};
    struct kernel_run r = {0};
    struct kernel_table table = {0};
    if (!o->launch)
        return usage_error(e, "say with --launch FILE which kernels are launched, and on which data");
    if (o->limit < 1 || o->limit > 1000000)
        return usage_error(e, "--limit: %ld is not a number of seconds from 1 to 1000000", o->limit);
    char *name = name_of(o, path);
    enum status s = launch_read(&launch, o->launch, e);
    if (!s)
        s = kernel_load(&m, path, o->level, e);
    if (!s)
        s = kernel_build(&program, &m, path, &launch, e);
    if (!s)
        s = want_stamps(&program, o, m.module, path, &launch, e);
    if (!s)
        s = kernel_execute(&r, &program, false, (unsigned)o->limit, e);
    if (!s)
        s = kernel_table_add(&table, name, &program, &r, e);
    if (!s)
        s = write_results(o, &launch, &r, e);
    if (!s)
        s = write_stamps(o, &program, e);
    if (!s)
        s = write_table(o, &table, e);
    kernel_table_release(&table);
    kernel_run_release(&r);
    kernel_program_release(&program);
    llvm_release(&m);
    launch_release(&launch);
    free(name);
    return s;
}

const struct cli_command cmd_kernel = {
    .name = "kernel",
    .synopsis = "kernel FILE --launch FILE [-o FILE] [options]",
    .summary = "Counts what kernels of OpenCL C execute, by running their work-items on this processor.",
    .details =
        "FILE is OpenCL C (its name ends in .cl) or LLVM IR that clang made of it for this machine.\n"
        "The table has a row for each kernel and a column for each key, and beside them work-items, barriers and\n"
        "accesses by kind of memory: counters for 'regress counters' without a GPU.",
    .options = options,
    .options_size = sizeof(struct options),
    .min_args = 1,
    .max_args = 1,
    .run = run,
};
