/* check_caches.c - compares caches with those that they refer to: kinds, sizes, the path to a core. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim-xml/check/caches.h"
#include "shim-xml/document/text.h"

enum { STEPS = 10000000, DEEPEST = 16 };

static const char *label(const struct shimxml_node *n)
{
    const char *name = shimxml_get(n, "name");
    return name ? name : "(no name)";
}

static const char *reference_of(const struct shimxml_node *n)
{
    return doc_of(n)->schema->cache_ref;
}

/* ---- ids ---- */

static char *key_of(const struct shimxml_node *n)
{
    return xasprintf("%p", (const void *)n);
}

void caches_add(struct caches *c, const struct shimxml_node *cache)
{
    c->of_cores |= shimxml_owner(cache, "MasterComponent") != 0;
    vec_push(&c->all, cache);
}

void caches_find(struct caches *c, const struct shimxml_node *reference)
{
    c->of_cores |= shimxml_is(shimxml_parent(reference), "MasterComponent");
    const struct shimxml_node *cache = shimxml_target(reference, 0);
    char *key = key_of(cache);
    if (shimxml_is(cache, "Cache"))
        map_put(&c->named, key, 1);
    free(key);
}

bool caches_are_connected(const struct caches *c, const struct shimxml_node *cache)
{
    char *key = key_of(cache);
    bool named = map_get(&c->named, key, 0);
    free(key);
    return named || shimxml_child(cache, reference_of(cache)) || shimxml_owner(cache, "MasterComponent");
}

/* ---- the path to a core ---- */

static bool stands_in(const struct shimxml_node *cache, const struct shimxml_node *core)
{
    return shimxml_owner(cache, "MasterComponent") == core;
}

static bool names(const struct shimxml_node *core, const struct shimxml_node *cache)
{
    const struct shimxml_node *r = shimxml_child(core, reference_of(core));
    for (; r; r = shimxml_next(r, shimxml_name(r)))
        if (shimxml_target(r, 0) == cache)
            return true;
    return false;
}

/* Does a path lead from the cache to the core? Depth is limited, since references may form a cycle, and so is the
 * number of steps for a whole document. */
static bool leads_to(struct caches *c, const struct shimxml_node *cache, const struct shimxml_node *core, int depth)
{
    if (stands_in(cache, core) || names(core, cache))
        return true;
    const struct shimxml_node *r = shimxml_child(cache, reference_of(cache));
    for (; r; r = shimxml_next(r, shimxml_name(r))) {
        const struct shimxml_node *inner = shimxml_target(r, 0);
        if (++c->steps > STEPS || depth >= DEEPEST)
            return true; /* gives up: not known */
        if (shimxml_is(inner, "Cache") && leads_to(c, inner, core, depth + 1))
            return true;
    }
    return false;
}

bool caches_reach(struct caches *c, const struct shimxml_node *cache, const struct shimxml_node *core)
{
    char *key = xasprintf("%p %p", (const void *)cache, (const void *)core);
    size_t reached = 0;
    if (!map_get(&c->reached, key, &reached)) {
        reached = leads_to(c, cache, core, 0);
        map_put(&c->reached, key, reached);
    }
    free(key);
    return reached;
}

int caches_level(const struct shimxml_node *cache)
{
    int level = 1;
    const struct shimxml_node *r;
    while (level < DEEPEST && (r = shimxml_child(cache, reference_of(cache)))) {
        const struct shimxml_node *inner = shimxml_target(r, 0);
        if (!shimxml_is(inner, "Cache"))
            break;
        cache = inner;
        level++;
    }
    return level;
}

/* ---- comparison with the caches that it refers to ---- */

static void check_sizes(const struct shimxml_node *outer, const struct shimxml_node *inner, struct shimxml_findings *f)
{
    double out = shimxml_bytes(outer), in = shimxml_bytes(inner);
    struct str text = STR_INIT;
    if (!(out > 0 && in > out))
        return;
    str_addf(&text, "'%.60s' has ", label(outer));
    text_bytes(&text, out);
    str_addf(&text, ", '%.60s' inside it ", label(inner));
    text_bytes(&text, in);
    shimxml_finding_add(f, INNER_LARGER, outer, "%s", str_text(&text));
    str_release(&text);
}

static void check_kinds(const struct shimxml_node *outer, const struct shimxml_node *inner, struct shimxml_findings *f)
{
    const char *out = shimxml_get(outer, "cacheType"), *in = shimxml_get(inner, "cacheType");
    if (out && in && strcmp(out, "UNIFIED") != 0 && strcmp(out, in) != 0)
        shimxml_finding_add(f, CACHE_KINDS, outer, "'%.60s' is of the type %.20s, '%.60s' inside it %.20s",
                            label(outer), out, label(inner), in);
}

/* One finding for an id, however often it occurs. */
static void say_doubled(const struct shimxml_node *n, const struct map *seen, struct shimxml_findings *f)
{
    for (size_t i = 0; i < seen->n; i++)
        if (seen->values[i] > 1)
            shimxml_finding_add(f, DOUBLED_REFERENCE, n, "'%.60s' names '%.60s' %zu times", label(n), seen->keys[i],
                                seen->values[i]);
}

void caches_check_references(const struct shimxml_node *n, struct shimxml_findings *f)
{
    struct map seen = {0};
    bool cache = shimxml_is(n, "Cache");
    const struct shimxml_node *r = shimxml_child(n, reference_of(n));
    for (; r; r = shimxml_next(r, shimxml_name(r))) {
        const struct shimxml_node *inner = shimxml_target(r, 0);
        char *id = shimxml_text(r);
        size_t before = 0;
        map_get(&seen, id, &before);
        map_put(&seen, id, before + 1);
        free(id);
        if (before || !cache || !shimxml_is(inner, "Cache") || inner == n)
            continue;
        check_kinds(n, inner, f);
        check_sizes(n, inner, f);
    }
    say_doubled(n, &seen, f);
    map_release(&seen);
}

void caches_check_alone(const struct caches *c, struct shimxml_findings *f)
{
    for (size_t i = 0; c->of_cores && i < c->all.n; i++)
        if (!caches_are_connected(c, c->all.at[i]))
            shimxml_finding_add(f, LONELY_CACHE, c->all.at[i],
                                "cache '%.60s' is in no core, refers to no cache, and no cache refers to it",
                                label(c->all.at[i]));
}

void caches_release(struct caches *c)
{
    vec_release(&c->all);
    map_release(&c->named);
    map_release(&c->reached);
}
