/*
 * convert_two.c - converts SHIM 1.0 to SHIM 2.0 (IEEE 2804): caches become siblings of cores, instructions get widths
 * and functional units, clocks become operating points, costs of cache levels get a cacheRef, cores that share a path
 * become contention groups.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim-xml/document/clocks.h"
#include "shim-xml/convert/convert.h"
#include "shim-xml/document/access_levels.h"
#include "shim-xml/convert/widths.h"

/* ---- clocks ---- */

/* The id for clock domain i: always the same, and none that the file uses. */
static void set_domain(const struct converting *c, struct shimxml_node *n, const char *attribute, const char *kind,
                       size_t i)
{
    struct str id = STR_INIT;
    str_addf(&id, "%s_%zu", kind, i);
    while (shimxml_by_id(c->from, str_text(&id)))
        str_addch(&id, '_');
    shimxml_set(n, attribute, str_text(&id));
    str_release(&id);
}

static size_t domain_of(struct converting *c, double hz)
{
    size_t i = 0;
    while (i < c->clocks.n && c->clocks.at[i] != hz)
        i++;
    if (i == c->clocks.n)
        vec_push(&c->clocks, hz);
    return i;
}

/* Frequencies are whole numbers in SHIM 2.0, so this uses the largest unit in which it is one. */
static void set_frequency(struct shimxml_node *point, double hz)
{
    static const char *const units[] = {"Hz", "KHz", "MHz"};
    size_t unit = 0;
    hz = round(hz);
    for (; unit < 2 && hz >= 1000 && fmod(hz, 1000) == 0; unit++)
        hz /= 1000;
    shimxml_setf(point, "frequency", "%.0f", hz);
    shimxml_set(point, "frequencyUnit", units[unit]);
}

void convert_add_frequencies(struct converting *c, struct shimxml_node *system)
{
    struct shimxml_node *set = convert_append(c, system, "FrequencyVoltageSet"), *n;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < c->clocks.n; i++) {
            n = convert_append(c, set, pass ? "OperatingPointSet" : "FrequencyDomain");
            shimxml_setf(n, "name", "%s_%zu", shimxml_name(n), i);
            set_domain(c, n, "id", shimxml_name(n), i);
            if (!pass)
                continue;
            n = convert_append(c, n, "OperatingPoint");
            shimxml_setf(n, "name", "OperatingPoint_%zu", i);
            set_domain(c, n, "id", "OperatingPoint", i);
            set_frequency(n, c->clocks.at[i]);
        }
}

/* ---- components ---- */

static void add_master(struct converting *c, struct shimxml_node *set, const struct shimxml_node *from)
{
    struct shimxml_node *n = convert_element(c, set, from);
    bool own = shimxml_child(from, "ClockFrequency") != 0;
    size_t domain = domain_of(c, clock_of(own ? from : shimxml_root(c->from)));
    if (own) /* cores without one have the system's clock */
        set_domain(c, n, "frequencyDomainRef", "FrequencyDomain", domain);
    set_domain(c, n, "operatingPointRef", "OperatingPoint", domain);
    convert_children(c, n, from, "CommonInstructionSet", widths_add_instructions);
    for (const struct shimxml_node *k = shimxml_child(from, "Cache"); k; k = shimxml_next(k, "Cache"))
        convert_reference(c, n, "CacheRef", k);
    convert_children(c, n, from, "AccessTypeSet", convert_tree);
    convert_children(c, n, from, 0, 0);
}

static void add_cache(struct converting *c, struct shimxml_node *set, const struct shimxml_node *from)
{
    struct shimxml_node *n = convert_element(c, set, from);
    for (const struct shimxml_node *r = shimxml_child(from, "cacheRef"); r; r = shimxml_next(r, "cacheRef"))
        convert_reference(c, n, "CacheRef", shimxml_target(r, 0));
    convert_children(c, n, from, 0, 0);
}

/* In SHIM 2.0 caches are siblings of cores, never inside them. */
static void add_set(struct converting *c, struct shimxml_node *parent, const struct shimxml_node *from)
{
    struct shimxml_node *set = convert_element(c, parent, from);
    convert_children(c, set, from, "ComponentSet", add_set);
    convert_children(c, set, from, "MasterComponent", add_master);
    convert_children(c, set, from, "SlaveComponent", convert_tree);
    for (const struct shimxml_node *n = shimxml_child(from, "MasterComponent"); n;
         n = shimxml_next(n, "MasterComponent"))
        convert_children(c, set, n, "Cache", add_cache);
    convert_children(c, set, from, "Cache", add_cache);
    convert_children(c, set, from, 0, 0);
}

/* ---- accesses ---- */

static void add_accessor(struct converting *c, struct shimxml_node *parent, const struct shimxml_node *from)
{
    struct shimxml_node *n = convert_element(c, parent, from), *set = 0, *cache;
    size_t taken = 0, all = 0;
    while ((set = level_next(from, set, &cache))) {
        convert_tree(c, n, set);
        taken++;
        if (cache)
            shimxml_set(n->last, "cacheRef", convert_id(c, cache));
    }
    for (set = shimxml_child(from, "PerformanceSet"); set; set = shimxml_next(set, "PerformanceSet"))
        all++;
    for (; taken < all; taken++)
        convert_leave_out(c, "PerformanceSet that names no cache, after another such set");
    convert_children(c, n, from, 0, 0);
}

static void add_spaces(struct converting *c, struct shimxml_node *parent, const struct shimxml_node *from)
{
    convert_tree_with(c, parent, from, "Accessor", add_accessor);
}

/* ---- communications ---- */

/* SHIM 2.0 has one kind of communication per file: the one with the most values, else the most connections, else the
 * first. */
static const char *kind_of_communication(const struct shimxml_node *from)
{
    const struct shimxml_node *n, *best = 0, *m;
    size_t most = 0;
    for (n = shimxml_child(from, 0); n; n = shimxml_next(n, 0)) {
        size_t weight = 1;
        for (m = 0; (m = shimxml_following(n, m, 0));)
            weight += shimxml_is(m, "Performance") ? 1000 : shimxml_is(m, "Connection") ? 1 : 0;
        if (weight > most) {
            most = weight;
            best = n;
        }
    }
    return best ? shimxml_name(best) : 0;
}

static void leave_out_kind(struct converting *c, const struct shimxml_node *n, const char *kept)
{
    char *what = xasprintf("%s beside %s, of which a file may have one kind", shimxml_name(n), kept);
    convert_leave_out(c, what);
    free(what);
}

void convert_communications(struct converting *c, struct shimxml_node *system, const struct shimxml_node *from)
{
    const char *kind = kind_of_communication(from);
    struct shimxml_node *set = convert_element(c, system, from);
    for (const struct shimxml_node *n = shimxml_child(from, 0); n; n = shimxml_next(n, 0))
        if (!shimxml_is(n, kind) && n->name->spec)
            leave_out_kind(c, n, kind);
    convert_children(c, set, from, kind, convert_tree);
    convert_children(c, set, from, 0, 0);
}

/* ---- contention ---- */

struct sharing {
    const struct shimxml_node *what; /* in `to`: a cache or a memory */
    VEC(const struct shimxml_node *) sets;
};
typedef VEC(struct sharing) sharings_t;

static const struct shimxml_node *answers(const struct shimxml_node *set)
{
    if (shimxml_get(set, "cacheRef"))
        return shimxml_target(set, "cacheRef");
    const struct shimxml_node *binding = shimxml_owner(set, "MasterSlaveBinding");
    return binding ? shimxml_target(binding, "slaveComponentRef") : 0;
}

static void find_sharing(sharings_t *all, struct map *index, const struct shimxml_node *set)
{
    const struct shimxml_node *what = answers(set);
    const char *id = what ? shimxml_get(what, "id") : 0;
    size_t i = all->n;
    if (!id || !shimxml_child(set, "Performance"))
        return;
    if (!map_get(index, id, &i)) {
        map_put(index, id, i);
        vec_push(all, (struct sharing){.what = what});
    }
    vec_push(&all->at[i].sets, set);
}

static bool by_several(const struct sharing *s)
{
    const char *first = shimxml_get(s->sets.at[0]->parent, "masterComponentRef");
    for (size_t i = 1; i < s->sets.n; i++) {
        const char *other = shimxml_get(s->sets.at[i]->parent, "masterComponentRef");
        if (first && other && strcmp(first, other) != 0)
            return true;
    }
    return false;
}

/* Accesses of several cores to the same cache or memory share a path. Its capacity is left open, since nobody has
 * measured it. */
static void add_contention(struct converting *c, struct shimxml_node *system)
{
    sharings_t all = {0};
    struct map index = {0};
    struct shimxml_node *groups = 0;
    size_t number = 0;
    for (const struct shimxml_node *n = 0; (n = shimxml_following(system, n, "PerformanceSet"));)
        find_sharing(&all, &index, n);
    for (size_t i = 0; i < all.n; i++) {
        struct sharing *s = &all.at[i];
        if (by_several(s)) {
            groups = groups ? groups : convert_append(c, system, "ContentionGroupSet");
            struct shimxml_node *group = convert_append(c, groups, "ContentionGroup");
            set_domain(c, group, "id", "ContentionGroup", number++);
            shimxml_set(group, "name", shimxml_get(s->what, "name") ? shimxml_get(s->what, "name") : "");
            for (size_t k = 0; k < s->sets.n; k++)
                shimxml_set_text(convert_append(c, group, "PerformanceSetRef"), shimxml_get(s->sets.at[k], "id"));
        }
        vec_release(&s->sets);
    }
    vec_release(&all);
    map_release(&index);
}

/* ---- everything together ---- */

struct shimxml_node *convert_root_of_two(struct converting *c, struct shimxml_node *top,
                                         const struct shimxml_node *from)
{
    struct shimxml_node *root = node_insert(top, 0, NODE_ELEMENT);
    const char *space = schema2.space;
    root->name = doc_name(c->to, schema2.root, "shim", space, false);
    root->u.attributes = doc_alloc(c->to, sizeof(struct attribute));
    root->u.attributes[0] =
        (struct attribute){doc_name(c->to, "shim", "xmlns", 0, true), doc_value(c->to, space, strlen(space))};
    root->n_attributes = 1;
    shimxml_set(root, "name", shimxml_get(from, "name") ? shimxml_get(from, "name") : "");
    shimxml_set(root, "shimVersion", schema2.version);
    return root;
}

static void add_system(struct converting *c, struct shimxml_node *top, const struct shimxml_node *from)
{
    struct shimxml_node *root = convert_root_of_two(c, top, from);
    struct shimxml_node *system = convert_append(c, root, "SystemConfiguration");
    domain_of(c, clock_of(from));
    convert_children(c, system, from, "ComponentSet", add_set);
    convert_children(c, system, from, "CommunicationSet", convert_communications);
    convert_children(c, system, from, "AddressSpaceSet", add_spaces);
    convert_add_frequencies(c, system);
    add_contention(c, system);
    convert_children(c, system, from, 0, 0);
}

void convert_to_two(struct converting *c)
{
    convert_children(c, &c->to->top, &c->from->top, schema1.root, add_system);
    convert_children(c, &c->to->top, &c->from->top, 0, 0);
}
