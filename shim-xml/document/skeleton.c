/* skeleton.c - elements that every new document has. */
#include "shim-xml/document/skeleton.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "shim-xml/document/quantity.h"

static char *safe_name(const char *name)
{
    char *copy = xstrdup(name && *name ? name : "host");
    for (char *p = copy; *p; p++)
        if (!isalnum((unsigned char)*p) && *p != '_')
            *p = '_';
    return copy;
}

struct shimxml_doc *skeleton_new(const char *name)
{
    struct shimxml_doc *d = shimxml_doc_new("SystemConfiguration");
    struct shimxml_node *root = shimxml_root(d);
    char *safe = safe_name(name);
    shimxml_set(root, "name", safe);
    shimxml_set(root, "shimVersion", "1.0");
    shimxml_comment(root, 0, " Memory access performance is not given: it was not measured. ");
    free(safe);
    return d;
}

const char *skeleton_endian(void)
{
    const union {
        unsigned short word;
        unsigned char bytes[2];
    } order = {1};
    return order.bytes[0] ? "LITTLE" : "BIG";
}

void skeleton_set_size(struct shimxml_node *n, uint64_t bytes)
{
    const char *const *units = quantity_size.units;
    size_t unit = 0;
    while (units[unit + 1] && (bytes % 1024 == 0 || bytes > INT_MAX) && bytes >= 1024) {
        bytes /= 1024;
        unit++;
    }
    shimxml_setf(n, "size", "%llu", (unsigned long long)bytes);
    shimxml_set(n, "sizeUnit", units[unit]);
}

const char *skeleton_cache_kind(const char *type)
{
    return strcmp(type, "INSTRUCTION") == 0 ? "InstructionCache"
           : strcmp(type, "DATA") == 0      ? "DataCache"
                                            : "UnifiedCache";
}

struct shimxml_node *skeleton_add_cache(struct shimxml_node *parent, const char *name, const char *id,
                                        const struct skeleton_cache *c)
{
    struct shimxml_node *n = shimxml_add(parent, "Cache");
    shimxml_set(n, "name", name);
    shimxml_set(n, "id", id);
    shimxml_set(n, "cacheType", c->type);
    shimxml_set(n, "cacheCoherency", c->coherency);
    skeleton_set_size(n, c->bytes);
    if (c->ways > 0)
        shimxml_setf(n, "nWay", "%ld", c->ways);
    if (c->line)
        shimxml_setf(n, "lineSize", "%llu", (unsigned long long)c->line);
    return n;
}

void skeleton_add_access_type(struct shimxml_node *set, const char *core, const char *rw, unsigned bytes)
{
    const char *name = strcmp(rw, "R") == 0 ? "Load" : strcmp(rw, "W") == 0 ? "Store" : rw;
    struct shimxml_node *n = shimxml_add(set, "AccessType");
    shimxml_setf(n, "name", "%s_%u", name, bytes);
    shimxml_setf(n, "id", "AT_%s_%s_%u", core, name, bytes);
    shimxml_set(n, "rwType", rw);
    shimxml_setf(n, "accessByteSize", "%u", bytes);
    shimxml_setf(n, "alignmentByteSize", "%u", bytes);
    shimxml_set(n, "nBurst", "1");
}

/* Main memory rarely is a whole number of GiB; in MiB it has five digits. */
static void set_memory_size(struct shimxml_node *n, uint64_t bytes)
{
    uint64_t mib = bytes >> 20;
    if (mib && mib <= INT_MAX && mib << 20 == bytes) {
        shimxml_setf(n, "size", "%llu", (unsigned long long)mib);
        shimxml_set(n, "sizeUnit", "MiB");
    } else {
        skeleton_set_size(n, bytes);
    }
}

struct shimxml_node *skeleton_add_memory(struct shimxml_node *set, const char *name, const char *id, uint64_t bytes,
                                         const char *rw)
{
    struct shimxml_node *n = shimxml_add(set, "SlaveComponent");
    shimxml_set(n, "name", name);
    shimxml_set(n, "id", id);
    set_memory_size(n, bytes);
    shimxml_set(n, "rwType", rw);
    return n;
}

struct shimxml_node *skeleton_add_space(struct shimxml_node *root)
{
    struct shimxml_node *space = shimxml_add(shimxml_need(root, "AddressSpaceSet"), "AddressSpace");
    shimxml_set(space, "name", "AS_Physical");
    shimxml_set(space, "id", "AS_0");
    return space;
}

struct shimxml_node *skeleton_add_range(struct shimxml_node *space, size_t number, const char *memory,
                                        const char *memory_id, uint64_t start, uint64_t end, const char *endian)
{
    struct shimxml_node *sub = shimxml_add(space, "SubSpace");
    shimxml_setf(sub, "name", "SS_%s", memory);
    shimxml_setf(sub, "id", "SS_%zu", number);
    shimxml_setf(sub, "start", "%lld", (long long)start); /* xs:long: addresses in the upper half are negative */
    shimxml_setf(sub, "end", "%lld", (long long)end);
    shimxml_set(sub, "endian", endian);
    struct shimxml_node *binding = shimxml_add(shimxml_add(sub, "MasterSlaveBindingSet"), "MasterSlaveBinding");
    shimxml_set(binding, "slaveComponentRef", memory_id);
    return binding;
}
