/* export.c - writes a document as JSON and as CSV. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/file.h"
#include "base/json.h"
#include "base/str.h"
#include "shim-xml/values/latencies.h"
#include "shim-xml/document/text.h"
#include "shim-xml/values/units.h"

/* ---- JSON ---- */

/* Values that are numbers in the schema become numbers, others become texts. */
static json_t *value_of(const struct schema_element *spec, const char *name, const char *value)
{
    size_t rank = schema_attribute_rank(spec, name);
    enum schema_type type = rank == SCHEMA_NO_RANK ? TYPE_string : spec->attributes[rank].type;
    double v;
    if (!schema_bad_value(type, value) && (type == TYPE_int || type == TYPE_long))
        return json_integer(strtoll(value, 0, 10));
    if (!schema_bad_value(type, value) && type == TYPE_uint && parse_double(value, &v) && v < 1e18)
        return json_integer(strtoll(value, 0, 10));
    if (!schema_bad_value(type, value) && type == TYPE_boolean)
        return json_boolean(*value == 't' || *value == '1');
    if (!schema_bad_value(type, value) && type == TYPE_float && parse_double(value, &v) && isfinite(v))
        return json_real(v);
    char *clean = text_printable(value, strlen(value)); /* JSON is UTF-8 */
    json_t *text = json_string(clean);
    free(clean);
    return text;
}

/* The reader limits the depth. */
static json_t *element_as_json(const struct shimxml_node *n)
{
    json_t *o = json_object(), *children = 0;
    const char *value = 0, *name;
    json_object_set_new(o, "element", json_string(shimxml_name(n)));
    for (size_t i = 0; (name = shimxml_attribute(n, i, &value)); i++)
        json_object_set_new(o, name, value_of(n->name->spec, name, value));
    for (const struct shimxml_node *c = shimxml_child(n, 0); c; c = shimxml_next(c, 0)) {
        if (!children)
            json_object_set_new(o, "children", children = json_array());
        json_array_append_new(children, element_as_json(c));
    }
    if (!children && n->has_text) {
        char *text = shimxml_text(n), *clean = text_printable(text, strlen(text));
        json_object_set_new(o, "text", json_string(clean));
        free(clean);
        free(text);
    }
    return o;
}

static enum status export_json(const struct shimxml_doc *d, const char *path, struct error *e)
{
    json_t *all = element_as_json(shimxml_root(d));
    enum status s = json_write(all, path, e);
    json_decref(all);
    return s;
}

/* ---- CSV ---- */

static void put_row(FILE *f, const struct shimxml_node *n, const char *attribute, const char *value)
{
    char *path = shimxml_path_of(n);
    csv_put(f, path);
    fputc(',', f);
    csv_put(f, attribute);
    fputc(',', f);
    csv_put(f, value);
    fputc('\n', f);
    free(path);
}

static void put_all(const struct shimxml_doc *d, FILE *f)
{
    const struct shimxml_node *n = 0;
    const char *value = 0, *name;
    fputs("path,attribute,value\n", f);
    while ((n = shimxml_following(shimxml_root(d), n, 0))) {
        for (size_t i = 0; (name = shimxml_attribute(n, i, &value)); i++)
            put_row(f, n, name, value);
        char *text = n->has_text ? shimxml_text(n) : 0;
        if (text && *text)
            put_row(f, n, "", text);
        free(text);
    }
}

enum status shimxml_export(const struct shimxml_doc *d, const char *format, const struct shimxml_units *which,
                           const char *path, struct error *e)
{
    static const struct shimxml_units all = {0};
    if (strcmp(format, "json") == 0)
        return export_json(d, path, e);
    struct outfile o;
    enum status s = outfile_open(&o, path, e);
    if (s)
        return s;
    if (strcmp(format, "csv") == 0)
        put_all(d, o.f);
    else
        s = latencies_put(d, which ? which : &all, strcmp(format, "latency-groups") == 0, o.f, e);
    if (!s)
        return outfile_commit(&o, e);
    outfile_abort(&o);
    return s;
}
