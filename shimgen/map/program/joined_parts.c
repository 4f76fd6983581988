/* joined_parts.c - joins parts that depend on each other in both directions: strongly connected components (Tarjan
 * 1972). */
#include <stdlib.h>
#include <string.h>

#include "shimgen/map/program/program_graph.h"

struct finding {
    const struct depend *d;
    size_t *place;  /* index of a part in d->parts, by its number */
    size_t n_place; /* numbers are below this */
    size_t *index, *low, *unit, *stack;
    bool *on_stack;
    size_t n_index, n_stack, n_units;
};
/* A part that is being visited, and its next edge. */
struct visit {
    size_t part, edge;
};

static void enter(struct finding *f, size_t part)
{
    f->index[part] = f->low[part] = ++f->n_index;
    f->stack[f->n_stack++] = part;
    f->on_stack[part] = true;
}

static void close_unit(struct finding *f, size_t part)
{
    size_t other;
    if (f->low[part] != f->index[part])
        return;
    do {
        other = f->stack[--f->n_stack];
        f->on_stack[other] = false;
        f->unit[other] = f->n_units;
    } while (other != part);
    f->n_units++;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Follows one edge of the part on top. Returns false if it has no more. */
static bool follow(struct finding *f, struct visit *top, size_t *next)
{
    const struct depend_edge *x = &f->d->edges.at[top->edge];
    *next = DEPEND_NONE;
    if (top->edge >= f->d->edges.n)
        return false;
    top->edge++;
    if (f->place[x->from] != top->part || x->next)
        return true;
    size_t to = f->place[x->to];
    if (!f->index[to])
        *next = to;
    else if (f->on_stack[to])
        f->low[top->part] = least(f->low[top->part], f->index[to]);
    return true;
}

static void visit_from(struct finding *f, size_t part)
{
    VEC(struct visit) open = {0};
    size_t next;
    enter(f, part);
    vec_push(&open, (struct visit){part, 0});
    while (open.n) {
        struct visit *top = &open.at[open.n - 1];
        if (follow(f, top, &next)) {
            if (next == DEPEND_NONE)
                continue;
            enter(f, next);
            vec_push(&open, (struct visit){next, 0});
            continue;
        }
        size_t done = top->part;
        close_unit(f, done);
        open.n--;
        if (open.n)
            f->low[open.at[open.n - 1].part] = least(f->low[open.at[open.n - 1].part], f->low[done]);
    }
    vec_release(&open);
}

/* Numbers units in the order of their first parts. */
static void renumber(size_t *unit, size_t n, size_t n_units)
{
    size_t *number = xcalloc(n_units + 1, sizeof *number), next = 0;
    for (size_t i = 0; i < n; i++)
        if (!number[unit[i]])
            number[unit[i]] = ++next;
    for (size_t i = 0; i < n; i++)
        unit[i] = number[unit[i]] - 1;
    free(number);
}

size_t map_unite(size_t *unit, const struct depend *d)
{
    struct finding f = {.d = d, .unit = unit};
    size_t n = d->parts.n;
    for (size_t i = 0; i < n; i++)
        f.n_place = d->parts.at[i] >= f.n_place ? d->parts.at[i] + 1 : f.n_place;
    f.place = xcalloc(f.n_place + 1, sizeof *f.place);
    for (size_t i = 0; i < n; i++)
        f.place[d->parts.at[i]] = i;
    f.index = xcalloc(n + 1, sizeof *f.index);
    f.low = xcalloc(n + 1, sizeof *f.low);
    f.stack = xcalloc(n + 1, sizeof *f.stack);
    f.on_stack = xcalloc(n + 1, sizeof *f.on_stack);
    for (size_t i = 0; i < n; i++)
        if (!f.index[i])
            visit_from(&f, i);
    renumber(unit, n, f.n_units);
    free(f.place);
    free(f.index);
    free(f.low);
    free(f.stack);
    free(f.on_stack);
    return f.n_units;
}
