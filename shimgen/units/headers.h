/*
 * headers.h - the headers that a source included when it was compiled, from the compiler's own list (-MMD -MF FILE): when one
 * of them changes, what was made of the source is stale.
 */
#ifndef SHIMGEN_UNITS_HEADERS_H
#define SHIMGEN_UNITS_HEADERS_H

#include <stdint.h>

/* Adds the contents of the headers that the list names to the hash; nothing where there is no list, as before the first
 * compilation. A header that is gone counts too: it cannot be included any more. Not the source, nor the product's own
 * headers. The list is a rule of make: "TARGET: SOURCE FILE ...", lines joined by a backslash, a backslash before a space
 * in a name, "$$" for "$" (GNU make manual, 4.14). */
void headers_hash(uint64_t *hash, const char *list);

#endif
