/* check_refs.c - checks that references lead to something of the right kind and owner, and form no cycles. The schema
 * cannot express that, and libxml2's schema check does not even find dangling references. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "shim-xml/check/findings.h"
#include "shim-xml/check/nearest.h"
#include "shim-xml/document/units_file.h"

static bool is_one_of(const struct shimxml_node *n, const char *kinds)
{
    size_t length = strlen(shimxml_name(n));
    for (const char *k = kinds; (k = strstr(k, shimxml_name(n))); k++)
        if ((k == kinds || k[-1] == ' ') && (!k[length] || k[length] == ' '))
            return true;
    return false;
}

static void add_kinds(struct str *out, const char *kinds)
{
    str_add(out, strchr("AEIOU", *kinds) ? "an " : "a ");
    for (; *kinds; kinds++)
        if (*kinds == ' ')
            str_add(out, " or ");
        else
            str_addch(out, *kinds);
}

/* Suggests a similar id, but does not search all ids of a large file for each dangling reference. */
static void say_dangling(const struct shimxml_doc *d, const struct shimxml_node *n, const char *what, const char *id,
                         struct shimxml_findings *f)
{
    enum { FEW = 1000, LETTERS = 4 }; /* all ids shorter than that are similar to each other */
    char hint[NEAREST_LONGEST + 40];
    struct nearest near = nearest_to(reference_id(id));
    bool look = strlen(reference_id(id)) >= LETTERS && d->ids.n <= FEW;
    for (size_t i = 0; look && i < d->ids.n; i++)
        nearest_try(&near, d->ids.keys[i]);
    shimxml_finding_add(f, DANGLING, n, "%s '%.60s': there is no element with this id%s", what, id,
                        nearest_say(&near, hint, sizeof hint));
}

static void check_one(const struct shimxml_doc *d, const struct shimxml_node *n, const char *what, const char *id,
                      const char *kinds, struct shimxml_findings *f)
{
    const struct shimxml_node *target = shimxml_by_id(d, id);
    if (!target)
        say_dangling(d, n, what, id, f);
    if (!target || is_one_of(target, kinds))
        return;
    struct str text = STR_INIT;
    add_kinds(&text, shimxml_name(target));
    str_add(&text, ", not ");
    add_kinds(&text, kinds);
    shimxml_finding_add(f, WRONG_KIND, n, "%s '%.60s' is %s", what, id, str_text(&text));
    str_release(&text);
}

/* Is it one of the references that SHIM 2.0's schema declares as plain text? */
static bool is_loose(const struct shimxml_node *n, const char *attribute)
{
    size_t rank = schema_attribute_rank(n->name->spec, attribute);
    return rank != SCHEMA_NO_RANK && n->name->spec->attributes[rank].type == TYPE_string;
}

static void check_loose(const struct shimxml_doc *d, const struct shimxml_node *n, const char *what, const char *id,
                        const char *kinds, struct shimxml_findings *f)
{
    const struct shimxml_node *target = shimxml_by_id(d, id);
    if (shimxml_is(n, "PowerConsumption")) /* refers to another file */
        return;
    if (target && is_one_of(target, kinds))
        return;
    struct str text = STR_INIT;
    add_kinds(&text, kinds);
    shimxml_finding_add(f, LOOSE_REFERENCE, n, "%s '%.60s' is not the id of %s", what, id, str_text(&text));
    str_release(&text);
}

/* A Performance in an Accessor must be about accesses of the Accessor's own master. */
static void check_owner(const struct shimxml_node *performance, struct shimxml_findings *f)
{
    const struct shimxml_node *accessor = shimxml_owner(performance, "Accessor");
    const struct shimxml_node *type = accessor ? shimxml_target(performance, "accessTypeRef") : 0;
    if (!shimxml_is(type, "AccessType"))
        return;
    const struct shimxml_node *owner = shimxml_owner(type, "MasterComponent");
    const char *id = owner ? shimxml_get(owner, "id") : 0, *master = shimxml_get(accessor, "masterComponentRef");
    if (id && master && strcmp(id, reference_id(master)) != 0)
        shimxml_finding_add(f, WRONG_OWNER, performance,
                            "accessTypeRef '%.60s' belongs to %.60s, the Accessor to %.60s",
                            shimxml_get(performance, "accessTypeRef"), id, master);
}

/* ---- cycles ---- */

enum { VISITING = 1, DONE };

struct step {
    const char *id;                  /* of the cache */
    const struct shimxml_node *next; /* the next cacheRef to follow */
};
typedef VEC(struct step) steps_t;

static void enter(const struct shimxml_node *cache, struct map *state, steps_t *way)
{
    struct step s = {shimxml_get(cache, "id"), shimxml_child(cache, doc_of(cache)->schema->cache_ref)};
    map_put(state, s.id, VISITING);
    vec_push(way, s);
}

/* Follows cacheRef depth-first. There is no recursion, since references may form a chain of any length. A cache without
 * an id cannot be in a cycle, since nothing can refer to it. */
static void follow(const struct shimxml_node *first, struct map *state, struct shimxml_findings *f)
{
    steps_t way = {0};
    enter(first, state, &way);
    while (way.n) {
        struct step *top = &way.at[way.n - 1];
        const struct shimxml_node *reference = top->next;
        if (!reference) {
            map_put(state, top->id, DONE);
            way.n--;
            continue;
        }
        top->next = shimxml_next(reference, shimxml_name(reference));
        const struct shimxml_node *inner = shimxml_target(reference, 0);
        if (!shimxml_is(inner, "Cache"))
            continue;
        size_t seen = 0;
        map_get(state, shimxml_get(inner, "id"), &seen);
        if (seen == VISITING)
            shimxml_finding_add(f, CACHE_RING, reference, "%s '%.60s' leads back to where it came from",
                                shimxml_name(reference), shimxml_get(inner, "id"));
        else if (!seen)
            enter(inner, state, &way);
    }
    vec_release(&way);
}

static void check_rings(const struct shimxml_node *root, const char *cache_ref, struct shimxml_findings *f)
{
    struct map state = {0};
    const struct shimxml_node *n = 0;
    while ((n = shimxml_following(root, n, "Cache"))) {
        const char *id = shimxml_child(n, cache_ref) ? shimxml_get(n, "id") : 0;
        if (id && !map_get(&state, id, 0))
            follow(n, &state, f);
    }
    map_release(&state);
}

/* Caches of a core only refer to each other; shared caches refer to them. */
static void check_direction(const struct shimxml_node *reference, struct shimxml_findings *f)
{
    const struct shimxml_node *inner = shimxml_target(reference, 0),
                              *core = shimxml_owner(reference, "MasterComponent");
    if (core && shimxml_is(inner, "Cache") && shimxml_owner(inner, "MasterComponent") != core)
        shimxml_finding_add(f, OUTWARD, reference, "a cache of a core refers to '%.60s', which belongs to another core",
                            shimxml_get(inner, "id"));
}

static void check_node(const struct shimxml_doc *d, const struct shimxml_node *n, struct shimxml_findings *f)
{
    for (size_t i = 0; i < n->n_attributes; i++) {
        const struct attribute *a = &n->u.attributes[i];
        if (!a->name->reference || !a->name->plain)
            continue;
        if (is_loose(n, a->name->local))
            check_loose(d, n, a->name->local, a->value, a->name->reference, f);
        else
            check_one(d, n, a->name->local, a->value, a->name->reference, f);
    }
    if (n->name->reference && n->name->spec && n->name->spec->text == TYPE_IDREF) {
        char *id = shimxml_text(n);
        check_one(d, n, shimxml_name(n), id, n->name->reference, f);
        free(id);
    }
    if (shimxml_is(n, "Performance"))
        check_owner(n, f);
    else if (shimxml_is(n, "cacheRef") && shimxml_is(shimxml_parent(n), "Cache"))
        check_direction(n, f);
}

static void say_units_file(const struct shimxml_node *n, const struct error *e, struct shimxml_findings *f)
{
    char *text = error_text(e);
    shimxml_finding_add(f, UNITS_FILE, n, "%s", text);
    free(text);
}

/* Checks each file once, at the first core that names it. */
static void check_units_file(const struct shimxml_node *n, struct map *seen, struct shimxml_findings *f)
{
    enum { FILES_MOST = 100 }; /* so that a description cannot keep its reader busy for ever */
    struct error e = ERROR_INIT;
    struct shimxml_doc *units = 0;
    const char *src = shimxml_get(n, "src");
    if (map_get(seen, src ? src : "", 0) || seen->n > FILES_MOST)
        return;
    map_put(seen, src ? src : "", 1);
    if (seen->n > FILES_MOST)
        shimxml_finding_add(f, UNITS_FILE, n, "more than %d files are named: from here on they are not read",
                            FILES_MOST);
    else if (units_file_read(&units, n, &e))
        say_units_file(n, &e, f);
    shimxml_free(units);
    error_release(&e);
}

void check_references(const struct shimxml_doc *d, struct shimxml_findings *f)
{
    const struct shimxml_node *root = shimxml_root(d);
    struct map files = {0};
    for (const struct shimxml_node *n = root; n; n = shimxml_following(root, n, 0)) {
        check_node(d, n, f);
        if (shimxml_is(n, "FunctionalUnitSetFile") && d->schema == &schema2)
            check_units_file(n, &files, f);
    }
    map_release(&files);
    check_rings(root, d->schema->cache_ref, f);
}
