/* read.c - the border to libxml2: its parser calls back for each piece of a file, and the document is built. */
#include "shim-xml/document/read.h"

#include <errno.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "shim-xml/document/doc.h"
#include "shim-xml/document/unpack.h"

enum {
    CACHED = 1024,
    ATTRIBUTES_MOST = 10000, /* per element, since libxml2 compares each with each */
};

/* Where libxml2 reads from: a file, or text in memory, packed or not. */
struct source {
    FILE *f;
    const char *text;
    size_t n_text;
    size_t left; /* unpacked bytes until the limit */
    int error;   /* errno of a failed read */
    bool too_large, empty, begun;
    char head[PACKING_MARK]; /* the first bytes */
    size_t n_head, at_head;
    enum packing packing;
    struct unpack *unpack; /* NULL: it is not packed */
};

struct reading {
    struct source source;
    xmlParserCtxtPtr context;
    struct shimxml_doc *doc;
    struct shimxml_node *at; /* the open element */
    struct str text;         /* text that is not in a node yet */
    bool doctype;
    bool many_attributes;
    size_t limit; /* of the source, in unpacked bytes */
    int fault_line;
    char *fault;     /* libxml2's first complaint, of which later ones are consequences; owned; NULL: none */
    bool misencoded; /* libxml2 could not convert the encoding */
    struct {         /* libxml2 stores each name once, so its address identifies it */
        const xmlChar *address;
        struct name *name;
    } names[CACHED];
};

/* ---- text ---- */

static bool is_blank(const char *text)
{
    return !text[strspn(text, SPACES)];
}

/* Handles collected text. Spaces are layout, unless an element contains nothing else, or they stand next to text. */
static void settle_text(struct reading *r, bool at_end)
{
    if (!r->text.len)
        return;
    bool layout = is_blank(r->text.s) && !(at_end && !r->at->first) && !r->at->has_text;
    if (!layout && r->at->type == NODE_ELEMENT)
        node_insert(r->at, 0, NODE_TEXT)->u.text = doc_text(r->doc, r->text.s, r->text.len);
    str_clear(&r->text);
}

static void on_characters(void *user, const xmlChar *text, int n)
{
    struct reading *r = user;
    str_addn(&r->text, (const char *)text, (size_t)n);
}

static struct shimxml_node *append(struct reading *r, enum node_type type)
{
    settle_text(r, false);
    struct shimxml_node *n = node_insert(r->at, 0, type);
    n->line = (uint32_t)(r->context->input ? r->context->input->line : 0);
    return n;
}

static void on_comment(void *user, const xmlChar *text)
{
    struct reading *r = user;
    append(r, NODE_COMMENT)->u.text = doc_text(r->doc, (const char *)text, strlen((const char *)text));
}

static void on_pi(void *user, const xmlChar *target, const xmlChar *text)
{
    struct reading *r = user;
    struct shimxml_node *n = append(r, NODE_PI);
    const char *content = text ? (const char *)text : "";
    n->name = doc_name(r->doc, (const char *)target, 0, 0, false);
    n->u.text = doc_text(r->doc, content, strlen(content));
}

/* ---- elements ---- */

static struct name *name_of(struct reading *r, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri)
{
    if (prefix || uri)
        return doc_name(r->doc, (const char *)local, (const char *)prefix, (const char *)uri, false);
    size_t slot = ((uintptr_t)local >> 3) % CACHED;
    if (r->names[slot].address != local) {
        r->names[slot].address = local;
        r->names[slot].name = doc_name(r->doc, (const char *)local, 0, 0, false);
    }
    return r->names[slot].name;
}

static void take_attributes(struct reading *r, struct shimxml_node *n, int n_spaces, const xmlChar **spaces,
                            int n_given, const xmlChar **given)
{
    n->n_attributes = (uint32_t)(n_spaces + n_given);
    struct attribute *a = n->u.attributes = doc_alloc(r->doc, n->n_attributes * sizeof *a);
    for (int i = 0; i < n_spaces; i++, a++) {
        const char *prefix = (const char *)spaces[2 * i];
        const char *uri = spaces[2 * i + 1] ? (const char *)spaces[2 * i + 1] : "";
        a->name = doc_name(r->doc, prefix ? prefix : "xmlns", prefix ? "xmlns" : 0, 0, true);
        a->value = doc_value(r->doc, uri, strlen(uri));
    }
    for (int i = 0; i < n_given; i++, a++) { /* local name, prefix, URI, begin and end of the value */
        const xmlChar **g = given + (size_t)5 * (size_t)i;
        a->name = name_of(r, g[0], g[1], g[2]);
        a->value = node_value(r->doc, n, a->name, (const char *)g[3], (size_t)(g[4] - g[3]));
    }
}

static void on_start(void *user, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri, int n_spaces,
                     const xmlChar **spaces, int n_attributes, int n_defaulted, const xmlChar **attributes)
{
    struct reading *r = user;
    (void)n_defaulted;
    if (r->at->type == NODE_DOCUMENT)
        doc_set_schema(r->doc, schema_of((const char *)local, (const char *)uri));
    struct shimxml_node *n = append(r, NODE_ELEMENT);
    n->name = name_of(r, local, prefix, uri);
    if (n_spaces || n_attributes)
        take_attributes(r, n, n_spaces, spaces, n_attributes, attributes);
    r->at = n;
}

static void on_end(void *user, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri)
{
    struct reading *r = user;
    (void)local;
    (void)prefix;
    (void)uri;
    settle_text(r, true);
    r->at = r->at->parent;
}

/* A DOCTYPE is refused, so there are no entities to declare and nothing to fetch. */
static void on_doctype(void *user, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
    struct reading *r = user;
    (void)name;
    (void)external;
    (void)system;
    r->doctype = true;
    xmlStopParser(r->context);
}

/* ---- the source ---- */

/* Reads from the file or the text. */
static long take_raw(void *user, char *out, size_t n)
{
    struct source *s = user;
    if (!s->f) {
        n = n < s->n_text ? n : s->n_text;
        memcpy(out, s->text, n);
        s->text += n;
        s->n_text -= n;
        return (long)n;
    }
    n = fread(out, 1, n, s->f);
    s->error = ferror(s->f) ? errno : 0;
    return s->error ? -1 : (long)n;
}

/* Detects packing by the first bytes. */
static bool begin_source(struct source *s)
{
    s->begun = true;
    long n = take_raw(s, s->head, sizeof s->head);
    if (n < 0)
        return false;
    s->n_head = (size_t)n;
    s->packing = packing_of(s->head, s->n_head);
    if (s->packing == PACKED_GZIP || s->packing == PACKED_BZIP2)
        s->unpack = unpack_new(s->packing, take_raw, s, s->head, s->n_head);
    return true;
}

static long take_any(struct source *s, char *out, size_t n)
{
    if (s->unpack)
        return unpack_read(s->unpack, out, n);
    if (s->at_head == s->n_head)
        return take_raw(s, out, n);
    n = n < s->n_head - s->at_head ? n : s->n_head - s->at_head;
    memcpy(out, s->head + s->at_head, n);
    s->at_head += n;
    return (long)n;
}

/* libxml2 asks for more input in the middle of an element with very many attributes. How many are there is only in fields that
 * libxml2 2.14 calls deprecated, without another way to ask. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static bool has_many_attributes(const struct reading *r)
{
    enum { FIELDS = 5 }; /* of libxml2's, for each attribute */
    return r->context && (r->context->maxatts > FIELDS * 2 * ATTRIBUTES_MOST || r->context->nsNr > 2 * ATTRIBUTES_MOST);
}
#pragma GCC diagnostic pop

static int take(void *user, char *out, int n)
{
    struct reading *r = user;
    struct source *s = &r->source;
    r->many_attributes = r->many_attributes || has_many_attributes(r);
    if (r->many_attributes || (!s->begun && !begin_source(s)))
        return -1;
    long got = take_any(s, out, (size_t)n);
    if (got < 0)
        return -1;
    s->too_large = (size_t)got > s->left;
    if (s->too_large)
        return -1;
    s->empty = s->empty && !got;
    s->left -= (size_t)got;
    return (int)got;
}

/* ---- the whole file ---- */

/* Takes what libxml2 would print whatever the options say: that it cannot convert its input. */
static void on_complaint(void *user, const char *fmt, ...)
{
    struct reading *r = user;
    (void)fmt;
    r->misencoded = true;
}

/* Takes libxml2's complaints. */
#if LIBXML_VERSION >= 21200
static void on_fault(void *user, const xmlError *x)
#else
static void on_fault(void *user, xmlErrorPtr x)
#endif
{
    struct reading *r = user;
    if (r->fault || !x->message || x->level < XML_ERR_ERROR)
        return;
    r->fault = xstrndup(x->message, strcspn(x->message, "\n")); /* its second line shows bytes */
    r->fault_line = x->line > 0 ? x->line : 0;
}

static bool is_limit(const char *message)
{
    return strstr(message, "XML_PARSE_HUGE") || strstr(message, "too long") || strstr(message, "too big");
}

/* A fault that is known without looking at the XML; NULL: none. */
static const char *fault_of_source(const struct reading *r)
{
    if (r->source.unpack && unpack_fault(r->source.unpack))
        return unpack_fault(r->source.unpack);
    if (r->source.empty)
        return "not an XML file: it is empty";
    if (r->doctype)
        return "it has a DOCTYPE, which no SHIM file has; remove it";
    return 0;
}

static enum status failed(const struct reading *r, const char *path, struct error *e)
{
    if (r->source.error) {
        errno = r->source.error;
        return error_errno(e, AT_FILE(path), "cannot be read");
    }
    if (r->source.too_large)
        return error_set(e, ERR_INPUT, AT_FILE(path), "it is larger than %zu MiB: no SHIM file is", r->limit >> 20);
    if (fault_of_source(r))
        return error_set(e, ERR_INPUT, AT_FILE(path), "%s", fault_of_source(r));
    if (r->source.packing != PACKED_NOT && !r->source.unpack)
        return error_set(e, ERR_INPUT, AT_FILE(path),
                         "it is packed by %s: unpack it first (gzip and bzip2 are read as they are)",
                         packing_name(r->source.packing));
    if (!r->fault)
        return error_set(e, ERR_INPUT, AT_FILE(path), "not an XML file");
    struct loc at = AT(path, r->fault_line);
    if (r->many_attributes)
        return error_set(e, ERR_INPUT, at, "an element with more than %d attributes: no SHIM file has one",
                         ATTRIBUTES_MOST);
    if (r->misencoded)
        return error_set(e, ERR_INPUT, at, "not well-formed XML: it is not in the encoding that it says");
    if (is_limit(r->fault)) /* libxml2's limits on depth and on a single text */
        return error_set(e, ERR_INPUT, at, "nested more than 256 deep, or holds a text over 10 MB: no SHIM file does");
    return error_set(e, ERR_INPUT, at, "not well-formed XML: %s", r->fault);
}

/* libxml2 limits depth (256) and the size of a text (10 MB), since XML_PARSE_HUGE is not given. */
static enum status parse_quietly(struct reading *r, const char *path, struct error *e)
{
    xmlSAXHandler sax = {
        .initialized = XML_SAX2_MAGIC,
        .internalSubset = on_doctype,
        .startElementNs = on_start,
        .endElementNs = on_end,
        .characters = on_characters,
        .ignorableWhitespace = on_characters,
        .cdataBlock = on_characters,
        .comment = on_comment,
        .processingInstruction = on_pi,
        .serror = on_fault,
    };
    xmlInitParser();
    r->context = xmlCreateIOParserCtxt(&sax, r, take, 0, r, XML_CHAR_ENCODING_NONE);
    if (!r->context)
        return r->source.error || r->source.too_large || fault_of_source(r)
                   ? failed(r, path, e)
                   : error_set(e, ERR_SYSTEM, AT_FILE(path), "libxml2 has no memory");
    /* NOENT: XML's own five entities (&lt; ...) are replaced; there are no others */
    xmlCtxtUseOptions(r->context, XML_PARSE_NOENT | XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    xmlParseDocument(r->context);
    bool whole = r->context->wellFormed && !r->source.error && !r->source.too_large && !fault_of_source(r) &&
                 !r->many_attributes && shimxml_root(r->doc);
    enum status s = whole ? OK : failed(r, path, e);
    if (r->context->myDoc)
        xmlFreeDoc(r->context->myDoc);
    xmlFreeParserCtxt(r->context);
    return s;
}

static enum status parse(struct reading *r, const char *path, struct error *e)
{
    xmlGenericErrorFunc before = xmlGenericError;
    void *context = xmlGenericErrorContext;
    xmlSetGenericErrorFunc(r, on_complaint);
    enum status s = parse_quietly(r, path, e);
    xmlSetGenericErrorFunc(context, before);
    return s;
}

static enum status read_source(struct shimxml_doc **out, struct reading *r, const char *path, struct error *e)
{
    r->source.empty = true;
    r->limit = r->source.left;
    r->doc = doc_make(path);
    r->at = &r->doc->top;
    enum status s = parse(r, path, e);
    str_release(&r->text);
    free(r->fault);
    unpack_free(r->source.unpack);
    if (s)
        shimxml_free(r->doc);
    else
        *out = r->doc;
    return s;
}

enum status read_stream(struct shimxml_doc **out, FILE *f, const char *path, size_t limit, struct error *e)
{
    struct reading r = {.source = {.f = f, .left = limit}};
    return read_source(out, &r, path, e);
}

enum status shimxml_read(struct shimxml_doc **out, const char *path, struct error *e)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *f = standard ? stdin : fopen(path, "rb");
    if (!f)
        return error_errno(e, AT_FILE(path), "cannot be opened");
    enum status s = read_stream(out, f, path, FILE_LIMIT, e);
    if (!standard)
        fclose(f);
    return s;
}

enum status shimxml_parse(struct shimxml_doc **out, const char *text, size_t n, const char *name, struct error *e)
{
    struct reading r = {.source = {.text = text, .n_text = n, .left = FILE_LIMIT}};
    return read_source(out, &r, name, e);
}
