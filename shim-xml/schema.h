/*
 * schema.h - the official SHIM 1.0 schema (openshim/shim, schema/shim/shim.xsd) as a table that checking and writing
 * share. Private to shim-xml.
 */
#ifndef SHIMXML_SCHEMA_H
#define SHIMXML_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

/* Content as a short text. children: names in their order, each with `?` (0..1), `*` (0..n), `+` (1..n) or nothing (1).
 * attributes: name, `!` required or `?` optional, type. */
struct schema_element {
    const char *name;
    const char *children;
    const char *attributes;
    const char *text; /* type of its text content; NULL: none allowed */
};
const struct schema_element *schema_find(const char *element); /* NULL: there is no such element */

/* One word of those texts taken apart. `*at` moves on; false at the end. */
struct schema_child {
    char name[64];
    bool required, repeats;
};
bool schema_next_child(const char **at, struct schema_child *out);
struct schema_attribute {
    char name[64], type[32];
    bool required;
};
bool schema_next_attribute(const char **at, struct schema_attribute *out);
/* XML Schema takes blanks round a value of such a type for none; libxml2 does not so with int and long, and of strings
 * and enumerations they are a part. */
bool schema_collapses(const char *type);
/* NULL when `value` is of the type; else what is expected, static. Types: string ID IDREF int long float and the
 * schema's enumerations. */
const char *schema_bad_value(const char *type, const char *value);

#endif
