/* doc.c - memory of a document. Nodes, attributes and texts are in blocks that are only freed as a whole. Names and
 * values are stored once each, since a description repeats them very often. */
#include <stdlib.h>
#include <string.h>

#include "shim-xml/document/doc.h"

enum { BLOCK = 1 << 18, ALIGNMENT = 8 };

/* ---- memory ---- */

void *doc_alloc(struct shimxml_doc *d, size_t size)
{
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (size > BLOCK / 4) { /* gets a block of its own, before the one in use */
        void *own = xmalloc(size);
        vec_push(&d->blocks, own);
        if (d->blocks.n > 1) {
            d->blocks.at[d->blocks.n - 1] = d->blocks.at[d->blocks.n - 2];
            d->blocks.at[d->blocks.n - 2] = own;
        }
        return own;
    }
    if (size > d->room) {
        vec_push(&d->blocks, xmalloc(BLOCK));
        d->room = BLOCK;
    }
    char *block = d->blocks.at[d->blocks.n - 1];
    d->room -= size;
    return block + (BLOCK - size - d->room);
}

const char *doc_text(struct shimxml_doc *d, const char *text, size_t n)
{
    char *copy = doc_alloc(d, n + 1);
    memcpy(copy, text, n);
    copy[n] = 0;
    return copy;
}

/* ---- values ---- */

static size_t slot_of(const struct shimxml_doc *d, const char *text, size_t n)
{
    size_t slot = (size_t)hash_bytes(HASH_START, text, n) & (d->n_slots - 1);
    while (d->texts[slot] && (strncmp(d->texts[slot], text, n) != 0 || d->texts[slot][n]))
        slot = (slot + 1) & (d->n_slots - 1);
    return slot;
}

static void more_slots(struct shimxml_doc *d)
{
    const char **before = d->texts;
    size_t n = d->n_slots;
    d->n_slots = n ? 2 * n : 256;
    d->texts = xcalloc(d->n_slots, sizeof *d->texts);
    for (size_t i = 0; i < n; i++)
        if (before[i])
            d->texts[slot_of(d, before[i], strlen(before[i]))] = before[i];
    free(before);
}

const char *doc_value(struct shimxml_doc *d, const char *text, size_t n)
{
    if (2 * d->n_texts >= d->n_slots)
        more_slots(d);
    size_t slot = slot_of(d, text, n);
    if (!d->texts[slot]) {
        d->texts[slot] = doc_text(d, text, n);
        d->n_texts++;
    }
    return d->texts[slot];
}

/* ---- names ---- */

/* What the document's schema says about the name. */
static void look_up(const struct shimxml_doc *d, struct name *name)
{
    name->spec = schema_find(d->schema, name->local);
    name->reference = schema_reference(d->schema, name->local);
    name->plain = !name->declaration &&
                  (!*name->prefix || (d->schema->space && name->uri && strcmp(name->uri, d->schema->space) == 0));
}

static struct name *new_name(const struct shimxml_doc *d, const char *local, const char *prefix, const char *uri,
                             bool declaration)
{
    struct name *name = xcalloc(1, sizeof *name);
    name->local = xstrdup(local);
    name->prefix = xstrdup(prefix ? prefix : "");
    name->uri = xstrdup(uri);
    name->declaration = declaration;
    look_up(d, name);
    return name;
}

void doc_set_schema(struct shimxml_doc *d, const struct schema *schema)
{
    d->schema = schema;
    for (size_t i = 0; i < d->names.n; i++)
        look_up(d, d->names.at[i]);
}

struct name *doc_name(struct shimxml_doc *d, const char *local, const char *prefix, const char *uri, bool declaration)
{
    char *key = prefix || uri || declaration
                    ? xasprintf("%s\n%s\n%s\n%d", local, prefix ? prefix : "", uri ? uri : "", declaration)
                    : 0;
    size_t i = d->names.n;
    if (!map_get(&d->name_index, key ? key : local, &i)) {
        map_put(&d->name_index, key ? key : local, i);
        vec_push(&d->names, new_name(d, local, prefix, uri, declaration));
    }
    free(key);
    return d->names.at[i];
}

/* ---- the document ---- */

struct shimxml_doc *doc_make(const char *path)
{
    struct shimxml_doc *d = xcalloc(1, sizeof *d);
    d->path = xstrdup(path);
    d->schema = &schema1;
    return d;
}

struct shimxml_doc *shimxml_doc_new(const char *root)
{
    struct shimxml_doc *d = doc_make("(new)");
    doc_set_schema(d, schema_of(root, 0));
    node_insert(&d->top, 0, NODE_ELEMENT)->name = doc_name(d, root, 0, 0, false);
    return d;
}

void shimxml_free(struct shimxml_doc *d)
{
    if (!d)
        return;
    for (size_t i = 0; i < d->names.n; i++) {
        free(d->names.at[i]->local);
        free(d->names.at[i]->prefix);
        free(d->names.at[i]->uri);
        free(d->names.at[i]);
    }
    for (size_t i = 0; i < d->blocks.n; i++)
        free(d->blocks.at[i]);
    vec_release(&d->names);
    vec_release(&d->blocks);
    vec_release(&d->targets);
    map_release(&d->ids);
    map_release(&d->name_index);
    free(d->texts);
    free(d->path);
    free(d);
}

const char *shimxml_path(const struct shimxml_doc *d)
{
    return d->path;
}

struct shimxml_doc *doc_of(const struct shimxml_node *n)
{
    while (n->parent)
        n = n->parent;
    return (struct shimxml_doc *)n; /* it is the first member */
}

struct shimxml_node *node_insert(struct shimxml_node *parent, struct shimxml_node *before, enum node_type type)
{
    struct shimxml_node *n = doc_alloc(doc_of(parent), sizeof *n);
    *n = (struct shimxml_node){.parent = parent, .next = before, .type = (unsigned char)type};
    if (parent->first == before) {
        parent->first = n;
    } else {
        struct shimxml_node *at = parent->last;
        if (before)
            for (at = parent->first; at->next != before;)
                at = at->next;
        at->next = n;
    }
    if (!before)
        parent->last = n;
    parent->counted = false;
    parent->has_text |= type == NODE_TEXT;
    return n;
}
