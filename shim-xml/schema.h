/*
 * schema.h - the official SHIM 1.0 schema (openshim/shim, schema/shim/shim.xsd) as a table (schema1.def) that reading,
 * editing, checking, comparing and writing share. Private to shim-xml.
 */
#ifndef SHIMXML_SCHEMA_H
#define SHIMXML_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

enum schema_type {
    TYPE_none,
    TYPE_string,
    TYPE_ID,
    TYPE_IDREF,
    TYPE_int,
    TYPE_long,
    TYPE_float,
#define ENUMERATION(type, values) TYPE_##type,
#include "shim-xml/schema1.def"
#undef ENUMERATION
};
struct schema_child {
    const char *name;
    bool required, repeats;
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
const struct schema_element *schema_find(const char *element); /* NULL: there is no such element */
const struct schema_element *schema_at(size_t i);              /* by number; NULL past the last */

/* Place in the order; schema_rank_none: not allowed in it. */
#define SCHEMA_NO_RANK ((size_t)-1)
size_t schema_child_rank(const struct schema_element *parent, const char *child);
size_t schema_attribute_rank(const struct schema_element *element, const char *attribute);
/* "CommonInstructionSet? Cache* ClockFrequency? AccessTypeSet" */
void schema_add_order(struct str *out, const struct schema_element *element);

/* The kind of element that a reference so called (an attribute, or an element with text) means; NULL: it is none. */
const char *schema_reference(const char *name);

/* XML Schema takes blanks round a value of such a type for none; libxml2 does not so with int and long, and of strings
 * and enumerations they are a part. */
bool schema_collapses(enum schema_type type);
/* NULL when `value` is of the type; else what is expected, static. */
const char *schema_bad_value(enum schema_type type, const char *value);

#endif
