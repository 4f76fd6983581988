/* map_rules.c - reads the user's demands on a mapping, and mappings of the user's own, from JSON files. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "shimgen/map/mapping.h"

struct rules_reader {
    const struct map_graph *g;
    const struct map_machine *m;
    const char *path;
    struct error *e;
};

static enum status find_core(size_t *core, const struct rules_reader *r, const char *name, const char *what)
{
    *core = map_machine_core(r->m, name);
    if (*core != MAP_NONE)
        return OK;
    struct str names = STR_INIT;
    for (size_t i = 0; i < r->m->cores.n; i++)
        str_addf(&names, "%s%s", i ? ", " : "", r->m->cores.at[i].name);
    enum status s = error_set(r->e, ERR_INPUT, AT_FILE(r->path), "%s: there is no core '%s'; there are: %s", what, name,
                              str_text(&names));
    str_release(&names);
    return s;
}

/* Reads the core of each block: {"block": "core"}. */
static enum status read_pins(const struct rules_reader *r, const json_t *object, const char *what,
                             struct map_rules *rules)
{
    const char *name;
    json_t *core;
    if (object && !json_is_object(object))
        return error_set(r->e, ERR_INPUT, AT_FILE(r->path), "\"%s\" must be an object of blocks and their cores", what);
    json_object_foreach((json_t *)object, name, core)
    {
        struct map_pin pin;
        enum status s = map_graph_find(&pin.block, r->g, name, r->path, what, r->e);
        if (!s && !json_is_string(core))
            s = error_set(r->e, ERR_INPUT, AT_FILE(r->path), "\"%s\" of '%s' must be the name of a core", what, name);
        if (!s)
            s = find_core(&pin.core, r, json_string_value(core), what);
        if (s)
            return s;
        vec_push(&rules->on, pin);
    }
    return OK;
}

static enum status read_names(const struct rules_reader *r, const json_t *list, const char *what, struct map_group *out)
{
    size_t i, block;
    json_t *name;
    if (!json_is_array(list) || json_array_size(list) < 2)
        return error_set(r->e, ERR_INPUT, AT_FILE(r->path), "\"%s\" must be lists of two or more blocks", what);
    json_array_foreach(list, i, name)
    {
        enum status s = json_is_string(name)
                            ? map_graph_find(&block, r->g, json_string_value(name), r->path, what, r->e)
                            : error_set(r->e, ERR_INPUT, AT_FILE(r->path), "\"%s\" must have names of blocks", what);
        if (s)
            return s;
        vec_push(&out->blocks, block);
    }
    return OK;
}

static void add_pairs(struct map_rules *rules, const struct map_group *g)
{
    for (size_t i = 0; i < g->blocks.n; i++)
        for (size_t k = i + 1; k < g->blocks.n; k++)
            vec_push(&rules->apart, (struct map_pair){g->blocks.at[i], g->blocks.at[k]});
}

static enum status read_lists(const struct rules_reader *r, const json_t *lists, const char *what, bool apart,
                              struct map_rules *rules)
{
    size_t i;
    json_t *list;
    enum status s = OK;
    if (lists && !json_is_array(lists))
        return error_set(r->e, ERR_INPUT, AT_FILE(r->path), "\"%s\" must be an array of lists of blocks", what);
    json_array_foreach(lists, i, list)
    {
        struct map_group group = {0};
        s = read_names(r, list, what, &group);
        if (!s && !apart) {
            group.reason = xstrdup("demanded");
            vec_push(&rules->together, group);
            continue;
        }
        if (!s)
            add_pairs(rules, &group);
        vec_release(&group.blocks);
        if (s)
            return s;
    }
    return s;
}

static enum status read_free(const struct rules_reader *r, const json_t *list, struct map_rules *rules)
{
    size_t i, core;
    json_t *name;
    if (list && !json_is_array(list))
        return error_set(r->e, ERR_INPUT, AT_FILE(r->path), "\"free\" must be an array of cores");
    json_array_foreach(list, i, name)
    {
        const char *text = json_string_value(name);
        enum status s = find_core(&core, r, text ? text : "", "\"free\"");
        if (s)
            return s;
        vec_push(&rules->free, core);
    }
    return OK;
}

static enum status check_keys(const struct rules_reader *r, const json_t *all)
{
    static const char *const known[] = {"on", "together", "apart", "free", "load"};
    const char *key;
    json_t *value;
    if (!json_is_object(all))
        return error_set(r->e, ERR_INPUT, AT_FILE(r->path),
                         "this must be an object of on, together, apart, free, load");
    json_object_foreach((json_t *)all, key, value)
    {
        size_t i = 0;
        while (i < sizeof known / sizeof *known && strcmp(key, known[i]) != 0)
            i++;
        if (i == sizeof known / sizeof *known)
            return error_set(r->e, ERR_INPUT, AT_FILE(r->path),
                             "\"%s\" is not known here: it may have on, together, apart, free, load", key);
    }
    return OK;
}

static enum status read_load(const struct rules_reader *r, const json_t *value, struct map_rules *rules)
{
    if (!value)
        return OK;
    rules->load = json_number_value(value);
    if (rules->load > 0 && rules->load <= 1)
        return OK;
    return error_set(r->e, ERR_INPUT, AT_FILE(r->path), "\"load\" must be above 0 and at most 1");
}

enum status map_rules_read(struct map_rules *out, const char *path, const struct map_graph *g,
                           const struct map_machine *m, struct error *e)
{
    json_t *all = 0;
    const struct rules_reader r = {g, m, path, e};
    enum status s = json_read(&all, path, e);
    *out = (struct map_rules){0};
    if (!s)
        s = check_keys(&r, all);
    if (!s)
        s = read_pins(&r, json_object_get(all, "on"), "on", out);
    if (!s)
        s = read_lists(&r, json_object_get(all, "together"), "together", false, out);
    if (!s)
        s = read_lists(&r, json_object_get(all, "apart"), "apart", true, out);
    if (!s)
        s = read_free(&r, json_object_get(all, "free"), out);
    if (!s)
        s = read_load(&r, json_object_get(all, "load"), out);
    json_decref(all);
    return s;
}

enum status map_mapping_read(size_t **core, const char *path, const struct map_graph *g, const struct map_machine *m,
                             struct error *e)
{
    json_t *all = 0;
    struct map_rules pins = {0};
    const struct rules_reader r = {g, m, path, e};
    enum status s = json_read(&all, path, e);
    if (!s && !json_is_object(json_object_get(all, "mapping")))
        s = error_set(e, ERR_INPUT, AT_FILE(path), "there is no \"mapping\": an object of blocks and their cores");
    if (!s)
        s = read_pins(&r, json_object_get(all, "mapping"), "mapping", &pins);
    *core = xcalloc(g->blocks.n, sizeof **core);
    for (size_t i = 0; i < g->blocks.n; i++)
        (*core)[i] = MAP_NONE;
    for (size_t i = 0; i < pins.on.n; i++)
        (*core)[pins.on.at[i].block] = pins.on.at[i].core;
    map_rules_release(&pins);
    json_decref(all);
    return s;
}

void map_rules_release(struct map_rules *r)
{
    for (size_t i = 0; i < r->together.n; i++) {
        vec_release(&r->together.at[i].blocks);
        free(r->together.at[i].reason);
    }
    vec_release(&r->on);
    vec_release(&r->together);
    vec_release(&r->apart);
    vec_release(&r->free);
    *r = (struct map_rules){0};
}
