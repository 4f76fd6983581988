/* access_levels.h - which level of the memory hierarchy a PerformanceSet of an Accessor speaks of. Private to shim-xml.
 */
#ifndef SHIMXML_DOCUMENT_ACCESS_LEVELS_H
#define SHIMXML_DOCUMENT_ACCESS_LEVELS_H

#include "shim-xml/document/doc.h"

/* The next PerformanceSet of an Accessor after `set` (NULL: the first), and in *cache what answers: a Cache, or NULL
 * for the memory itself. SHIM 2.0 says it with cacheRef. In SHIM 1.0 the first is the memory, and further ones count
 * after a comment that names their cache (values/merge_memory.c); others say nothing that could be known, and are
 * passed over. NULL: there is no more. */
struct shimxml_node *level_next(const struct shimxml_node *accessor, const struct shimxml_node *set,
                                struct shimxml_node **cache);

/* The comment of SHIM 1.0. The caller frees. */
char *level_comment(const char *cache_id);
bool level_is_comment(const struct shimxml_node *n);

/* What accesses cost, as plain data, into a system whose cores, caches and memories are known, in the document's order.
 * In SHIM 1.0, where a tool has dropped the comments: as many sets after the memory's as there are caches on the core's
 * way to it are theirs, nearest first, as values/merge_memory.c writes them, if each answers no later than the next. */
void levels_take_accesses(struct shimxml_system *s, const struct shimxml_node *root);

#endif
