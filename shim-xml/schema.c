#include "shim-xml/schema.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "shim-xml/private.h"

static const struct schema_element elements[] = {
#define ELEMENT(name, children, attributes, text) {name, children, attributes, text},
#include "shim-xml/schema1.def"
#undef ELEMENT
};

static const struct {
    const char *type, *values, *expected;
} enumerations[] = {
#define ENUMERATION(type, values) {type, " " values " ", "one of " values},
#include "shim-xml/schema1.def"
#undef ENUMERATION
};

const struct schema_element *schema_find(const char *element)
{
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (strcmp(elements[i].name, element) == 0)
            return &elements[i];
    return 0;
}

/* The table is ours: its words fit the structs (checked by the unit test over the whole table). */
static size_t take_word(const char **at, char *out, size_t size, const char *stop)
{
    *at += strspn(*at, " ");
    size_t n = strcspn(*at, stop);
    if (n >= size)
        n = size - 1;
    memcpy(out, *at, n);
    out[n] = 0;
    *at += n;
    return n;
}

bool schema_next_child(const char **at, struct schema_child *out)
{
    if (!take_word(at, out->name, sizeof out->name, " ?*+"))
        return false;
    char mark = **at;
    *at += mark && mark != ' ';
    out->required = mark != '?' && mark != '*';
    out->repeats = mark == '*' || mark == '+';
    return true;
}

bool schema_next_attribute(const char **at, struct schema_attribute *out)
{
    if (!take_word(at, out->name, sizeof out->name, " ?!"))
        return false;
    out->required = **at == '!';
    *at += **at != 0;
    take_word(at, out->type, sizeof out->type, " ");
    return true;
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

/* xs:float: decimal with an optional exponent, or INF, -INF, NaN exactly. */
static bool is_float(const char *value)
{
    if (strcmp(value, "INF") == 0 || strcmp(value, "-INF") == 0 || strcmp(value, "NaN") == 0)
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

bool schema_collapses(const char *type)
{
    return strcmp(type, "ID") == 0 || strcmp(type, "IDREF") == 0 || strcmp(type, "float") == 0;
}

const char *schema_bad_value(const char *type, const char *value)
{
    if (strcmp(type, "string") == 0)
        return 0;
    if (strcmp(type, "int") == 0)
        return is_integer(value, INT32_MIN, INT32_MAX) ? 0 : "a whole number from -2147483648 to 2147483647";
    if (strcmp(type, "long") == 0)
        return is_integer(value, INT64_MIN, INT64_MAX) ? 0 : "a whole number of 64 bits, decimal";
    if (strcmp(type, "float") == 0)
        return is_float(value) ? 0 : "a decimal number";
    if (strcmp(type, "ID") == 0 || strcmp(type, "IDREF") == 0)
        return xml_is_name(value) ? 0 : "a name (letters, digits, '_', '-', '.'; no digit first, no blank)";
    for (size_t i = 0; i < sizeof enumerations / sizeof *enumerations; i++) {
        if (strcmp(enumerations[i].type, type) != 0)
            continue;
        size_t n = strchr(value, ' ') ? 0 : strlen(value);
        for (const char *p = enumerations[i].values; n && (p = strstr(p, value)); p++)
            if (p[-1] == ' ' && p[n] == ' ')
                return 0;
        return enumerations[i].expected;
    }
    return "a type that the table knows";
}
