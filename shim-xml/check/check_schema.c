/* check_schema.c - checks what the official schemas say: elements, their order and number, attributes, types, ids. */
#include <stdlib.h>
#include <string.h>

#include "shim-xml/check/findings.h"
#include "shim-xml/check/nearest.h"
#include "shim-xml/document/schema.h"

/* Attributes that may stand everywhere in any schema: where the schema is. */
static bool is_schema_location(const struct name *a)
{
    return a->uri && strcmp(a->uri, "http://www.w3.org/2001/XMLSchema-instance") == 0 &&
           (strcmp(a->local, "noNamespaceSchemaLocation") == 0 || strcmp(a->local, "schemaLocation") == 0);
}

enum { HINT = NEAREST_LONGEST + 40 }; /* room for "; did you mean ...?" */

static void say_attribute(const struct shimxml_node *n, const struct schema_element *spec, const char *name,
                          struct shimxml_findings *f)
{
    char hint[HINT];
    struct nearest near = nearest_to(name);
    for (const struct schema_attribute *a = spec->attributes; a->name; a++)
        nearest_try(&near, a->name);
    shimxml_finding_add(f, UNKNOWN_ATTRIBUTE, n, "%s has no attribute '%s'%s", shimxml_name(n), name,
                        nearest_say(&near, hint, sizeof hint));
}

/* If an attribute is one of several words, the finding lists them. */
static void say_value(const struct shimxml_node *n, const char *attribute, const char *value, const char *expected,
                      struct shimxml_findings *f)
{
    static const char words[] = "one of ";
    char hint[HINT], room[NEAREST_LONGEST + 1];
    struct nearest near = nearest_to(value);
    if (strncmp(expected, words, strlen(words)) == 0)
        nearest_try_words(&near, expected + strlen(words), room);
    shimxml_finding_add(f, BAD_VALUE, n, "%s/@%s is '%.60s', expected %s%s", shimxml_name(n), attribute, value,
                        expected, nearest_say(&near, hint, sizeof hint));
}

static void say_element(const struct shimxml_node *c, const struct shimxml_node *parent,
                        const struct schema_element *spec, struct shimxml_findings *f)
{
    char hint[HINT];
    struct nearest near = nearest_to(shimxml_name(c));
    for (const struct schema_child *k = spec->children; k->name; k++)
        nearest_try(&near, k->name);
    shimxml_finding_add(f, UNKNOWN_ELEMENT, c, "%s is not allowed in %s%s", shimxml_name(c), shimxml_name(parent),
                        nearest_say(&near, hint, sizeof hint));
}

/* ---- what the Editor's form lacks or has differently: one finding for the whole file ---- */

static bool editor_lacks(const struct shimxml_node *n, const char *attribute)
{
    static const char *const lacks[][2] = {{"ComponentSet", "id"},           {"Cache", "id"},
                                           {"FunctionalUnit", "name"},       {"Instruction", "operation"},
                                           {"Instruction", "inputBitWidth"}, {"Instruction", "outputBitWidth"}};
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
        if (shimxml_is(n, lacks[i][0]) && strcmp(attribute, lacks[i][1]) == 0)
            return true;
    return false;
}

static bool editor_leaves_open(const struct shimxml_node *n)
{
    return shimxml_is(n, "SystemConfiguration") || shimxml_is(n, "FrequencyVoltageSet") ||
           shimxml_is(n, "ContentionGroupSet");
}

static const char *bad_value(enum schema_type type, const char *value, bool editors)
{
    if (editors && type == TYPE_IDREF && *value == '#')
        return strncmp(value, "#//@", 4) == 0 ? 0 : schema_bad_value(type, value + 1);
    return schema_bad_value(type, value);
}

static void check_attributes(const struct shimxml_node *n, const struct schema_element *spec, bool editors,
                             struct shimxml_findings *f)
{
    size_t needed = 0, given = 0;
    for (const struct schema_attribute *a = spec->attributes; a->name; a++)
        needed += a->required;
    for (size_t i = 0; i < n->n_attributes; i++) {
        const struct attribute *a = &n->u.attributes[i];
        if (a->name->declaration || is_schema_location(a->name))
            continue;
        size_t rank = a->name->plain ? schema_attribute_rank(spec, a->name->local) : SCHEMA_NO_RANK;
        if (rank == SCHEMA_NO_RANK) {
            say_attribute(n, spec, a->name->local, f);
            continue;
        }
        given += spec->attributes[rank].required && (editors || !*a->name->prefix);
        const char *expected = bad_value(spec->attributes[rank].type, a->value, editors);
        if (expected)
            say_value(n, a->name->local, a->value, expected, f);
    }
    for (const struct schema_attribute *a = spec->attributes; given < needed && a->name; a++)
        if (a->required && !shimxml_get(n, a->name) && !(editors && editor_lacks(n, a->name)))
            shimxml_finding_add(f, MISSING_ATTRIBUTE, n, "%s needs the attribute '%s'", shimxml_name(n), a->name);
}

static bool allowed(const struct schema_element *spec, const char *name)
{
    return schema_child_rank(spec, name) != SCHEMA_NO_RANK;
}

/* ---- choices: the alternatives are this child and those after it ---- */

static bool has_any_of(const struct shimxml_node *n, const struct schema_child *run)
{
    bool any = shimxml_child(n, run->name) != 0;
    while (!any && (++run)->name && run->alternative)
        any = shimxml_child(n, run->name) != 0;
    return any;
}

static void need_one(const struct shimxml_node *n, const struct schema_child *run, struct shimxml_findings *f)
{
    struct str names = STR_INIT;
    str_add(&names, run->name);
    while ((++run)->name && run->alternative)
        str_addf(&names, " or a %s", run->name);
    shimxml_finding_add(f, MISSING_ELEMENT, n, "%s needs a %s", shimxml_name(n), str_text(&names));
    str_release(&names);
}

static bool is_choice(const struct schema_element *spec, size_t rank)
{
    return spec->children[rank].alternative || (spec->children[rank + 1].name && spec->children[rank + 1].alternative);
}

/* An element has at most one choice. Returns false if two of its alternatives are present, which is a finding. */
static bool check_choice(const struct shimxml_node *n, const struct schema_element *spec, struct shimxml_findings *f)
{
    const struct shimxml_node *first = 0;
    for (const struct shimxml_node *c = shimxml_child(n, 0); c; c = shimxml_next(c, 0)) {
        size_t rank = schema_child_rank(spec, shimxml_name(c));
        if (rank == SCHEMA_NO_RANK || !is_choice(spec, rank))
            continue;
        if (first && !shimxml_is(c, shimxml_name(first))) {
            shimxml_finding_add(f, TOO_MANY, c, "%s may have one kind only, %s or %s", shimxml_name(n),
                                shimxml_name(first), shimxml_name(c));
            return false;
        }
        first = c;
    }
    return true;
}

/* Checks numbers of children in any order. */
static void check_numbers(const struct shimxml_node *n, const struct schema_element *spec, bool open,
                          struct shimxml_findings *f)
{
    for (const struct schema_child *expected = spec->children; expected->name; expected++) {
        const struct shimxml_node *c = shimxml_child(n, expected->name),
                                  *second = c ? shimxml_next(c, expected->name) : 0;
        if (second && !expected->repeats)
            shimxml_finding_add(f, TOO_MANY, second, "%s may have one %s only", shimxml_name(n), expected->name);
        if (!c && !open && expected->required && !expected->alternative && !has_any_of(n, expected))
            need_one(n, expected, f);
    }
}

/* Checks a sequence: each kind of child in turn, as often as allowed. Unknown children are skipped, so that the others
 * are still checked. If children are left at the end, the first of them follows something that it should precede. */
static void check_children(const struct shimxml_node *n, const struct schema_element *spec, bool editors,
                           struct shimxml_findings *f)
{
    const struct shimxml_node *c = shimxml_child(n, 0);
    bool choices = false, strangers = editors;
    bool open = editors && editor_leaves_open(n);
    for (const struct schema_child *expected = spec->children; expected->name && !editors; expected++) {
        size_t taken = 0;
        for (; c && (shimxml_is(c, expected->name) || !allowed(spec, shimxml_name(c))); c = shimxml_next(c, 0))
            if (!shimxml_is(c, expected->name))
                strangers = true;
            else if (++taken == 2 && !expected->repeats)
                shimxml_finding_add(f, TOO_MANY, c, "%s may have one %s only", shimxml_name(n), expected->name);
        if (!taken && expected->required && !expected->alternative && !has_any_of(n, expected))
            need_one(n, expected, f);
        choices |= expected->alternative;
    }
    if (editors)
        check_numbers(n, spec, open, f);
    bool one_kind = editors || !choices || check_choice(n, spec, f);
    if (!editors && one_kind && c && allowed(spec, shimxml_name(c))) {
        struct str order = STR_INIT;
        schema_add_order(&order, spec);
        shimxml_finding_add(f, WRONG_ORDER, c, "%s stands too late in %s: the order is %s", shimxml_name(c),
                            shimxml_name(n), str_text(&order));
        str_release(&order);
    }
    for (c = strangers || c ? shimxml_child(n, 0) : 0; c; c = shimxml_next(c, 0))
        if (!allowed(spec, shimxml_name(c)))
            say_element(c, n, spec, f);
}

static bool is_blank(const char *text)
{
    return !text || !text[strspn(text, " \t\r\n")];
}

static void check_text(const struct shimxml_node *n, const struct schema_element *spec, bool editors,
                       struct shimxml_findings *f)
{
    if (spec->text) {
        char *text = shimxml_text(n);
        const char *expected = bad_value(spec->text, text, editors);
        if (expected)
            shimxml_finding_add(f, BAD_VALUE, n, "%s holds '%.60s', expected %s", shimxml_name(n), text, expected);
        free(text);
        return;
    }
    for (const struct shimxml_node *c = n->has_text ? n->first : 0; c; c = c->next) {
        if (c->type == NODE_TEXT && !is_blank(c->u.text))
            shimxml_finding_add(f, BAD_TEXT, n, "%s may not hold text", shimxml_name(n));
        else if (c->type == NODE_TEXT && !spec->children->name && *c->u.text)
            shimxml_finding_add(f, BAD_TEXT, n, "%s must be empty, without spaces", shimxml_name(n));
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

/* ---- namespaces: SHIM 1.0 has none, SHIM 2.0 has one for the root only ---- */

static bool same_space(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* A child that belongs below the root of the other version. That is one mistake, not one for each element. */
static const struct shimxml_node *child_of_other_version(const struct shimxml_doc *d, const struct shimxml_node *root)
{
    const struct schema *other = d->schema == &schema1 ? &schema2 : &schema1;
    const struct shimxml_node *c = shimxml_child(root, 0);
    const struct schema_element *own = schema_find(d->schema, d->schema->root),
                                *others = schema_find(other, other->root);
    bool strange = c && schema_child_rank(own, shimxml_name(c)) == SCHEMA_NO_RANK;
    return strange && schema_child_rank(others, shimxml_name(c)) != SCHEMA_NO_RANK ? c : 0;
}

static bool check_root_name(const struct shimxml_doc *d, const struct shimxml_node *root, struct shimxml_findings *f)
{
    char hint[HINT];
    const struct shimxml_node *strange = child_of_other_version(d, root);
    struct nearest near = nearest_to(shimxml_name(root));
    nearest_try(&near, schema1.root);
    nearest_try(&near, schema2.root);
    if (shimxml_is(root, schema1.root) && d->schema == &schema2)
        shimxml_finding_add(f, BAD_ROOT, root, "the root is '%s' in the namespace of SHIM 2.0, whose root is %s",
                            schema1.root, schema2.root);
    else if (!shimxml_is(root, d->schema->root))
        shimxml_finding_add(f, BAD_ROOT, root, "the root is '%s', not %s%s", shimxml_name(root), d->schema->root,
                            nearest_say(&near, hint, sizeof hint));
    else if (strange)
        shimxml_finding_add(f, BAD_ROOT, root, "the root is that of SHIM %s, and %s in it is of SHIM %s",
                            d->schema->version, shimxml_name(strange),
                            d->schema == &schema1 ? schema2.version : schema1.version);
    return shimxml_is(root, d->schema->root) && !strange;
}

static void check_root(const struct shimxml_doc *d, const struct shimxml_node *root, struct shimxml_findings *f)
{
    const char *version = shimxml_get(root, "shimVersion");
    if (!same_space(root->name->uri, d->schema->space))
        shimxml_finding_add(f, NAMESPACE, root, "%s stands in %s%.60s%s%s", shimxml_name(root),
                            root->name->uri ? "the namespace '" : "no namespace",
                            root->name->uri ? root->name->uri : "", root->name->uri ? "'" : "",
                            d->schema->space ? ", not in that of SHIM 2.0" : "");
    if (version && strcmp(version, d->schema->version) != 0)
        shimxml_finding_add(f, VERSION, root, "shimVersion is '%.30s'", version);
}

/* Reported once, where it begins. */
static void check_space(const struct shimxml_doc *d, const struct shimxml_node *n, struct shimxml_findings *f)
{
    if (n->parent == &d->top)
        return;
    const struct shimxml_node *root = shimxml_root(d);
    const char *space = n->name->uri, *outside = n->parent->name->uri;
    if (n->parent == root && d->schema->space)
        outside = 0;
    if (space && !same_space(space, outside))
        shimxml_finding_add(f, NAMESPACE, n, "%s is in the namespace '%.60s'", shimxml_name(n), space);
}

static const char *qualified_attribute(const struct shimxml_node *n)
{
    for (size_t i = 0; i < n->n_attributes; i++)
        if (n->u.attributes[i].name->plain && *n->u.attributes[i].name->prefix)
            return n->u.attributes[i].name->local;
    return 0;
}

/* Checks all elements of a document. */
static void check_element(const struct shimxml_doc *d, const struct shimxml_node *n, bool editors, bool *qualified,
                          struct shimxml_findings *f)
{
    const struct schema_element *spec = n->name->spec;
    const char *attribute = *qualified || editors ? 0 : qualified_attribute(n);
    if (!editors || !same_space(n->name->uri, d->schema->space))
        check_space(d, n, f);
    if (attribute)
        shimxml_finding_add(f, NAMESPACE, n, "attributes are in a namespace, beginning with '%s'", attribute);
    *qualified |= attribute != 0;
    if (!spec)
        return; /* already reported for its parent */
    check_attributes(n, spec, editors, f);
    check_children(n, spec, editors, f);
    check_text(n, spec, editors, f);
}

bool check_schema(const struct shimxml_doc *d, struct shimxml_findings *f)
{
    const struct shimxml_node *root = shimxml_root(d);
    bool qualified = false, editors = doc_is_editors(d);
    if (!check_root_name(d, root, f))
        return false;
    check_root(d, root, f);
    if (editors)
        shimxml_finding_add(f, EDITOR_FORM, root, "this is SHIM 2.0 in the form of the SHIM Editor, not of the schema");
    for (const struct shimxml_node *n = shimxml_following(root, 0, 0); n; n = shimxml_following(root, n, 0))
        check_element(d, n, editors, &qualified, f);
    check_ids(d, f);
    return true;
}
