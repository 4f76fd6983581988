/* merge_shim.c - merges the values of another SHIM file into a document: instructions here, the rest in merge_access.c
 * and merge_connections.c. */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/str.h"
#include "shim-xml/values/memory_fill.h"
#include "shim-xml/values/merge_access.h"
#include "shim-xml/document/notes.h"
#include "shim-xml/document/text.h"
#include "shim-xml/values/units.h"

static bool same(const struct shimxml_node *a, const struct shimxml_node *b, const char *attribute)
{
    const char *x = shimxml_get(a, attribute), *y = shimxml_get(b, attribute);
    return x && y && strcmp(x, y) == 0;
}

/* The first unit of the other file that has values and the same name, arch or id. */
static const struct shimxml_node *source_of(const struct shimxml_doc *from, const struct shimxml_node *unit,
                                            const char *by)
{
    const struct shimxml_node *n = 0;
    while ((n = shimxml_following(shimxml_root(from), n, "MasterComponent")))
        if (unit_is(n) && same(n, unit, by) && shimxml_child(shimxml_child(n, "CommonInstructionSet"), "Instruction"))
            return n;
    return 0;
}

static void copy_performance(struct shimxml_node *instruction, const struct shimxml_node *from,
                             const struct shimxml_units *which)
{
    unit_copy_values(shimxml_need(instruction, "Performance"), shimxml_child(from, "Performance"), which);
}

/* Updates every entry with the name, or adds one. */
static void copy_instruction(struct shimxml_node *set, const struct shimxml_node *from,
                             const struct shimxml_units *which, const struct map *first, struct shimxml_node **entries)
{
    size_t i;
    const char *name = shimxml_get(from, "name");
    if (!name || !shimxml_child(from, "Performance"))
        return;
    if (!map_get(first, name, &i)) {
        if (note_is_name(name))
            note_make_way(set->parent, name);
        struct shimxml_node *n = shimxml_add(set, "Instruction");
        shimxml_set(n, "name", name);
        copy_performance(n, from, which);
        return;
    }
    for (struct shimxml_node *n = entries[i]; n; n = shimxml_next(n, "Instruction"))
        if (same(n, from, "name"))
            copy_performance(n, from, which);
}

static void copy_instructions(struct shimxml_node *set, const struct shimxml_node *from,
                              const struct shimxml_units *which)
{
    struct map first = {0};
    VEC(struct shimxml_node *) entries = {0};
    for (struct shimxml_node *n = shimxml_child(set, "Instruction"); n; n = shimxml_next(n, "Instruction")) {
        const char *name = shimxml_get(n, "name");
        if (!name || map_get(&first, name, 0))
            continue;
        map_put(&first, name, entries.n);
        vec_push(&entries, n);
    }
    struct map done = {0}; /* if the other file has a name twice, the first one counts, as for the reference tools */
    const struct shimxml_node *n = shimxml_child(shimxml_child(from, "CommonInstructionSet"), "Instruction");
    for (; n; n = shimxml_next(n, "Instruction")) {
        const char *name = shimxml_get(n, "name");
        if (!name || map_get(&done, name, 0))
            continue;
        map_put(&done, name, 0);
        copy_instruction(set, n, which, &first, entries.at);
    }
    map_release(&done);
    map_release(&first);
    vec_release(&entries);
}

static void say_where(struct shimxml_node *set, const struct shimxml_node *unit, const struct shimxml_doc *from,
                      const struct shimxml_units *which)
{
    const char *name = shimxml_get(shimxml_root(from), "name");
    char *core = text_printable(shimxml_get(unit, "name"), 100), *system = text_printable(name ? name : "", 100);
    char *text = xasprintf(MERGE_MARK "shim-xml %s: %s of core '%s' of the system '%s'. ", SHIMGEN_VERSION,
                           which->only ? which->only : "Pitch and Latency", core, system);
    unit_comment(set, text, which);
    free(text);
    free(core);
    free(system);
}

/* Drops what all cores must agree on. method_of_values and intervals_of_values decide that, not the other file. */
static void of_all_cores(struct shimxml_node *core, const char *method)
{
    if (method)
        note_set(core, "method", method);
    intervals_remove(core);
}

/* Returns how many units got instruction values. */
static size_t merge_instructions(const struct pairing *p)
{
    size_t merged = 0;
    char *method = shimxml_annotation(p->d, "method");
    struct shimxml_node *n = 0;
    while ((n = shimxml_following(shimxml_root(p->d), n, "MasterComponent"))) {
        const struct shimxml_node *source =
            unit_is(n) && unit_is_wanted(n, p->which) ? source_of(p->from, n, p->by) : 0;
        if (!source)
            continue;
        struct shimxml_node *set = unit_instructions(n);
        note_set(n, "compiled-interval", 0); /* was of the values that are replaced */
        copy_instructions(set, source, p->which);
        if (p->which->only)
            note_set(n, "compiled-interval", 0); /* is of both values */
        of_all_cores(n, method);
        say_where(set, source, p->from, p->which);
        merged++;
    }
    free(method);
    return merged;
}

static void say_where_accesses(const struct pairing *p, size_t accesses, size_t connections)
{
    const char *name = shimxml_get(shimxml_root(p->from), "name");
    const struct shimxml_units *which = p->which;
    char *system = text_printable(name ? name : "", 100);
    char *text = xasprintf("shim-xml %s: %s of the system '%s', by %s (accesses: %zu, connections: %zu)",
                           SHIMGEN_VERSION, which->only ? which->only : "Pitch and Latency", system,
                           strcmp(p->by, "name") == 0 ? "core" : p->by, accesses, connections);
    memory_say(shimxml_root(p->d), text, accesses > 0,
               !which->only && !which->what && !which->name && !which->arch && !which->id);
    free(text);
    free(system);
}

/* Intervals are taken over together with the values. */
static void take_intervals(const struct pairing *p, size_t units)
{
    char *text = shimxml_annotation(p->from, "interval"), *fitted = shimxml_annotation(p->from, "fitted-interval");
    intervals_of_values(p->d, text, fitted, p->which, units);
    free(text);
    free(fitted);
}

static bool any_wanted(const struct shimxml_doc *d, const struct shimxml_units *which)
{
    const struct shimxml_node *n = 0;
    while ((n = shimxml_following(shimxml_root(d), n, "MasterComponent")))
        if (unit_is(n) && unit_is_wanted(n, which))
            return true;
    return false;
}

enum status shimxml_merge_shim(struct shimxml_doc *d, const struct shimxml_doc *from, const char *by,
                               const struct shimxml_units *which, struct error *e)
{
    static const struct shimxml_units all = {0};
    const struct pairing p = {d, from, by, which ? which : &all};
    unsigned what = p.which->what ? p.which->what : ~0u;
    const struct shimxml_doc *both[] = {d, from};
    for (size_t i = 0; i < 2; i++)
        if (!shimxml_is(shimxml_root(both[i]), "SystemConfiguration"))
            return error_set(e, ERR_INPUT, AT_FILE(both[i]->path),
                             "not a SHIM 1.0 file: the root is not SystemConfiguration");
    if (!any_wanted(d, p.which))
        return unit_none(d, p.which, e);
    size_t accesses = 0, connections = 0, units = what & SHIMXML_OF_INSTRUCTIONS ? merge_instructions(&p) : 0;
    const char *method = 0;
    enum status s = units ? shimxml_method(&method, from, e) : OK;
    if (!s && units && (shimxml_says_method(d) || shimxml_says_method(from)))
        s = method_of_values(d, method, p.which, units, e);
    if (!s && units)
        take_intervals(&p, units);
    if (!s && what & SHIMXML_OF_ACCESSES)
        s = merge_accesses(&p, &accesses, e);
    if (!s && what & SHIMXML_OF_CONNECTIONS)
        connections = merge_connections(&p);
    if (accesses || connections)
        say_where_accesses(&p, accesses, connections);
    if (!s && !units && !accesses && !connections)
        return error_set(e, ERR_INPUT, AT_FILE(from->path),
                         "no unit, access or connection that has values is the same by %s as one of %s",
                         strcmp(by, "name") == 0 ? "core" : by, d->path);
    return s;
}
