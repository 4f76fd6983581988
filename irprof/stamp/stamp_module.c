/* stamp_module.c - stamps a module: loads it, finds the points, inserts code, stores it. */
#include "irprof/stamp/stamping.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "irprof/stamp/work.h"

static void work_init(struct work *w, struct llvm_module *m, const char *path)
{
    w->path = path;
    w->context = m->context;
    w->module = m->module;
    w->b = LLVMCreateBuilderInContext(m->context);
    w->byte = LLVMInt8TypeInContext(m->context);
    w->half = LLVMInt32TypeInContext(m->context);
    w->word = LLVMInt64TypeInContext(m->context);
    w->pointer = LLVMPointerTypeInContext(m->context, 0);
    w->nothing = LLVMVoidTypeInContext(m->context);
}

static void work_release(struct work *w)
{
    for (size_t i = 0; i < w->points.n; i++) {
        free(w->points.at[i].name);
        free(w->points.at[i].function);
        free(w->points.at[i].file);
    }
    vec_release(&w->points);
    for (size_t i = 0; i < w->functions.n; i++)
        vec_release(&w->functions.at[i].sites);
    vec_release(&w->functions);
    str_release(&w->notes);
    if (w->b)
        LLVMDisposeBuilder(w->b);
}

static enum status insert(struct work *w, struct error *e)
{
    enum status s = OK;
    bool cpu = false, kernels = false;
    for (size_t i = 0; i < w->functions.n; i++)
        cpu |= !w->functions.at[i].kernel && w->functions.at[i].sites.n;
    for (size_t i = 0; i < w->functions.n; i++)
        kernels |= w->functions.at[i].kernel && w->functions.at[i].sites.n;
    if (cpu && w->target != ON_CPU)
        return error_set(
            e, ERR_INPUT, AT_FILE(w->path),
            "on a GPU stamps are in kernels, and a point is in another function: name its kernel, or compile "
            "so that it is inlined there");
    if (cpu)
        data_declare(w);
    for (size_t i = 0; i < w->functions.n && !s; i++) {
        struct stamped_function *f = &w->functions.at[i];
        sites_sort(f);
        if (f->sites.n)
            s = f->kernel ? kernel_stamp(w, f, e) : cpu_stamp(w, f, e);
    }
    if (!s && w->options->mode == STAMP_REPLACE && !w->n_results && !w->options->missing_is_fine)
        s = error_set(
            e, ERR_INPUT, AT_FILE(w->path),
            "no result can be replaced: no stamped function stores one%s; stamp the function that stores, or use "
            "--mode add",
            w->options->results ? " that --results names" : "");
    if (!s && cpu)
        data_define(w, 0, 0);
    if (!s && kernels) {
        kernel_registers(w);
        data_list_text(w);
    }
    return s;
}

static bool has_code(const struct work *w)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(w->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            return true;
    return false;
}

static enum status stamp(struct work *w, struct error *e)
{
    if (has_stamps(w->module))
        return error_set(e, ERR_INPUT, AT_FILE(w->path), "it has stamps: give the IR as the compiler wrote it");
    enum status s = target_find_clock(w, e);
    if (!s)
        s = places_find(w, e);
    if (!s && !w->points.n && w->target == ON_CPU && w->options->mode != STAMP_SLED && has_code(w)) {
        /* Only what this module lacks; irprof history reports a point if no module of the program has it. */
        data_declare(w);
        data_define(w, 0, 0);
    }
    if (s || !w->points.n)
        return s;
    s = w->options->mode == STAMP_SLED ? sled_stamp(w, e) : insert(w, e);
    if (s)
        return s;
    if (w->options->mode != STAMP_SLED)
        drop_claims(w);
    list_points(w);
    return OK;
}

void stamp_notes_print(const char *notes, const char *program)
{
    for (size_t n; notes && *notes; notes += n) {
        n = strcspn(notes, "\n") + 1;
        fprintf(stderr, "%s: note: %.*s", program, (int)n, notes);
    }
}

enum status stamp_file(const char *in, const char *out, struct stamp_specs *specs, const struct stamp_options *options,
                       char **notes, struct error *e)
{
    struct llvm_module m;
    struct work w = {.options = options, .specs = specs};
    *notes = 0;
    enum status s = llvm_load(&m, in, e);
    if (s)
        return s;
    work_init(&w, &m, in);
    s = stamp(&w, e);
    char *wrong = s ? 0 : llvm_verify(&m);
    if (wrong)
        BUG("%s: the stamped module is not valid: %s", in, wrong);
    if (!s)
        s = llvm_store(&m, out, e);
    if (!s && w.notes.len)
        *notes = str_detach(&w.notes);
    work_release(&w);
    llvm_release(&m);
    return s;
}
