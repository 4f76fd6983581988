/* memory_fill.h - between merge_memory.c, memory_units.c and memory_messages.c: a table being written into a document.
 */
#ifndef SHIMXML_VALUES_MEMORY_FILL_H
#define SHIMXML_VALUES_MEMORY_FILL_H

#include <string.h>

#include "shim-xml/values/memory_table.h"
#include "shim-xml/document/doc.h"

/* A processing unit. */
struct memory_unit {
    struct shimxml_node *node;
    const char *id; /* borrowed */
    long pid;       /* -1: not given */
    size_t core;    /* its index in the system */
    long from;      /* the core of the table whose values are its own; -1: none */
};
struct memory_filling {
    struct shimxml_doc *d;
    struct shimxml_node *root;
    const struct memory_values *v;
    struct shimxml_system *system;
    VEC(struct memory_unit) units; /* processing units */
    size_t accessors;              /* that got values */
    size_t ambiguous;              /* bindings left out, since several memories are as large */
    struct shimxml_node *sub;      /* the SubSpace of the memory; NULL: none yet */
};

static inline bool memory_same_text(const char *a, const char *b) /* NULL is "" */
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

/* memory_units.c: finds the processing units, and whose values each has: its own, else those of a core of its kind,
 * else, where the file's numbers fit none, those of the only core measured. */
void memory_find_units(struct memory_filling *f);
/* memory_messages.c: a Connection for each pair of cores that was measured, and is in the document; how many. */
size_t memory_fill_connections(const struct memory_filling *f);
/* merge_memory.c: a Performance at the end of `parent`; access_type NULL: without. */
void memory_add_performance(struct shimxml_node *parent, const char *access_type, const struct shimxml_range *pitch,
                            const struct shimxml_range *latency);

/* merge_memory.c: puts at the head of the document where values come from. What said that accesses have none goes where
 * they have now; what was said before where `all` of it is new. */
void memory_say(struct shimxml_node *root, const char *text, bool accesses, bool all);

#endif
