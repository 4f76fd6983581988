/*
 * compiled.c - the estimator for boards that have timing data: the program's own code for the target, each block of it
 * scheduled on the board's model of its core, times what the profile counted of the IR.
 *
 *     compiled_build      bitcode -> executable with labels
 *     machine_make        executable -> nodes
 *     compiled_count      counts of the IR -> counts of nodes and of ways between them
 *     cost_program        -> cycles of each instruction
 *     compiled_parts      -> cycles of each part (source line of a segment)
 */
#include "shimgen/estimate/compiled/compiled.h"
#include "shimgen/estimate/kept_ir.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cli.h"
#include "base/map.h"
#include "boards/boards.h"

static enum status load_model(struct iss_model **model, const struct board *b, struct error *e)
{
    if (!*b->model)
        return error_set(
            e, ERR_UNSUPPORTED, NOWHERE,
            "the board %s has no timing data: --method compiled needs a model of its core "
            "(docs/formats/iss-model.md), such as raspberrypi3-sim and riscv64-sim have; or --core FILE: what "
            "'shimgen core' measures, or makes of a SHIM file",
            b->name);
    return iss_model_read(model, b->model, e);
}

/* Functions whose calls were counted separately, as regions "NAME#", or by place, as regions "NAME<-CALLER:LINE",
 * written here as "NAME<-". NULL: none. The caller frees. */
static char *steps_of(const struct irprof_profile *p)
{
    struct map names = {0};
    struct str list = STR_INIT;
    for (size_t i = 0; i < p->n_regions; i++) {
        const struct irprof_region *r = &p->regions[i];
        const char *at = strstr(r->name, "<-"), *colon = at ? strrchr(at, ':') : 0;
        bool place = colon && colon[1] >= '0' && colon[1] <= '9';
        size_t n = r->step == IRPROF_STEP_ALL ? r->n_function : place ? (size_t)(at + 2 - r->name) : 0;
        char *name = xstrndup(r->name, n);
        if (n)
            map_number(&names, name);
        free(name);
    }
    for (size_t i = 0; i < names.n; i++)
        str_addf(&list, "%s%s", i ? "," : "", names.keys[i]);
    char *text = names.n ? xstrdup(str_text(&list)) : 0;
    str_release(&list);
    map_release(&names);
    return text;
}

/* Is there an instruction whose time depends on the length of its quotient? */
static bool divides(const struct machine *m)
{
    for (size_t i = 0; i < m->n; i++)
        for (size_t k = 0; k < m->functions[i].code->n; k++)
            if (m->functions[i].code->steps[k].timing->divide_bits)
                return true;
    return false;
}

static void cost(struct compiled *w)
{
    bool apart = divides(&w->machine);
    for (int q = ISS_QUOTIENT_MEAN; q < ISS_QUOTIENTS && (apart || q == ISS_QUOTIENT_MEAN); q++) {
        w->costs[q] = xcalloc(w->machine.n, sizeof **w->costs);
        cost_program(w->costs[q], &w->machine, w->flows, w->model, (enum iss_quotient)q);
    }
    w->lengths = compiled_lengths(w->profile, w->region, w->model);
}

static enum status estimate(struct compiled *w, const struct board *b, const char *const *modules, struct error *e)
{
    char *steps = steps_of(w->profile);
    enum status s = load_model(&w->model, b, e);
    if (!s)
        s = compiled_labels(&w->program, b, modules, steps, e);
    free(steps);
    if (!s)
        s = compiled_check(w, e);
    if (!s)
        s = compiled_build(&w->program, b, modules, e);
    if (!s)
        s = machine_make(&w->machine, &w->program.elf, w->program.labels, w->program.n, w->model, e);
    if (s)
        return s;
    compiled_count(w);
    cost(w);
    w->library = library_new(&w->program.elf, &w->machine, w->model, w->out->costs, w->triple);
    compiled_parts(w);
    compiled_notes(w);
    return OK;
}

static void release(struct compiled *w)
{
    for (int q = ISS_QUOTIENT_MEAN; q < ISS_QUOTIENTS; q++) {
        for (size_t i = 0; w->costs[q] && i < w->machine.n; i++)
            step_costs_release(&w->costs[q][i]);
        free(w->costs[q]);
    }
    free(w->lengths);
    if (w->library)
        library_free(w->library);
    compiled_counts_release(w);
    machine_release(&w->machine);
    compiled_program_release(&w->program);
    iss_model_free(w->model);
}

/* Loads the board. `core`, if not NULL, is a model file whose timing replaces the board's; it may be measured or come
 * from elsewhere. */
static enum status load_board(struct board **b, const char *board, const char *core, struct error *e)
{
    enum status s = board_load(b, board, e);
    if (!s && core) {
        free((*b)->model);
        (*b)->model = xstrdup(core);
    }
    return s;
}

enum status costs_from_board(struct costs *c, const char *board, const char *core, struct error *e)
{
    struct board *b;
    struct iss_model *model = 0;
    *c = (struct costs){0};
    enum status s = load_board(&b, board, core, e);
    if (s)
        return s;
    s = load_model(&model, b, e);
    if (!s) {
        c->core = model->origin.source ? xasprintf("%s (%s, not measured)", model->name, model->origin.source)
                                       : xstrdup(model->name);
        c->clock_hz = (double)model->clock_hz;
    }
    iss_model_free(model);
    board_free(b);
    return s;
}

static enum status run(struct estimate *out, const struct estimate_request *q, struct error *e)
{
    if (!q->board)
        return usage_error(e, "--method compiled needs --board NAME: a board with a model of its core");
    struct board *b;
    struct board_args kept = {0};
    enum status s = load_board(&b, q->board, q->core, e);
    if (s)
        return s;
    bool given = q->programs && q->programs[0];
    if (!given)
        kept_ir_find(&kept, q->profile);
    if (!given && !kept.n) {
        char *folder = kept_ir_folder(q->profile->path);
        const char *name = board_is_core(b) ? "NAME" : q->board;
        s = error_set(
            e, ERR_INPUT, AT_FILE(q->profile->path),
            "the IR that was counted is not kept in '%s': 'shimgen profile --board %s' and 'shimgen cc --board "
            "%s' keep it; --program FILES names it elsewhere",
            folder, name, name);
        free(folder);
        board_free(b);
        return s;
    }
    struct compiled w = {.out = out, .profile = q->profile, .region = &q->profile->regions[q->region]};
    w.warm = b->cache == BOARD_WARM;
    w.triple = board_target(b);
    s = estimate(&w, b, given ? q->programs : (const char *const *)kept.at, e);
    release(&w);
    board_args_release(&kept);
    board_free(b);
    return s;
}

const struct estimator estimator_compiled = {
    "compiled", "the program's own code for a board with timing data, scheduled block by block", run};
