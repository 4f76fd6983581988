/* doc.h - how a document is kept. Private to shim-xml. */
#ifndef SHIMXML_DOCUMENT_DOC_H
#define SHIMXML_DOCUMENT_DOC_H

#include <stdint.h>

#include "base/alloc.h"
#include "base/map.h"
#include "shim-xml/document/schema.h"
#include "shim-xml/shimxml.h"

/* A name of elements, attributes or processing instructions, one for all that are called so. */
struct name {
    char *local, *prefix, *uri;        /* prefix "", uri NULL: none */
    bool declaration;                  /* xmlns or xmlns:local; its attributes are namespaces */
    bool plain;                        /* an attribute so called is one of the schema's: it has no prefix, or that of
                                          SHIM 2.0, which the official samples put before all */
    const struct schema_element *spec; /* what the schema says of an element so called; NULL: nothing */
    const char *reference;             /* as schema_reference says of it */
    uint32_t seen, all;                /* for counting siblings */
};

struct attribute {
    const struct name *name;
    const char *value;
};
enum node_type { NODE_DOCUMENT, NODE_ELEMENT, NODE_TEXT, NODE_COMMENT, NODE_PI };
struct shimxml_node {
    struct shimxml_node *parent, *next, *first, *last;
    struct name *name; /* of an element, of a processing instruction */
    union {
        struct attribute *attributes; /* of an element; declarations of namespaces too */
        const char *text;             /* of anything else */
    } u;
    uint32_t line;
    uint32_t position; /* among siblings of its name, 1 ...; 0: the only one. Known where the parent is `counted` */
    uint32_t n_attributes;
    unsigned char type; /* enum node_type */
    bool counted;
    bool has_text;
};

struct shimxml_doc {
    struct shimxml_node top; /* first: the root, and comments beside it, stand in it */
    const struct schema *schema;
    char *path;         /* for messages */
    VEC(void *) blocks; /* what nodes, attributes and texts are kept in; only freed as a whole */
    size_t room;        /* left in the last block */
    const char **texts; /* every value once: open addressing; NULL: free */
    size_t n_texts, n_slots;
    struct map name_index;
    VEC(struct name *) names;
    struct map ids; /* id -> number in `targets`; empty: not made yet */
    VEC(struct shimxml_node *) targets;
    unsigned long steps; /* gone along references that are paths */
};

#define SPACES " \t\r\n" /* what XML takes for white space */

struct shimxml_doc *doc_make(const char *path); /* of SHIM 1.0, until told otherwise */
void doc_set_schema(struct shimxml_doc *d, const struct schema *schema);
struct name *doc_name(struct shimxml_doc *d, const char *local, const char *prefix, const char *uri, bool declaration);
/* A value that will be looked for again, or a text that will not; neither need end in NUL. */
const char *doc_value(struct shimxml_doc *d, const char *text, size_t n);
const char *doc_text(struct shimxml_doc *d, const char *text, size_t n);
/* The value of an attribute of n as the document keeps it: without the spaces round it, where the schema says that they
 * are no part of it. */
const char *node_value(struct shimxml_doc *d, const struct shimxml_node *n, const struct name *name, const char *value,
                       size_t len);
void *doc_alloc(struct shimxml_doc *d, size_t size);
struct shimxml_doc *doc_of(const struct shimxml_node *n);
/* SHIM 2.0 as the SHIM Editor writes it (docs/formats/shim.md): prefixes on all elements, or references as "#id" and
 * instructions without an operation. */
bool doc_is_editors(const struct shimxml_doc *d);
/* As shimxml_method; NULL: an unknown one. */
const char *method_of_doc(const struct shimxml_doc *d);
/* A new node before a child of `parent`; NULL: after all. */
struct shimxml_node *node_insert(struct shimxml_node *parent, struct shimxml_node *before, enum node_type type);

/* The id in a reference: the official SHIM 2.0 samples write "#id"; no id begins so. */
static inline const char *reference_id(const char *reference)
{
    return reference + (*reference == '#');
}

#endif
