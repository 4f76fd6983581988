/* write.c - writes a document as XML: four spaces per level, LF, the declaration of the official samples. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "shim-xml/document/doc.h"

static void put_escaped(FILE *f, const char *text, bool attribute)
{
    for (;;) {
        size_t n = strcspn(text, "&<>\"\n\t\r");
        fwrite(text, 1, n, f);
        text += n;
        if (!*text)
            return;
        const char *entity = attribute || *text != '"' ? xml_entity(*text) : 0;
        if (entity)
            fputs(entity, f);
        else if (*text == '\r' || (attribute && *text != '"'))
            fprintf(f, "&#%d;", *text);
        else
            fputc(*text, f);
        text++;
    }
}

static void put_name(FILE *f, const struct name *name)
{
    if (*name->prefix)
        fprintf(f, "%s:", name->prefix);
    fputs(name->local, f);
}

static void put_start(FILE *f, const struct shimxml_node *n)
{
    fputc('<', f);
    put_name(f, n->name);
    for (size_t i = 0; i < n->n_attributes; i++) {
        fputc(' ', f);
        put_name(f, n->u.attributes[i].name);
        fputs("=\"", f);
        put_escaped(f, n->u.attributes[i].value, true);
        fputc('"', f);
    }
}

/* Must no layout be added? It must not if the element contains text, or if it must be empty except for comments. */
static bool is_tight(const struct shimxml_node *n)
{
    if (n->name->spec && !n->name->spec->children->name)
        return true;
    return n->has_text;
}

static void put_node(FILE *f, const struct shimxml_node *n, int depth, bool inside_tight);

static void put_element(FILE *f, const struct shimxml_node *n, int depth, bool inside_tight)
{
    bool tight = inside_tight || (n->first && is_tight(n));
    put_start(f, n);
    fputs(n->first ? ">" : "/>", f);
    if (!n->first)
        return;
    if (!tight)
        fputc('\n', f);
    for (const struct shimxml_node *c = n->first; c; c = c->next)
        put_node(f, c, depth + 1, tight);
    if (!tight)
        fprintf(f, "%*s", 4 * depth, "");
    fputs("</", f);
    put_name(f, n->name);
    fputc('>', f);
}

/* Writes a node and everything below it. The reader limits the depth. */
static void put_node(FILE *f, const struct shimxml_node *n, int depth, bool inside_tight)
{
    if (!inside_tight)
        fprintf(f, "%*s", 4 * depth, "");
    if (n->type == NODE_ELEMENT) {
        put_element(f, n, depth, inside_tight);
    } else if (n->type == NODE_COMMENT) {
        fprintf(f, "<!--%s-->", n->u.text);
    } else if (n->type == NODE_PI) {
        fputs("<?", f);
        put_name(f, n->name);
        fprintf(f, "%s%s?>", *n->u.text ? " " : "", n->u.text);
    } else {
        put_escaped(f, n->u.text, false);
    }
    if (!inside_tight)
        fputc('\n', f);
}

enum status shimxml_write(const struct shimxml_doc *d, const char *path, struct error *e)
{
    struct outfile o;
    enum status s = outfile_open(&o, path, e);
    if (s)
        return s;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n", o.f);
    for (const struct shimxml_node *n = d->top.first; n; n = n->next)
        put_node(o.f, n, 0, false);
    return outfile_commit(&o, e);
}
