/* estimate_rows.c - sums parts by function, line, loop or block. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "irprof/profile/callgraph.h"
#include "shimgen/estimate/estimate.h"

/* A part and its row. */
struct piece {
    struct estimate_row row; /* identity of the row, and the part's instructions and cycles */
};
typedef VEC(struct piece) pieces;

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_rows(const struct estimate_row *a, const struct estimate_row *b)
{
    int c = compare_numbers(a->function, b->function);
    c = c ? c : compare_numbers(a->block, b->block);
    c = c ? c : compare_numbers(a->loop, b->loop);
    c = c ? c : compare_numbers(a->file, b->file);
    return c ? c : compare_numbers(a->line, b->line);
}

static int compare_pieces(const void *a, const void *b)
{
    return compare_rows(a, b);
}

/* Largest first; ties in the order of the profile. */
static int compare_cycles(const void *a, const void *b)
{
    const struct estimate_row *x = a, *y = b;
    if (x->cycles.typical != y->cycles.typical)
        return x->cycles.typical < y->cycles.typical ? 1 : -1;
    return compare_rows(x, y);
}

static struct estimate_row row_of(const struct irprof_profile *p, const struct irprof_segment *s,
                                  const struct irprof_part *part, enum estimate_by by)
{
    struct estimate_row r = {.function = IRPROF_NONE, .file = IRPROF_NONE, .loop = IRPROF_NONE, .block = IRPROF_NONE};
    if (by == ESTIMATE_BY_LINE) {
        r.file = part->file;
        r.line = part->line;
    }
    if (by == ESTIMATE_BY_FUNCTION || by == ESTIMATE_BY_BLOCK || by == ESTIMATE_BY_LOOP)
        r.function = s->function;
    if (by == ESTIMATE_BY_FUNCTION) {
        r.file = p->functions[s->function].file;
        r.line = p->functions[s->function].line;
    }
    if (by == ESTIMATE_BY_BLOCK)
        r.block = s->block;
    if (by == ESTIMATE_BY_LOOP && s->loop != IRPROF_NONE) {
        r.loop = s->loop;
        r.file = p->loops[s->loop].file;
        r.line = p->loops[s->loop].line;
    }
    return r;
}

static void list_pieces(pieces *out, const struct estimate *est, enum estimate_by by)
{
    const struct irprof_profile *p = est->profile;
    const uint64_t *executions = p->regions[est->region].executions;
    for (size_t i = 0; i < p->n_segments; i++) {
        const struct irprof_segment *s = &p->segments[i];
        for (size_t k = s->first_part; executions[i] && k < s->first_part + s->n_parts; k++) {
            const struct irprof_part *part = &p->parts[k];
            struct piece piece = {row_of(p, s, part, by)};
            for (size_t j = part->first_item; j < part->first_item + part->n_items; j++)
                piece.row.instructions += executions[i] * p->items[j].times;
            piece.row.cycles = est->parts[k];
            piece.row.causes = est->causes[k];
            vec_push(out, piece);
        }
    }
    if (out->n)
        qsort(out->at, out->n, sizeof *out->at, compare_pieces);
}

/* ---- with callees ---- */

static int compare_arcs(const void *a, const void *b)
{
    const struct callgraph_arc *x = a, *y = b;
    int c = compare_numbers(x->caller, y->caller);
    return c ? c : compare_numbers(x->callee, y->callee);
}

static void list_arcs(struct callgraph_input *in, const struct estimate *est)
{
    const struct irprof_profile *p = est->profile;
    const uint64_t *executions = p->regions[est->region].executions;
    VEC(struct callgraph_arc) arcs = {0};
    for (size_t i = 0; i < p->n_calls; i++) {
        const struct irprof_call *call = &p->calls[i];
        if (call->callee != IRPROF_NONE && executions[call->segment])
            vec_push(&arcs, (struct callgraph_arc){p->segments[call->segment].function, call->callee,
                                                   executions[call->segment]});
    }
    if (arcs.n)
        qsort(arcs.at, arcs.n, sizeof *arcs.at, compare_arcs);
    in->arcs = arcs.at;
    in->n_arcs = arcs.n;
}

/* Converts cycles to whole numbers of steps, which the call graph requires. */
static void make_calls(struct estimate_calls *c, const struct estimate *est, const struct estimate_row *rows, size_t n)
{
    const struct irprof_profile *p = est->profile;
    c->entries = xcalloc(p->n_functions, sizeof *c->entries);
    c->self = xcalloc(p->n_functions, ESTIMATE_CALLS_COSTS * sizeof *c->self);
    for (size_t i = 0; i < p->n_segments; i++)
        if (p->segments[i].block == 0 && p->segments[i].number == 0)
            c->entries[p->segments[i].function] = p->regions[est->region].executions[i];
    for (size_t i = 0; i < n; i++) {
        const struct cycles *cycles = &rows[i].cycles;
        uint64_t *at = c->self + ESTIMATE_CALLS_COSTS * (size_t)rows[i].function;
        at[0] = (uint64_t)(cycles->best / est->step);
        at[1] = (uint64_t)(cycles->typical / est->step);
        at[2] = (uint64_t)(cycles->worst / est->step);
    }
    c->input = (struct callgraph_input){
        .n_functions = p->n_functions, .n_costs = ESTIMATE_CALLS_COSTS, .entries = c->entries, .self = c->self};
    list_arcs(&c->input, est);
    callgraph_make(&c->graph, &c->input);
}

void estimate_calls_make(struct estimate_calls *c, const struct estimate *est)
{
    struct estimate_row *rows;
    size_t n;
    estimate_rows(&rows, &n, est, ESTIMATE_BY_FUNCTION);
    make_calls(c, est, rows, n);
    free(rows);
}

void estimate_calls_release(struct estimate_calls *c)
{
    callgraph_release(&c->graph);
    free((void *)c->input.arcs);
    free(c->entries);
    free(c->self);
}

static void add_callees(struct estimate_row *rows, size_t n, const struct estimate *est)
{
    struct estimate_calls c;
    make_calls(&c, est, rows, n);
    for (size_t i = 0; i < n; i++) {
        const uint64_t *sum = c.graph.inclusive + ESTIMATE_CALLS_COSTS * (size_t)c.graph.circle[rows[i].function];
        rows[i].with_callees =
            (struct cycles){(double)sum[0] * est->step, (double)sum[1] * est->step, (double)sum[2] * est->step};
    }
    estimate_calls_release(&c);
}

/* Adds inner loops to the loops around them. A loop in which nothing of its own was executed has no row. */
static void add_inner_loops(struct estimate_row *rows, size_t n, const struct estimate *est)
{
    const struct irprof_profile *p = est->profile;
    size_t *row = xcalloc(p->n_loops, sizeof *row);
    for (size_t i = 0; i < n; i++)
        if (rows[i].loop != IRPROF_NONE)
            row[rows[i].loop] = i + 1;
    for (size_t i = 0; i < n; i++) {
        uint32_t outer = rows[i].loop == IRPROF_NONE ? IRPROF_NONE : p->loops[rows[i].loop].parent;
        for (; outer != IRPROF_NONE; outer = p->loops[outer].parent)
            if (row[outer])
                cycles_add(&rows[row[outer] - 1].with_callees, &rows[i].cycles, 1);
    }
    free(row);
}

void estimate_rows(struct estimate_row **rows, size_t *n, const struct estimate *est, enum estimate_by by)
{
    pieces list = {0};
    list_pieces(&list, est, by);
    struct estimate_row *out = xcalloc(list.n, sizeof *out);
    *n = 0;
    for (size_t i = 0; i < list.n; i++) {
        if (!*n || compare_rows(&list.at[i].row, &out[*n - 1]) != 0) {
            out[*n] = list.at[i].row;
            (*n)++;
        } else {
            out[*n - 1].instructions += list.at[i].row.instructions;
            cycles_add(&out[*n - 1].cycles, &list.at[i].row.cycles, 1);
            causes_sum(&out[*n - 1].causes, &list.at[i].row.causes);
        }
    }
    vec_release(&list);
    for (size_t i = 0; i < *n; i++)
        out[i].with_callees = out[i].cycles;
    if (by == ESTIMATE_BY_FUNCTION)
        add_callees(out, *n, est);
    if (by == ESTIMATE_BY_LOOP)
        add_inner_loops(out, *n, est);
    if (*n)
        qsort(out, *n, sizeof *out, compare_cycles);
    *rows = out;
}
