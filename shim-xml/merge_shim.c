/* merge_shim.c - the instruction values of another SHIM file into the processing units of a document. */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/str.h"
#include "shim-xml/text.h"
#include "shim-xml/units.h"

static bool same(const struct shimxml_node *a, const struct shimxml_node *b, const char *attribute)
{
    const char *x = shimxml_get(a, attribute), *y = shimxml_get(b, attribute);
    return x && y && strcmp(x, y) == 0;
}

/* The unit of the other file that is the same by name, arch or id, and has values: the first. */
static const struct shimxml_node *source_of(const struct shimxml_doc *from, const struct shimxml_node *unit,
                                            const char *by)
{
    const struct shimxml_node *n = 0;
    while ((n = shimxml_following(shimxml_root(from), n, "MasterComponent")))
        if (unit_is(n) && same(n, unit, by) && shimxml_child(shimxml_child(n, "CommonInstructionSet"), "Instruction"))
            return n;
    return 0;
}

/* best, typical and worst as they are written there; what is not given there is not given here. */
static void copy_range(struct shimxml_node *to, const struct shimxml_node *from, const char *part)
{
    static const char *const values[] = {"best", "typical", "worst"};
    struct shimxml_node *n = shimxml_need(to, part);
    const struct shimxml_node *given = shimxml_child(from, part);
    for (size_t i = 0; given && i < 3; i++)
        shimxml_set(n, values[i], shimxml_get(given, values[i]));
}

static void copy_performance(struct shimxml_node *instruction, const struct shimxml_node *from,
                             const struct shimxml_units *which)
{
    bool is_new = !shimxml_child(instruction, "Performance"); /* the schema wants both of it */
    struct shimxml_node *to = shimxml_need(instruction, "Performance");
    const struct shimxml_node *given = shimxml_child(from, "Performance");
    if (is_new || unit_part_is_wanted(which, "Pitch"))
        copy_range(to, given, "Pitch");
    if (is_new || unit_part_is_wanted(which, "Latency"))
        copy_range(to, given, "Latency");
}

/* Every entry of the name is updated; a name that is not there is added. */
static void copy_instruction(struct shimxml_node *set, const struct shimxml_node *from,
                             const struct shimxml_units *which, const struct map *first, struct shimxml_node **entries)
{
    size_t i;
    const char *name = shimxml_get(from, "name");
    if (!name || !shimxml_child(from, "Performance"))
        return;
    if (!map_get(first, name, &i)) {
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
    struct map done = {0}; /* of a name that the other file has twice, its first counts, as for the reference tools */
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

enum status shimxml_merge_shim(struct shimxml_doc *d, const struct shimxml_doc *from, const char *by,
                               const struct shimxml_units *which, struct error *e)
{
    static const struct shimxml_units all = {0, 0, 0, 0};
    which = which ? which : &all;
    const struct shimxml_doc *both[] = {d, from};
    for (size_t i = 0; i < 2; i++)
        if (!shimxml_is(shimxml_root(both[i]), "SystemConfiguration"))
            return error_set(e, ERR_INPUT, AT_FILE(both[i]->path),
                             "not a SHIM 1.0 file: the root is not SystemConfiguration");
    size_t wanted = 0, merged = 0;
    struct shimxml_node *n = 0;
    while ((n = shimxml_following(shimxml_root(d), n, "MasterComponent"))) {
        if (!unit_is(n) || !unit_is_wanted(n, which))
            continue;
        wanted++;
        const struct shimxml_node *source = source_of(from, n, by);
        if (!source)
            continue;
        struct shimxml_node *set = unit_instructions(n);
        copy_instructions(set, source, which);
        say_where(set, source, from, which);
        merged++;
    }
    if (!wanted)
        return unit_none(d, which, e);
    if (!merged)
        return error_set(e, ERR_INPUT, AT_FILE(from->path),
                         "no processing unit with instruction values has the same %s as one of %s", by, d->path);
    return OK;
}
