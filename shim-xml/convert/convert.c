/* convert.c - converts a document between versions of SHIM: what both directions share. Most elements are the same, in
 * another order and with other words. */
#include "shim-xml/values/seal.h"
#include "shim-xml/convert/convert.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim-xml/document/access_levels.h"
#include "shim-xml/document/quantity.h"

/* ---- what is left out ---- */

void convert_leave_out(struct converting *c, const char *what)
{
    size_t i = c->left->n;
    if (map_get(&c->left_index, what, &i)) {
        c->left->at[i].n++;
        return;
    }
    map_put(&c->left_index, what, i);
    c->left->at = xreallocarray(c->left->at, i + 1, sizeof *c->left->at);
    c->left->at[i] = (struct shimxml_left){xstrdup(what), 1};
    c->left->n++;
}

void convert_leave_out_tree(struct converting *c, const struct shimxml_node *from)
{
    for (const struct shimxml_node *n = from; n; n = shimxml_following(from, n, 0))
        if (n->name->spec) /* what no schema knows is not part of SHIM */
            convert_leave_out(c, shimxml_name(n));
}

void convert_leave_out_attribute(struct converting *c, const struct shimxml_node *n, const char *attribute)
{
    char *what = xasprintf("%s/@%s", shimxml_name(n), attribute);
    convert_leave_out(c, what);
    free(what);
}

void shimxml_left_out_release(struct shimxml_left_out *left)
{
    for (size_t i = 0; i < left->n; i++)
        free(left->at[i].what);
    free(left->at);
    *left = (struct shimxml_left_out){0};
}

/* ---- ids ---- */

static char *address_of(const struct shimxml_node *n)
{
    return xasprintf("%p", (const void *)n);
}

static const char *prefix_of(const struct shimxml_node *n)
{
    static const char *const prefixes[][2] = {
        {"ComponentSet", "CS"}, {"MasterComponent", "MC"}, {"SlaveComponent", "SC"}, {"Cache", "C"},
        {"AccessType", "AT"},   {"AddressSpace", "AS"},    {"SubSpace", "SS"},       {"PerformanceSet", "PS"}};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (shimxml_is(n, prefixes[i][0]))
            return prefixes[i][1];
    return 0;
}

static bool needs_id(const struct converting *c, const struct shimxml_node *n)
{
    if (!prefix_of(n) || shimxml_get(n, "id"))
        return false;
    const struct schema_element *spec = schema_find(c->to->schema, shimxml_name(n));
    return schema_attribute_rank(spec, "id") != SCHEMA_NO_RANK;
}

void convert_make_ids(struct converting *c)
{
    const struct shimxml_node *root = shimxml_root(c->from);
    struct map numbers = {0}; /* prefix -> the next number */
    for (const struct shimxml_node *n = root; n; n = shimxml_following(root, n, 0)) {
        if (!needs_id(c, n))
            continue;
        const char *prefix = prefix_of(n);
        size_t number = 0;
        char *id = 0, *address = address_of(n);
        map_get(&numbers, prefix, &number);
        do {
            free(id);
            id = xasprintf("%s_%zu", prefix, number++);
        } while (shimxml_by_id(c->from, id));
        map_put(&numbers, prefix, number);
        map_put(&c->new_ids, address, c->ids.n);
        vec_push(&c->ids, id);
        free(address);
    }
    map_release(&numbers);
}

const char *convert_id(const struct converting *c, const struct shimxml_node *n)
{
    char *address = address_of(n);
    size_t i;
    bool made = map_get(&c->new_ids, address, &i);
    free(address);
    return made ? c->ids.at[i] : shimxml_get(n, "id");
}

/* The id in a reference of any form. */
static const char *bare(const struct converting *c, const char *reference)
{
    const struct shimxml_node *target = shimxml_by_id(c->from, reference);
    const char *id = target ? convert_id(c, target) : 0;
    return id ? id : reference_id(reference);
}

void convert_reference(struct converting *c, struct shimxml_node *parent, const char *name,
                       const struct shimxml_node *target)
{
    const char *id = target ? convert_id(c, target) : 0;
    if (id)
        shimxml_set_text(convert_append(c, parent, name), id);
}

/* ---- values ---- */

static const char *word(const struct converting *c, const char *attribute, const char *value)
{
    static const char *const words[][2] = {
        {"HARD", "HARDWARE"}, {"SOFT", "SOFTWARE"}, {"ORDERD", "ORDERED"}, {"UNORDERD", "UNORDERED"}};
    bool renamed = strcmp(attribute, "cacheCoherency") == 0 || strstr(attribute, "Ordering");
    size_t to = c->to->schema == &schema2;
    for (size_t i = 0; renamed && i < sizeof words / sizeof *words; i++)
        if (strcmp(value, words[i][!to]) == 0)
            return words[i][to];
    return value;
}

void convert_fit_size(struct shimxml_node *n)
{
    const char *const *units = quantity_size.units;
    double size = shimxml_number(n, "size");
    const char *unit = shimxml_get(n, "sizeUnit");
    size_t u = 0;
    while (unit && u < 5 && strcmp(unit, units[u]) != 0)
        u++;
    if (!(size > INT32_MAX) || !unit)
        return;
    for (; size > INT32_MAX && u < 4; u++)
        size = ceil(size / 1024);
    if (u > 4 || size > INT32_MAX)
        return;
    shimxml_setf(n, "size", "%.0f", size);
    shimxml_set(n, "sizeUnit", units[u]);
}

/* Attributes that have another form in the other version. */
static bool is_said_otherwise(const struct shimxml_node *n, const char *attribute)
{
    static const char *const forms[][2] = {{"MasterComponent", "operatingPointRef"},
                                           {"MasterComponent", "frequencyDomainRef"},
                                           {"ComponentSet", "operatingPointRef"},
                                           {"ComponentSet", "frequencyDomainRef"},
                                           {"PerformanceSet", "cacheRef"}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (shimxml_is(n, forms[i][0]) && strcmp(attribute, forms[i][1]) == 0)
            return true;
    return strcmp(attribute, "id") == 0;
}

static void copy_attribute(struct converting *c, struct shimxml_node *to, const struct shimxml_node *from,
                           const char *name, const char *value)
{
    const struct schema_element *spec = to->name->spec;
    size_t rank = schema_attribute_rank(spec, name);
    if (rank == SCHEMA_NO_RANK) {
        if (schema_attribute_rank(from->name->spec, name) != SCHEMA_NO_RANK && !is_said_otherwise(from, name))
            convert_leave_out_attribute(c, from, name);
        return;
    }
    const struct schema_attribute *a = &spec->attributes[rank];
    value = a->type == TYPE_IDREF ? bare(c, value) : word(c, name, value);
    if (schema_bad_value(a->type, value) && !a->required)
        convert_leave_out_attribute(c, from, name);
    else
        shimxml_set(to, name, value);
}

/* ---- elements ---- */

struct shimxml_node *convert_append(const struct converting *c, struct shimxml_node *parent, const char *name)
{
    struct shimxml_node *n = node_insert(parent, 0, NODE_ELEMENT);
    n->name = doc_name(c->to, name, 0, 0, false);
    return n;
}

struct shimxml_node *convert_element(struct converting *c, struct shimxml_node *parent, const struct shimxml_node *from)
{
    struct shimxml_node *n = convert_append(c, parent, shimxml_name(from));
    const char *value = 0, *name;
    for (size_t i = 0; (name = shimxml_attribute(from, i, &value)); i++)
        copy_attribute(c, n, from, name, value);
    if (needs_id(c, from))
        shimxml_set(n, "id", convert_id(c, from));
    if (c->to->schema == &schema1)
        convert_fit_size(n);
    return n;
}

static void copy_any(struct converting *c, struct shimxml_node *parent, const struct shimxml_node *from)
{
    if (c->kind && shimxml_is(from, c->kind))
        c->copy(c, parent, from);
    else
        convert_tree(c, parent, from);
}

void convert_tree(struct converting *c, struct shimxml_node *parent, const struct shimxml_node *from)
{
    struct shimxml_node *n = convert_element(c, parent, from);
    const struct schema_element *spec = n->name->spec;
    for (const struct schema_child *k = spec ? spec->children : 0; k && k->name; k++)
        convert_children(c, n, from, k->name, copy_any);
    for (const struct shimxml_node *k = shimxml_child(from, 0); k; k = shimxml_next(k, 0))
        if (spec && schema_child_rank(spec, shimxml_name(k)) == SCHEMA_NO_RANK)
            convert_leave_out_tree(c, k);
    convert_children(c, n, from, 0, 0);
}

void convert_tree_with(struct converting *c, struct shimxml_node *parent, const struct shimxml_node *from,
                       const char *kind, convert_copier *copy)
{
    c->kind = kind;
    c->copy = copy;
    convert_tree(c, parent, from);
    c->kind = 0;
}

/* ---- comments and processing instructions ---- */

static void copy_remark(struct converting *c, struct shimxml_node *to, const struct shimxml_node *from)
{
    if (from->type != NODE_COMMENT && from->type != NODE_PI)
        return;
    if (level_is_comment(from)) /* a value, which is converted elsewhere */
        return;
    struct shimxml_node *n = node_insert(to, 0, (enum node_type)from->type);
    n->name = from->type == NODE_PI ? doc_name(c->to, from->name->local, 0, 0, false) : 0;
    n->u.text = doc_text(c->to, from->u.text, strlen(from->u.text));
}

void convert_children(struct converting *c, struct shimxml_node *to, const struct shimxml_node *from, const char *kind,
                      convert_copier *copy)
{
    const struct shimxml_node *remarks = from->first;
    for (const struct shimxml_node *n = from->first; n; n = n->next) {
        if (n->type != NODE_ELEMENT)
            continue;
        bool wanted = kind && shimxml_is(n, kind);
        for (; wanted && remarks != n; remarks = remarks->next)
            copy_remark(c, to, remarks);
        if (wanted && copy)
            copy(c, to, n);
        remarks = n->next;
    }
    for (; !kind && remarks; remarks = remarks->next)
        copy_remark(c, to, remarks);
}

/* ---- everything together ---- */

static enum status is_convertible(const struct shimxml_doc *d, const struct schema *to, struct error *e)
{
    const struct shimxml_node *root = shimxml_root(d);
    const struct schema *from = to == &schema2 ? &schema1 : &schema2;
    const char *wanted = from == &schema2 ? "shim:Shim" : from->root;
    if (d->schema != from || !shimxml_is(root, from->root))
        return error_set(e, ERR_INPUT, AT(d->path, root->line), "not a SHIM %s file: the root is '%s', not %s",
                         from->version, shimxml_name(root), wanted);
    if (from == &schema2 && !shimxml_child(root, "SystemConfiguration"))
        return error_set(e, ERR_INPUT, AT(d->path, root->line),
                         "it describes no system: there is no SystemConfiguration in shim:Shim");
    return OK;
}

static void release(struct converting *c, struct shimxml_left_out *own)
{
    for (size_t i = 0; i < c->ids.n; i++)
        free(c->ids.at[i]);
    vec_release(&c->ids);
    vec_release(&c->clocks);
    map_release(&c->new_ids);
    map_release(&c->left_index);
    map_release(&c->owner_of);
    vec_release(&c->owners);
    shimxml_left_out_release(own);
}

/* The model's values are costs that are multiplied by counts. Annotations of the old values do not apply to them. */
static void take_model(struct shimxml_doc *d)
{
    for (struct shimxml_node *n = 0; (n = shimxml_following(shimxml_root(d), n, "MasterComponent"));)
        seal_remove(n);
    shimxml_set_method(d, "operand");
    shimxml_set_intervals(d, 0, 0);
    shimxml_annotate(d, "fitted-interval", 0);
    shimxml_annotate(d, "compiled-interval", 0);
}

static enum status is_two(const struct shimxml_doc *d, struct error *e)
{
    const struct shimxml_node *root = shimxml_root(d);
    if (d->schema != &schema2 || !shimxml_is(root, schema2.root))
        return error_set(e, ERR_INPUT, AT(d->path, root->line), "not a SHIM 2.0 file: the root is '%s', not shim:Shim",
                         shimxml_name(root));
    return OK;
}

bool shimxml_is_editors(const struct shimxml_doc *d)
{
    return doc_is_editors(d);
}

enum status shimxml_convert_form(struct shimxml_doc **out, const struct shimxml_doc *d, enum shimxml_form form,
                                 struct shimxml_left_out *left, struct error *e)
{
    struct shimxml_left_out own = {0};
    enum status s = is_two(d, e);
    if (s)
        return s;
    struct converting c = {.from = d, .to = doc_make(d->path), .left = left ? left : &own};
    doc_set_schema(c.to, &schema2);
    convert_make_ids(&c);
    convert_to_schema(&c);
    if (form == SHIMXML_EDITORS_FORM)
        convert_to_editors(&c);
    *out = c.to;
    release(&c, &own);
    return OK;
}

enum status shimxml_convert(struct shimxml_doc **out, const struct shimxml_doc *d, const char *version,
                            const char *model_path, struct shimxml_left_out *left, struct error *e)
{
    const struct schema *to = strcmp(version, schema1.version) == 0 ? &schema1 : &schema2;
    struct shimxml_left_out own = {0};
    struct model *model = 0;
    enum status s = is_convertible(d, to, e);
    if (!s && model_path)
        s = model_read(&model, model_path, e);
    if (s)
        return s;
    struct converting c = {.from = d, .to = doc_make(d->path), .left = left ? left : &own, .model = model};
    doc_set_schema(c.to, to);
    convert_make_ids(&c);
    if (to == &schema2)
        convert_to_two(&c);
    else
        convert_to_one(&c);
    if (model)
        take_model(c.to);
    release(&c, &own);
    model_free(model);
    *out = c.to;
    return OK;
}
