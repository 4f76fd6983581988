/* own_json.c - reads what `perf-xml convert --to json` has written. */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "perf-xml/document/document.h"
#include "perf-xml/source/source.h"

struct reading {
    const char *path;
    struct map callpaths;
    struct perf_sink *to;
    struct error *e;
};

static const char *text_of(const json_t *o, const char *key)
{
    return json_string_value(json_object_get(o, key));
}

static enum status wrong(const struct reading *r, const char *what)
{
    return error_set(r->e, ERR_INPUT, AT_FILE(r->path), "%s; have the file made again", what);
}

/* Numbers that JSON cannot hold exactly, such as those from 2^63 on, are texts. */
static bool number(const json_t *value, struct perf_number *n)
{
    if (json_is_string(value))
        return perf_number_parse(n, json_string_value(value));
    if (json_is_integer(value) && json_integer_value(value) >= 0)
        *n = perf_unsigned((uint64_t)json_integer_value(value));
    else if (json_is_integer(value))
        *n = (struct perf_number){.kind = PERF_SIGNED, .i = json_integer_value(value)};
    else if (json_is_real(value))
        *n = (struct perf_number){.kind = PERF_REAL, .d = json_real_value(value)};
    else
        return false;
    return true;
}

static bool id_of(const json_t *o, const char *key, uint64_t *id)
{
    struct perf_number n = {.kind = PERF_NONE};
    bool good = number(json_object_get(o, key), &n) && n.kind == PERF_UNSIGNED;
    *id = n.u;
    return good;
}

static enum status send_data(const struct reading *r, const json_t *o, struct error *e)
{
    struct perf_data d = {.unit = text_of(o, "unit"), .why = text_of(o, "why")};
    const char *state = text_of(o, "state");
    const json_t *value = json_object_get(o, "value");
    if (!d.unit && !value && !state)
        return OK;
    if (state && !perf_state_parse(&d.state, state))
        return wrong(r, "a state is measured, derived or unavailable");
    if (value && !number(value, &d.value))
        return wrong(r, "a value is not a number");
    if ((d.state == PERF_UNAVAILABLE) != (d.why != 0) || (d.why && value))
        return wrong(r, "what is unavailable has no value and says why; all else does not");
    return perf_send_data(r->to, &d, e);
}

/* Has a child of this name or number occurred already? They must be unique in a group. */
static bool again(struct map *seen, const json_t *child)
{
    const char *name = text_of(child, "name");
    uint64_t id = 0;
    if (!name && !id_of(child, "id", &id))
        id_of(child, "path", &id);
    char *key = name ? xasprintf("n%s", name) : xasprintf("i%llu", (unsigned long long)id);
    size_t before = seen->n;
    bool twice = map_number(seen, key) < before;
    free(key);
    return twice;
}

static enum status group(const struct reading *r, const json_t *o, enum perf_level level, size_t depth, struct error *e)
{
    static const char *const below[] = {"processes", "threads", "categories", "items", "items"};
    struct perf_group g = {.level = level, .name = text_of(o, "name"), .label = text_of(o, "label")};
    char key[24];
    if (g.name && (!*g.name || !text_fits(g.name)))
        return wrong(r, "a name is empty, or has characters that XML does not allow");
    if (depth >= PERF_DEPTH)
        return wrong(r, "items are nested too deep");
    if (level <= PERF_THREAD ? !id_of(o, "id", &g.id) : !g.name && (level == PERF_CATEGORY || !id_of(o, "path", &g.id)))
        return wrong(r, "a process, thread, category or item has no number or name");
    struct perf_number n = perf_unsigned(g.id);
    perf_number_text(key, &n);
    if (level == PERF_ITEM && !g.name && !map_get(&r->callpaths, key, 0))
        return wrong(r, "an item names a call path that there is not");
    enum status s = perf_send_open(r->to, &g, e);
    if (!s && level == PERF_ITEM)
        s = send_data(r, o, e);
    size_t i;
    const json_t *child;
    struct map seen = {0};
    json_array_foreach(json_object_get(o, below[level]), i, child)
    {
        if (!s && again(&seen, child))
            s = wrong(r, "a name or a number occurs twice in the same object");
        if (!s)
            s = group(r, child, level == PERF_ITEM ? PERF_ITEM : level + 1, depth + 1, e);
    }
    map_release(&seen);
    return s ? s : perf_send_close(r->to, level, e);
}

static enum status callpath(struct reading *r, const json_t *o, struct error *e)
{
    struct perf_callpath c = {.name = text_of(o, "name"), .has_parent = json_object_get(o, "parent") != 0};
    char key[24], parent[24];
    if (!c.name || !id_of(o, "id", &c.id) || (c.has_parent && !id_of(o, "parent", &c.parent)))
        return wrong(r, "a call path has no number or name");
    struct perf_number n = perf_unsigned(c.id), p = perf_unsigned(c.parent);
    perf_number_text(key, &n);
    perf_number_text(parent, &p);
    if (map_get(&r->callpaths, key, 0) || (c.has_parent && !map_get(&r->callpaths, parent, 0)))
        return wrong(r, "a call path occurs twice, or before its parent");
    map_number(&r->callpaths, key);
    return perf_send_callpath(r->to, &c, e);
}

static enum status read_all(struct reading *r, const json_t *all)
{
    struct perf_head head = {text_of(all, "source"), text_of(all, "machine"), text_of(all, "date"), "none"};
    const char *version = text_of(all, "version");
    if (!version || strcmp(version, PERF_VERSION) != 0)
        return wrong(r, "only version " PERF_VERSION " is known");
    enum status s = perf_send_head(r->to, &head, r->e);
    size_t i;
    const json_t *o;
    json_array_foreach(json_object_get(all, "callpaths"), i, o)
    {
        if (!s)
            s = callpath(r, o, r->e);
    }
    struct map seen = {0};
    json_array_foreach(json_object_get(all, "processes"), i, o)
    {
        if (!s && again(&seen, o))
            s = wrong(r, "a process occurs twice");
        if (!s)
            s = group(r, o, PERF_PROCESS, 1, r->e);
    }
    map_release(&seen);
    return s ? s : perf_send_close(r->to, PERF_ROOT, r->e);
}

enum status own_json(const json_t *all, const char *path, struct perf_sink *to, struct error *e)
{
    struct reading r = {.path = path, .to = to, .e = e};
    enum status s = read_all(&r, all);
    map_release(&r.callpaths);
    return s;
}
