/* draw_reach.c - block diagram: finds which memories each core reaches. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "shim-xml/show/draw.h"

static void key_of(char *out, size_t size, const struct shimxml_node *n)
{
    snprintf(out, size, "%p", (const void *)n);
}

size_t drawing_number(const struct drawing *w, const struct shimxml_node *n)
{
    char key[32];
    size_t i = SIZE_MAX;
    key_of(key, sizeof key, n);
    return map_get(&w->numbers, key, &i) ? i : SIZE_MAX;
}

const struct reach *drawing_reach(const struct drawing *w, const struct shimxml_node *memory)
{
    const char *id = shimxml_get(memory, "id");
    size_t i;
    return id && map_get(&w->reach_index, id, &i) ? &w->reach.at[i] : 0;
}

/* ---- all bindings of the document, each visited once ---- */

static struct reach *reach_of(struct drawing *w, const char *id)
{
    size_t i = map_number(&w->reach_index, id);
    if (i == w->reach.n)
        vec_push(&w->reach, (struct reach){.least = NAN, .greatest = NAN});
    return &w->reach.at[i];
}

/* Takes the latencies of the first set, which is the memory's own. */
static void take_latencies(struct reach *r, const struct shimxml_node *accessor)
{
    const struct shimxml_node *set = shimxml_child(accessor, "PerformanceSet"), *p;
    for (p = shimxml_child(set, "Performance"); p; p = shimxml_next(p, "Performance")) {
        double v = shimxml_number(shimxml_child(p, "Latency"), "typical");
        r->least = fmin(r->least, v); /* fmin of NAN and a number is the number */
        r->greatest = fmax(r->greatest, v);
    }
}

static void take_binding(struct drawing *w, const struct shimxml_node *binding, struct map *seen)
{
    const char *id = shimxml_get(binding, "slaveComponentRef");
    if (!id)
        return;
    id = reference_id(id);
    struct reach *r = reach_of(w, id);
    if (!r->ranges++)
        r->range = shimxml_owner(binding, "SubSpace");
    for (const struct shimxml_node *a = shimxml_child(binding, "Accessor"); a; a = shimxml_next(a, "Accessor")) {
        const struct shimxml_node *master = shimxml_target(a, "masterComponentRef");
        if (!shimxml_is(master, "MasterComponent"))
            continue;
        char *key = xasprintf("%p %s", (const void *)master, id);
        if (!map_get(seen, key, 0))
            vec_push(&r->masters, master);
        map_put(seen, key, 1);
        free(key);
        take_latencies(r, a);
    }
}

void drawing_find_reach(struct drawing *w)
{
    struct map seen = {0};
    const struct shimxml_node *n = 0;
    while ((n = shimxml_following(shimxml_root(w->d), n, "MasterSlaveBinding")))
        take_binding(w, n, &seen);
    map_release(&seen);
}

void drawing_reach_release(struct drawing *w)
{
    for (size_t i = 0; i < w->reach.n; i++)
        vec_release(&w->reach.at[i].masters);
    vec_release(&w->reach);
    map_release(&w->reach_index);
}

/* ---- lines within a set ---- */

/* The child of `set` that is `n` or contains it; NULL: n is elsewhere. */
static const struct shimxml_node *child_with(const struct shimxml_node *set, const struct shimxml_node *n)
{
    while (n && n->parent != set)
        n = n->parent;
    return n;
}

static bool is_in(const struct map *children, const struct block *b)
{
    char key[32];
    for (size_t i = 0; b->kind != BLOCK_GROUP && i < b->nodes.n; i++) {
        key_of(key, sizeof key, b->nodes.at[i]);
        if (map_get(children, key, 0))
            return true;
    }
    for (size_t i = 0; b->kind == BLOCK_GROUP && i < b->inner.n; i++)
        if (is_in(children, b->inner.at[i]))
            return true;
    return false;
}

void drawing_mark_reached(const struct drawing *w, struct block *set)
{
    struct map children = {0};
    for (size_t i = 0; i < set->memories.n; i++) {
        struct block *m = set->memories.at[i];
        const struct reach *r = drawing_reach(w, m->nodes.at[0]);
        for (size_t k = 0; r && k < r->masters.n; k++) {
            const struct shimxml_node *child = child_with(set->nodes.at[0], r->masters.at[k]);
            char key[32];
            if (!child)
                continue;
            m->reached = true;
            key_of(key, sizeof key, child);
            map_put(&children, key, 1);
        }
    }
    for (size_t i = 0; i < set->inner.n; i++)
        set->inner.at[i]->reached = is_in(&children, set->inner.at[i]);
    map_release(&children);
}
