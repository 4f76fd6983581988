/* map_links.h - the ways of data between cores, from the communications and accesses of a SHIM file. Internal to map. */
#ifndef SHIMGEN_MAP_MAP_LINKS_H
#define SHIMGEN_MAP_MAP_LINKS_H

#include "shim-xml/shimxml.h"
#include "shimgen/map/mapping.h"

struct map_links {
    const struct map_assumed *assumed;
    struct shimxml_system *system; /* owned by the caller */
    VEC(size_t) index;             /* of each core of the machine: its index in the system */
};
/* Fills m->ways; notes what is assumed. */
void map_links_make(struct map_machine *m, const struct shimxml_doc *d, const struct map_links *links);

#endif
