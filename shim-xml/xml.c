/* xml.c - the border to libxml2: reading with limits, writing, walking. */
#include <libxml/parser.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/str.h"
#include "shim-xml/private.h"
#include "shim-xml/schema.h"

enum { SIZE_LIMIT = 256 << 20 };
#define BLANKS " \t\r\n"

/* ---- reading ---- */

static enum status parse_failed(const char *path, xmlParserCtxtPtr context, struct error *e)
{
    const xmlError *x = xmlCtxtGetLastError(context);
    if (!x || !x->message)
        return error_set(e, ERR_INPUT, AT_FILE(path), "not an XML file");
    struct loc at = AT(path, x->line > 0 ? x->line : 0);
    if (strstr(x->message, "XML_PARSE_HUGE")) /* its limits on depth and on one text */
        return error_set(e, ERR_INPUT, at, "nested more than 256 deep, or holds a text over 10 MB: no SHIM file does");
    size_t n = strcspn(x->message, "\n"); /* a second line shows bytes */
    return error_set(e, ERR_INPUT, at, "not well-formed XML: %.*s", (int)n, x->message);
}

/* Entities are never expanded and nothing is fetched; without a DOCTYPE there are none to declare. Depth (256) and the
 * size of a text (10 MB) are bounded by libxml2, since XML_PARSE_HUGE is not given. */
static enum status parse(xmlDocPtr *out, const struct str *text, const char *path, struct error *e)
{
    xmlParserCtxtPtr context = xmlNewParserCtxt();
    if (!context)
        return error_set(e, ERR_SYSTEM, AT_FILE(path), "libxml2 has no memory");
    const int options =
        XML_PARSE_NONET | XML_PARSE_NOBLANKS | XML_PARSE_BIG_LINES | XML_PARSE_NOERROR | XML_PARSE_NOWARNING;
    xmlDocPtr xml = xmlCtxtReadMemory(context, str_text(text), (int)text->len, path, 0, options);
    enum status s = OK;
    if (!xml)
        s = parse_failed(path, context, e);
    else if (xml->intSubset || xml->extSubset)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "it has a DOCTYPE, which no SHIM file has; remove it");
    xmlFreeParserCtxt(context);
    if (s)
        xmlFreeDoc(xml);
    else
        *out = xml;
    return s;
}

/* Without the blanks round it, where they are no part of the value. */
static void trim(xmlNode *n, const struct schema_element *spec, const xmlAttr *attribute)
{
    struct schema_attribute a;
    for (const char *at = spec->attributes; schema_next_attribute(&at, &a);) {
        if (strcmp(a.name, (const char *)attribute->name) != 0 || !schema_collapses(a.type))
            continue;
        const char *value = node_attribute(n, a.name);
        value += strspn(value, BLANKS);
        size_t len = strlen(value);
        while (len && strchr(BLANKS, value[len - 1]))
            len--;
        char *trimmed = xstrndup(value, len);
        node_set(n, a.name, trimmed);
        free(trimmed);
    }
}

static void trim_all(xmlNode *root)
{
    for (xmlNode *n = root; n; n = node_following(n, root)) {
        for (const xmlAttr *a = n->properties; a; a = a->next) {
            const char *value = a->children && a->children->content ? (const char *)a->children->content : "";
            bool blank = *value && (strchr(BLANKS, *value) || strchr(BLANKS, value[strlen(value) - 1]));
            const struct schema_element *spec = blank && !a->ns ? schema_find(node_name(n)) : 0;
            if (spec)
                trim(n, spec, a);
        }
    }
}

enum status shimxml_read(struct shimxml_doc **out, const char *path, struct error *e)
{
    struct str text = STR_INIT;
    xmlDocPtr xml = 0;
    enum status s = file_read(&text, path, SIZE_LIMIT, e);
    if (!s && !text.len)
        s = error_set(e, ERR_INPUT, AT_FILE(path), "not an XML file: it is empty");
    if (!s)
        s = parse(&xml, &text, path, e);
    str_release(&text);
    if (s)
        return s;
    trim_all(xmlDocGetRootElement(xml));
    *out = xmalloc(sizeof **out);
    **out = (struct shimxml_doc){xml, xstrdup(path)};
    return OK;
}

void shimxml_free(struct shimxml_doc *d)
{
    if (!d)
        return;
    xmlFreeDoc(d->xml);
    free(d->path);
    free(d);
}

const char *shimxml_path(const struct shimxml_doc *d)
{
    return d->path;
}

/* ---- writing ---- */

static void put_escaped(FILE *f, const char *text, bool attribute)
{
    for (; *text; text++) {
        if (*text == '&')
            fputs("&amp;", f);
        else if (*text == '<')
            fputs("&lt;", f);
        else if (*text == '>')
            fputs("&gt;", f);
        else if (attribute && *text == '"')
            fputs("&quot;", f);
        else if (attribute && (*text == '\n' || *text == '\t' || *text == '\r'))
            fprintf(f, "&#%d;", *text);
        else if (*text == '\r')
            fputs("&#13;", f);
        else
            fputc(*text, f);
    }
}

static void put_name(FILE *f, const xmlNode *n)
{
    if (n->ns && n->ns->prefix)
        fprintf(f, "%s:", (const char *)n->ns->prefix);
    fputs(node_name(n), f);
}

static void put_start(FILE *f, const xmlNode *n)
{
    fputc('<', f);
    put_name(f, n);
    for (const xmlNs *ns = n->nsDef; ns; ns = ns->next) {
        fprintf(f, ns->prefix ? " xmlns:%s=\"" : " xmlns%s=\"", ns->prefix ? (const char *)ns->prefix : "");
        put_escaped(f, ns->href ? (const char *)ns->href : "", true);
        fputc('"', f);
    }
    for (const xmlAttr *a = n->properties; a; a = a->next) {
        const char *value = a->children ? (const char *)a->children->content : "";
        fprintf(f, " %s%s%s=\"", a->ns && a->ns->prefix ? (const char *)a->ns->prefix : "",
                a->ns && a->ns->prefix ? ":" : "", (const char *)a->name);
        put_escaped(f, value ? value : "", true);
        fputc('"', f);
    }
}

/* Layout must not be put into it: it holds text, or nothing may stand in it (but comments). */
static bool is_tight(const xmlNode *n)
{
    const struct schema_element *spec = schema_find(node_name(n));
    if (spec && !*spec->children)
        return true;
    for (const xmlNode *c = n->children; c; c = c->next)
        if (c->type == XML_TEXT_NODE || c->type == XML_CDATA_SECTION_NODE)
            return true;
    return false;
}

/* One node with all below it. Depth is bounded by the reader. */
static void put_node(FILE *f, const xmlNode *n, int depth, bool inside_tight)
{
    if (!inside_tight)
        fprintf(f, "%*s", 4 * depth, "");
    if (n->type == XML_ELEMENT_NODE) {
        put_start(f, n);
        bool tight = inside_tight || (n->children && is_tight(n));
        fputs(n->children ? ">" : "/>", f);
        if (n->children && !tight)
            fputc('\n', f);
        for (const xmlNode *c = n->children; c; c = c->next)
            put_node(f, c, depth + 1, tight);
        if (n->children && !tight)
            fprintf(f, "%*s", 4 * depth, "");
        if (n->children) {
            fputs("</", f);
            put_name(f, n);
            fputc('>', f);
        }
    } else if (n->type == XML_COMMENT_NODE) {
        fprintf(f, "<!--%s-->", n->content ? (const char *)n->content : "");
    } else if (n->type == XML_PI_NODE) {
        fprintf(f, "<?%s%s%s?>", (const char *)n->name, n->content ? " " : "",
                n->content ? (const char *)n->content : "");
    } else if (n->content) {
        put_escaped(f, (const char *)n->content, false);
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
    for (const xmlNode *n = d->xml->children; n; n = n->next)
        put_node(o.f, n, 0, false);
    return outfile_commit(&o, e);
}

/* ---- walking ---- */

bool node_is(const xmlNode *n, const char *name)
{
    return n && n->type == XML_ELEMENT_NODE && (!name || strcmp((const char *)n->name, name) == 0);
}

static xmlNode *first_from(xmlNode *n, const char *name)
{
    while (n && !node_is(n, name))
        n = n->next;
    return n;
}

xmlNode *node_child(const xmlNode *parent, const char *name)
{
    return parent ? first_from(parent->children, name) : 0;
}

xmlNode *node_next(const xmlNode *n, const char *name)
{
    return first_from(n->next, name);
}

xmlNode *node_following(const xmlNode *n, const xmlNode *top)
{
    xmlNode *next = node_child(n, 0);
    while (!next && n != top) {
        next = node_next(n, 0);
        n = n->parent;
    }
    return next;
}

const char *node_name(const xmlNode *n)
{
    return (const char *)n->name;
}

const char *node_attribute(const xmlNode *n, const char *name)
{
    for (const xmlAttr *a = n->properties; a; a = a->next)
        if (!a->ns && strcmp((const char *)a->name, name) == 0)
            return a->children && a->children->content ? (const char *)a->children->content : "";
    return 0;
}

double node_number(const xmlNode *n, const char *name)
{
    const char *text = node_attribute(n, name);
    double v;
    return text && parse_double(text, &v) ? v : (double)NAN;
}

double node_bytes(const xmlNode *n)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double size = node_number(n, "size"), factor = 1;
    const char *unit = node_attribute(n, "sizeUnit");
    for (size_t i = 0; unit && i < sizeof units / sizeof *units; i++, factor *= 1024)
        if (strcmp(unit, units[i]) == 0)
            return size > 0 ? size * factor : 0;
    return 0;
}

char *node_text(const xmlNode *n)
{
    xmlChar *content = xmlNodeGetContent(n);
    const char *from = content ? (const char *)content : "";
    from += strspn(from, BLANKS);
    size_t len = strlen(from);
    while (len && strchr(BLANKS, from[len - 1]))
        len--;
    char *text = xstrndup(from, len);
    xmlFree(content);
    return text;
}

unsigned long node_line(const xmlNode *n)
{
    long line = xmlGetLineNo(n);
    return line > 0 ? (unsigned long)line : 0;
}

xmlNode *node_owner(const xmlNode *n, const char *name)
{
    for (xmlNode *p = n->parent; p; p = p->parent)
        if (node_is(p, name))
            return p;
    return 0;
}

bool xml_is_name(const char *text)
{
    return xmlValidateNCName(BAD_CAST text, 0) == 0;
}

/* ---- making ---- */

struct shimxml_doc *doc_new(const char *root)
{
    struct shimxml_doc *d = xmalloc(sizeof *d);
    *d = (struct shimxml_doc){xmlNewDoc(BAD_CAST "1.0"), xstrdup("(new)")};
    xmlDocSetRootElement(d->xml, xmlNewDocNode(d->xml, 0, BAD_CAST root, 0));
    return d;
}

xmlNode *node_add(xmlNode *parent, const char *name)
{
    return xmlNewChild(parent, 0, BAD_CAST name, 0);
}

void node_set(xmlNode *n, const char *attribute, const char *value)
{
    xmlSetProp(n, BAD_CAST attribute, BAD_CAST value);
}

void node_setf(xmlNode *n, const char *attribute, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *value = xvasprintf(fmt, ap);
    va_end(ap);
    node_set(n, attribute, value);
    free(value);
}

void node_set_number(xmlNode *n, const char *attribute, double value)
{
    float single = (float)value; /* xs:float: readers keep 24 bits */
    char text[40];
    for (int digits = 1; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)single);
        if (strtof(text, 0) == single)
            break;
    }
    if (!strpbrk(text, ".e"))
        strcat(text, ".0"); /* as the official samples write it */
    node_set(n, attribute, text);
}

void node_comment(xmlNode *parent, const char *text)
{
    /* "--" may not stand in a comment */
    char *copy = xstrdup(text);
    for (char *p = copy; (p = strstr(p, "--"));)
        p[1] = '_';
    xmlAddChild(parent, xmlNewDocComment(parent->doc, BAD_CAST copy));
    free(copy);
}

void node_remove(xmlNode *n)
{
    xmlUnlinkNode(n);
    xmlFreeNode(n);
}

void node_empty(xmlNode *n)
{
    while (n->children)
        node_remove(n->children);
}
