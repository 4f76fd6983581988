/* map_graph.c - makes and writes a graph of blocks, and checks it for cycles. */
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/str.h"
#include "shimgen/map/mapping.h"

struct map_block *map_graph_add(struct map_graph *g, const char *name)
{
    map_put(&g->numbers, name, g->blocks.n);
    vec_push(&g->blocks, (struct map_block){.name = xstrdup(name), .every = 1});
    return &g->blocks.at[g->blocks.n - 1];
}

void map_block_costs(struct map_block *b, const char *kind, double cycles)
{
    vec_push(&b->cycles, (struct map_cycles){xstrdup(kind), cycles});
}

static void block_release(struct map_block *b)
{
    for (size_t i = 0; i < b->cycles.n; i++)
        free(b->cycles.at[i].kind);
    vec_release(&b->cycles);
    free(b->name);
    free(b->why);
}

void map_graph_release(struct map_graph *g)
{
    for (size_t i = 0; i < g->blocks.n; i++)
        block_release(&g->blocks.at[i]);
    for (size_t i = 0; i < g->edges.n; i++)
        free(g->edges.at[i].why);
    for (size_t i = 0; i < g->groups.n; i++) {
        vec_release(&g->groups.at[i].blocks);
        free(g->groups.at[i].reason);
    }
    for (size_t i = 0; i < g->notes.n; i++)
        free(g->notes.at[i]);
    vec_release(&g->blocks);
    vec_release(&g->edges);
    vec_release(&g->groups);
    vec_release(&g->notes);
    map_release(&g->numbers);
    free(g->name);
    free(g->path);
    *g = (struct map_graph){0};
}

enum status map_graph_find(size_t *block, const struct map_graph *g, const char *name, const char *path,
                           const char *what, struct error *e)
{
    if (map_get(&g->numbers, name, block))
        return OK;
    const char *near = nearest_word(name, (const char *const *)g->numbers.keys, g->numbers.n);
    return error_set(e, ERR_INPUT, AT_FILE(path), "%s: there is no block '%s'%s%s%s", what, name,
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* ---- cycles ---- */

/* Number of edges into each block from blocks that are left, within a step. */
static size_t *waiting(const struct map_graph *g)
{
    size_t *n = xcalloc(g->blocks.n + 1, sizeof *n);
    for (size_t i = 0; i < g->edges.n; i++)
        n[g->edges.at[i].to] += g->edges.at[i].delay == 0;
    return n;
}

/* Removes blocks that wait for nothing until none can be removed. What is left (n[i] > 0) is in cycles and after
 * them. */
static size_t take_away(const struct map_graph *g, size_t *n)
{
    VEC(size_t) ready = {0};
    size_t left = g->blocks.n, *first = xcalloc(g->blocks.n + 2, sizeof *first);
    size_t *list = xcalloc(g->edges.n + 1, sizeof *list);
    for (size_t i = 0; i < g->edges.n; i++)
        first[g->edges.at[i].from + 2]++;
    for (size_t i = 1; i < g->blocks.n + 2; i++)
        first[i] += first[i - 1];
    for (size_t i = 0; i < g->edges.n; i++)
        list[first[g->edges.at[i].from + 1]++] = i;
    for (size_t i = 0; i < g->blocks.n; i++)
        if (!n[i])
            vec_push(&ready, i);
    while (ready.n) {
        size_t b = ready.at[--ready.n];
        left--;
        for (size_t k = first[b]; k < first[b + 1]; k++) {
            const struct map_edge *x = &g->edges.at[list[k]];
            if (x->delay == 0 && --n[x->to] == 0)
                vec_push(&ready, x->to);
        }
    }
    vec_release(&ready);
    free(first);
    free(list);
    return left;
}

/* A block that is left and that `to` waits for. */
static size_t left_before(const struct map_graph *g, const size_t *n, size_t to)
{
    for (size_t i = 0; i < g->edges.n; i++)
        if (g->edges.at[i].to == to && g->edges.at[i].delay == 0 && n[g->edges.at[i].from])
            return g->edges.at[i].from;
    BUG("a block of a cycle waits for nothing");
}

/* Every block that is left waits for another one that is left. So going back meets one twice. */
static enum status say_cycle(const struct map_graph *g, const size_t *n, struct error *e)
{
    enum { NAMES = 6 };
    size_t at = 0, *seen = xcalloc(g->blocks.n, sizeof *seen), length = 0;
    while (!n[at])
        at++;
    for (size_t step = 1; !seen[at]; step++, at = left_before(g, n, at))
        seen[at] = step;
    struct str names = STR_INIT;
    size_t from = at;
    do {
        if (length < NAMES)
            str_addf(&names, "'%s' waits for ", g->blocks.at[at].name);
        else if (length == NAMES)
            str_add(&names, "... waits for ");
        length++;
        at = left_before(g, n, at);
    } while (at != from);
    enum status s = error_set(e, ERR_INPUT, AT_FILE(g->path),
                              "a cycle without a delay: %s'%s' (%zu block%s); give the edge whose value is used in the "
                              "next step \"delay\": 1",
                              str_text(&names), g->blocks.at[from].name, length, length == 1 ? "" : "s");
    str_release(&names);
    free(seen);
    return s;
}

enum status map_graph_check(const struct map_graph *g, struct error *e)
{
    size_t *n = waiting(g);
    enum status s = take_away(g, n) ? say_cycle(g, n, e) : OK;
    free(n);
    return s;
}

/* ---- the file ---- */

static json_t *block_json(const struct map_block *b)
{
    json_t *o = json_object(), *cycles = json_object();
    json_put_text(o, "name", b->name);
    for (size_t i = 0; i < b->cycles.n; i++)
        json_put_real(cycles, b->cycles.at[i].kind, b->cycles.at[i].cycles);
    json_put(o, "cycles", cycles);
    if (b->why)
        json_put_text(o, "why", b->why);
    if (b->every != 1)
        json_put(o, "every", json_integer(b->every));
    if (b->high > 0)
        json_put(o, "interval", json_pack("[f, f]", b->low, b->high));
    return o;
}

static json_t *edge_json(const struct map_graph *g, const struct map_edge *x)
{
    json_t *o = json_object();
    json_put_text(o, "from", g->blocks.at[x->from].name);
    json_put_text(o, "to", g->blocks.at[x->to].name);
    json_put_real(o, "bytes", x->bytes);
    if (x->delay)
        json_put(o, "delay", json_integer(x->delay));
    if (x->why)
        json_put_text(o, "why", x->why);
    return o;
}

static json_t *group_json(const struct map_graph *g, const struct map_group *group)
{
    json_t *o = json_object(), *blocks = json_array();
    for (size_t i = 0; i < group->blocks.n; i++)
        json_array_append_new(blocks, json_string(g->blocks.at[group->blocks.at[i]].name));
    json_put(o, "blocks", blocks);
    json_put_text(o, "reason", group->reason);
    return o;
}

enum status map_graph_write(const struct map_graph *g, const char *path, struct error *e)
{
    json_t *all = json_object(), *blocks = json_array(), *edges = json_array(), *groups = json_array(),
           *notes = json_array();
    json_put_text(all, "graph", g->name);
    if (g->level > 0)
        json_put_real(all, "level", g->level);
    for (size_t i = 0; i < g->blocks.n; i++)
        json_array_append_new(blocks, block_json(&g->blocks.at[i]));
    for (size_t i = 0; i < g->edges.n; i++)
        json_array_append_new(edges, edge_json(g, &g->edges.at[i]));
    for (size_t i = 0; i < g->groups.n; i++)
        json_array_append_new(groups, group_json(g, &g->groups.at[i]));
    for (size_t i = 0; i < g->notes.n; i++)
        json_array_append_new(notes, json_string(g->notes.at[i]));
    json_put(all, "blocks", blocks);
    json_put(all, "edges", edges);
    json_put(all, "together", groups);
    json_put(all, "notes", notes);
    enum status s = json_write(all, path, e);
    json_decref(all);
    return s;
}
