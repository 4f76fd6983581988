/* machine_make.c - makes the document of a machine from a description. */
#include <stdlib.h>
#include <string.h>

#include "shim-xml/document/machine.h"

static const char *text_or(const char *text, const char *otherwise)
{
    return text ? text : otherwise;
}

/* ---- caches ---- */

/* Counts the caches of the same level and kind in the clusters before: numbers are unique in the machine. */
static void number_caches(struct machine *m)
{
    size_t next[5][3] = {{0}};
    for (size_t i = 0; i < m->clusters.n; i++) {
        struct machine_cluster *c = &m->clusters.at[i];
        for (size_t k = 0; k < c->caches.n; k++) {
            struct machine_cache *x = &c->caches.at[k];
            size_t *n = &next[x->level][*x->geometry.type == 'I' ? 0 : *x->geometry.type == 'D' ? 1 : 2];
            x->base = *n;
            *n += (size_t)((c->cores + x->shared - 1) / x->shared);
        }
    }
}

/* The id of the cache that serves the core, which is counted within its cluster. The caller frees. */
static char *cache_id(const struct machine_cache *x, long core)
{
    return xasprintf("C_L%d_%s_%zu", x->level, skeleton_cache_kind(x->geometry.type),
                     x->base + (size_t)(core / x->shared));
}

/* Refers to all caches of `x` that serve these cores. */
static void refer(struct shimxml_node *n, const struct machine_cache *x, long first, long cores)
{
    for (long core = first; core < first + cores; core += x->shared) {
        char *id = cache_id(x, core);
        shimxml_set_text(shimxml_add(n, "cacheRef"), id);
        free(id);
    }
}

/* Refers inwards: to the cluster's next level below `level`. */
static void refer_inwards(struct shimxml_node *n, const struct machine_cluster *c, int level, long first, long cores)
{
    int next = 0;
    for (size_t i = 0; i < c->caches.n; i++)
        if (c->caches.at[i].level < level && c->caches.at[i].level > next)
            next = c->caches.at[i].level;
    for (size_t i = 0; i < c->caches.n; i++)
        if (c->caches.at[i].level == next)
            refer(n, &c->caches.at[i], first, cores);
}

static void add_cache(struct shimxml_node *parent, const struct machine_cluster *c, const struct machine_cache *x,
                      long first)
{
    char *id = cache_id(x, first);
    long cores = first + x->shared > c->cores ? c->cores - first : x->shared;
    struct shimxml_node *n = skeleton_add_cache(parent, id + 2, id, &x->geometry); /* its name: the id without "C_" */
    refer_inwards(n, c, x->level, first, cores);
    free(id);
}

static void add_shared_caches(struct shimxml_node *set, const struct machine_cluster *c)
{
    for (size_t i = 0; i < c->caches.n; i++)
        for (long first = 0; c->caches.at[i].shared > 1 && first < c->cores; first += c->caches.at[i].shared)
            add_cache(set, c, &c->caches.at[i], first);
}

/* ---- cores ---- */

static char *core_name(const struct machine_cluster *c, long core)
{
    return xasprintf("%s_%zu", text_or(c->core, "Core"), c->first + (size_t)core);
}

static void add_access_types(struct shimxml_node *master, const struct machine_cluster *c, const char *name)
{
    static const unsigned usual[] = {1, 2, 4, 8}; /* the sizes that the reference measurement tools know */
    struct shimxml_node *set = shimxml_add(master, "AccessTypeSet");
    for (size_t i = 0; i < c->accesses.n; i++)
        skeleton_add_access_type(set, name, c->accesses.at[i].rw, c->accesses.at[i].bytes);
    for (size_t i = 0; !c->accesses.n && i < 8; i++)
        skeleton_add_access_type(set, name, i < 4 ? "R" : "W", usual[i % 4]);
}

static void add_core(const struct machine *m, struct shimxml_node *set, const struct machine_cluster *c, long core)
{
    char *name = core_name(c, core);
    struct shimxml_node *n = shimxml_add(set, "MasterComponent");
    shimxml_set(n, "name", name);
    shimxml_setf(n, "id", "MC_%s", name);
    shimxml_set(n, "masterType", text_or(c->type, "PU"));
    shimxml_set(n, "arch", c->arch);
    shimxml_set(n, "archOption", c->option);
    shimxml_setf(n, "pid", "%zu", c->pid >= 0 ? (size_t)(c->pid + core) : c->first + (size_t)core);
    shimxml_setf(n, "nThread", "%ld", c->threads);
    shimxml_set(n, "endian", text_or(c->endian, text_or(m->endian, skeleton_endian())));
    for (size_t i = 0; i < c->caches.n; i++)
        if (c->caches.at[i].shared == 1)
            add_cache(n, c, &c->caches.at[i], core);
    if (c->clock_hz > 0)
        shimxml_set_number(shimxml_add(n, "ClockFrequency"), "clockValue", c->clock_hz);
    add_access_types(n, c, name);
    free(name);
}

static void add_cluster(const struct machine *m, struct shimxml_node *system, const struct machine_cluster *c)
{
    struct shimxml_node *set = shimxml_add(system, "ComponentSet");
    shimxml_set(set, "name", c->name);
    for (long i = 0; i < c->cores; i++)
        add_core(m, set, c, i);
    add_shared_caches(set, c);
}

/* ---- caches and memories outside clusters ---- */

static void add_outer(const struct machine *m, struct shimxml_node *system, const struct machine_outer *o)
{
    char *id = xasprintf("CX_%s", o->name); /* differs from the ids of caches in clusters */
    struct shimxml_node *n = skeleton_add_cache(system, o->name, id, &o->geometry);
    for (size_t i = 0; i < m->clusters.n; i++)
        if (machine_is_named(text_or(o->of, "*"), m->clusters.at[i].name))
            refer_inwards(n, &m->clusters.at[i], 5, 0, m->clusters.at[i].cores);
    free(id);
}

static struct shimxml_node *set_called(struct shimxml_node *system, const char *name)
{
    struct shimxml_node *n = shimxml_child(system, "ComponentSet");
    while (n && strcmp(shimxml_get(n, "name"), name) != 0)
        n = shimxml_next(n, "ComponentSet");
    return n ? n : system;
}

static void add_accessors(const struct machine *m, struct shimxml_node *binding, const char *from)
{
    for (size_t i = 0; i < m->clusters.n; i++) {
        const struct machine_cluster *c = &m->clusters.at[i];
        for (long core = 0; machine_is_named(from, c->name) && core < c->cores; core++) {
            char *name = core_name(c, core);
            shimxml_setf(shimxml_add(binding, "Accessor"), "masterComponentRef", "MC_%s", name);
            free(name);
        }
    }
}

static void add_memories(const struct machine *m, struct shimxml_node *root, struct shimxml_node *system)
{
    struct shimxml_node *space = m->memories.n ? skeleton_add_space(root) : 0;
    for (size_t i = 0; i < m->memories.n; i++) {
        const struct machine_memory *x = &m->memories.at[i];
        const char *in = x->in || m->clusters.n > 1 ? x->in : m->clusters.at[0].name;
        char *id = xasprintf("SC_%s", x->name);
        skeleton_add_memory(in ? set_called(system, in) : system, x->name, id, x->bytes, text_or(x->rw, "RWX"));
        add_accessors(
            m, skeleton_add_range(space, i, x->name, id, x->start, x->end, text_or(m->endian, skeleton_endian())),
            text_or(x->from, "*"));
        free(id);
    }
}

static struct shimxml_doc *make(struct machine *m)
{
    struct shimxml_doc *d = skeleton_new(m->name);
    struct shimxml_node *root = shimxml_root(d), *system = shimxml_add(root, "ComponentSet");
    shimxml_set(system, "name", "System");
    number_caches(m);
    size_t cores = 0;
    for (size_t i = 0; i < m->clusters.n; i++) {
        m->clusters.at[i].first = cores;
        cores += (size_t)m->clusters.at[i].cores;
    }
    for (size_t i = 0; i < m->clusters.n; i++)
        add_cluster(m, system, &m->clusters.at[i]);
    for (size_t i = 0; i < m->outer.n; i++)
        add_outer(m, system, &m->outer.at[i]);
    add_memories(m, root, system);
    shimxml_set_number(shimxml_add(root, "ClockFrequency"), "clockValue", m->clock_hz);
    return d;
}

enum status shimxml_describe(struct shimxml_doc **out, const char *path, struct error *e)
{
    struct machine *m = 0;
    enum status s = machine_read(&m, path, e);
    if (!s)
        *out = make(m);
    machine_free(m);
    return s;
}
