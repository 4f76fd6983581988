/*
 * map_links.c - what data costs between two cores. A Connection of a FIFO or of shared registers carries the data
 * in pieces of its dataSize. Any other Connection is a message; the data is read from the nearest memory that both
 * cores share: a cache that serves both, else a common memory. What the file does not have is assumed, and noted.
 */
#include "shimgen/map/map_links.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

/* The cost of reading what another core has written: the first piece, and each further one [cycles of the reader]. */
struct reading {
    double first, each, piece;
    bool known;
};

/* The first cache on the reader's path that is also on the writer's; SHIMXML_MEMORY: none. */
static size_t common_cache(const struct shimxml_system *s, size_t writer, size_t reader)
{
    const struct shimxml_cache *c = 0, *other;
    while ((c = shimxml_next_cache(s, reader, c)))
        for (other = 0; (other = shimxml_next_cache(s, writer, other));)
            if (other == c)
                return (size_t)(c - s->caches);
    return SHIMXML_MEMORY;
}

/* Does the writer reach the memory, too? If nobody's accesses to it are given, that is not known. */
static bool reaches(const struct shimxml_system *s, size_t core, size_t memory)
{
    for (size_t i = 0; i < s->n_accesses; i++)
        if (s->accesses[i].core == core && s->accesses[i].memory == memory)
            return true;
    return false;
}

/* Among reads that this cache or memory answers, those of the largest size. */
static struct reading read_from(const struct shimxml_system *s, size_t writer, size_t reader, size_t cache)
{
    struct reading r = {0};
    for (size_t i = 0; i < s->n_accesses; i++) {
        const struct shimxml_access *a = &s->accesses[i];
        if (a->core != reader || a->cache != cache || (*a->rw && !strchr(a->rw, 'R')) || a->bytes < 1 ||
            !(a->latency.typical >= 0) || (r.known && (double)a->bytes <= r.piece) || !reaches(s, writer, a->memory))
            continue;
        double each = a->pitch.typical >= 0 ? a->pitch.typical : a->latency.typical;
        r = (struct reading){a->latency.typical, each, (double)a->bytes, true};
    }
    return r;
}

static struct reading reading_of(const struct shimxml_system *s, size_t writer, size_t reader)
{
    struct reading r = read_from(s, writer, reader, common_cache(s, writer, reader));
    return r.known ? r : read_from(s, writer, reader, SHIMXML_MEMORY);
}

static double typical(const struct shimxml_node *connection, const char *quantity)
{
    const struct shimxml_node *p = shimxml_child(connection, "Performance"), *v = p ? shimxml_child(p, quantity) : 0;
    return v ? shimxml_number(v, "typical") : NAN;
}

/* Inputs for all pairs, and the number of pairs that lack something. */
struct making {
    struct map_machine *m;
    const struct shimxml_doc *d;
    const struct map_links *l;
    size_t without_message, without_data;
};

static void add_link(struct making *k, size_t from, size_t to, const struct map_link *link)
{
    vec_push(&k->m->ways[from * k->m->cores.n + to].links, *link);
}

static struct reading data_of(struct making *k, size_t from, size_t to)
{
    struct reading r = reading_of(k->l->system, k->l->index.at[from], k->l->index.at[to]);
    if (!r.known) {
        k->without_data++;
        r = (struct reading){k->l->assumed->message, k->l->assumed->line, MAP_LINE, false};
    }
    return r;
}

static void add_message(struct making *k, size_t from, size_t to, double latency)
{
    struct reading r = data_of(k, from, to);
    add_link(k, from, to,
             &(struct map_link){map_time(k->m, from, latency), map_time(k->m, to, r.first), map_time(k->m, to, r.each),
                                r.piece});
}

/* Data that go through the channel itself. */
static void add_channel(struct making *k, size_t from, size_t to, double latency, double pitch, double piece)
{
    add_link(k, from, to,
             &(struct map_link){map_time(k->m, from, latency), 0, map_time(k->m, from, pitch >= 0 ? pitch : latency),
                                piece});
}

/* A channel's data size; 0: not given. */
static double data_size(const struct shimxml_node *kind)
{
    const char *size = shimxml_get(kind, "dataSize"), *unit = shimxml_get(kind, "dataSizeUnit");
    uint64_t bytes = 0;
    char *text = xasprintf("%s %s", size ? size : "", unit ? unit : "B");
    bool known = parse_bytes(text, &bytes, 0);
    free(text);
    return known ? (double)bytes : 0;
}

static size_t core_of_id(const struct making *k, const char *id)
{
    for (size_t i = 0; id && i < k->l->index.n; i++)
        if (strcmp(k->l->system->cores[k->l->index.at[i]].id, id) == 0)
            return i;
    return MAP_NONE;
}

static void add_connection(struct making *k, const struct shimxml_node *c)
{
    size_t from = core_of_id(k, shimxml_get(c, "from")), to = core_of_id(k, shimxml_get(c, "to"));
    const struct shimxml_node *kind = shimxml_parent(shimxml_parent(c));
    double latency = typical(c, "Latency");
    if (from == MAP_NONE || to == MAP_NONE || from == to || !(latency >= 0))
        return;
    bool channel = shimxml_is(kind, "FIFOCommunication") || shimxml_is(kind, "SharedRegisterCommunication");
    double piece = channel ? data_size(kind) : 0;
    if (piece > 0)
        add_channel(k, from, to, latency, typical(c, "Pitch"), piece);
    else
        add_message(k, from, to, latency);
}

static void note(struct making *k)
{
    const struct map_assumed *a = k->l->assumed;
    if (k->without_message)
        vec_push(
            &k->m->notes,
            xasprintf("%s: no communication values for %zu of %zu pairs of cores; assumed: %g cycles until the other "
                      "core knows (--message)",
                      k->m->path, k->without_message, k->m->cores.n * (k->m->cores.n - 1), a->message));
    if (k->without_data)
        vec_push(
            &k->m->notes,
            xasprintf("%s: no reads of a memory that both cores share for %zu of %zu pairs; assumed: %g cycles for "
                      "the first %d bytes (--message), %g for each further %d (--line)",
                      k->m->path, k->without_data, k->m->cores.n * (k->m->cores.n - 1), a->message, MAP_LINE, a->line,
                      MAP_LINE));
}

void map_links_make(struct map_machine *m, const struct shimxml_doc *d, const struct map_links *links)
{
    struct making k = {m, d, links, 0, 0};
    size_t n = m->cores.n;
    m->ways = xcalloc(n * n, sizeof *m->ways);
    const struct shimxml_node *root = shimxml_root(d), *set = shimxml_child(root, "CommunicationSet"), *c = set;
    while (set && (c = shimxml_following(set, c, "Connection")))
        add_connection(&k, c);
    for (size_t i = 0; i < n * n; i++) {
        if (i / n == i % n || m->ways[i].links.n)
            continue;
        k.without_message++;
        add_message(&k, i / n, i % n, links->assumed->message);
    }
    note(&k);
}
