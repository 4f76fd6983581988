/* access_levels.c - finds which cache level a PerformanceSet of an Accessor describes. */
#include "shim-xml/document/access_levels.h"
#include "shim-xml/document/instruction_widths.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BEGIN " the cache "
#define END   " answers "

/* ---- sets ---- */

char *level_comment(const char *cache_id)
{
    return xasprintf(BEGIN "%s" END, cache_id);
}

bool level_is_comment(const struct shimxml_node *n)
{
    size_t length = n->type == NODE_COMMENT ? strlen(n->u.text) : 0;
    return length > strlen(BEGIN END) && strncmp(n->u.text, BEGIN, strlen(BEGIN)) == 0 &&
           strcmp(n->u.text + length - strlen(END), END) == 0;
}

static struct shimxml_node *cache_of_comment(const struct shimxml_node *n)
{
    size_t length = strlen(n->u.text);
    char *id = xstrndup(n->u.text + strlen(BEGIN), length - strlen(BEGIN END));
    struct shimxml_node *cache = shimxml_by_id(doc_of(n), id);
    free(id);
    return shimxml_is(cache, "Cache") ? cache : 0;
}

static struct shimxml_node *next_of_comments(const struct shimxml_node *accessor, const struct shimxml_node *set,
                                             struct shimxml_node **cache)
{
    const struct shimxml_node *before = set;
    struct shimxml_node *n = set ? set->next : accessor->first;
    for (; n; before = n, n = n->next) {
        if (!shimxml_is(n, "PerformanceSet"))
            continue;
        *cache = before && level_is_comment(before) ? cache_of_comment(before) : 0;
        if (!set || *cache)
            return n;
    }
    return 0;
}

struct shimxml_node *level_next(const struct shimxml_node *accessor, const struct shimxml_node *set,
                                struct shimxml_node **cache)
{
    if (doc_of(accessor)->schema == &schema1)
        return next_of_comments(accessor, set, cache);
    struct shimxml_node *n = set ? shimxml_next(set, "PerformanceSet") : shimxml_child(accessor, "PerformanceSet");
    *cache = n ? shimxml_target(n, "cacheRef") : 0;
    if (!shimxml_is(*cache, "Cache"))
        *cache = 0;
    return n;
}

/* ---- as plain data ---- */

/* Numbers elements of a kind in the order of the document. */
static void number(struct map *numbers, const struct shimxml_node *root, const char *name)
{
    size_t i = 0;
    for (const struct shimxml_node *n = 0; (n = shimxml_following(root, n, name)); i++) {
        char key[32];
        snprintf(key, sizeof key, "%p", (const void *)n);
        map_put(numbers, key, i);
    }
}

static bool number_of(const struct map *numbers, const struct shimxml_node *n, const char *kind, size_t *i)
{
    char key[32];
    snprintf(key, sizeof key, "%p", (const void *)n);
    return shimxml_is(n, kind) && map_get(numbers, key, i);
}

static void take_set(struct shimxml_system *s, size_t *room, const struct shimxml_access *like,
                     const struct shimxml_node *set)
{
    const struct shimxml_node *p = shimxml_child(set, "Performance");
    for (; p; p = shimxml_next(p, "Performance")) {
        const struct shimxml_node *type = shimxml_target(p, "accessTypeRef");
        double bytes = shimxml_is(type, "AccessType") ? shimxml_number(type, "accessByteSize") : (double)NAN;
        const char *rw = shimxml_is(type, "AccessType") ? shimxml_get(type, "rwType") : 0;
        if (s->n_accesses == *room)
            s->accesses = xreallocarray(s->accesses, *room = *room ? 2 * *room : 16, sizeof *s->accesses);
        struct shimxml_access *a = &s->accesses[s->n_accesses++];
        *a = *like;
        snprintf(a->rw, sizeof a->rw, "%s", rw ? rw : "");
        a->bytes = bytes >= 1 && bytes <= 1e6 ? (long)bytes : 0;
        a->pitch = performance_range(p, "Pitch");
        a->latency = performance_range(p, "Latency");
    }
}

static double latency_of(const struct shimxml_node *set)
{
    const struct shimxml_node *p = shimxml_child(set, "Performance");
    return p ? performance_range(p, "Latency").typical : (double)NAN;
}

/* For files without the comments of SHIM 1.0, which tools drop: are the sets after the memory's those of the caches on
 * the core's path, in order? They are if there are as many, none is slower than the next, and the memory is the
 * slowest. */
static bool are_of_caches(const struct shimxml_system *s, size_t core, const struct shimxml_node *memory)
{
    const struct shimxml_node *set = memory;
    const struct shimxml_cache *cache = 0;
    double before = 0;
    while ((set = shimxml_next(set, "PerformanceSet"))) {
        cache = shimxml_next_cache(s, core, cache);
        if (!cache || !(latency_of(set) >= before))
            return false;
        before = latency_of(set);
    }
    return cache && !shimxml_next_cache(s, core, cache) && latency_of(memory) >= before;
}

static void take_unnamed(struct shimxml_system *s, size_t *room, struct shimxml_access *like,
                         const struct shimxml_node *memory)
{
    const struct shimxml_cache *cache = 0;
    for (const struct shimxml_node *set = memory; (set = shimxml_next(set, "PerformanceSet"));) {
        cache = shimxml_next_cache(s, like->core, cache);
        like->cache = (size_t)(cache - s->caches);
        take_set(s, room, like, set);
    }
}

void levels_take_accesses(struct shimxml_system *s, const struct shimxml_node *root)
{
    struct map numbers = {0};
    size_t room = 0;
    number(&numbers, root, "MasterComponent");
    number(&numbers, root, "SlaveComponent");
    number(&numbers, root, "Cache");
    for (const struct shimxml_node *n = 0; (n = shimxml_following(root, n, "Accessor"));) {
        struct shimxml_node *set = 0, *cache;
        const struct shimxml_node *binding = shimxml_owner(n, "MasterSlaveBinding");
        const struct shimxml_node *memory = binding ? shimxml_target(binding, "slaveComponentRef") : 0;
        struct shimxml_access a = {.cache = SHIMXML_MEMORY};
        if (!number_of(&numbers, shimxml_target(n, "masterComponentRef"), "MasterComponent", &a.core) ||
            !number_of(&numbers, memory, "SlaveComponent", &a.memory))
            continue;
        const struct shimxml_node *first = 0, *last = 0;
        for (; (set = level_next(n, set, &cache)); last = set) {
            if (!number_of(&numbers, cache, "Cache", &a.cache))
                a.cache = SHIMXML_MEMORY;
            first = first ? first : set;
            take_set(s, &room, &a, set);
        }
        if (first && first == last && doc_of(n)->schema == &schema1 && are_of_caches(s, a.core, first))
            take_unnamed(s, &room, &a, first);
    }
    map_release(&numbers);
}
