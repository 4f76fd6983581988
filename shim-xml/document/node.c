/* node.c - walks a document, and reads what its elements say. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"
#include "shim-xml/document/doc.h"
#include "shim-xml/document/quantity.h"
#include "shim-xml/document/text.h"

/* ---- walking ---- */

bool shimxml_is(const struct shimxml_node *n, const char *name)
{
    return n && n->type == NODE_ELEMENT && (!name || schema_same(n->name->local, name));
}

static struct shimxml_node *first_from(struct shimxml_node *n, const char *name)
{
    while (n && !shimxml_is(n, name))
        n = n->next;
    return n;
}

struct shimxml_node *shimxml_root(const struct shimxml_doc *d)
{
    return first_from(d->top.first, 0);
}

struct shimxml_node *shimxml_child(const struct shimxml_node *parent, const char *name)
{
    return parent ? first_from(parent->first, name) : 0;
}

struct shimxml_node *shimxml_next(const struct shimxml_node *n, const char *name)
{
    return first_from(n->next, name);
}

struct shimxml_node *shimxml_parent(const struct shimxml_node *n)
{
    return n->parent && n->parent->type == NODE_ELEMENT ? n->parent : 0;
}

static struct shimxml_node *next_element(const struct shimxml_node *top, const struct shimxml_node *n)
{
    struct shimxml_node *next = first_from(n->first, 0);
    while (!next && n != top) {
        next = first_from(n->next, 0);
        n = n->parent;
    }
    return next;
}

struct shimxml_node *shimxml_following(const struct shimxml_node *top, const struct shimxml_node *n, const char *name)
{
    if (!n && shimxml_is(top, name))
        return (struct shimxml_node *)top;
    n = n ? n : top;
    struct shimxml_node *next = n ? next_element(top, n) : 0;
    while (next && !shimxml_is(next, name))
        next = next_element(top, next);
    return next;
}

struct shimxml_node *shimxml_owner(const struct shimxml_node *n, const char *name)
{
    for (struct shimxml_node *p = n->parent; p; p = p->parent)
        if (shimxml_is(p, name))
            return p;
    return 0;
}

/* ---- references ---- */

/* The index is made on first use, and discarded when an id changes. For a reader the document is constant. */
static void index_ids(struct shimxml_doc *d)
{
    const struct shimxml_node *root = shimxml_root(d);
    for (struct shimxml_node *n = shimxml_following(root, 0, 0); n; n = shimxml_following(root, n, 0)) {
        const char *id = shimxml_get(n, "id");
        if (!id || map_get(&d->ids, id, 0))
            continue;
        map_put(&d->ids, id, d->targets.n);
        vec_push(&d->targets, n);
    }
}

/* Resolves references of the official SHIM 2.0 samples, as the editor's modelling framework (EMF) writes them: "#id",
 * "#//@systemConfiguration/@componentSet/@cache.1". The number of steps is limited for a whole document. */
static struct shimxml_node *by_id_path(struct shimxml_doc *d, const char *way)
{
    enum { STEPS = 100000000 };
    struct shimxml_node *n = shimxml_root(d);
    for (const char *p = way; n && *p;) {
        size_t length = strcspn(p += *p == '/', "/.");
        unsigned long index = p[length] == '.' ? strtoul(p + length + 1, 0, 10) : 0;
        if (*p != '@' || length < 2)
            return 0;
        for (n = shimxml_child(n, 0); n; n = shimxml_next(n, 0)) {
            bool called = strncasecmp(n->name->local, p + 1, 1) == 0 && strlen(n->name->local) == length - 1 &&
                          strncmp(n->name->local + 1, p + 2, length - 2) == 0;
            if (++d->steps > STEPS)
                return 0;
            if (called && !index--)
                break;
        }
        p += strcspn(p, "/");
    }
    return n;
}

struct shimxml_node *shimxml_by_id(const struct shimxml_doc *d, const char *id)
{
    size_t i;
    if (d->schema == &schema2)
        id = reference_id(id);
    if (id[0] == '/' && d->schema == &schema2)
        return strncmp(id, "//@", 3) == 0 ? by_id_path((struct shimxml_doc *)d, id + 1) : 0;
    if (!d->targets.n)
        index_ids((struct shimxml_doc *)d);
    return map_get(&d->ids, id, &i) ? d->targets.at[i] : 0;
}

struct shimxml_node *shimxml_target(const struct shimxml_node *n, const char *name)
{
    char *text = name ? 0 : shimxml_text(n);
    const char *id = name ? shimxml_get(n, name) : text;
    struct shimxml_node *target = id ? shimxml_by_id(doc_of(n), id) : 0;
    free(text);
    return target;
}

/* ---- the Editor's form ---- */

/* The first reference in the document; NULL: none. The caller frees. */
static char *first_reference(const struct shimxml_node *root)
{
    for (const struct shimxml_node *n = root; n; n = shimxml_following(root, n, 0)) {
        for (size_t i = 0; i < n->n_attributes; i++)
            if (n->u.attributes[i].name->reference && n->u.attributes[i].name->plain)
                return xstrdup(n->u.attributes[i].value);
        if (n->name->spec && n->name->spec->text == TYPE_IDREF)
            return shimxml_text(n);
    }
    return 0;
}

bool doc_is_editors(const struct shimxml_doc *d)
{
    const struct shimxml_node *root = shimxml_root(d), *first = shimxml_child(root, 0), *instruction;
    if (d->schema != &schema2 || !shimxml_is(root, schema2.root) || !first)
        return false;
    if (*first->name->prefix && first->name->uri && strcmp(first->name->uri, schema2.space) == 0)
        return true;
    instruction = shimxml_following(root, 0, "Instruction");
    char *reference = first_reference(root);
    bool marked = reference && *reference == '#';
    free(reference);
    return marked && !(instruction && shimxml_get(instruction, "operation"));
}

/* ---- what an element says ---- */

const char *shimxml_name(const struct shimxml_node *n)
{
    return n->name->local;
}

unsigned long shimxml_line(const struct shimxml_node *n)
{
    return n->line;
}

const char *shimxml_get(const struct shimxml_node *n, const char *attribute)
{
    for (size_t i = 0; i < n->n_attributes; i++)
        if (n->u.attributes[i].name->plain && schema_same(n->u.attributes[i].name->local, attribute))
            return n->u.attributes[i].value;
    return 0;
}

const char *shimxml_attribute(const struct shimxml_node *n, size_t i, const char **value)
{
    for (size_t k = 0; k < n->n_attributes; k++) {
        if (!n->u.attributes[k].name->plain || i--)
            continue;
        if (value)
            *value = n->u.attributes[k].value;
        return n->u.attributes[k].name->local;
    }
    return 0;
}

double shimxml_number(const struct shimxml_node *n, const char *attribute)
{
    const char *text = n ? shimxml_get(n, attribute) : 0;
    double v;
    return text && parse_double(text, &v) ? v : (double)NAN;
}

double shimxml_bytes(const struct shimxml_node *n)
{
    double bytes = quantity_of(&quantity_size, n);
    return bytes > 0 ? bytes : 0;
}

/* The reader limits the depth. */
static void add_text(struct str *out, const struct shimxml_node *n)
{
    for (const struct shimxml_node *c = n->first; c; c = c->next) {
        if (c->type == NODE_TEXT)
            str_add(out, c->u.text);
        else if (c->type == NODE_ELEMENT)
            add_text(out, c);
    }
}

char *shimxml_text(const struct shimxml_node *n)
{
    struct str all = STR_INIT;
    add_text(&all, n);
    const char *from = str_text(&all) + strspn(str_text(&all), SPACES);
    size_t len = strlen(from);
    while (len && strchr(SPACES, from[len - 1]))
        len--;
    char *text = xstrndup(from, len);
    str_release(&all);
    return text;
}

/* ---- paths of elements. The position of each element among its siblings of the same name is computed for all of them
 * at once, since counting for each would be quadratic. ---- */

static void count_children(struct shimxml_node *parent)
{
    for (const struct shimxml_node *n = shimxml_child(parent, 0); n; n = shimxml_next(n, 0))
        n->name->seen = n->name->all = 0;
    for (const struct shimxml_node *n = shimxml_child(parent, 0); n; n = shimxml_next(n, 0))
        n->name->all++;
    for (struct shimxml_node *n = shimxml_child(parent, 0); n; n = shimxml_next(n, 0)) {
        n->name->seen++;
        n->position = n->name->all > 1 ? n->name->seen : 0;
    }
    parent->counted = true;
}

char *shimxml_path_of(const struct shimxml_node *n)
{
    VEC(const struct shimxml_node *) way = {0};
    if (n && n->type == NODE_PI)
        return xasprintf("/processing-instruction('%s')", n->name->local);
    for (; n && n->type == NODE_ELEMENT; n = n->parent) {
        if (!n->parent->counted)
            count_children(n->parent);
        vec_push(&way, n);
    }
    struct str path = STR_INIT;
    for (size_t i = way.n; i-- > 0;) {
        char *name = text_printable(shimxml_name(way.at[i]), 60);
        str_addf(&path, "/%s", name);
        if (way.at[i]->position)
            str_addf(&path, "[%zu]", (size_t)way.at[i]->position);
        free(name);
    }
    vec_release(&way);
    return str_detach(&path);
}
