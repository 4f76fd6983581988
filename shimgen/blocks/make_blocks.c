/* make_blocks.c - estimates the cycles of each block on each core. */
#include "shimgen/blocks/blocks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "shimgen/blocks/assign.h"
#include "shimgen/blocks/block_counts.h"
#include "shimgen/blocks/block_steps.h"
#include "shimgen/blocks/inclusive.h"
#include "shimgen/blocks/measured.h"
#include "shimgen/estimate/assumed.h"

struct maker {
    struct blocks *b;
    const struct blocks_request *q;
    const struct irprof_profile *p;
    const struct irprof_region *region;
    struct assignment parts;
    struct blocks_row *rows; /* for each block of the tree */
    bool *in_program;        /* for each block: is some of its code in the program, executed or not? */
};

/* ---- cycles ---- */

static void note(struct blocks *b, const char *text)
{
    for (size_t i = 0; i < b->notes.n; i++)
        if (strcmp(b->notes.at[i], text) == 0)
            return;
    vec_push(&b->notes, xstrdup(text));
}

/* Notes each assumption once, with its share on the first core that needs it. */
static void note_assumed(struct blocks *b, const struct estimate *est, const struct costs *core)
{
    size_t n_words;
    struct assumption_words *w = assumed_words(&n_words, &est->assumed, est->total.typical);
    for (size_t i = 0; i < n_words; i++) {
        size_t n = strlen(w[i].what), k = 0;
        while (k < b->notes.n && strncmp(b->notes.at[k], w[i].what, n) != 0)
            k++;
        if (k == b->notes.n)
            vec_push(&b->notes, xasprintf("%s; %s on core %s", w[i].what, w[i].share, core->core));
    }
    assumed_words_free(w, n_words);
    for (size_t i = 0; i < est->n_notes; i++)
        note(b, est->notes[i]);
}

enum status blocks_estimate(struct estimate **out, const struct blocks_request *q, size_t region, size_t core,
                            struct error *e)
{
    const struct estimate_request request = {
        .profile = q->profile, .region = region, .costs = &q->cores[core], .programs = q->programs, .board = q->board};
    return estimate_run(out, q->method, &request, e);
}

static enum status add_core(struct maker *m, size_t core, struct error *e)
{
    struct estimate *est = 0;
    enum status s = blocks_estimate(&est, m->q, m->q->region, core, e);
    if (s)
        return s;
    for (size_t k = 0; k < m->p->n_parts; k++)
        cycles_add(&m->rows[m->parts.block[k]].cycles[core], &est->parts[k], 1);
    m->b->total[core] = est->total;
    note_assumed(m->b, est, &m->q->cores[core]);
    estimate_free(est);
    return OK;
}

/* ---- rows ---- */

static enum blocks_state state_of(const struct maker *m, size_t i)
{
    const struct block *block = &m->b->tree.blocks.at[i];
    if (m->rows[i].instructions)
        return BLOCKS_EXECUTED;
    if (m->in_program[i])
        return BLOCKS_NOT_EXECUTED;
    if (block->lines)
        return BLOCKS_NOT_LEFT;
    return block->kind == BLOCK_FUNCTION || block->kind == BLOCK_REGION ? BLOCKS_WITHOUT_LINE : BLOCKS_WITHOUT_CODE;
}

/* Is the row of interest? Functions that nobody calls, and comments that only contain others, are not. */
static bool worth_a_row(const struct maker *m, size_t i)
{
    const struct block *block = &m->b->tree.blocks.at[i];
    enum blocks_state state = state_of(m, i);
    if (state == BLOCKS_EXECUTED || m->rows[i].measured)
        return true;
    if (m->q->by != BLOCKS_BY_BLOCK)
        return state == BLOCKS_NOT_EXECUTED;
    if (block->kind == BLOCK_FUNCTION)
        return state == BLOCKS_NOT_EXECUTED;
    return (state != BLOCKS_WITHOUT_CODE && state != BLOCKS_WITHOUT_LINE) || !block->inner;
}

static int compare_rows(const void *a, const void *b)
{
    const struct blocks_row *x = a, *y = b;
    if (x->steps && x->steps[0].mean != y->steps[0].mean)
        return x->steps[0].mean < y->steps[0].mean ? 1 : -1;
    if (x->cycles[0].typical != y->cycles[0].typical)
        return x->cycles[0].typical < y->cycles[0].typical ? 1 : -1;
    if (x->block->file != y->block->file)
        return x->block->file < y->block->file ? -1 : 1;
    if (x->block->line != y->block->line)
        return x->block->line < y->block->line ? -1 : 1;
    return strcmp(x->block->name, y->block->name);
}

static void release_row(const struct blocks_row *row)
{
    free(row->cycles);
    free(row->steps);
    free(row->inclusive);
    free(row->step_inclusive);
}

static void keep_rows(struct maker *m)
{
    struct blocks *b = m->b;
    b->rows = xcalloc(b->tree.blocks.n, sizeof *b->rows);
    for (size_t i = 0; i < b->tree.blocks.n; i++) {
        struct blocks_row *row = &m->rows[i];
        row->block = &b->tree.blocks.at[i];
        row->path = row->block->file == BLOCK_NONE ? 0 : b->tree.sources.at[row->block->file].path;
        row->state = state_of(m, i);
        if (worth_a_row(m, i)) {
            b->rows[b->n_rows++] = *row;
        } else {
            release_row(row);
        }
        if (row->block->inner || !row->path)
            continue;
        if (row->state == BLOCKS_WITHOUT_CODE)
            vec_push(&b->notes, xasprintf("%s:%lu: no code follows the comment of %s '%s'", row->path, row->block->line,
                                          row->block->type, row->block->name));
        else if (row->state == BLOCKS_WITHOUT_LINE)
            vec_push(&b->notes, xasprintf("%s:%lu: %s '%s' has no line of its own: code on one line belongs to one "
                                          "block, here to another",
                                          row->path, row->block->line, row->block->type, row->block->name));
    }
    if (b->n_rows)
        qsort(b->rows, b->n_rows, sizeof *b->rows, compare_rows);
}

static void fill_counts(struct maker *m)
{
    struct blocks_counts *counts = counts_of_region(m->b, &m->parts, m->q->region, m->in_program);
    for (size_t i = 0; i < m->b->tree.blocks.n; i++) {
        struct blocks_row *row = &m->rows[i];
        row->instructions = counts[i].instructions;
        row->executions = counts[i].executions;
        row->read = counts[i].read;
        row->written = counts[i].written;
        row->copies = counts[i].copies;
        row->merged = counts[i].merged;
        row->inlined = counts[i].inlined;
        row->moved = counts[i].moved;
        m->b->instructions += counts[i].instructions;
    }
    free(counts);
}

/* Counts over all steps. */
static void fill_step_counts(struct maker *m)
{
    size_t region = m->b->step && !m->b->step->flaws ? (size_t)(m->b->step - m->p->regions) : m->p->n_regions;
    struct blocks_counts *counts = region < m->p->n_regions ? counts_of_region(m->b, &m->parts, region, 0) : 0;
    for (size_t i = 0; counts && i < m->b->tree.blocks.n; i++)
        m->rows[i].in_steps = counts[i];
    free(counts);
}

static enum status fill_measured(struct maker *m, struct error *e)
{
    struct blocks *b = m->b;
    uint64_t *cycles = xcalloc(b->tree.blocks.n, sizeof *cycles), elsewhere = 0;
    enum status s = measured_read(cycles, &elsewhere, b, &m->parts, m->q->measured, e);
    for (size_t i = 0; i < b->tree.blocks.n && !s; i++) {
        m->rows[i].measured = cycles[i];
        b->measured += cycles[i];
    }
    if (!s && elsewhere)
        vec_push(&b->notes,
                 xasprintf("%" PRIu64 " measured cycles are of functions that the profile does not have: in no row",
                           elsewhere));
    free(cycles);
    return s;
}

static enum status fill(struct maker *m, struct error *e)
{
    size_t n = m->b->tree.blocks.n;
    m->rows = xcalloc(n, sizeof *m->rows);
    m->in_program = xcalloc(n, sizeof *m->in_program);
    for (size_t i = 0; i < n; i++)
        m->rows[i].cycles = xcalloc(m->q->n_cores, sizeof *m->rows[i].cycles);
    m->b->total = xcalloc(m->q->n_cores, sizeof *m->b->total);
    fill_counts(m);
    enum status s = OK;
    for (size_t core = 0; core < m->q->n_cores && !s; core++)
        s = add_core(m, core, e);
    if (!s)
        s = steps_measure(m->b, m->rows, &m->parts, e);
    if (!s)
        fill_step_counts(m);
    if (!s)
        s = inclusive_measure(m->b, m->rows, &m->parts, e);
    if (!s && m->q->measured)
        s = fill_measured(m, e);
    keep_rows(m);
    free(m->rows);
    free(m->in_program);
    return s;
}

enum status blocks_make(struct blocks **out, const struct blocks_request *q, struct error *e)
{
    struct blocks *b = xcalloc(1, sizeof *b);
    struct maker m = {.b = b, .q = q, .p = q->profile, .region = &q->profile->regions[q->region]};
    b->request = q;
    enum status s = irprof_region_usable(q->profile, q->region, e);
    if (!s)
        s = assign(&m.parts, b, e);
    if (!s)
        s = fill(&m, e);
    for (size_t i = 0; !s && i < b->tree.findings.n; i++)
        note(b, b->tree.findings.at[i]);
    assignment_release(&m.parts);
    if (s) {
        blocks_free(b);
        b = 0;
    }
    *out = b;
    return s;
}

void blocks_free(struct blocks *b)
{
    if (!b)
        return;
    for (size_t i = 0; i < b->n_rows; i++) {
        release_row(&b->rows[i]);
    }
    instances_release(&b->instances);
    instances_release(&b->step_instances);
    for (size_t i = 0; i < b->notes.n; i++)
        free(b->notes.at[i]);
    vec_release(&b->notes);
    tree_release(&b->tree);
    free(b->rows);
    free(b->total);
    free(b->steps);
    free(b);
}

char *blocks_title(const struct block *b)
{
    const char *model = b->qualified ? b->model : "", *mark = b->qualified ? ": " : "";
    if (b->label)
        return xasprintf("%s %s %s%s%s", b->type, b->label, model, mark, b->name);
    return xasprintf("%s %s%s%s", b->type, model, mark, b->name);
}

const char *blocks_state_name(enum blocks_state s)
{
    static const char *const names[] = {[BLOCKS_EXECUTED] = "executed",
                                        [BLOCKS_NOT_EXECUTED] = "not executed",
                                        [BLOCKS_NOT_LEFT] = "optimised away",
                                        [BLOCKS_WITHOUT_CODE] = "no code",
                                        [BLOCKS_WITHOUT_LINE] = "no line of its own"};
    return names[s];
}
