/* wide_recovery.c - TRUE.ini FOUND.ini FOLDER: trials of an out-of-order core take what the model TRUE.ini says; the
 * figures that follow are FOUND.ini, written as after a measurement. FOLDER keeps trials.csv. Nothing else of the true core is
 * seen. NOISE in the environment: per cent by which cycles are off at random. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/proc.h"
#include "shimgen/core/core_predict.h"
#include "shimgen/core/wide/wide_core.h"
#include "shimgen/core/wide/wide_trials.h"

/* Programs from `first` on, for the linker only: nothing runs them. */
static enum status assemble(struct core_run *r, size_t which, const char *folder, struct error *e)
{
    struct str text = STR_INIT;
    char *in = xasprintf("%s/%zu.s", folder, which), *out = xasprintf("%s/%zu", folder, which);
    char *target = xasprintf("--target=%s-linux-gnu", r->trials.kernels->architecture);
    core_run_assembly(&text, r, which);
    str_add(&text, ".comm core_memory, 16384, 4096\n.comm core_other, 4096, 4096\n");
    const char *const argv[] = {
        "clang", target, "-nostdlib", "-static", "-fuse-ld=lld", "-Wl,--noinhibit-exec", "-Wl,--entry=0",
        in,      "-o",   out,         0};
    struct proc p = {.argv = argv, .capture = true, .cpu = -1};
    struct proc_result result = PROC_RESULT_INIT;
    enum status s = file_write(in, str_text(&text), text.len, e);
    if (!s)
        s = proc_must(&p, &result, e);
    if (!s)
        s = elf_read(&r->programs[which].code, out, e);
    proc_result_release(&result);
    str_release(&text);
    free(target);
    free(in);
    free(out);
    return s;
}

/* Within `noise` per cent on either side. */
static double off(double noise)
{
    static uint64_t random = 88172645463325252u;
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    return 1 + noise / 100 * (2 * (double)(random >> 11) / (double)(UINT64_C(1) << 53) - 1);
}

static enum status measure(struct core_run *r, const struct iss_model *truth, const char *folder, size_t first,
                           struct error *e)
{
    struct core_predict p;
    enum status s = OK;
    const char *noise = getenv("NOISE");
    for (size_t i = first; !s && i < r->n_programs; i++)
        s = assemble(r, i, folder, e);
    if (s)
        return s;
    s = core_predict_new(&p, r, truth, e);
    for (size_t i = first < r->n_programs ? r->programs[first].from : r->trials.list.n; !s && i < r->trials.list.n;
         i++) {
        struct core_trial *t = &r->trials.list.at[i];
        t->cycles = core_predict_unit(&p, i) * off(noise ? strtod(noise, NULL) : 0);
        t->half_width = 0;
    }
    core_predict_release(&p);
    return s;
}

static enum status recover(const char *path, const char *out, const char *folder, struct error *e)
{
    struct iss_model *truth = NULL;
    struct core_run run = {0};
    struct wide_core found = {0};
    struct core_figures figures = {0};
    const struct board board = {.name = "trials", .cpu = "", .target = "", .count_target = ""};
    enum status s = iss_model_read(&truth, path, e);
    if (!s) {
        core_run_init(&run, core_kernels_of(truth->architecture));
        s = measure(&run, truth, folder, 0, e);
    }
    if (!s && wide_order_of(&run.trials) != WIDE_OUT_OF_ORDER)
        s = error_set(e, ERR_INPUT, NOWHERE, "%s: its trials do not show a core that issues out of order", path);
    if (!s && !wide_can_measure(&run.trials))
        s = error_set(e, ERR_UNSUPPORTED, NOWHERE, "%s: issues out of order; no trials for %s", path,
                      truth->architecture);
    if (!s) {
        size_t before = run.n_programs;
        wide_trials_add(&run.trials);
        core_run_plan(&run);
        s = measure(&run, truth, folder, before, e);
    }
    if (!s)
        s = wide_core_find(&found, &run, &figures, folder, e);
    if (!s)
        s = core_run_write(&run, found.predicted, found.errors, folder, e);
    if (!s)
        s = wide_core_write(&found, &board, &figures, out, e);
    if (!s)
        printf("%zu of %zu trials explained\n", found.explained, found.tried);
    wide_core_release(&found);
    core_figures_release(&figures);
    core_run_release(&run);
    iss_model_free(truth);
    return s;
}

int main(int argc, char **argv)
{
    struct error e = ERROR_INIT;
    if (argc != 4) {
        fprintf(stderr, "wide_recovery: TRUE.ini FOUND.ini FOLDER are needed\n");
        return 2;
    }
    if (make_directories(argv[3], &e) || recover(argv[1], argv[2], argv[3], &e)) {
        error_print(&e, "wide_recovery");
        return 1;
    }
    return 0;
}
