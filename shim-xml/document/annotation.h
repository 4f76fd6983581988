/* annotation.h - named values of a document, and the processing instruction that holds them in some. Private to shim-xml;
 * shimxml.h has the public calls. */
#ifndef SHIMXML_DOCUMENT_ANNOTATION_H
#define SHIMXML_DOCUMENT_ANNOTATION_H

#include "shim-xml/document/doc.h"

bool annotation_is(const struct shimxml_node *n);
/* The first before the root, which counts, or NULL. */
struct shimxml_node *annotation_node(const struct shimxml_doc *d);
/* It has annotations, and each has a name that annotation.c lists. */
bool annotation_known(const struct shimxml_node *n);
/* The value of this name in it; NULL: it has none. The caller frees it. */
char *annotation_value(const struct shimxml_node *n, const char *name);

/* What the processing instruction says of this name, or NULL. The caller frees it. */
char *annotation_outside(const struct shimxml_doc *d, const char *name);

/* The first note that another one, or the processing instruction, contradicts; *other: what that says instead (the caller
 * frees it). NULL: there is none. */
const struct shimxml_node *annotations_contradiction(const struct shimxml_doc *d, char **other);

#endif
