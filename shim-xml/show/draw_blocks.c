/* draw_blocks.c - block diagram: turns elements into blocks, and groups equal ones. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shim-xml/show/draw.h"

enum {
    MEMORIES_APART = 6, /* memories that are drawn separately; more are folded */
    DEEPEST_CACHE = 16  /* a cache of a higher level is drawn at the foot of its set: nesting of groups must end */
};

static struct block *block_new(enum block_kind kind, const struct shimxml_node *n)
{
    struct block *b = xcalloc(1, sizeof *b);
    b->kind = kind;
    vec_push(&b->nodes, n);
    return b;
}

static void release_all(blocks_t *list)
{
    for (size_t i = 0; i < list->n; i++)
        block_free(list->at[i]);
    vec_release(list);
}

void block_free(struct block *b)
{
    if (!b)
        return;
    for (size_t i = 0; i < b->lines.n; i++)
        free(b->lines.at[i]);
    vec_release(&b->lines);
    vec_release(&b->nodes);
    release_all(&b->inner);
    release_all(&b->foot);
    release_all(&b->memories);
    free(b);
}

/* ---- shapes ---- */

static uint64_t hash_attributes(uint64_t h, const struct shimxml_node *n)
{
    static const char *const names[] = {"masterType", "arch",     "archOption", "nThread",        "endian", "cacheType",
                                        "nWay",       "lineSize", "rwType",     "accessByteSize", "size",   "sizeUnit"};
    h = hash_text(h, shimxml_name(n));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = shimxml_get(n, names[i]);
        h = hash_text(h, value ? value : "");
    }
    return h;
}

static uint64_t hash_blocks(uint64_t h, const blocks_t *list)
{
    for (size_t i = 0; i < list->n; i++)
        h = hash_bytes(h, &list->at[i]->shape, sizeof list->at[i]->shape);
    return hash_text(h, ";");
}

static uint64_t shape_of(const struct drawing *w, const struct block *b)
{
    const struct shimxml_node *n = b->nodes.at[0];
    uint64_t h = hash_attributes(hash_bytes(HASH_START, &b->kind, sizeof b->kind), n);
    if (b->kind == BLOCK_CORE) {
        const struct shimxml_core *c = &w->s->cores[drawing_number(w, n)];
        h = hash_bytes(h, &c->clock_hz, sizeof c->clock_hz);
        h = hash_bytes(h, &c->n_instructions, sizeof c->n_instructions);
        const struct shimxml_node *t = shimxml_child(shimxml_child(n, "AccessTypeSet"), "AccessType");
        for (; t; t = shimxml_next(t, "AccessType"))
            h = hash_attributes(h, t);
    } else if (b->kind == BLOCK_MEMORY) {
        const struct reach *r = drawing_reach(w, n);
        size_t masters = r ? r->masters.n : 0;
        h = hash_bytes(h, &masters, sizeof masters);
    }
    return hash_blocks(hash_blocks(hash_blocks(h, &b->inner), &b->foot), &b->memories);
}

/* Replaces equal blocks by the first of them. */
static void fold(blocks_t *list)
{
    struct map seen = {0};
    size_t kept = 0;
    for (size_t i = 0; i < list->n; i++) {
        struct block *b = list->at[i];
        char *key = xasprintf("%llx", (unsigned long long)b->shape);
        size_t first;
        if (map_get(&seen, key, &first)) {
            for (size_t k = 0; k < b->nodes.n; k++)
                vec_push(&list->at[first]->nodes, b->nodes.at[k]);
            list->at[first]->marked |= b->marked;
            block_free(b);
        } else {
            map_put(&seen, key, kept);
            list->at[kept++] = b;
        }
        free(key);
    }
    list->n = kept;
    map_release(&seen);
}

/* ---- the tree ---- */

static struct block *cache_block(const struct drawing *w, const struct shimxml_node *n)
{
    struct block *b = block_new(BLOCK_CACHE, n);
    b->shape = shape_of(w, b);
    return b;
}

static struct block *core_block(const struct drawing *w, const struct shimxml_node *n)
{
    struct block *b = block_new(BLOCK_CORE, n);
    const char *name = shimxml_get(n, "name"), *type = shimxml_get(n, "masterType");
    for (size_t c = w->first_cache[drawing_number(w, n)]; c != SIZE_MAX; c = w->next_cache[c])
        vec_push(&b->inner, cache_block(w, w->caches.at[c]));
    b->marked = name && w->how->marked && strcmp(name, w->how->marked) == 0;
    b->transfer = !type || strcmp(type, "PU") != 0;
    b->shape = shape_of(w, b);
    return b;
}

static struct block *memory_block(const struct drawing *w, const struct shimxml_node *n)
{
    struct block *b = block_new(BLOCK_MEMORY, n);
    b->unbound = !drawing_reach(w, n);
    b->shape = shape_of(w, b);
    return b;
}

/* Shared caches of a set, while it is being found what stands above each. */
struct grouping {
    const struct drawing *w;
    struct block *set;
    struct map index; /* number of the cache in the system, as text -> index in `groups` */
    blocks_t groups;
    VEC(bool) placed;
};

static bool group_number(const struct grouping *g, size_t cache, size_t *group)
{
    char *key = xasprintf("%zu", cache);
    bool found = map_get(&g->index, key, group);
    free(key);
    return found;
}

static void find_groups(struct grouping *g, const struct shimxml_node *set)
{
    for (const struct shimxml_node *n = shimxml_child(set, "Cache"); n; n = shimxml_next(n, "Cache")) {
        size_t number = drawing_number(g->w, n);
        if (g->w->s->caches[number].core != SHIMXML_SHARED) /* SHIM 2.0 has them as siblings of their core */
            continue;
        if (g->w->s->caches[number].level > DEEPEST_CACHE) {
            vec_push(&g->set->foot, cache_block(g->w, n));
            continue;
        }
        char *key = xasprintf("%zu", number);
        map_put(&g->index, key, g->groups.n);
        free(key);
        struct block *b = block_new(BLOCK_GROUP, n);
        vec_push(&b->foot, cache_block(g->w, n));
        vec_push(&g->groups, b);
        vec_push(&g->placed, false);
    }
}

/* Places a block in the group of cache `parent`, that group in the group of its own parent, and so on; the last one
 * goes into the set. */
static void place(struct grouping *g, struct block *b, size_t parent)
{
    size_t i;
    while (parent != SIZE_MAX && group_number(g, parent, &i)) {
        vec_push(&g->groups.at[i]->inner, b);
        if (g->placed.at[i])
            return;
        g->placed.at[i] = true;
        b = g->groups.at[i];
        parent = g->w->parent[parent];
    }
    vec_push(&g->set->inner, b);
}

/* The first cache in this set that refers to one of the core's caches. */
static size_t cache_of_core(const struct grouping *g, const struct shimxml_node *core)
{
    size_t group;
    for (size_t c = g->w->first_cache[drawing_number(g->w, core)]; c != SIZE_MAX; c = g->w->next_cache[c]) {
        size_t parent = g->w->parent[c];
        if (parent != SIZE_MAX && group_number(g, parent, &group))
            return parent;
    }
    return SIZE_MAX;
}

static void place_rest(struct grouping *g)
{
    for (size_t i = 0; i < g->groups.n; i++) {
        struct block *b = g->groups.at[i];
        if (g->placed.at[i])
            continue;
        for (size_t k = 0; k < b->foot.n; k++) /* a cache without cores here is drawn below everything */
            vec_push(&g->set->foot, b->foot.at[k]);
        b->foot.n = 0;
        block_free(b);
    }
}

static void finish_groups(const struct drawing *w, blocks_t *list)
{
    for (size_t i = 0; i < list->n; i++) {
        struct block *b = list->at[i];
        if (b->kind != BLOCK_GROUP)
            continue;
        finish_groups(w, &b->inner);
        b->shape = shape_of(w, b);
    }
    if (w->fold)
        fold(list);
}

struct block *drawing_blocks(struct drawing *w, const struct shimxml_node *set)
{
    struct block *b = block_new(BLOCK_SET, set);
    struct grouping g = {.w = w, .set = b};
    for (const struct shimxml_node *n = shimxml_child(set, "ComponentSet"); n; n = shimxml_next(n, "ComponentSet"))
        vec_push(&b->inner, drawing_blocks(w, n));
    for (const struct shimxml_node *n = shimxml_child(set, "SlaveComponent"); n; n = shimxml_next(n, "SlaveComponent"))
        vec_push(&b->memories, memory_block(w, n));
    find_groups(&g, set);
    for (const struct shimxml_node *n = shimxml_child(set, "MasterComponent"); n;
         n = shimxml_next(n, "MasterComponent"))
        place(&g, core_block(w, n), cache_of_core(&g, n));
    place_rest(&g);
    map_release(&g.index);
    vec_release(&g.groups);
    vec_release(&g.placed);
    finish_groups(w, &b->inner);
    if (w->fold || (b->memories.n > MEMORIES_APART && w->how->fold != SHIMXML_FOLD_NONE))
        fold(&b->memories);
    b->shape = shape_of(w, b);
    return b;
}
