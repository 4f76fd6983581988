/* inclusive.c - adds up the cycles in blocks and in what they call, by call path. */
#include "shimgen/blocks/inclusive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "shimgen/blocks/block_steps.h"
#include "shimgen/blocks/call_tree.h"

typedef VEC(uint32_t) rows_list;

/* The cycles of a row in a node, on the current core. */
struct cell {
    double self, inclusive;
};
/* Rows that contain code of a cycle, and rows around it. */
struct circle_rows {
    rows_list rows;
    size_t first_part, end_part; /* in the measure's `parts` */
};
struct measure {
    struct blocks *b;
    const struct assignment *a;
    const struct irprof_profile *p;
    struct call_tree tree;
    struct circle_rows *circles; /* owned; for each cycle */
    size_t *parts;               /* owned; parts sorted by cycle */
    uint32_t *part_function;     /* owned; for each part */
    rows_list *calls;            /* owned; for each node: rows around the call that made it */
    size_t *first_cell;          /* owned; for each node */
    struct cell *cells;          /* owned; for the rows of each node */
    double *totals;              /* owned; for each node */
    struct estimate **estimates; /* owned; for each region that a node has; else NULL */
    uint32_t *slot;              /* owned; for each row: its place among those of a cycle */
};

/* ---- what is around code ---- */

static void add_row(rows_list *list, uint32_t row)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->at[i] == row)
            return;
    vec_push(list, row);
}

static void add_block(const struct measure *m, rows_list *list, uint32_t block)
{
    uint32_t parent = m->b->tree.blocks.at[block].parent;
    add_row(list, m->a->row[block]);
    if (parent != BLOCK_NONE)
        add_row(list, m->a->row[parent]);
}

/* The rows around a place, innermost first, and the function that contains it. */
static void rows_around(const struct measure *m, rows_list *list, uint32_t nest, uint32_t block, uint32_t function)
{
    list->n = 0;
    if (nest == BLOCK_NONE)
        add_block(m, list, block);
    for (; nest != BLOCK_NONE; nest = m->b->tree.nests.at[nest].outer)
        add_block(m, list, m->b->tree.nests.at[nest].block);
    add_block(m, list, m->a->function[function]);
}

static void rows_of_part(const struct measure *m, rows_list *list, size_t k)
{
    rows_around(m, list, m->a->nest[k], m->a->block[k], m->part_function[k]);
}

static void rows_of_call(const struct measure *m, rows_list *list, size_t call)
{
    const struct irprof_call *c = &m->p->calls[call];
    rows_around(m, list, m->a->call_nest[call], m->a->call_block[call], m->p->segments[c->segment].function);
}

/* Is the row around one of the calls that lead to the node? Then its cycles are already in that call's node. */
static bool is_around(const struct measure *m, size_t node, uint32_t row)
{
    for (; node != CALL_TREE_NONE; node = m->tree.nodes.at[node].parent)
        for (size_t i = 0; i < m->calls[node].n; i++)
            if (m->calls[node].at[i] == row)
                return true;
    return false;
}

/* ---- what there is ---- */

static void find_parts(struct measure *m)
{
    size_t n = 0;
    m->parts = xcalloc(m->p->n_parts, sizeof *m->parts);
    m->part_function = xcalloc(m->p->n_parts, sizeof *m->part_function);
    size_t *first = xcalloc(m->p->n_functions + 1, sizeof *first), *end = xcalloc(m->p->n_functions + 1, sizeof *end);
    for (size_t i = m->p->n_segments; i--;)
        first[m->p->segments[i].function] = i;
    for (size_t i = 0; i < m->p->n_segments; i++) {
        const struct irprof_segment *s = &m->p->segments[i];
        end[s->function] = i + 1;
        for (uint32_t k = s->first_part; k < s->first_part + s->n_parts; k++)
            m->part_function[k] = s->function;
    }
    for (size_t c = 0; c < m->tree.graph.n_circles; c++) {
        m->circles[c].first_part = n;
        for (size_t i = m->tree.first_member[c]; i < m->tree.first_member[c + 1]; i++)
            for (size_t s = first[m->tree.members[i]]; s < end[m->tree.members[i]]; s++)
                for (uint32_t k = 0; k < m->p->segments[s].n_parts; k++)
                    m->parts[n++] = m->p->segments[s].first_part + k;
        m->circles[c].end_part = n;
    }
    free(first);
    free(end);
}

/* The rows of each cycle: around its parts, and around the calls that its nodes make. */
static void find_rows(struct measure *m)
{
    rows_list list = {0};
    for (size_t c = 0; c < m->tree.graph.n_circles; c++)
        for (size_t i = m->circles[c].first_part; i < m->circles[c].end_part; i++) {
            rows_of_part(m, &list, m->parts[i]);
            for (size_t k = 0; k < list.n; k++)
                if (m->slot[list.at[k]] != c) {
                    m->slot[list.at[k]] = (uint32_t)c;
                    vec_push(&m->circles[c].rows, list.at[k]);
                }
        }
    for (size_t n = 0; n < m->tree.nodes.n; n++) {
        const struct call_node *node = &m->tree.nodes.at[n];
        if (node->parent == CALL_TREE_NONE)
            continue;
        rows_of_call(m, &m->calls[n], node->call);
        for (size_t k = 0; k < m->calls[n].n; k++)
            add_row(&m->circles[m->tree.nodes.at[node->parent].circle].rows, m->calls[n].at[k]);
    }
    vec_release(&list);
}

static void start(struct measure *m, size_t base)
{
    call_tree_make(&m->tree, m->p, base);
    size_t n = m->tree.nodes.n, cells = 0;
    m->circles = xcalloc(m->tree.graph.n_circles, sizeof *m->circles);
    m->calls = xcalloc(n, sizeof *m->calls);
    m->first_cell = xcalloc(n, sizeof *m->first_cell);
    m->totals = xcalloc(n, sizeof *m->totals);
    m->estimates = xcalloc(m->p->n_regions, sizeof *m->estimates);
    m->slot = xcalloc(m->b->tree.blocks.n, sizeof *m->slot);
    memset(m->slot, 0xFF, m->b->tree.blocks.n * sizeof *m->slot);
    find_parts(m);
    find_rows(m);
    for (size_t i = 0; i < n; i++) {
        m->first_cell[i] = cells;
        cells += m->circles[m->tree.nodes.at[i].circle].rows.n;
    }
    m->cells = xcalloc(cells + 1, sizeof *m->cells);
    if (!m->tree.complete)
        vec_push(&m->b->notes, xstrdup("functions are called in more than 20000 ways: some instances are one"));
}

static void finish(struct measure *m)
{
    for (size_t c = 0; c < m->tree.graph.n_circles; c++)
        vec_release(&m->circles[c].rows);
    for (size_t i = 0; i < m->tree.nodes.n; i++)
        vec_release(&m->calls[i]);
    free(m->circles);
    free(m->parts);
    free(m->part_function);
    free(m->calls);
    free(m->first_cell);
    free(m->cells);
    free(m->totals);
    free(m->estimates);
    free(m->slot);
    call_tree_release(&m->tree);
}

/* ---- cycles ---- */

static enum status run_estimates(struct measure *m, size_t core, struct error *e)
{
    enum status s = blocks_estimate(&m->estimates[m->tree.base], m->b->request, m->tree.base, core, e);
    for (size_t i = 0; i < m->tree.nodes.n && !s; i++) {
        size_t region = m->tree.nodes.at[i].region;
        if (!m->estimates[region])
            s = blocks_estimate(&m->estimates[region], m->b->request, region, core, e);
    }
    return s;
}

static double cycles_in(const struct measure *m, size_t region, size_t k)
{
    return m->estimates[region]->parts[k].typical;
}

/* A part's cycles in a node before rounding: its share of the cycles in the node's region, minus those in regions of
 * their own. They are multiples of the estimate's step, as all cycles are. */
static double share_of(const struct measure *m, size_t node, size_t k)
{
    const struct call_node *n = &m->tree.nodes.at[node];
    double all = cycles_in(m, n->region, k), step = m->estimates[m->tree.base]->step;
    if (n->own)
        return all;
    size_t end = m->tree.first_node[n->circle] + m->tree.n_nodes[n->circle];
    for (size_t i = 0; i < m->tree.own.n && m->tree.own.at[i] < end; i++) {
        const struct call_node *other = &m->tree.nodes.at[m->tree.own.at[i]];
        if (m->tree.nodes.at[other->parent].region == n->region)
            all -= cycles_in(m, other->region, k);
    }
    return n->share < 1 ? floor(all * n->share / step) * step : all;
}

/* The node that gets what the others leave, so that the sum is exact. */
static size_t rest_of(const struct measure *m, size_t circle)
{
    size_t first = m->tree.first_node[circle], rest = first;
    for (size_t i = first; i < first + m->tree.n_nodes[circle]; i++) {
        const struct call_node *n = &m->tree.nodes.at[i], *best = &m->tree.nodes.at[rest];
        if (best->own != n->own ? best->own : n->calls > best->calls)
            rest = i;
    }
    return rest;
}

static struct cell *cell_of(struct measure *m, size_t node, uint32_t row)
{
    return &m->cells[m->first_cell[node] + m->slot[row]];
}

static void add_part(struct measure *m, size_t node, size_t k, double cycles, const rows_list *around)
{
    m->totals[node] += cycles;
    cell_of(m, node, m->a->block[k])->self += cycles;
    for (size_t i = 0; i < around->n; i++)
        cell_of(m, node, around->at[i])->inclusive += cycles;
}

static void set_slots(struct measure *m, size_t circle)
{
    for (uint32_t i = 0; i < m->circles[circle].rows.n; i++)
        m->slot[m->circles[circle].rows.at[i]] = i;
}

static void add_circle(struct measure *m, size_t circle)
{
    size_t first = m->tree.first_node[circle], n = m->tree.n_nodes[circle], rest = rest_of(m, circle);
    rows_list around = {0};
    set_slots(m, circle);
    for (size_t i = m->circles[circle].first_part; i < m->circles[circle].end_part; i++) {
        size_t k = m->parts[i];
        double left = cycles_in(m, m->tree.base, k);
        if (left == 0)
            continue;
        rows_of_part(m, &around, k);
        for (size_t node = first; node < first + n; node++) {
            double cycles = node == rest ? 0 : share_of(m, node, k);
            left -= cycles;
            if (cycles != 0)
                add_part(m, node, k, cycles, &around);
        }
        add_part(m, rest, k, left, &around);
    }
    vec_release(&around);
}

/* Adds cycles of callees to their callers. Callees come after their callers, so this goes backwards. */
static void add_calls(struct measure *m)
{
    for (size_t i = m->tree.nodes.n; i--;) {
        size_t parent = m->tree.nodes.at[i].parent;
        if (parent == CALL_TREE_NONE)
            continue;
        m->totals[parent] += m->totals[i];
        set_slots(m, m->tree.nodes.at[parent].circle);
        for (size_t k = 0; k < m->calls[i].n; k++)
            cell_of(m, parent, m->calls[i].at[k])->inclusive += m->totals[i];
    }
}

/* ---- rows and instances ---- */

static void add_to_rows(const struct measure *m, double *inclusive)
{
    for (size_t i = 0; i < m->tree.nodes.n; i++) {
        const rows_list *rows = &m->circles[m->tree.nodes.at[i].circle].rows;
        for (size_t k = 0; k < rows->n; k++)
            if (!is_around(m, m->tree.nodes.at[i].parent == CALL_TREE_NONE ? CALL_TREE_NONE : i, rows->at[k]))
                inclusive[rows->at[k]] += m->cells[m->first_cell[i] + k].inclusive;
    }
}

/* "function main > Model <Root>/Ref1"; "": called by something unknown. The caller frees. */
static char *path_of(const struct measure *m, size_t node)
{
    struct str path = STR_INIT;
    VEC(uint32_t) blocks = {0};
    for (; m->tree.nodes.at[node].parent != CALL_TREE_NONE; node = m->tree.nodes.at[node].parent)
        vec_push(&blocks, m->a->row[m->a->call_block[m->tree.nodes.at[node].call]]);
    for (size_t i = blocks.n; i--;) {
        if (i + 1 < blocks.n && blocks.at[i + 1] == blocks.at[i])
            continue;
        char *title = blocks_title(&m->b->tree.blocks.at[blocks.at[i]]);
        str_addf(&path, "%s%s", path.len ? " > " : "", title);
        free(title);
    }
    vec_release(&blocks);
    str_add(&path, "");
    return str_detach(&path);
}

static struct blocks_instance *instance_of(const struct measure *m, struct blocks_instances *out, struct map *numbers,
                                           size_t node, uint32_t row)
{
    char *path = path_of(m, node), *key = xasprintf("%u %s", row, path);
    size_t n = numbers->n, at = map_number(numbers, key), cores = m->b->request->n_cores;
    free(key);
    if (at < n) {
        free(path);
        return &out->at[at];
    }
    out->at = xreallocarray(out->at, n + 1, sizeof *out->at);
    out->at[n] = (struct blocks_instance){.block = row,
                                          .path = path,
                                          .exact = true,
                                          .self = xcalloc(cores, sizeof(double)),
                                          .inclusive = xcalloc(cores, sizeof(double))};
    out->n = n + 1;
    return &out->at[n];
}

static void add_instances(const struct measure *m, struct blocks_instances *out, struct map *numbers, size_t core)
{
    for (size_t i = 0; i < m->tree.nodes.n; i++) {
        const struct call_node *node = &m->tree.nodes.at[i];
        const rows_list *rows = &m->circles[node->circle].rows;
        for (size_t k = 0; m->tree.n_nodes[node->circle] > 1 && k < rows->n; k++) {
            const struct cell *cell = &m->cells[m->first_cell[i] + k];
            if (cell->inclusive == 0 || is_around(m, i, rows->at[k]))
                continue;
            struct blocks_instance *instance = instance_of(m, out, numbers, i, rows->at[k]);
            instance->self[core] += cell->self;
            instance->inclusive[core] += cell->inclusive;
            instance->exact &= node->exact;
            instance->calls += core ? 0 : node->calls;
        }
    }
}

static enum status measure_core(struct measure *m, size_t core, double *inclusive, struct blocks_instances *out,
                                struct map *numbers, struct error *e)
{
    size_t last = m->tree.nodes.n ? m->tree.nodes.n - 1 : 0;
    size_t cells = m->tree.nodes.n ? m->first_cell[last] + m->circles[m->tree.nodes.at[last].circle].rows.n : 0;
    enum status s = run_estimates(m, core, e);
    memset(m->cells, 0, cells * sizeof *m->cells);
    memset(m->totals, 0, m->tree.nodes.n * sizeof *m->totals);
    for (size_t c = 0; c < m->tree.graph.n_circles && !s; c++)
        add_circle(m, c);
    if (!s) {
        add_calls(m);
        add_to_rows(m, inclusive);
        add_instances(m, out, numbers, core);
    }
    for (size_t i = 0; i < m->p->n_regions; i++) {
        estimate_free(m->estimates[i]);
        m->estimates[i] = 0;
    }
    return s;
}

/* Measures one region. The result is a value for each row and core. */
static enum status measure_region(struct blocks *b, const struct assignment *a, size_t region, double **values,
                                  struct blocks_instances *out, struct error *e)
{
    struct measure m = {.b = b, .a = a, .p = b->request->profile};
    size_t n = b->tree.blocks.n;
    struct map numbers = {0};
    enum status s = OK;
    start(&m, region);
    *values = xcalloc(n * b->request->n_cores, sizeof **values);
    for (size_t core = 0; core < b->request->n_cores && !s; core++)
        s = measure_core(&m, core, *values + core * n, out, &numbers, e);
    map_release(&numbers);
    finish(&m);
    return s;
}

/* Divides by the number of steps. */
static void divide(struct blocks_instances *i, size_t cores, double steps)
{
    for (size_t k = 0; k < i->n; k++) {
        for (size_t core = 0; core < cores; core++) {
            i->at[k].self[core] /= steps;
            i->at[k].inclusive[core] /= steps;
        }
        i->at[k].calls /= steps;
    }
}

enum status inclusive_measure(struct blocks *b, struct blocks_row *rows, const struct assignment *a, struct error *e)
{
    size_t n = b->tree.blocks.n, cores = b->request->n_cores;
    double *whole = 0, *steps = 0;
    enum status s = measure_region(b, a, b->request->region, &whole, &b->instances, e);
    bool stepped = b->step && !b->step->flaws && b->n_steps;
    if (!s && stepped)
        s = measure_region(b, a, (size_t)(b->step - b->request->profile->regions), &steps, &b->step_instances, e);
    for (size_t i = 0; i < n && !s; i++) {
        rows[i].inclusive = xcalloc(cores, sizeof(double));
        rows[i].step_inclusive = steps ? xcalloc(cores, sizeof(double)) : 0;
        for (size_t core = 0; core < cores; core++) {
            rows[i].inclusive[core] = whole[core * n + i];
            if (steps)
                rows[i].step_inclusive[core] = steps[core * n + i] / (double)b->n_steps;
        }
    }
    if (!s && steps)
        divide(&b->step_instances, cores, (double)b->n_steps);
    free(whole);
    free(steps);
    return s;
}

void instances_release(struct blocks_instances *i)
{
    for (size_t k = 0; k < i->n; k++) {
        free(i->at[k].path);
        free(i->at[k].self);
        free(i->at[k].inclusive);
    }
    free(i->at);
    *i = (struct blocks_instances){0};
}
