/* check_schema.c - what the official schema says: elements, their order and number, attributes, types, ids. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "shim-xml/findings.h"
#include "shim-xml/schema.h"

/* What may stand everywhere, whatever the schema: where to find it. */
static bool is_schema_location(const xmlAttr *a)
{
    return a->ns && strcmp((const char *)a->ns->href, "http://www.w3.org/2001/XMLSchema-instance") == 0 &&
           (strcmp((const char *)a->name, "noNamespaceSchemaLocation") == 0 ||
            strcmp((const char *)a->name, "schemaLocation") == 0);
}

static void check_attributes(const xmlNode *n, const struct schema_element *spec, struct shimxml_findings *f)
{
    struct schema_attribute a;
    for (const xmlAttr *given = n->properties; given; given = given->next) {
        const char *name = (const char *)given->name;
        bool known = false;
        if (is_schema_location(given))
            continue;
        for (const char *at = spec->attributes; !given->ns && schema_next_attribute(&at, &a);) {
            if (strcmp(a.name, name) != 0)
                continue;
            known = true;
            const char *value = node_attribute(n, name);
            const char *expected = schema_bad_value(a.type, value);
            if (expected)
                shimxml_finding_add(f, BAD_VALUE, n, "%s/@%s is '%.60s', expected %s", node_name(n), name, value,
                                    expected);
        }
        if (!known)
            shimxml_finding_add(f, UNKNOWN_ATTRIBUTE, n, "%s has no attribute '%s'", node_name(n), name);
    }
    for (const char *at = spec->attributes; schema_next_attribute(&at, &a);)
        if (a.required && !node_attribute(n, a.name))
            shimxml_finding_add(f, MISSING_ATTRIBUTE, n, "%s needs the attribute '%s'", node_name(n), a.name);
}

static bool allowed(const struct schema_element *spec, const char *name)
{
    struct schema_child c;
    for (const char *at = spec->children; schema_next_child(&at, &c);)
        if (strcmp(c.name, name) == 0)
            return true;
    return false;
}

/* A sequence: each kind of child in its turn, as often as its mark says. Strangers are passed over, so that the rest is
 * still judged; what is left at the end stands behind something it should stand before: the first of it is named. */
static void check_children(const xmlNode *n, const struct schema_element *spec, struct shimxml_findings *f)
{
    struct schema_child expected;
    const xmlNode *c = node_child(n, 0);
    for (const char *at = spec->children; schema_next_child(&at, &expected);) {
        size_t taken = 0;
        for (; c && (node_is(c, expected.name) || !allowed(spec, node_name(c))); c = node_next(c, 0))
            if (node_is(c, expected.name) && ++taken == 2 && !expected.repeats)
                shimxml_finding_add(f, TOO_MANY, c, "%s may have one %s only", node_name(n), expected.name);
        if (!taken && expected.required && !node_child(n, expected.name))
            shimxml_finding_add(f, MISSING_ELEMENT, n, "%s needs a %s", node_name(n), expected.name);
    }
    if (c && allowed(spec, node_name(c)))
        shimxml_finding_add(f, WRONG_ORDER, c, "%s stands too late in %s: the order is %s", node_name(c), node_name(n),
                            spec->children);
    for (c = node_child(n, 0); c; c = node_next(c, 0))
        if (!allowed(spec, node_name(c)))
            shimxml_finding_add(f, UNKNOWN_ELEMENT, c, "%s may not stand in %s", node_name(c), node_name(n));
}

static bool is_blank(const char *text)
{
    return !text || !text[strspn(text, " \t\r\n")];
}

static void check_text(const xmlNode *n, const struct schema_element *spec, struct shimxml_findings *f)
{
    if (spec->text) {
        char *text = node_text(n);
        const char *expected = schema_bad_value(spec->text, text);
        if (expected)
            shimxml_finding_add(f, BAD_VALUE, n, "%s holds '%.60s', expected %s", node_name(n), text, expected);
        free(text);
        return;
    }
    for (const xmlNode *c = n->children; c; c = c->next) {
        bool text = c->type == XML_TEXT_NODE || c->type == XML_CDATA_SECTION_NODE || c->type == XML_ENTITY_REF_NODE;
        if (text && !is_blank((const char *)c->content))
            shimxml_finding_add(f, BAD_TEXT, n, "%s may not hold text", node_name(n));
        else if (text && !*spec->children && c->content && *c->content)
            shimxml_finding_add(f, BAD_TEXT, n, "%s may hold nothing, not even blanks", node_name(n));
    }
}

static void check_ids(const xmlNode *root, struct shimxml_findings *f)
{
    struct map seen = {0};
    for (const xmlNode *n = root; n; n = node_following(n, root)) {
        const char *id = node_attribute(n, "id");
        size_t line;
        if (id && map_get(&seen, id, &line))
            shimxml_finding_add(f, DOUBLED_ID, n, "id '%s' is also that of line %zu", id, line);
        else if (id)
            map_put(&seen, id, node_line(n));
    }
    map_release(&seen);
}

void check_schema(const struct shimxml_doc *d, struct shimxml_findings *f)
{
    const xmlNode *root = xmlDocGetRootElement(d->xml);
    if (!node_is(root, "SystemConfiguration"))
        shimxml_finding_add(f, BAD_ROOT, root, "the root is '%s', not SystemConfiguration", node_name(root));
    for (const xmlNode *n = root; n; n = node_following(n, root)) {
        const struct schema_element *spec = schema_find(node_name(n));
        if (n->ns && (n == root || n->parent->ns != n->ns)) /* said once, where it begins */
            shimxml_finding_add(f, NAMESPACE, n, "%s stands in the namespace '%.60s'", node_name(n),
                                (const char *)n->ns->href);
        if (!spec)
            continue; /* said where its parent was judged */
        check_attributes(n, spec, f);
        check_children(n, spec, f);
        check_text(n, spec, f);
    }
    check_ids(root, f);
    const char *version = node_attribute(root, "shimVersion");
    if (version && strcmp(version, "1.0") != 0)
        shimxml_finding_add(f, VERSION, root, "shimVersion is '%.30s'", version);
}
