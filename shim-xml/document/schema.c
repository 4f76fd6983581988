/* schema.c - tables of the SHIM 1.0 and 2.0 schemas: order of children and attributes, value types. */
#include "shim-xml/document/schema.h"

#include <errno.h>
#include <libxml/tree.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Each table is expanded three times: for children, attributes, elements. */
#define UNWRAP(...)          __VA_ARGS__
#define ONE(name)            {#name, true, false, false},
#define MAYBE(name)          {#name, false, false, false},
#define ANY(name)            {#name, false, true, false},
#define SOME(name)           {#name, true, true, false},
#define OR_ONE(name)         {#name, true, false, true},
#define OR_MAYBE(name)       {#name, false, false, true},
#define OR_ANY(name)         {#name, false, true, true},
#define NEEDED(name, type)   {#name, TYPE_##type, true},
#define OPTIONAL(name, type) {#name, TYPE_##type, false},

#define ELEMENT(name, c, a, t) static const struct schema_child children1_##name[] = {UNWRAP c{0, false, false, false}};
#include "shim-xml/document/schema1.def"
#undef ELEMENT
#define ELEMENT(name, c, a, t)                                                                                         \
    static const struct schema_attribute attributes1_##name[] = {UNWRAP a{0, TYPE_none, false}};
#include "shim-xml/document/schema1.def"
#undef ELEMENT
#define ELEMENT(name, c, a, t) {#name, children1_##name, attributes1_##name, TYPE_##t},
static const struct schema_element elements1[] = {
#include "shim-xml/document/schema1.def"
#undef ELEMENT
};

#define ELEMENT(name, c, a, t) static const struct schema_child children2_##name[] = {UNWRAP c{0, false, false, false}};
#include "shim-xml/document/schema2.def"
#undef ELEMENT
#define ELEMENT(name, c, a, t)                                                                                         \
    static const struct schema_attribute attributes2_##name[] = {UNWRAP a{0, TYPE_none, false}};
#include "shim-xml/document/schema2.def"
#undef ELEMENT
#define ELEMENT(name, c, a, t) {#name, children2_##name, attributes2_##name, TYPE_##t},
static const struct schema_element elements2[] = {
#include "shim-xml/document/schema2.def"
#undef ELEMENT
};

#define REFERENCE(name, kinds) {#name, #kinds},
static const struct schema_reference references1[] =
    {
#include "shim-xml/document/schema1.def"
},
                                     references2[] = {
#include "shim-xml/document/schema2.def"
};
#undef REFERENCE

static const struct {
    const char *values, *expected;
} enumerations[] = {
#define ENUMERATION(type, values) {" " values " ", "one of " values},
#include "shim-xml/document/schema1.def"
#include "shim-xml/document/schema2.def"
#undef ENUMERATION
};

#define ALL(list) list, sizeof(list) / sizeof *(list)
const struct schema schema1 = {"1.0", "SystemConfiguration", 0, "cacheRef", ALL(elements1), ALL(references1)};
const struct schema schema2 = {"2.0",      "Shim",         "http://www.multicore-association.org/2017/SHIM2.0/",
                               "CacheRef", ALL(elements2), ALL(references2)};

const struct schema *schema_of(const char *root, const char *uri)
{
    return strcmp(root, schema2.root) == 0 || (uri && strcmp(uri, schema2.space) == 0) ? &schema2 : &schema1;
}

const struct schema_element *schema_find(const struct schema *schema, const char *element)
{
    for (size_t i = 0; i < schema->n_elements; i++)
        if (schema_same(schema->elements[i].name, element))
            return &schema->elements[i];
    return 0;
}

size_t schema_child_rank(const struct schema_element *parent, const char *child)
{
    for (size_t i = 0; parent && parent->children[i].name; i++)
        if (schema_same(parent->children[i].name, child))
            return i;
    return SCHEMA_NO_RANK;
}

size_t schema_attribute_rank(const struct schema_element *element, const char *attribute)
{
    for (size_t i = 0; element && element->attributes[i].name; i++)
        if (schema_same(element->attributes[i].name, attribute))
            return i;
    return SCHEMA_NO_RANK;
}

void schema_add_order(struct str *out, const struct schema_element *element)
{
    for (const struct schema_child *c = element->children; c->name; c++)
        str_addf(out, "%s%s%s",
                 c == element->children ? ""
                 : c->alternative       ? " | "
                                        : " ",
                 c->name, c->repeats ? (c->required ? "+" : "*") : (c->required ? "" : "?"));
}

const char *schema_reference(const struct schema *schema, const char *name)
{
    for (size_t i = 0; i < schema->n_references; i++)
        if (schema_same(schema->references[i].name, name))
            return schema->references[i].kinds;
    return 0;
}

/* xs:int and xs:long: an optional sign and digits, in range. */
static bool is_integer(const char *value, long long low, long long high)
{
    const char *digits = value + (*value == '+' || *value == '-');
    if (!*digits || digits[strspn(digits, "0123456789")])
        return false;
    errno = 0;
    long long v = strtoll(value, 0, 10);
    return !errno && v >= low && v <= high;
}

/* xs:nonNegativeInteger of any length; "-0" is valid. */
static bool is_natural(const char *value)
{
    const char *digits = value + (*value == '+' || *value == '-');
    return *digits && !digits[strspn(digits, "0123456789")] && (*value != '-' || !digits[strspn(digits, "0")]);
}

/* xs:float: decimal with an optional exponent, or exactly INF, -INF or NaN. */
static bool is_float(const char *value)
{
    if (schema_same(value, "INF") || schema_same(value, "-INF") || schema_same(value, "NaN"))
        return true;
    const char *p = value + (*value == '+' || *value == '-');
    size_t whole = strspn(p, "0123456789");
    p += whole;
    size_t fraction = 0;
    if (*p == '.') {
        fraction = strspn(p + 1, "0123456789");
        p += 1 + fraction;
    }
    if (!whole && !fraction)
        return false;
    if (*p == 'e' || *p == 'E') {
        p += 1 + (p[1] == '+' || p[1] == '-');
        size_t exponent = strspn(p, "0123456789");
        if (!exponent)
            return false;
        p += exponent;
    }
    return !*p;
}

bool schema_collapses(enum schema_type type)
{
    return type == TYPE_ID || type == TYPE_IDREF || type == TYPE_float || type == TYPE_uint || type == TYPE_boolean;
}

static const char *bad_word(size_t enumeration, const char *value)
{
    size_t n = strchr(value, ' ') ? 0 : strlen(value);
    for (const char *p = enumerations[enumeration].values; n && (p = strstr(p, value)); p++)
        if (p[-1] == ' ' && p[n] == ' ')
            return 0;
    return enumerations[enumeration].expected;
}

/* May the name be an id, that is, an NCName? Letters may be of any script. */
static bool xml_is_name(const char *text)
{
    size_t n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.");
    if (!text[n])
        return n && !strchr("0123456789-.", *text);
    return xmlValidateNCName(BAD_CAST text, 0) == 0;
}

const char *schema_bad_value(enum schema_type type, const char *value)
{
    switch (type) {
    case TYPE_none:
    case TYPE_string:
        return 0;
    case TYPE_int:
        return is_integer(value, INT32_MIN, INT32_MAX) ? 0 : "a whole number from -2147483648 to 2147483647";
    case TYPE_long:
        return is_integer(value, INT64_MIN, INT64_MAX) ? 0 : "a whole number of 64 bits, decimal";
    case TYPE_float:
        return is_float(value) ? 0 : "a decimal number";
    case TYPE_uint:
        return is_natural(value) ? 0 : "a whole number that is not negative";
    case TYPE_boolean:
        return strcmp(value, "true") == 0 || strcmp(value, "false") == 0 || strcmp(value, "1") == 0 ||
                       strcmp(value, "0") == 0
                   ? 0
                   : "true or false";
    case TYPE_ID:
    case TYPE_IDREF:
        return xml_is_name(value) ? 0 : "a name (letters, digits, '_', '-', '.'; no digit first, no space)";
    default:
        return bad_word((size_t)type - TYPE_boolean - 1, value);
    }
}
