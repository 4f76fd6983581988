/* blocks.c - estimates the cycles of each block on each core. */
#include "shimgen/blocks/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "shimgen/blocks/assign.h"
#include "shimgen/blocks/moved.h"
#include "shimgen/blocks/block_steps.h"
#include "shimgen/blocks/traffic.h"
#include "shimgen/estimate/assumed.h"

struct maker {
    struct blocks *b;
    const struct blocks_request *q;
    const struct irprof_profile *p;
    const struct irprof_region *region;
    struct assignment parts;
    struct blocks_row *rows; /* of each block of the tree */
    bool *in_program;        /* of each block: some code of it is there, executed or not */
};

/* ---- counts ---- */

/* How often control came through the blocks of one function. */
struct passes {
    uint32_t function, depth;
    uint64_t most;
};

static void add_passes(struct blocks_row *row, const struct passes *p)
{
    row->executions += p->most;
}

static uint32_t loop_depth(const struct irprof_profile *p, const struct irprof_segment *s)
{
    return s->loop == IRPROF_NONE ? 0 : p->loops[s->loop].depth;
}

static void count_passes(struct maker *m)
{
    struct passes *at = xcalloc(m->b->tree.blocks.n, sizeof *at);
    for (size_t i = 0; i < m->b->tree.blocks.n; i++)
        at[i].function = IRPROF_NONE;
    for (size_t i = 0; i < m->p->n_segments; i++) {
        const struct irprof_segment *s = &m->p->segments[i];
        uint64_t n = m->region->executions[i];
        uint32_t depth = loop_depth(m->p, s);
        for (uint32_t k = s->first_part; k < s->first_part + s->n_parts && n; k++) {
            struct passes *pass = &at[m->parts.block[k]];
            if (pass->function != s->function) {
                add_passes(&m->rows[m->parts.block[k]], pass);
                *pass = (struct passes){s->function, depth, n};
            } else if (depth < pass->depth || (depth == pass->depth && n > pass->most)) {
                pass->depth = depth;
                pass->most = n;
            }
        }
    }
    for (size_t i = 0; i < m->b->tree.blocks.n; i++)
        add_passes(&m->rows[i], &at[i]);
    free(at);
}

static void count_part(struct maker *m, uint32_t k, uint64_t times, const struct traffic *traffic)
{
    const struct irprof_part *part = &m->p->parts[k];
    struct blocks_row *row = &m->rows[m->parts.block[k]];
    uint64_t all = 0;
    for (uint32_t j = part->first_item; j < part->first_item + part->n_items; j++) {
        const struct irprof_item *item = &m->p->items[j];
        uint64_t n = times * item->times;
        all += n;
        row->read += n * traffic[item->key].read;
        row->written += n * traffic[item->key].written;
        row->copies += traffic[item->key].copy ? n : 0;
    }
    row->instructions += all;
    m->b->instructions += all;
    row->merged += m->parts.merged[k] ? all : 0;
    row->inlined += m->parts.inlined[k] ? all : 0;
    m->in_program[m->parts.block[k]] = true;
}

static void count(struct maker *m)
{
    unsigned pointer = m->p->n_modules ? traffic_pointer(m->p->modules[0].target) : 8;
    struct traffic *traffic = xcalloc(m->p->n_keys, sizeof *traffic);
    for (size_t i = 0; i < m->p->n_keys; i++)
        traffic[i] = traffic_of(m->p->keys[i], pointer);
    for (size_t i = 0; i < m->p->n_segments; i++)
        for (uint32_t k = 0; k < m->p->segments[i].n_parts; k++)
            count_part(m, m->p->segments[i].first_part + k, m->region->executions[i], traffic);
    free(traffic);
    count_passes(m);
    uint64_t *moved = moved_instructions(m->p, m->region, &m->b->tree, m->parts.line);
    for (size_t k = 0; k < m->p->n_parts; k++)
        m->rows[m->parts.block[k]].moved += moved[k];
    free(moved);
}

/* ---- cycles ---- */

static void note(struct blocks *b, const char *text)
{
    for (size_t i = 0; i < b->notes.n; i++)
        if (strcmp(b->notes.at[i], text) == 0)
            return;
    vec_push(&b->notes, xstrdup(text));
}

/* Each once, with its share on the first core that lacks it. */
static void note_assumed(struct blocks *b, const struct estimate *est, const struct costs *core)
{
    size_t n_words;
    struct assumption_words *w = assumed_words(&n_words, est);
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

/* Rows that say something: functions nobody calls and comments that only embrace others do not. */
static bool worth_a_row(const struct maker *m, size_t i)
{
    const struct block *block = &m->b->tree.blocks.at[i];
    enum blocks_state state = state_of(m, i);
    if (state == BLOCKS_EXECUTED)
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
            free(row->cycles);
            free(row->steps);
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

static enum status fill(struct maker *m, struct error *e)
{
    size_t n = m->b->tree.blocks.n;
    m->rows = xcalloc(n, sizeof *m->rows);
    m->in_program = xcalloc(n, sizeof *m->in_program);
    for (size_t i = 0; i < n; i++)
        m->rows[i].cycles = xcalloc(m->q->n_cores, sizeof *m->rows[i].cycles);
    m->b->total = xcalloc(m->q->n_cores, sizeof *m->b->total);
    count(m);
    enum status s = OK;
    for (size_t core = 0; core < m->q->n_cores && !s; core++)
        s = add_core(m, core, e);
    if (!s)
        s = steps_measure(m->b, m->rows, &m->parts, e);
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
        free(b->rows[i].cycles);
        free(b->rows[i].steps);
    }
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
