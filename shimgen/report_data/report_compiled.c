/*
 * report_compiled.c - for the report: estimates of the measured programs by `shimgen estimate --method compiled`.
 * Compiling takes a while, so programs are done side by side. Results are kept beside each program's profile until the
 * profile, the board's model or this program changes. Part of report_data.h.
 */
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
#include "shimgen/report_data/report_fill.h"
#include "shimgen/units/unit.h"

struct compiling {
    const struct board *board;
    char *board_file;
    const char *work;
    const struct regress_data *data;
    uint64_t tools; /* a hash of this program and the model */
};
/* A row of the dataset, and where its files are. Owns everything. */
struct place {
    char *folder, *profile, *step, *result;
    struct board_args modules;
};

static void find_place(struct place *p, const struct compiling *c, size_t row)
{
    const char *program = c->data->programs[row];
    size_t nth = 0;
    while (nth < row && strcmp(c->data->programs[row - nth - 1], program) == 0)
        nth++;
    *p = (struct place){.folder = path_join(c->work, program), .step = xasprintf("compiled%zu", nth)};
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
    *hash = hash_text(c->tools, c->data->regions[row]);
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
    struct costs none = {0};
    enum status s = irprof_read(&profile, p->profile, e);
    struct estimate_request q = {
        .profile = profile, .costs = &none, .programs = (const char *const *)p->modules.at, .board = c->board_file};
    if (!s)
        s = costs_from_board(&none, c->board_file, NULL, e);
    if (!s)
        s = irprof_region(&q.region, profile, c->data->regions[row], e);
    if (!s)
        s = estimate_run(&est, &estimator_compiled, &q, e);
    if (!s)
        *cycles = est->total.typical;
    estimate_free(est);
    costs_release(&none);
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
    progress_show("estimating", done, total, c->data->programs[row]);
}

static double read_result(const struct compiling *c, size_t row)
{
    struct place p;
    struct str text = STR_INIT;
    struct error none = ERROR_INIT;
    find_place(&p, c, row);
    double cycles = REPORT_UNKNOWN;
    if (file_exists(p.result) && !file_read(&text, p.result, 100, &none))
        cycles = strtod(str_text(&text), 0);
    error_release(&none);
    str_release(&text);
    place_release(&p);
    return cycles;
}

enum status report_compiled(double *cycles, const struct board *b, const char *work, const struct regress_data *d,
                            struct error *e)
{
    if (!*b->model)
        return OK;
    char *program = resource_program("shimgen");
    struct compiling c = {
        .board = b, .board_file = path_join(b->folder, "board.ini"), .work = work, .data = d, .tools = HASH_START};
    enum status s = add_file(&c.tools, program, e);
    if (!s)
        s = add_file(&c.tools, b->model, e);
    if (!s)
        s = jobs_run(d->n, jobs_processors(), estimate_row_kept, say_done, &c, e);
    progress_clear();
    for (size_t i = 0; i < d->n && !s; i++)
        cycles[i] = read_result(&c, i);
    free(c.board_file);
    free(program);
    return s;
}
