/* ptxas.c - runs NVIDIA's assembler if there is one, and reads what it says about kernels: registers, spills, shared
 * memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/proc.h"
#include "irprof/kernel/opencl_kernels.h"
#include "irprof/prove/code_lines.h"

/* newer than LLVM's default target, and old enough that the latest assembler still supports it */
enum { LEAST_ARCHITECTURE = 90, WORD = 4 };

/* "ptxas info    : Compiling entry function 'walsh' for 'sm_90'" begins the lines about a kernel. */
static struct code_function *kernel_of(struct code_lines *m, const char *line)
{
    const char *at = strstr(line, "Compiling entry function '");
    if (!at)
        return 0;
    at = strchr(at, '\'') + 1;
    size_t n = strcspn(at, "'");
    for (size_t i = 0; i < m->functions.n; i++)
        if (strlen(m->functions.at[i].name) == n && memcmp(m->functions.at[i].name, at, n) == 0)
            return &m->functions.at[i];
    return 0;
}

/* Reads "0 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads", "Used 20 registers, used 1 barriers, 1024
 * bytes smem". */
static void read_needs(struct code_needs *needs, const char *line)
{
    long stores, loads;
    const char *spills = strstr(line, "bytes stack frame, "), *used = strstr(line, "Used "),
               *shared = strstr(line, " bytes smem");
    if (spills &&
        sscanf(spills, "bytes stack frame, %ld bytes spill stores, %ld bytes spill loads", &stores, &loads) == 2)
        needs->spills = (stores + loads) / WORD;
    if (!used || sscanf(used, "Used %ld registers", &needs->registers) != 1)
        return;
    needs->shared_memory = 0;
    while (shared && shared > line && shared[-1] >= '0' && shared[-1] <= '9')
        shared--;
    if (shared)
        needs->shared_memory = strtol(shared, 0, 10);
}

void code_ptxas_read(struct code_lines *m, const char *said)
{
    char *copy = xstrdup(said), *rest = 0;
    struct code_function *kernel = 0;
    for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(0, "\n", &rest)) {
        struct code_function *next = kernel_of(m, line);
        kernel = next ? next : kernel;
        if (kernel && !next)
            read_needs(&kernel->needs, line);
    }
    free(copy);
}

static enum status assemble(struct code_lines *m, const char *processor, const char *folder, const struct str *ptx,
                            struct error *e)
{
    char *in = path_join(folder, "k.ptx"), *out = path_join(folder, "k.cubin"), *architecture;
    long named = strncmp(processor, "sm_", 3) == 0 ? strtol(processor + 3, 0, 10) : 0;
    architecture = xasprintf("-arch=sm_%ld", named > LEAST_ARCHITECTURE ? named : LEAST_ARCHITECTURE);
    const char *words[] = {"ptxas", "-v", architecture, in, "-o", out, 0};
    struct proc p = {.argv = words, .capture = true, .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    enum status s = file_write(in, str_text(ptx), ptx->len, e);
    if (!s)
        s = proc_run(&p, &r, e);
    if (!s && (r.signal || r.exit_code)) {
        char *how = proc_how_ended(&p, &r);
        m->assembler = xasprintf("ptxas for %s %s", architecture + strlen("-arch="), how);
        free(how);
    } else if (!s) {
        m->assembler = xasprintf("by ptxas for %s", architecture + strlen("-arch="));
        code_ptxas_read(m, str_text(&r.err));
        code_ptxas_read(m, str_text(&r.out));
    }
    proc_result_release(&r);
    free(in);
    free(out);
    free(architecture);
    return s;
}

enum status code_ptxas(struct code_lines *m, const char *processor, const struct str *ptx, struct error *e)
{
    char *folder = 0, *found = proc_find("ptxas");
    enum status s = OK;
    if (!found)
        return OK;
    s = temp_directory(&folder, "irprof-ptxas", e);
    if (!s)
        s = assemble(m, processor, folder, ptx, e);
    kernel_drop(folder);
    free(found);
    return s;
}
