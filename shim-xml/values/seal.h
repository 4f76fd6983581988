/* seal.h - whether instruction values are those that shimgen wrote: a sum over them, kept as a note (notes.h). Private to
 * shim-xml. */
#ifndef SHIMXML_VALUES_SEAL_H
#define SHIMXML_VALUES_SEAL_H

#include "shim-xml/document/doc.h"

enum shimxml_seal seal_of(const struct shimxml_node *core);
/* Which reference tool has rewritten the values, and how that shows; NULL: none that is known. The caller frees it. */
char *seal_broken_by(const struct shimxml_node *core);
bool seals_hold(const struct shimxml_doc *d); /* at least one, and all of them */
/* Takes the seal and what goes with it off a core whose plain values become another model's. */
void seal_remove(struct shimxml_node *core);

#endif
