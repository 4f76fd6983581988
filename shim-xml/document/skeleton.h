/* skeleton.h - what every new document has, wherever its machine is known from: hwloc (topology.c) or a description
 * (machine_make.c). Private to shim-xml. */
#ifndef SHIMXML_DOCUMENT_SKELETON_H
#define SHIMXML_DOCUMENT_SKELETON_H

#include "shim-xml/document/doc.h"

/* "SystemConfiguration" with a name that the reference tools can put into C, and the comment that nothing was measured.
 */
struct shimxml_doc *skeleton_new(const char *name);
/* hwloc does not say, and most descriptions neither: that of this machine. */
const char *skeleton_endian(void);

/* xs:int holds 2147483647 at most: the smallest unit in which the size is a whole number that fits. */
void skeleton_set_size(struct shimxml_node *n, uint64_t bytes);

struct skeleton_cache {
    const char *type, *coherency; /* DATA, INSTRUCTION, UNIFIED; HARD, SOFT */
    uint64_t bytes, line;         /* line 0: not known */
    long ways;                    /* 0: not known */
};
/* "DataCache", "InstructionCache", "UnifiedCache" */
const char *skeleton_cache_kind(const char *type);
struct shimxml_node *skeleton_add_cache(struct shimxml_node *parent, const char *name, const char *id,
                                        const struct skeleton_cache *c);
void skeleton_add_access_type(struct shimxml_node *set, const char *core, const char *rw, unsigned bytes);

struct shimxml_node *skeleton_add_memory(struct shimxml_node *set, const char *name, const char *id, uint64_t bytes,
                                         const char *rw);
struct shimxml_node *skeleton_add_space(struct shimxml_node *root);
/* A SubSpace of one memory, both ends inclusive, as in the newest official samples; gives the binding for Accessors. */
struct shimxml_node *skeleton_add_range(struct shimxml_node *space, size_t number, const char *memory,
                                        const char *memory_id, uint64_t start, uint64_t end, const char *endian);

#endif
