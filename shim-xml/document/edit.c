/* edit.c - changes a document. New elements and attributes go where the schema wants them. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "shim-xml/document/doc.h"

static void drop_ids(struct shimxml_doc *d)
{
    map_release(&d->ids);
    vec_release(&d->targets);
}

/* The first child that the schema places after elements of this name. NULL: there is none, which is the usual case. */
static struct shimxml_node *successor(const struct shimxml_node *parent, const char *name)
{
    const struct schema_element *spec = parent->name->spec;
    size_t rank = schema_child_rank(spec, name), other;
    if (rank == SCHEMA_NO_RANK)
        return 0;
    if (parent->last && shimxml_is(parent->last, 0)) {
        other = schema_child_rank(spec, shimxml_name(parent->last));
        if (other <= rank)
            return 0;
    }
    struct shimxml_node *c = shimxml_child(parent, 0);
    for (; c; c = shimxml_next(c, 0)) {
        other = schema_child_rank(spec, shimxml_name(c));
        if (other != SCHEMA_NO_RANK && other > rank)
            break;
    }
    return c;
}

struct shimxml_node *shimxml_add(struct shimxml_node *parent, const char *name)
{
    struct shimxml_node *n = node_insert(parent, successor(parent, name), NODE_ELEMENT);
    n->name = doc_name(doc_of(parent), name, 0, 0, false);
    return n;
}

struct shimxml_node *shimxml_need(struct shimxml_node *parent, const char *name)
{
    struct shimxml_node *n = shimxml_child(parent, name);
    return n ? n : shimxml_add(parent, name);
}

/* ---- attributes ---- */

static struct attribute *find_attribute(const struct shimxml_node *n, const char *name)
{
    for (size_t i = 0; i < n->n_attributes; i++) {
        const struct name *a = n->u.attributes[i].name;
        if (a->plain && strcmp(a->local, name) == 0)
            return &n->u.attributes[i];
    }
    return 0;
}

static void unset(struct shimxml_node *n, struct attribute *a)
{
    size_t after = (size_t)(n->u.attributes + n->n_attributes - (a + 1));
    memmove(a, a + 1, after * sizeof *a);
    n->n_attributes--;
}

/* Inserted before the first attribute that the schema names after it. */
static struct attribute *new_attribute(struct shimxml_node *n, const char *name)
{
    struct shimxml_doc *d = doc_of(n);
    const struct schema_element *spec = n->name->spec;
    size_t rank = schema_attribute_rank(spec, name), at = 0;
    for (; at < n->n_attributes; at++) {
        size_t other = schema_attribute_rank(spec, n->u.attributes[at].name->local);
        if (other != SCHEMA_NO_RANK && rank != SCHEMA_NO_RANK && other > rank)
            break;
    }
    struct attribute *all = doc_alloc(d, (n->n_attributes + 1) * sizeof *all);
    if (n->n_attributes) {
        memcpy(all, n->u.attributes, at * sizeof *all);
        memcpy(all + at + 1, n->u.attributes + at, (n->n_attributes - at) * sizeof *all);
    }
    all[at].name = doc_name(d, name, 0, 0, false);
    n->u.attributes = all;
    n->n_attributes++;
    return &all[at];
}

const char *node_value(struct shimxml_doc *d, const struct shimxml_node *n, const struct name *name, const char *value,
                       size_t len)
{
    bool blank = len && (strchr(SPACES, value[0]) || strchr(SPACES, value[len - 1]));
    size_t rank = blank && name->plain ? schema_attribute_rank(n->name->spec, name->local) : SCHEMA_NO_RANK;
    if (rank != SCHEMA_NO_RANK && schema_collapses(n->name->spec->attributes[rank].type)) {
        for (; len && strchr(SPACES, *value); len--)
            value++;
        while (len && strchr(SPACES, value[len - 1]))
            len--;
    }
    return doc_value(d, value, len);
}

void shimxml_set(struct shimxml_node *n, const char *attribute, const char *value)
{
    struct shimxml_doc *d = doc_of(n);
    struct attribute *a = find_attribute(n, attribute);
    if (strcmp(attribute, "id") == 0)
        drop_ids(d);
    if (!value) {
        if (a)
            unset(n, a);
        return;
    }
    if (!a)
        a = new_attribute(n, attribute);
    a->value = node_value(d, n, a->name, value, strlen(value));
}

void shimxml_setf(struct shimxml_node *n, const char *attribute, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *value = xvasprintf(fmt, ap);
    va_end(ap);
    shimxml_set(n, attribute, value);
    free(value);
}

void shimxml_set_number(struct shimxml_node *n, const char *attribute, double value)
{
    float single = (float)value; /* xs:float: readers keep 24 bits */
    char text[40];
    for (int digits = 1; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)single);
        if (strtof(text, 0) == single)
            break;
    }
    if (!strpbrk(text, ".e"))
        strcat(text, ".0"); /* as in the official samples */
    shimxml_set(n, attribute, text);
}

/* ---- content ---- */

void shimxml_set_text(struct shimxml_node *n, const char *text)
{
    shimxml_clear(n);
    node_insert(n, 0, NODE_TEXT)->u.text = doc_text(doc_of(n), text, strlen(text));
}

void shimxml_remove(struct shimxml_node *n)
{
    struct shimxml_node *parent = n->parent, *before = 0;
    drop_ids(doc_of(n));
    if (parent->first != n)
        for (before = parent->first; before->next != n;)
            before = before->next;
    *(before ? &before->next : &parent->first) = n->next;
    if (parent->last == n)
        parent->last = before;
    parent->counted = false;
}

void shimxml_clear(struct shimxml_node *n)
{
    drop_ids(doc_of(n));
    n->first = n->last = 0;
    n->has_text = false;
}

void shimxml_comment(struct shimxml_node *parent, struct shimxml_node *before, const char *text)
{
    struct shimxml_doc *d = doc_of(parent);
    struct str clean = STR_INIT;
    str_add(&clean, text);
    for (char *p = clean.s; (p = strstr(p, "--"));)
        p[1] = '_';
    if (clean.len && clean.s[clean.len - 1] == '-')
        clean.s[clean.len - 1] = '_';
    node_insert(parent, before, NODE_COMMENT)->u.text = doc_text(d, str_text(&clean), clean.len);
    str_release(&clean);
}
