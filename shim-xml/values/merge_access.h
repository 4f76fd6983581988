/* merge_access.h - what accesses to memories and messages cost, from another SHIM file. Private to shim-xml. */
#ifndef SHIMXML_VALUES_MERGE_ACCESS_H
#define SHIMXML_VALUES_MERGE_ACCESS_H

#include "shim-xml/values/units.h"

/* From one document into another: which masters belong together. */
struct pairing {
    struct shimxml_doc *d;
    const struct shimxml_doc *from;
    const char *by; /* the attribute that both have alike: "name", "arch", "id" */
    const struct shimxml_units *which;
};
/* How many Performances were given values; ERR_INPUT: as shimxml_system. */
enum status merge_accesses(const struct pairing *p, size_t *merged, struct error *e) MUST_CHECK;
size_t merge_connections(const struct pairing *p); /* merge_connections.c; how many Connections */

/* "Core_0 Ram": values joined so that different ones never look alike; NULL is a value of its own. The caller frees. */
char *merge_key(const char *const *values, size_t n);

#endif
