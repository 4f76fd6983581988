#include "shim-xml/memory_fill.h"

#define CHANNEL "SharedMemory"

static xmlNode *communication_set(xmlNode *root)
{
    xmlNode *set = node_child(root, "CommunicationSet");
    if (set)
        return set;
    set = xmlNewDocNode(root->doc, 0, BAD_CAST "CommunicationSet", 0);
    xmlNode *before = node_child(root, "AddressSpaceSet");
    if (!before)
        before = node_child(root, "ClockFrequency");
    if (before)
        xmlAddPrevSibling(before, set);
    else
        xmlAddChild(root, set);
    return set;
}

/* The channel so called, else a new one, at its place in the order of the schema. */
static xmlNode *channel(const struct memory_filling *f)
{
    xmlNode *set = communication_set(f->root), *n, *last = 0;
    for (n = node_child(set, 0); n; n = node_next(n, 0)) {
        if (node_is(n, "SharedMemoryCommunication") && memory_same_text(node_attribute(n, "name"), CHANNEL))
            return n;
        if (node_is(n, "SharedRegisterCommunication") || node_is(n, "SharedMemoryCommunication"))
            last = n;
    }
    n = xmlNewDocNode(set->doc, 0, BAD_CAST "SharedMemoryCommunication", 0);
    node_set(n, "name", CHANNEL);
    node_set(n, "operationType", "OTHER");
    node_set(n, "dataSize", "8");
    node_set(n, "dataSizeUnit", "B");
    const xmlNode *space = f->sub ? node_owner(f->sub, "AddressSpace") : 0;
    if (space && node_attribute(space, "id") && node_attribute(f->sub, "id")) {
        node_set(n, "addressSpaceRef", node_attribute(space, "id"));
        node_set(n, "subSpaceRef", node_attribute(f->sub, "id"));
    }
    if (last)
        xmlAddNextSibling(last, n);
    else if (set->children)
        xmlAddPrevSibling(set->children, n);
    else
        xmlAddChild(set, n);
    return n;
}

static xmlNode *connection(xmlNode *set, const char *from, const char *to)
{
    for (xmlNode *n = node_child(set, "Connection"); n; n = node_next(n, "Connection")) {
        if (memory_same_text(node_attribute(n, "from"), from) && memory_same_text(node_attribute(n, "to"), to)) {
            node_empty(n);
            return n;
        }
    }
    xmlNode *n = node_add(set, "Connection");
    node_set(n, "from", from);
    node_set(n, "to", to);
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
        xmlNode *at = channel(f), *set = node_child(at, "ConnectionSet");
        if (!set)
            set = node_add(at, "ConnectionSet");
        memory_add_performance(connection(set, from->id, to->id), 0, &m->pitch, &m->latency);
        filled++;
    }
    return filled;
}
