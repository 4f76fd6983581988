/* check_schema.c - what the official schema says: elements, their order and number, attributes, types, ids. */
#include <stdlib.h>
#include <string.h>

#include "shim-xml/findings.h"
#include "shim-xml/schema.h"

/* What may stand everywhere, whatever the schema: where to find it. */
static bool is_schema_location(const struct name *a)
{
    return a->uri && strcmp(a->uri, "http://www.w3.org/2001/XMLSchema-instance") == 0 &&
           (strcmp(a->local, "noNamespaceSchemaLocation") == 0 || strcmp(a->local, "schemaLocation") == 0);
}

static void check_attributes(const struct shimxml_node *n, const struct schema_element *spec,
                             struct shimxml_findings *f)
{
    size_t needed = 0, given = 0;
    for (const struct schema_attribute *a = spec->attributes; a->name; a++)
        needed += a->required;
    for (size_t i = 0; i < n->n_attributes; i++) {
        const struct attribute *a = &n->u.attributes[i];
        if (a->name->declaration || is_schema_location(a->name))
            continue;
        size_t rank = *a->name->prefix ? SCHEMA_NO_RANK : schema_attribute_rank(spec, a->name->local);
        if (rank == SCHEMA_NO_RANK) {
            shimxml_finding_add(f, UNKNOWN_ATTRIBUTE, n, "%s has no attribute '%s'", shimxml_name(n), a->name->local);
            continue;
        }
        given += spec->attributes[rank].required;
        const char *expected = schema_bad_value(spec->attributes[rank].type, a->value);
        if (expected)
            shimxml_finding_add(f, BAD_VALUE, n, "%s/@%s is '%.60s', expected %s", shimxml_name(n), a->name->local,
                                a->value, expected);
    }
    for (const struct schema_attribute *a = spec->attributes; given < needed && a->name; a++)
        if (a->required && !shimxml_get(n, a->name))
            shimxml_finding_add(f, MISSING_ATTRIBUTE, n, "%s needs the attribute '%s'", shimxml_name(n), a->name);
}

static bool allowed(const struct schema_element *spec, const char *name)
{
    return schema_child_rank(spec, name) != SCHEMA_NO_RANK;
}

/* A sequence: each kind of child in its turn, as often as its mark says. Strangers are passed over, so that the rest is
 * still judged; what is left at the end stands behind something it should stand before: the first of it is named. */
static void check_children(const struct shimxml_node *n, const struct schema_element *spec, struct shimxml_findings *f)
{
    const struct shimxml_node *c = shimxml_child(n, 0);
    for (const struct schema_child *expected = spec->children; expected->name; expected++) {
        size_t taken = 0;
        for (; c && (shimxml_is(c, expected->name) || !allowed(spec, shimxml_name(c))); c = shimxml_next(c, 0))
            if (shimxml_is(c, expected->name) && ++taken == 2 && !expected->repeats)
                shimxml_finding_add(f, TOO_MANY, c, "%s may have one %s only", shimxml_name(n), expected->name);
        if (!taken && expected->required && !shimxml_child(n, expected->name))
            shimxml_finding_add(f, MISSING_ELEMENT, n, "%s needs a %s", shimxml_name(n), expected->name);
    }
    if (c && allowed(spec, shimxml_name(c))) {
        struct str order = STR_INIT;
        schema_add_order(&order, spec);
        shimxml_finding_add(f, WRONG_ORDER, c, "%s stands too late in %s: the order is %s", shimxml_name(c),
                            shimxml_name(n), str_text(&order));
        str_release(&order);
    }
    for (c = shimxml_child(n, 0); c; c = shimxml_next(c, 0))
        if (!allowed(spec, shimxml_name(c)))
            shimxml_finding_add(f, UNKNOWN_ELEMENT, c, "%s may not stand in %s", shimxml_name(c), shimxml_name(n));
}

static bool is_blank(const char *text)
{
    return !text || !text[strspn(text, " \t\r\n")];
}

static void check_text(const struct shimxml_node *n, const struct schema_element *spec, struct shimxml_findings *f)
{
    if (spec->text) {
        char *text = shimxml_text(n);
        const char *expected = schema_bad_value(spec->text, text);
        if (expected)
            shimxml_finding_add(f, BAD_VALUE, n, "%s holds '%.60s', expected %s", shimxml_name(n), text, expected);
        free(text);
        return;
    }
    for (const struct shimxml_node *c = n->has_text ? n->first : 0; c; c = c->next) {
        if (c->type == NODE_TEXT && !is_blank(c->u.text))
            shimxml_finding_add(f, BAD_TEXT, n, "%s may not hold text", shimxml_name(n));
        else if (c->type == NODE_TEXT && !spec->children->name && *c->u.text)
            shimxml_finding_add(f, BAD_TEXT, n, "%s may hold nothing, not even blanks", shimxml_name(n));
    }
}

static void check_ids(const struct shimxml_doc *d, struct shimxml_findings *f)
{
    const struct shimxml_node *root = shimxml_root(d);
    for (const struct shimxml_node *n = root; n; n = shimxml_following(root, n, 0)) {
        const char *id = shimxml_get(n, "id");
        const struct shimxml_node *first = id ? shimxml_by_id(d, id) : n;
        if (first != n)
            shimxml_finding_add(f, DOUBLED_ID, n, "id '%s' is also that of line %lu", id, shimxml_line(first));
    }
}

void check_schema(const struct shimxml_doc *d, struct shimxml_findings *f)
{
    const struct shimxml_node *root = shimxml_root(d);
    if (!shimxml_is(root, "SystemConfiguration"))
        shimxml_finding_add(f, BAD_ROOT, root, "the root is '%s', not SystemConfiguration", shimxml_name(root));
    for (const struct shimxml_node *n = shimxml_following(root, 0, 0); n; n = shimxml_following(root, n, 0)) {
        const struct schema_element *spec = n->name->spec;
        const char *space = n->name->uri, *outside = n == root ? 0 : n->parent->name->uri;
        if (space && (!outside || strcmp(space, outside) != 0)) /* said once, where it begins */
            shimxml_finding_add(f, NAMESPACE, n, "%s stands in the namespace '%.60s'", shimxml_name(n), space);
        if (!spec)
            continue; /* said where its parent was judged */
        check_attributes(n, spec, f);
        check_children(n, spec, f);
        check_text(n, spec, f);
    }
    check_ids(d, f);
    const char *version = shimxml_get(root, "shimVersion");
    if (version && strcmp(version, "1.0") != 0)
        shimxml_finding_add(f, VERSION, root, "shimVersion is '%.30s'", version);
}
