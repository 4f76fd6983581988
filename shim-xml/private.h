/* private.h - what the files of shim-xml share: the document is libxml2's tree. */
#ifndef SHIMXML_PRIVATE_H
#define SHIMXML_PRIVATE_H

#include <libxml/tree.h>

#include "shim-xml/shimxml.h"

struct shimxml_doc {
    xmlDocPtr xml;
    char *path; /* for messages */
};

bool node_is(const xmlNode *n, const char *name); /* an element so called */
/* Elements only: the first child, the next sibling; name NULL: any. */
xmlNode *node_child(const xmlNode *parent, const char *name);
xmlNode *node_next(const xmlNode *n, const char *name);
/* In document order below and including `top`; NULL at the end. */
xmlNode *node_following(const xmlNode *n, const xmlNode *top);
const char *node_name(const xmlNode *n);
/* The value, or NULL. Borrowed from the tree. */
const char *node_attribute(const xmlNode *n, const char *name);
/* A number; NAN when absent or none. */
double node_number(const xmlNode *n, const char *name);
/* size in sizeUnit [bytes]; 0 when absent or none. */
double node_bytes(const xmlNode *n);
/* Text content without blanks around; the caller frees. */
char *node_text(const xmlNode *n);
unsigned long node_line(const xmlNode *n);
/* The nearest element so called that `n` stands in, or NULL. */
xmlNode *node_owner(const xmlNode *n, const char *name);

/* A name that may be an id: an NCName, letters of any script. */
bool xml_is_name(const char *text);

/* New empty document with this root; the tree in the making. */
struct shimxml_doc *doc_new(const char *root);
xmlNode *node_add(xmlNode *parent, const char *name);
void node_set(xmlNode *n, const char *attribute, const char *value);
void node_setf(xmlNode *n, const char *attribute, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* A number as xs:float, the shortest that reads back as the same single-precision value's double. */
void node_set_number(xmlNode *n, const char *attribute, double value);
void node_remove(xmlNode *n); /* with all below it */
void node_empty(xmlNode *n);  /* removes all below it, text and comments too */
void node_comment(xmlNode *parent, const char *text);

#endif
