/* check_refs.c - references: that they lead somewhere, to the right kind, of the right owner; no rings. The schema
 * cannot say it, and libxml2's schema check does not even find a reference that leads nowhere. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "shim-xml/findings.h"

static const struct {
    const char *attribute, *kind;
} kinds[] = {{"slaveComponentRef", "SlaveComponent"},
             {"masterComponentRef", "MasterComponent"},
             {"from", "MasterComponent"},
             {"to", "MasterComponent"},
             {"accessTypeRef", "AccessType"},
             {"addressSpaceRef", "AddressSpace"},
             {"subSpaceRef", "SubSpace"}};

struct ids {
    struct map index;
    VEC(const xmlNode *) nodes;
};

static void collect(struct ids *ids, const xmlNode *root)
{
    for (const xmlNode *n = root; n; n = node_following(n, root)) {
        const char *id = node_attribute(n, "id");
        if (!id || map_get(&ids->index, id, 0))
            continue;
        map_put(&ids->index, id, ids->nodes.n);
        vec_push(&ids->nodes, n);
    }
}

static const xmlNode *target_of(const struct ids *ids, const char *id)
{
    size_t i;
    return map_get(&ids->index, id, &i) ? ids->nodes.at[i] : 0;
}

static void check_one(const struct ids *ids, const xmlNode *n, const char *what, const char *id, const char *kind,
                      struct shimxml_findings *f)
{
    const xmlNode *target = target_of(ids, id);
    if (!target)
        shimxml_finding_add(f, DANGLING, n, "%s '%.60s': there is no element with this id", what, id);
    else if (!node_is(target, kind))
        shimxml_finding_add(f, WRONG_KIND, n, "%s '%.60s' is a %s, not a %s", what, id, node_name(target), kind);
}

/* A Performance in an Accessor speaks of the accesses of the Accessor's own master. */
static void check_owner(const struct ids *ids, const xmlNode *performance, struct shimxml_findings *f)
{
    const char *ref = node_attribute(performance, "accessTypeRef");
    const xmlNode *accessor = node_owner(performance, "Accessor");
    const xmlNode *type = ref ? target_of(ids, ref) : 0;
    if (!accessor || !node_is(type, "AccessType"))
        return;
    const xmlNode *owner = node_owner(type, "MasterComponent");
    const char *id = owner ? node_attribute(owner, "id") : 0, *master = node_attribute(accessor, "masterComponentRef");
    if (id && master && strcmp(id, master) != 0)
        shimxml_finding_add(f, WRONG_OWNER, performance,
                            "accessTypeRef '%.60s' belongs to %.60s, the Accessor to %.60s", ref, id, master);
}

enum colour { WHITE, GREY, BLACK };

struct step {
    size_t cache;
    const xmlNode *next; /* cacheRef to follow next */
};
typedef VEC(struct step) steps_t;

static void enter(const struct ids *ids, size_t cache, unsigned char *colours, steps_t *way)
{
    colours[cache] = GREY;
    vec_push(way, (struct step){cache, node_child(ids->nodes.at[cache], "cacheRef")});
}

/* Depth first along cacheRef, without recursion, since a file may nest caches as deep as it likes. Grey: on the way. */
static void follow(const struct ids *ids, size_t first, unsigned char *colours, struct shimxml_findings *f)
{
    steps_t way = {0};
    enter(ids, first, colours, &way);
    while (way.n) {
        struct step *top = &way.at[way.n - 1];
        const xmlNode *reference = top->next;
        if (!reference) {
            colours[top->cache] = BLACK;
            way.n--;
            continue;
        }
        top->next = node_next(reference, "cacheRef");
        char *id = node_text(reference);
        size_t inner;
        if (map_get(&ids->index, id, &inner) && node_is(ids->nodes.at[inner], "Cache")) {
            if (colours[inner] == GREY)
                shimxml_finding_add(f, CACHE_RING, reference, "cacheRef '%.60s' leads back to where it came from", id);
            else if (colours[inner] == WHITE)
                enter(ids, inner, colours, &way);
        }
        free(id);
    }
    vec_release(&way);
}

void check_references(const struct shimxml_doc *d, struct shimxml_findings *f)
{
    const xmlNode *root = xmlDocGetRootElement(d->xml);
    struct ids ids = {0};
    collect(&ids, root);
    for (const xmlNode *n = root; n; n = node_following(n, root)) {
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            const char *id = node_attribute(n, kinds[i].attribute);
            if (id)
                check_one(&ids, n, kinds[i].attribute, id, kinds[i].kind, f);
        }
        if (node_is(n, "cacheRef")) {
            char *id = node_text(n);
            check_one(&ids, n, "cacheRef", id, "Cache", f);
            free(id);
        }
        if (node_is(n, "Performance"))
            check_owner(&ids, n, f);
    }
    unsigned char *colours = xcalloc(ids.nodes.n, 1);
    for (size_t i = 0; i < ids.nodes.n; i++)
        if (colours[i] == WHITE && node_is(ids.nodes.at[i], "Cache"))
            follow(&ids, i, colours, f);
    free(colours);
    map_release(&ids.index);
    vec_release(&ids.nodes);
}
