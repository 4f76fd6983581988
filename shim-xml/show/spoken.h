/* spoken.h - what elements say, in the words that show and drawings share. Private to shim-xml. */
#ifndef SHIMXML_SHOW_SPOKEN_H
#define SHIMXML_SHOW_SPOKEN_H

#include "base/str.h"
#include "shim-xml/document/doc.h"

/* An attribute on one line, between two texts; nothing where it is not given. */
void describe_attribute(struct str *out, const char *before, const struct shimxml_node *n, const char *attribute,
                        const char *after);
/* "R 1 2 4 8 B, W 1 2 4 8 B": the AccessTypes of a master; nothing where it has none. */
void describe_access_types(struct str *out, const struct shimxml_node *master);
/* "0x0 to 0x3fffffff": of a SubSpace. */
void describe_range(struct str *out, const struct shimxml_node *sub_space, const char *between);

#endif
