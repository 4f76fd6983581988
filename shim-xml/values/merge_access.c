/* merge_access.c - copies the costs of memory accesses from another SHIM file. */
#include "shim-xml/values/merge_access.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "shim-xml/document/access_levels.h"

char *merge_key(const char *const *values, size_t n)
{
    struct str key = STR_INIT;
    for (size_t i = 0; i < n; i++) {
        str_addf(&key, "%d", values[i] ? 1 : 0);
        str_add(&key, values[i] ? values[i] : "");
        str_addch(&key, '\1'); /* never occurs in XML text */
    }
    return str_detach(&key);
}

/* ---- the Accessor of the other file ---- */

enum { DETAILS = 3 }; /* by master, memory and range; by master and memory; by master alone, if there is one memory */

struct merging {
    const struct pairing *p;
    struct map index; /* key -> index in `accessors` */
    VEC(const struct shimxml_node *) accessors;
    bool one_memory;
    struct shimxml_system *to, *from;
    size_t merged;
};

static const struct shimxml_node *memory_of(const struct shimxml_node *accessor)
{
    const struct shimxml_node *binding = shimxml_owner(accessor, "MasterSlaveBinding");
    return binding ? shimxml_target(binding, "slaveComponentRef") : 0;
}

/* NULL: the master lacks the attribute, or this detail does not exist. */
static char *accessor_key(const struct merging *m, const struct shimxml_node *accessor, int detail)
{
    const struct shimxml_node *master = shimxml_target(accessor, "masterComponentRef"), *memory = memory_of(accessor),
                              *sub = shimxml_owner(accessor, "SubSpace");
    const char *value = master ? shimxml_get(master, m->p->by) : 0;
    if (!value || !memory || (detail == 2 && !m->one_memory))
        return 0;
    const char *values[] = {value, shimxml_get(memory, strcmp(m->p->by, "id") == 0 ? "id" : "name"),
                            sub ? shimxml_get(sub, "name") : 0};
    return merge_key(values, (size_t)(DETAILS - detail));
}

static bool has_values(const struct shimxml_node *accessor)
{
    return shimxml_child(shimxml_child(accessor, "PerformanceSet"), "Performance");
}

/* Several bindings to one memory count as one memory. */
static bool has_one_memory(const struct shimxml_doc *d, bool with_values)
{
    const struct shimxml_node *first = 0, *n = 0;
    while ((n = shimxml_following(shimxml_root(d), n, "Accessor"))) {
        const struct shimxml_node *memory = !with_values || has_values(n) ? memory_of(n) : 0;
        if (memory && first && memory != first)
            return false;
        first = first ? first : memory;
    }
    return first;
}

static void index_accessors(struct merging *m)
{
    const struct shimxml_node *n = 0;
    m->one_memory = has_one_memory(m->p->d, false) && has_one_memory(m->p->from, true);
    while ((n = shimxml_following(shimxml_root(m->p->from), n, "Accessor"))) {
        for (int detail = 0; detail < DETAILS && has_values(n); detail++) {
            char *key = accessor_key(m, n, detail);
            if (key && !map_get(&m->index, key, 0))
                map_put(&m->index, key, m->accessors.n);
            free(key);
        }
        vec_push(&m->accessors, n);
    }
}

static const struct shimxml_node *source_of(const struct merging *m, const struct shimxml_node *accessor)
{
    size_t i = 0;
    bool found = false;
    for (int detail = 0; detail < DETAILS && !found; detail++) {
        char *key = accessor_key(m, accessor, detail);
        found = key && map_get(&m->index, key, &i);
        free(key);
    }
    return found ? m->accessors.at[i] : 0;
}

/* ---- the set of the same level ---- */

static const struct shimxml_cache *step(const struct shimxml_system *s, const struct shimxml_node *master, size_t steps,
                                        const char *until, size_t *gone)
{
    const char *id = shimxml_get(master, "id");
    size_t core = 0;
    while (id && core < s->n_cores && strcmp(s->cores[core].id, id) != 0)
        core++;
    const struct shimxml_cache *c = 0;
    for (*gone = 0; id && core < s->n_cores && *gone < steps; ++*gone) {
        c = shimxml_next_cache(s, core, c);
        if (!c || (until && strcmp(c->id, until) == 0))
            break;
    }
    return c;
}

/* The cache of the target's master that is at the same distance as this one is from its own master. */
static const char *same_cache(const struct merging *m, const struct shimxml_node *to, const struct shimxml_node *from,
                              const struct shimxml_node *cache)
{
    const struct shimxml_node *a = shimxml_target(from, "masterComponentRef"),
                              *b = shimxml_target(to, "masterComponentRef");
    const char *id = shimxml_get(cache, "id");
    size_t far, unused;
    if (!id || !step(m->from, a, m->from->n_caches, id, &far))
        return 0;
    const struct shimxml_cache *c = step(m->to, b, far + 1, 0, &unused);
    return c ? c->id : 0;
}

static struct shimxml_node *add_set(struct shimxml_node *accessor, const char *cache)
{
    struct shimxml_node *set = shimxml_add(accessor, "PerformanceSet");
    char *text = cache ? level_comment(cache) : 0;
    if (text)
        shimxml_comment(accessor, set, text);
    free(text);
    return set;
}

/* NULL: the target's master has no such cache. */
static struct shimxml_node *set_of_level(const struct merging *m, struct shimxml_node *to,
                                         const struct shimxml_node *from, const struct shimxml_node *cache)
{
    const char *wanted = cache ? same_cache(m, to, from, cache) : 0;
    if (cache && !wanted)
        return 0;
    struct shimxml_node *set = 0, *answers;
    while ((set = level_next(to, set, &answers))) {
        const char *id = answers ? shimxml_get(answers, "id") : 0;
        if (cache ? id && strcmp(id, wanted) == 0 : !answers)
            return set;
    }
    return add_set(to, wanted);
}

/* ---- values ---- */

static bool same_attribute(const struct shimxml_node *a, const struct shimxml_node *b, const char *name)
{
    const char *x = shimxml_get(a, name), *y = shimxml_get(b, name);
    return x && y ? strcmp(x, y) == 0 : x == y;
}

static bool same_access(const struct shimxml_node *a, const struct shimxml_node *b)
{
    return same_attribute(a, b, "rwType") && same_attribute(a, b, "accessByteSize");
}

/* The values for an AccessType: from one that is equal and has the same name, else from one that is equal. Values for
 * another master's accesses are not used (check: reference-owner). */
static const struct shimxml_node *values_of(const struct shimxml_node *set, const struct shimxml_node *type)
{
    const struct shimxml_node *master = shimxml_target(shimxml_owner(set, "Accessor"), "masterComponentRef");
    const struct shimxml_node *found = 0, *p = shimxml_child(set, "Performance");
    for (; p; p = shimxml_next(p, "Performance")) {
        const struct shimxml_node *other = shimxml_target(p, "accessTypeRef");
        if (!other || shimxml_owner(other, "MasterComponent") != master || !same_access(type, other))
            continue;
        if (same_attribute(type, other, "name"))
            return p;
        found = found ? found : p;
    }
    return found;
}

static struct shimxml_node *performance_of(struct shimxml_node *set, const char *access_type)
{
    for (struct shimxml_node *p = shimxml_child(set, "Performance"); p; p = shimxml_next(p, "Performance")) {
        const char *ref = shimxml_get(p, "accessTypeRef");
        if (ref && strcmp(ref, access_type) == 0)
            return p;
    }
    struct shimxml_node *p = shimxml_add(set, "Performance");
    shimxml_set(p, "accessTypeRef", access_type);
    return p;
}

/* Is there a value for any AccessType of the target's master? */
static bool has_any(const struct shimxml_node *types, const struct shimxml_node *from)
{
    const struct shimxml_node *t = shimxml_child(types, "AccessType");
    while (t && !(shimxml_get(t, "id") && values_of(from, t)))
        t = shimxml_next(t, "AccessType");
    return t;
}

static void merge_set(struct merging *m, struct shimxml_node *set, const struct shimxml_node *types,
                      const struct shimxml_node *from)
{
    for (const struct shimxml_node *t = shimxml_child(types, "AccessType"); t; t = shimxml_next(t, "AccessType")) {
        const char *id = shimxml_get(t, "id");
        const struct shimxml_node *given = id ? values_of(from, t) : 0;
        if (!given)
            continue;
        unit_copy_values(performance_of(set, id), given, m->p->which);
        m->merged++;
    }
}

static void merge_accessor(struct merging *m, struct shimxml_node *to, const struct shimxml_node *from)
{
    const struct shimxml_node *master = shimxml_target(to, "masterComponentRef"),
                              *types = shimxml_child(master, "AccessTypeSet"), *given = 0;
    struct shimxml_node *cache;
    while ((given = level_next(from, given, &cache))) {
        struct shimxml_node *set = has_any(types, given) ? set_of_level(m, to, from, cache) : 0;
        if (set)
            merge_set(m, set, types, given);
    }
}

enum status merge_accesses(const struct pairing *p, size_t *merged, struct error *e)
{
    struct merging m = {.p = p};
    enum status s = shimxml_system(&m.to, p->d, e);
    if (!s)
        s = shimxml_system(&m.from, p->from, e);
    if (!s)
        index_accessors(&m);
    struct shimxml_node *n = 0;
    while (!s && (n = shimxml_following(shimxml_root(p->d), n, "Accessor"))) {
        const struct shimxml_node *master = shimxml_target(n, "masterComponentRef");
        const struct shimxml_node *from = master && unit_is_wanted(master, p->which) ? source_of(&m, n) : 0;
        if (from)
            merge_accessor(&m, n, from);
    }
    *merged = m.merged;
    map_release(&m.index);
    vec_release(&m.accessors);
    shimxml_system_free(m.to);
    shimxml_system_free(m.from);
    return s;
}
