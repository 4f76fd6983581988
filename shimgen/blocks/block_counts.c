/* block_counts.c - counts what was executed of each block in a region. */
#include "shimgen/blocks/block_counts.h"

#include <stdlib.h>

#include "shimgen/blocks/moved.h"
#include "shimgen/blocks/traffic.h"

struct counter {
    const struct blocks *b;
    const struct irprof_profile *p;
    const struct irprof_region *region;
    const struct assignment *parts;
    struct blocks_counts *out;
    bool *in_program;
};

/* How often control passed through the blocks of a function. */
struct passes {
    uint32_t function, depth;
    uint64_t most;
};

static void add_passes(struct blocks_counts *row, const struct passes *p)
{
    row->executions += p->most;
}

static uint32_t loop_depth(const struct irprof_profile *p, const struct irprof_segment *s)
{
    return s->loop == IRPROF_NONE ? 0 : p->loops[s->loop].depth;
}

static void count_passes(struct counter *m)
{
    struct passes *at = xcalloc(m->b->tree.blocks.n, sizeof *at);
    for (size_t i = 0; i < m->b->tree.blocks.n; i++)
        at[i].function = IRPROF_NONE;
    for (size_t i = 0; i < m->p->n_segments; i++) {
        const struct irprof_segment *s = &m->p->segments[i];
        uint64_t n = m->region->executions[i];
        uint32_t depth = loop_depth(m->p, s);
        for (uint32_t k = s->first_part; k < s->first_part + s->n_parts && n; k++) {
            struct passes *pass = &at[m->parts->block[k]];
            if (pass->function != s->function) {
                add_passes(&m->out[m->parts->block[k]], pass);
                *pass = (struct passes){s->function, depth, n};
            } else if (depth < pass->depth || (depth == pass->depth && n > pass->most)) {
                pass->depth = depth;
                pass->most = n;
            }
        }
    }
    for (size_t i = 0; i < m->b->tree.blocks.n; i++)
        add_passes(&m->out[i], &at[i]);
    free(at);
}

static void count_part(struct counter *m, uint32_t k, uint64_t times, const struct traffic *traffic)
{
    const struct irprof_part *part = &m->p->parts[k];
    struct blocks_counts *row = &m->out[m->parts->block[k]];
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
    row->merged += m->parts->merged[k] ? all : 0;
    row->inlined += m->parts->inlined[k] ? all : 0;
    if (m->in_program)
        m->in_program[m->parts->block[k]] = true;
}

static void count(struct counter *m)
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
    uint64_t *moved = moved_instructions(m->p, m->region, &m->b->tree, m->parts->line);
    for (size_t k = 0; k < m->p->n_parts; k++)
        m->out[m->parts->block[k]].moved += moved[k];
    free(moved);
}

struct blocks_counts *counts_of_region(const struct blocks *b, const struct assignment *parts, size_t region,
                                       bool *in_program)
{
    const struct irprof_profile *p = b->request->profile;
    struct counter m = {b, p, &p->regions[region], parts, xcalloc(b->tree.blocks.n, sizeof *m.out), in_program};
    count(&m);
    return m.out;
}
