/* merge_connections.c - copies the costs of connections from another SHIM file. */
#include <stdlib.h>
#include <string.h>

#include "shim-xml/values/merge_access.h"

struct merging {
    const struct pairing *p;
    struct map given; /* key -> index in `connections`: those of the other file that have values */
    VEC(const struct shimxml_node *) connections;
    struct map masters; /* of the target: attribute -> index in `nodes` */
    VEC(struct shimxml_node *) nodes;
};

static const struct shimxml_node *channel_of(const struct shimxml_node *connection)
{
    return shimxml_parent(shimxml_parent(connection));
}

/* NULL: an end lacks the attribute. By architecture, a core's messages to itself are not messages to another core of
 * its kind. */
static char *connection_key(const struct merging *m, const struct shimxml_node *n)
{
    const struct shimxml_node *from = shimxml_target(n, "from"), *to = shimxml_target(n, "to"),
                              *channel = channel_of(n);
    const char *a = from ? shimxml_get(from, m->p->by) : 0, *b = to ? shimxml_get(to, m->p->by) : 0;
    if (!a || !b || !channel)
        return 0;
    const char *values[] = {shimxml_name(channel), shimxml_get(channel, "name"), a, b, from == to ? "itself" : 0};
    return merge_key(values, sizeof values / sizeof *values);
}

static void copy_values(const struct merging *m, struct shimxml_node *to, const struct shimxml_node *from)
{
    struct shimxml_node *p = shimxml_child(to, "Performance");
    for (const struct shimxml_node *g = shimxml_child(from, "Performance"); g; g = shimxml_next(g, "Performance")) {
        p = p ? p : shimxml_add(to, "Performance");
        unit_copy_values(p, g, m->p->which);
        p = shimxml_next(p, "Performance");
    }
}

static bool is_wanted(const struct merging *m, const struct shimxml_node *master)
{
    return master && unit_is_wanted(master, m->p->which);
}

/* ---- existing connections ---- */

static void index_given(struct merging *m)
{
    const struct shimxml_node *n = 0;
    while ((n = shimxml_following(shimxml_root(m->p->from), n, "Connection"))) {
        char *key = shimxml_child(n, "Performance") ? connection_key(m, n) : 0;
        if (key && !map_get(&m->given, key, 0)) {
            map_put(&m->given, key, m->connections.n);
            vec_push(&m->connections, n);
        }
        free(key);
    }
}

/* Fills in values. Notes which connections of the other file exist here, so that they are not added. */
static size_t fill(struct merging *m, bool *found)
{
    size_t filled = 0, i;
    struct shimxml_node *n = 0;
    while ((n = shimxml_following(shimxml_root(m->p->d), n, "Connection"))) {
        char *key = connection_key(m, n);
        if (key && map_get(&m->given, key, &i)) {
            found[i] = true;
            if (is_wanted(m, shimxml_target(n, "from"))) {
                copy_values(m, n, m->connections.at[i]);
                filled++;
            }
        }
        free(key);
    }
    return filled;
}

/* ---- missing connections ---- */

static void index_masters(struct merging *m)
{
    struct shimxml_node *n = 0;
    while ((n = shimxml_following(shimxml_root(m->p->d), n, "MasterComponent"))) {
        const char *value = shimxml_get(n, m->p->by);
        if (!value || map_get(&m->masters, value, 0))
            continue;
        map_put(&m->masters, value, m->nodes.n);
        vec_push(&m->nodes, n);
    }
}

static struct shimxml_node *here(const struct merging *m, const struct shimxml_node *master)
{
    const char *value = master ? shimxml_get(master, m->p->by) : 0;
    size_t i;
    return value && map_get(&m->masters, value, &i) ? m->nodes.at[i] : 0;
}

/* A channel of the same kind and name. A new one does not get the references that the other has in its own file. */
static struct shimxml_node *channel_like(const struct merging *m, const struct shimxml_node *other)
{
    struct shimxml_node *set = shimxml_need(shimxml_root(m->p->d), "CommunicationSet");
    const char *kind = shimxml_name(other), *called = shimxml_get(other, "name"), *name, *value = 0;
    struct shimxml_node *n = shimxml_child(set, kind);
    for (; n; n = shimxml_next(n, kind))
        if (strcmp(shimxml_get(n, "name") ? shimxml_get(n, "name") : "", called ? called : "") == 0)
            return n;
    n = shimxml_add(set, kind);
    for (size_t i = 0; (name = shimxml_attribute(other, i, &value)); i++)
        if (!schema_reference(m->p->d->schema, name))
            shimxml_set(n, name, value);
    return n;
}

static size_t add_missing(struct merging *m, const bool *found)
{
    size_t added = 0;
    index_masters(m);
    for (size_t i = 0; i < m->connections.n; i++) {
        const struct shimxml_node *other = m->connections.at[i], *from = here(m, shimxml_target(other, "from")),
                                  *to = here(m, shimxml_target(other, "to"));
        const char *a = from ? shimxml_get(from, "id") : 0, *b = to ? shimxml_get(to, "id") : 0;
        if (found[i] || !a || !b || !is_wanted(m, from))
            continue;
        struct shimxml_node *n =
            shimxml_add(shimxml_need(channel_like(m, channel_of(other)), "ConnectionSet"), "Connection");
        shimxml_set(n, "from", a);
        shimxml_set(n, "to", b);
        copy_values(m, n, other);
        added++;
    }
    return added;
}

size_t merge_connections(const struct pairing *p)
{
    struct merging m = {.p = p};
    index_given(&m);
    bool *found = xcalloc(m.connections.n + 1, sizeof *found);
    size_t merged = fill(&m, found);
    if (strcmp(p->by, "arch") != 0) /* an architecture does not tell which core sends to which */
        merged += add_missing(&m, found);
    free(found);
    map_release(&m.given);
    map_release(&m.masters);
    vec_release(&m.connections);
    vec_release(&m.nodes);
    return merged;
}
