/*
 * compiled_rows.c - estimates of a build's programs by `shimgen estimate --method compiled`.
 * Compiling takes a while, so programs are done side by side. Results are kept beside each program's profile until the profile, the core's model or
 * this program changes.
 */
#include "shimgen/values/compiled_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/map.h"
#include "base/progress.h"
#include "shimgen/estimate/compile.h"
#include "shimgen/estimate/estimate.h"
#include "shimgen/units/jobs.h"
#include "shimgen/units/unit.h"

struct compiling {
    const struct compiled_rows *rows;
    uint64_t tools; /* a hash of this program and the models */
};
/* A row of the dataset, and where its files are. Owns everything. */
struct place {
    char *folder, *profile, *step, *result;
    struct board_args modules;
};

static void find_place(struct place *p, const struct compiling *c, size_t row)
{
    const struct compiled_rows *r = c->rows;
    const char *program = r->data->programs[row];
    size_t nth = 0;
    while (nth < row && strcmp(r->data->programs[row - nth - 1], program) == 0)
        nth++;
    *p = (struct place){.folder = path_join(r->work, program),
                        .step = xasprintf("%s%zu", r->timing ? "compiled-values" : "compiled", nth)};
    p->profile = path_join(p->folder, "profile");
    p->result = path_join(p->folder, p->step);
    for (size_t i = 0;; i++) {
        char *module = xasprintf("%s/%zu.bc", p->folder, i);
        bool there = file_exists(module);
        if (there)
            board_args_add(&p->modules, module);
        free(module);
        if (!there)
            return;
    }
}

static void place_release(struct place *p)
{
    board_args_release(&p->modules);
    free(p->folder);
    free(p->profile);
    free(p->step);
    free(p->result);
}

static enum status add_file(uint64_t *hash, const char *path, struct error *e)
{
    uint64_t content = 0;
    enum status s = file_hash(&content, path, e);
    *hash = hash_bytes(*hash, &content, sizeof content);
    return s;
}

static enum status inputs_hash(uint64_t *hash, const struct compiling *c, const struct place *p, size_t row,
                               struct error *e)
{
    *hash = hash_text(c->tools, c->rows->data->regions[row]);
    enum status s = add_file(hash, p->profile, e);
    for (size_t i = 0; i < p->modules.n && !s; i++)
        s = add_file(hash, p->modules.at[i], e);
    return s;
}

static enum status estimate_place(double *cycles, const struct compiling *c, const struct place *p, size_t row,
                                  struct error *e)
{
    struct irprof_profile *profile = 0;
    struct estimate *est = 0;
    struct costs costs = {0};
    enum status s = irprof_read(&profile, p->profile, e);
    struct estimate_request q = {.profile = profile,
                                 .costs = &costs,
                                 .programs = (const char *const *)p->modules.at,
                                 .board = c->rows->board->path,
                                 .core = c->rows->timing};
    const char *shim = c->rows->timing ? c->rows->shim : NULL;
    if (!s)
        s = shim ? costs_from_shim(&costs, shim, NULL, estimator_compiled.name, e)
                 : costs_from_board(&costs, q.board, q.core, e);
    if (!s)
        s = irprof_region(&q.region, profile, c->rows->data->regions[row], e);
    if (!s)
        s = estimate_run(&est, &estimator_compiled, &q, e);
    if (!s)
        *cycles = est->total.typical;
    estimate_free(est);
    costs_release(&costs);
    irprof_free(profile);
    return s;
}

/* Runs in a process of its own. A program that cannot be estimated has no file. */
static enum status estimate_row_kept(size_t row, void *context, struct error *e)
{
    const struct compiling *c = context;
    struct place p;
    struct error why = ERROR_INIT;
    uint64_t inputs = 0;
    double cycles = 0;
    find_place(&p, c, row);
    const char *const made[] = {p.result, NULL};
    enum status s = OK;
    if (p.modules.n && !inputs_hash(&inputs, c, &p, row, &why) && !step_is_fresh(p.folder, p.step, inputs, made)) {
        s = remove_tree(p.result, e);
        if (!s && !estimate_place(&cycles, c, &p, row, &why)) {
            char *text = xasprintf("%.17g\n", cycles);
            s = file_write(p.result, text, strlen(text), e);
            free(text);
        }
        if (!s)
            s = step_done(p.folder, p.step, inputs, made, e);
    }
    error_release(&why);
    place_release(&p);
    return s;
}

static void say_done(size_t row, size_t done, size_t total, void *context)
{
    const struct compiling *c = context;
    progress_show("estimating", done, total, c->rows->data->programs[row]);
}

static double read_result(const struct compiling *c, size_t row)
{
    struct place p;
    struct str text = STR_INIT;
    struct error none = ERROR_INIT;
    find_place(&p, c, row);
    double cycles = NAN;
    if (file_exists(p.result) && !file_read(&text, p.result, 100, &none))
        cycles = strtod(str_text(&text), 0);
    error_release(&none);
    str_release(&text);
    place_release(&p);
    return cycles;
}

enum status compiled_rows_estimate(double *cycles, const struct compiled_rows *r, struct error *e)
{
    const char *model = r->timing ? r->timing : r->board->model;
    for (size_t i = 0; i < r->data->n; i++)
        cycles[i] = NAN;
    if (!*model)
        return OK;
    char *program = resource_program("shimgen"), *values = path_join(r->work, "values.csv");
    struct compiling c = {.rows = r, .tools = HASH_START};
    enum status s = add_file(&c.tools, program, e);
    if (!s)
        s = add_file(&c.tools, model, e);
    if (!s && r->timing && r->shim) /* its values; annotations are added to the file later */
        s = add_file(&c.tools, values, e);
    if (!s)
        s = jobs_run(r->data->n, jobs_processors(), estimate_row_kept, say_done, &c, e);
    progress_clear();
    for (size_t i = 0; i < r->data->n && !s; i++)
        cycles[i] = read_result(&c, i);
    free(values);
    free(program);
    return s;
}
