/* convert_one.c - converts SHIM 2.0 to SHIM 1.0. What SHIM 1.0 cannot express is listed as left out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim-xml/document/clocks.h"
#include "shim-xml/convert/convert.h"
#include "shim-xml/document/instruction_widths.h"
#include "shim-xml/document/access_levels.h"

/* ---- instructions ---- */

/* SHIM 1.0 has one entry for each name. Of several forms it is the one with the most common width, else the first. */
struct entries {
    struct map index; /* name -> its index */
    VEC(const struct shimxml_node *) at;
};

static bool is_commonest(const struct shimxml_node *i)
{
    int input, output;
    instruction_bits(instruction_name(i), &input, &output);
    return shimxml_number(i, "inputBitWidth") == input && shimxml_number(i, "outputBitWidth") == output;
}

static void take_instruction(struct converting *c, struct entries *all, const struct shimxml_node *i)
{
    const char *name = instruction_name(i);
    size_t k = all->at.n;
    if (!name || !shimxml_child(i, "Performance")) {
        convert_leave_out(c, "Instruction without a name or a value");
    } else if (!map_get(&all->index, name, &k)) {
        map_put(&all->index, name, k);
        vec_push(&all->at, i);
    } else if (is_commonest(i) && is_commonest(all->at.at[k])) {
        vec_push(&all->at, i); /* the reference tools' list has three names twice */
    } else {
        convert_leave_out(c, "Instruction: another form of one that is there");
        if (is_commonest(i))
            all->at.at[k] = i;
    }
}

static void add_instruction(struct converting *c, struct shimxml_node *set, const struct shimxml_node *from)
{
    struct shimxml_node *n = convert_append(c, set, "Instruction");
    const char *name;
    shimxml_set(n, "name", instruction_name(from));
    convert_children(c, n, from, "Performance", convert_tree);
    for (size_t i = 0; (name = shimxml_attribute(from, i, 0)); i++)
        if (strcmp(name, "name") != 0 && strcmp(name, "operation") != 0 &&
            !(strstr(name, "putBitWidth") && is_commonest(from)))
            convert_leave_out_attribute(c, from, name);
}

static void leave_out_others(struct converting *c, const struct shimxml_node *set)
{
    size_t units = 0;
    for (const struct shimxml_node *n = 0; (n = shimxml_following(set, n, 0));) {
        if (shimxml_is(n, "CustomInstruction"))
            convert_leave_out(c, "CustomInstruction");
        else if (shimxml_is(n, "FunctionalUnitSetFile"))
            convert_leave_out(c, "FunctionalUnitSetFile: instructions in another file");
        else if (shimxml_is(n, "FunctionalUnit") && units++)
            convert_leave_out(c, "FunctionalUnit: instructions are one list");
    }
}

/* A core without values gets no set, since SHIM 1.0 requires at least one Instruction in a set. */
static void add_instructions(struct converting *c, struct shimxml_node *master, const struct shimxml_node *core)
{
    const struct shimxml_node *from = shimxml_child(core, "CommonInstructionSet");
    struct entries all = {0};
    for (const struct shimxml_node *i = 0; (i = instruction_next(core, i));)
        take_instruction(c, &all, i);
    struct shimxml_node *set = all.at.n ? convert_element(c, master, from) : 0;
    if (set) /* comments first: they say where values come from */
        convert_children(c, set, from, "FunctionalUnitSet", 0);
    for (size_t i = 0; i < all.at.n; i++)
        add_instruction(c, set, all.at.at[i]);
    leave_out_others(c, from);
    map_release(&all.index);
    vec_release(&all.at);
}

/* ---- components ---- */

/* Finds caches that only one core refers to. In SHIM 1.0 these stand inside that core. */
static void find_owners(struct converting *c)
{
    const struct shimxml_node *root = shimxml_root(c->from), *n = 0, *r;
    while ((n = shimxml_following(root, n, "MasterComponent")))
        for (r = shimxml_child(n, "CacheRef"); r; r = shimxml_next(r, "CacheRef")) {
            char *key = xasprintf("%p", (const void *)shimxml_target(r, 0));
            size_t i = c->owners.n;
            if (!map_get(&c->owner_of, key, &i)) {
                map_put(&c->owner_of, key, i);
                vec_push(&c->owners, n);
            } else if (c->owners.at[i] != n) {
                c->owners.at[i] = 0;
            }
            free(key);
        }
}

static const struct shimxml_node *owner_of(const struct converting *c, const struct shimxml_node *cache)
{
    char *key = xasprintf("%p", (const void *)cache);
    size_t i;
    bool known = map_get(&c->owner_of, key, &i);
    free(key);
    return known ? c->owners.at[i] : 0;
}

static void add_cache(struct converting *c, struct shimxml_node *parent, const struct shimxml_node *from)
{
    struct shimxml_node *n = convert_element(c, parent, from);
    for (const struct shimxml_node *r = shimxml_child(from, "CacheRef"); r; r = shimxml_next(r, "CacheRef"))
        convert_reference(c, n, "cacheRef", shimxml_target(r, 0));
    convert_children(c, n, from, 0, 0);
}

static void add_shared_cache(struct converting *c, struct shimxml_node *parent, const struct shimxml_node *from)
{
    if (!owner_of(c, from))
        add_cache(c, parent, from);
}

static void add_master(struct converting *c, struct shimxml_node *parent, const struct shimxml_node *from)
{
    struct shimxml_node *n = convert_element(c, parent, from);
    struct map seen = {0};
    add_instructions(c, n, from);
    for (const struct shimxml_node *r = shimxml_child(from, "CacheRef"); r; r = shimxml_next(r, "CacheRef")) {
        const struct shimxml_node *cache = shimxml_target(r, 0);
        const char *id = shimxml_is(cache, "Cache") ? convert_id(c, cache) : 0;
        if (!id || map_get(&seen, id, 0))
            continue;
        map_put(&seen, id, 1);
        if (owner_of(c, cache) == from)
            add_cache(c, n, cache);
        else
            convert_leave_out(c, "CacheRef of a core to a cache that others name too");
    }
    map_release(&seen);
    double hz = clock_of(from);
    if (shimxml_get(from, "frequencyDomainRef") || (hz > 0 && hz != clock_of(shimxml_root(c->from))))
        shimxml_set_number(convert_append(c, n, "ClockFrequency"), "clockValue", hz);
    convert_children(c, n, from, "AccessTypeSet", convert_tree);
    convert_children(c, n, from, 0, 0);
}

static void add_set(struct converting *c, struct shimxml_node *parent, const struct shimxml_node *from)
{
    struct shimxml_node *set = convert_element(c, parent, from);
    convert_children(c, set, from, "ComponentSet", add_set);
    convert_children(c, set, from, "SlaveComponent", convert_tree);
    convert_children(c, set, from, "MasterComponent", add_master);
    convert_children(c, set, from, "Cache", add_shared_cache);
    convert_children(c, set, from, 0, 0);
}

/* ---- accesses ---- */

/* The memory's own set comes first, as in the official samples. Sets of caches follow, each after a comment that names
 * the cache. */
static void add_accessor(struct converting *c, struct shimxml_node *parent, const struct shimxml_node *from)
{
    struct shimxml_node *n = convert_element(c, parent, from), *set = 0, *cache;
    while ((set = level_next(from, set, &cache)))
        if (!cache)
            convert_tree(c, n, set);
    while ((set = level_next(from, set, &cache))) {
        if (!cache)
            continue;
        char *comment = level_comment(convert_id(c, cache) ? convert_id(c, cache) : "");
        if (!n->first) /* a place for the memory's values, which are not known */
            convert_append(c, n, "PerformanceSet");
        shimxml_comment(n, 0, comment);
        free(comment);
        convert_tree(c, n, set);
    }
    convert_children(c, n, from, 0, 0);
}

static void add_space(struct converting *c, struct shimxml_node *parent, const struct shimxml_node *from)
{
    convert_tree_with(c, parent, from, "Accessor", add_accessor);
}

/* ---- everything together ---- */

/* Leaves out operating points that no core works at, and the voltages of the others. */
static void leave_out_points(struct converting *c, const struct shimxml_node *set)
{
    struct map used = {0};
    const struct shimxml_node *root = shimxml_root(c->from), *n;
    char hz[40];
    for (n = 0; (n = shimxml_following(root, n, "MasterComponent"));) {
        snprintf(hz, sizeof hz, "%.17g", clock_of(n));
        map_put(&used, hz, 1);
    }
    for (n = 0; (n = shimxml_following(set, n, 0));) {
        snprintf(hz, sizeof hz, "%.17g", clock_of(n));
        if (shimxml_is(n, "VoltageDomain"))
            convert_leave_out(c, "VoltageDomain");
        else if (shimxml_is(n, "OperatingPoint") && !map_get(&used, hz, 0))
            convert_leave_out(c, "OperatingPoint: no core works at it");
        else if (shimxml_is(n, "OperatingPoint") && shimxml_get(n, "voltage"))
            convert_leave_out_attribute(c, n, "voltage");
    }
    map_release(&used);
}

static void add_root(struct converting *c, struct shimxml_node *top, const struct shimxml_node *from)
{
    const struct shimxml_node *system = shimxml_child(from, "SystemConfiguration"), *n;
    struct shimxml_node *root = convert_append(c, top, schema1.root);
    shimxml_set(root, "name", shimxml_get(from, "name") ? shimxml_get(from, "name") : "");
    shimxml_set(root, "shimVersion", schema1.version);
    convert_children(c, root, system, "ComponentSet", add_set);
    convert_children(c, root, system, "CommunicationSet", convert_tree);
    convert_children(c, root, system, "AddressSpaceSet", add_space);
    leave_out_points(c, shimxml_child(system, "FrequencyVoltageSet"));
    for (n = 0; (n = shimxml_following(shimxml_child(system, "ContentionGroupSet"), n, "ContentionGroup"));)
        convert_leave_out(c, "ContentionGroup");
    convert_children(c, root, system, 0, 0);
    shimxml_set_number(convert_append(c, root, "ClockFrequency"), "clockValue", clock_of(from));
}

void convert_to_one(struct converting *c)
{
    find_owners(c);
    convert_children(c, &c->to->top, &c->from->top, schema2.root, add_root);
    convert_children(c, &c->to->top, &c->from->top, 0, 0);
}
