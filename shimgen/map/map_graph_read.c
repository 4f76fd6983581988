/* map_graph_read.c - reads a graph of blocks from its JSON file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "shimgen/map/mapping.h"

enum { EVERY_MOST = 1000000, BLOCKS_MOST = 100000, EDGES_MOST = 1000000 };

struct reader {
    struct map_graph *g;
    const char *path;
    struct error *e;
};

static enum status need_amount(double *out, const struct reader *r, const json_t *value, const char *what,
                               const char *name)
{
    *out = json_is_number(value) ? json_number_value(value) : -1;
    if (json_is_number(value) && *out >= 0 && *out <= 1e15)
        return OK;
    return error_set(r->e, ERR_INPUT, AT_FILE(r->path), "%s '%s' must be a number from 0 to 1e15", what, name);
}

/* Reads a number for all cores, or one for each kind. */
static enum status read_cycles(const struct reader *r, struct map_block *b, json_t *value)
{
    const char *kind;
    json_t *one;
    double cycles;
    enum status s = OK;
    if (!json_is_object(value)) {
        s = need_amount(&cycles, r, value, "\"cycles\" of", b->name);
        if (!s)
            map_block_costs(b, "*", cycles);
        return s;
    }
    json_object_foreach(value, kind, one)
    {
        s = need_amount(&cycles, r, one, "\"cycles\" of", b->name);
        if (s)
            return s;
        map_block_costs(b, kind, cycles);
    }
    if (!b->cycles.n)
        s = error_set(r->e, ERR_INPUT, AT_FILE(r->path),
                      "\"cycles\" of '%s' is empty: name a core, an architecture, or \"*\"", b->name);
    return s;
}

/* Reads factors relative to the cycles. */
static enum status read_interval(const struct reader *r, struct map_block *b, const json_t *value)
{
    if (!value)
        return OK;
    double low = json_number_value(json_array_get(value, 0)), high = json_number_value(json_array_get(value, 1));
    if (json_array_size(value) != 2 || !(low > 0) || !(low <= 1) || !(high >= 1) || high > 1e6)
        return error_set(r->e, ERR_INPUT, AT_FILE(r->path),
                         "\"interval\" of '%s' must be two factors around 1, for example [0.8, 1.3]", b->name);
    b->low = low;
    b->high = high;
    return OK;
}

static enum status read_whole(long *out, const struct reader *r, const json_t *value, const char *what, long least,
                              const char *name)
{
    if (!value)
        return OK;
    *out = json_is_integer(value) ? (long)json_integer_value(value) : -1;
    if (*out >= least && *out <= EVERY_MOST)
        return OK;
    return error_set(r->e, ERR_INPUT, AT_FILE(r->path), "%s '%s' must be a whole number from %ld to %d", what, name,
                     least, EVERY_MOST);
}

static enum status read_block(const struct reader *r, json_t *o)
{
    const char *name;
    enum status s = json_need_string(o, "name", &name, r->path, r->e);
    if (s)
        return s;
    if (!*name || map_get(&r->g->numbers, name, 0))
        return error_set(
            r->e, ERR_INPUT, AT_FILE(r->path),
            *name ? "two blocks are called '%s': each needs a name of its own" : "a block has an empty name%s", name);
    struct map_block *b = map_graph_add(r->g, name);
    const char *why = json_string_value(json_object_get(o, "why"));
    b->why = xstrdup(why);
    if (!json_object_get(o, "cycles"))
        return error_set(r->e, ERR_INPUT, AT_FILE(r->path),
                         "block '%s' has no \"cycles\": a number, or one for each core, architecture, or \"*\"", name);
    s = read_cycles(r, b, json_object_get(o, "cycles"));
    if (!s)
        s = read_whole(&b->every, r, json_object_get(o, "every"), "\"every\" of", 1, name);
    return s ? s : read_interval(r, b, json_object_get(o, "interval"));
}

static enum status read_edge(const struct reader *r, json_t *o)
{
    const char *from, *to;
    struct map_edge x = {0};
    enum status s = json_need_string(o, "from", &from, r->path, r->e);
    if (!s)
        s = json_need_string(o, "to", &to, r->path, r->e);
    if (!s)
        s = map_graph_find(&x.from, r->g, from, r->path, "an edge", r->e);
    if (!s)
        s = map_graph_find(&x.to, r->g, to, r->path, "an edge", r->e);
    if (!s && json_object_get(o, "bytes"))
        s = need_amount(&x.bytes, r, json_object_get(o, "bytes"), "\"bytes\" of an edge to", to);
    if (!s)
        s = read_whole(&x.delay, r, json_object_get(o, "delay"), "\"delay\" of an edge to", 0, to);
    if (s)
        return s;
    const char *why = json_string_value(json_object_get(o, "why"));
    x.why = xstrdup(why);
    vec_push(&r->g->edges, x);
    return OK;
}

static enum status read_group(const struct reader *r, json_t *o)
{
    json_t *blocks, *name;
    size_t i, block;
    enum status s = json_need_array(o, "blocks", &blocks, r->path, r->e);
    if (s)
        return s;
    const char *reason = json_string_value(json_object_get(o, "reason"));
    vec_push(&r->g->groups, (struct map_group){.reason = xstrdup(reason)});
    struct map_group *group = &r->g->groups.at[r->g->groups.n - 1];
    json_array_foreach(blocks, i, name)
    {
        if (!json_is_string(name))
            return error_set(r->e, ERR_INPUT, AT_FILE(r->path), "\"together\" must have names of blocks");
        s = map_graph_find(&block, r->g, json_string_value(name), r->path, "\"together\"", r->e);
        if (s)
            return s;
        vec_push(&group->blocks, block);
    }
    return OK;
}

static enum status read_all(const struct reader *r, const json_t *all, const char *key, size_t most,
                            enum status (*one)(const struct reader *, json_t *))
{
    json_t *list = json_object_get(all, key), *o;
    size_t i;
    if (!list)
        return OK;
    if (!json_is_array(list) || json_array_size(list) > most)
        return error_set(r->e, ERR_INPUT, AT_FILE(r->path), "\"%s\" must be an array of at most %zu objects", key,
                         most);
    json_array_foreach(list, i, o)
    {
        if (!json_is_object(o))
            return error_set(r->e, ERR_INPUT, AT_FILE(r->path), "entry %zu of \"%s\" is not an object", i + 1, key);
        enum status s = one(r, o);
        if (s)
            return s;
    }
    return OK;
}

static void read_notes(struct map_graph *g, const json_t *list)
{
    size_t i;
    json_t *note;
    json_array_foreach(list, i, note)
    {
        if (json_is_string(note))
            vec_push(&g->notes, xstrdup(json_string_value(note)));
    }
}

static enum status read_graph(const struct reader *r, json_t *all)
{
    struct map_graph *g = r->g;
    const char *name = json_string_value(json_object_get(all, "graph"));
    if (!json_is_object(all) || !name || !json_is_array(json_object_get(all, "blocks")))
        return error_set(r->e, ERR_INPUT, AT_FILE(r->path),
                         "this is not a graph of blocks: it must have \"graph\": its name, and \"blocks\"");
    g->name = xstrdup(name);
    g->level = json_number_value(json_object_get(all, "level"));
    if (!(g->level >= 0) || g->level >= 1)
        return error_set(r->e, ERR_INPUT, AT_FILE(r->path), "\"level\" must be a probability below 1");
    enum status s = read_all(r, all, "blocks", BLOCKS_MOST, read_block);
    if (!s && !g->blocks.n)
        s = error_set(r->e, ERR_INPUT, AT_FILE(r->path), "the graph has no blocks");
    if (!s)
        s = read_all(r, all, "edges", EDGES_MOST, read_edge);
    if (!s)
        s = read_all(r, all, "together", BLOCKS_MOST, read_group);
    read_notes(g, json_object_get(all, "notes"));
    return s ? s : map_graph_check(g, r->e);
}

enum status map_graph_read(struct map_graph *out, const char *path, struct error *e)
{
    json_t *all = 0;
    *out = (struct map_graph){.path = xstrdup(path)};
    const struct reader r = {out, path, e};
    enum status s = json_read(&all, path, e);
    if (!s)
        s = read_graph(&r, all);
    json_decref(all);
    return s;
}
