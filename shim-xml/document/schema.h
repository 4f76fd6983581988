/*
 * schema.h - the official schemas of SHIM 1.0 (openshim/shim, schema/shim/shim.xsd) and SHIM 2.0 (openshim/shim2,
 * schema/shim20.xsd) as tables (schema1.def, schema2.def) that reading, editing, checking, comparing and writing share.
 * Private to shim-xml.
 */
#ifndef SHIMXML_DOCUMENT_SCHEMA_H
#define SHIMXML_DOCUMENT_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/str.h"

enum schema_type {
    TYPE_none,
    TYPE_string,
    TYPE_ID,
    TYPE_IDREF,
    TYPE_int,
    TYPE_long,
    TYPE_float,
    TYPE_uint, /* xs:nonNegativeInteger, of any length */
    TYPE_boolean,
#define ENUMERATION(type, values) TYPE_##type,
#include "shim-xml/document/schema1.def"
#include "shim-xml/document/schema2.def"
#undef ENUMERATION
};
struct schema_child {
    const char *name;
    bool required, repeats;
    bool alternative; /* one kind only of this and those before it, back to the first that is no alternative */
};
struct schema_attribute {
    const char *name;
    enum schema_type type;
    bool required;
};
struct schema_element {
    const char *name;
    const struct schema_child *children;       /* in their order; ends with name NULL */
    const struct schema_attribute *attributes; /* ends with name NULL */
    enum schema_type text;                     /* of its text content; TYPE_none: no text allowed */
};
struct schema_reference {
    const char *name, *kinds;
};
struct schema {
    const char *version, *root, *space; /* space: the namespace of the root, NULL: none */
    const char *cache_ref;              /* the element that names a cache */
    const struct schema_element *elements;
    size_t n_elements;
    const struct schema_reference *references;
    size_t n_references;
};
extern const struct schema schema1, schema2;
/* The schema of a document with such a root: that of SHIM 1.0 unless it is one of SHIM 2.0. uri NULL: none. */
const struct schema *schema_of(const char *root, const char *uri);

/* Names differ in their first letter as a rule. */
static inline bool schema_same(const char *a, const char *b)
{
    return *a == *b && strcmp(a, b) == 0;
}

const struct schema_element *schema_find(const struct schema *schema, const char *element); /* NULL: there is none */

/* Place in the order; schema_rank_none: not allowed in it. */
#define SCHEMA_NO_RANK ((size_t)-1)
size_t schema_child_rank(const struct schema_element *parent, const char *child);
size_t schema_attribute_rank(const struct schema_element *element, const char *attribute);
/* "CommonInstructionSet? Cache* ClockFrequency? AccessTypeSet" */
void schema_add_order(struct str *out, const struct schema_element *element);

/* The kinds of element, with spaces between, that a reference so called (an attribute, or an element with text) may
 * mean; NULL: it is none. */
const char *schema_reference(const struct schema *schema, const char *name);

/* XML Schema takes spaces round a value of such a type for none; libxml2 does not so with int and long, and of strings
 * and enumerations they are a part. */
bool schema_collapses(enum schema_type type);
/* NULL when `value` is of the type; else what is expected, static. */
const char *schema_bad_value(enum schema_type type, const char *value);

#endif
