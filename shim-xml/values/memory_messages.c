/* memory_messages.c - writes message costs of a memory table into Connections. */
#include "shim-xml/values/memory_fill.h"

#define CHANNEL "SharedMemory"

/* The channel with this name, else a new one. */
static struct shimxml_node *channel(const struct memory_filling *f)
{
    static const char kind[] = "SharedMemoryCommunication";
    struct shimxml_node *set = shimxml_need(f->root, "CommunicationSet"), *n = shimxml_child(set, kind);
    for (; n; n = shimxml_next(n, kind))
        if (memory_same_text(shimxml_get(n, "name"), CHANNEL))
            return n;
    n = shimxml_add(set, kind);
    shimxml_set(n, "name", CHANNEL);
    shimxml_set(n, "operationType", "OTHER");
    shimxml_set(n, "dataSize", "8");
    shimxml_set(n, "dataSizeUnit", "B");
    const struct shimxml_node *space = f->sub ? shimxml_owner(f->sub, "AddressSpace") : 0;
    if (space && shimxml_get(space, "id") && shimxml_get(f->sub, "id")) {
        shimxml_set(n, "addressSpaceRef", shimxml_get(space, "id"));
        shimxml_set(n, "subSpaceRef", shimxml_get(f->sub, "id"));
    }
    return n;
}

static struct shimxml_node *connection(struct shimxml_node *set, const char *from, const char *to)
{
    for (struct shimxml_node *n = shimxml_child(set, "Connection"); n; n = shimxml_next(n, "Connection")) {
        if (memory_same_text(shimxml_get(n, "from"), from) && memory_same_text(shimxml_get(n, "to"), to)) {
            shimxml_clear(n);
            return n;
        }
    }
    struct shimxml_node *n = shimxml_add(set, "Connection");
    shimxml_set(n, "from", from);
    shimxml_set(n, "to", to);
    return n;
}

static const struct memory_unit *unit_with_pid(const struct memory_filling *f, long pid)
{
    for (size_t i = 0; i < f->units.n; i++)
        if (f->units.at[i].pid == pid)
            return &f->units.at[i];
    return 0;
}

size_t memory_fill_connections(const struct memory_filling *f)
{
    size_t filled = 0;
    for (size_t i = 0; i < f->v->at.n; i++) {
        const struct memory_value *m = &f->v->at.at[i];
        const struct memory_unit *from = m->access == 'M' ? unit_with_pid(f, m->core) : 0,
                                 *to = from ? unit_with_pid(f, m->partner) : 0;
        if (!to || to == from)
            continue;
        struct shimxml_node *set = shimxml_need(channel(f), "ConnectionSet");
        memory_add_performance(connection(set, from->id, to->id), 0, &m->pitch, &m->latency);
        filled++;
    }
    return filled;
}
