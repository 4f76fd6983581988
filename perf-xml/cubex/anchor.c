/* anchor.c - reads anchor.xml of a .cubex file: metrics, regions, the call tree, processes and threads. */
#include <libxml/xmlreader.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "perf-xml/cubex/cubex.h"

struct parse {
    struct cube *cube;
    xmlTextReaderPtr reader;
    VEC(size_t) open;   /* cnodes */
    VEC(char *) around; /* names of the open elements, owned */
    struct error *e;
    enum status status;
    bool spoken;
};

static unsigned long line_of(const struct parse *p)
{
    int n = xmlTextReaderGetParserLineNumber(p->reader);
    return n > 0 ? (unsigned long)n : 0;
}

static void fail(struct parse *p, const char *what, const char *name)
{
    if (!p->status)
        p->status = error_set(p->e, ERR_INPUT, AT_FILE(p->cube->path), "anchor.xml, line %lu: %s%s%s", line_of(p), what,
                              name ? " " : "", name ? name : "");
}

static const char *name_of(const struct parse *p)
{
    return (const char *)xmlTextReaderConstLocalName(p->reader);
}

static char *attribute(const struct parse *p, const char *name)
{
    return (char *)xmlTextReaderGetAttribute(p->reader, (const xmlChar *)name);
}

/* The number of an attribute that is called `name` or `other`, as "id" or "Id". */
static uint32_t number(struct parse *p, const char *name, const char *other)
{
    char *text = attribute(p, name);
    if (!text && other)
        text = attribute(p, other);
    long value = -1;
    if (!text || !parse_long(text, &value) || value < 0 || value > INT_MAX)
        fail(p, "there is no number, 0 or greater, for the attribute", name);
    xmlFree(text);
    return value < 0 ? 0 : (uint32_t)value;
}

static void open_cnode(struct parse *p)
{
    struct cube *c = p->cube;
    size_t parent = p->open.n ? p->open.at[p->open.n - 1] : NO_PARENT;
    if (parent != NO_PARENT)
        c->cnodes.at[parent].children++;
    vec_push(&p->open, c->cnodes.n);
    vec_push(&c->cnodes,
             (struct cnode){.id = number(p, "id", "Id"), .callee = number(p, "calleeId", 0), .parent = parent});
}

static void open_element(struct parse *p)
{
    struct cube *c = p->cube;
    const char *name = name_of(p);
    if (strcmp(name, "cnode") == 0) {
        open_cnode(p);
    } else if (strcmp(name, "metric") == 0) {
        char *kind = attribute(p, "type");
        vec_push(&c->metrics, (struct metric){.id = number(p, "id", "Id"), .kind = xstrdup(kind ? kind : "EXCLUSIVE")});
        xmlFree(kind);
    } else if (strcmp(name, "region") == 0) {
        vec_push(&c->regions, (struct region){.id = number(p, "id", "Id")});
    } else if (strcmp(name, "locationgroup") == 0) {
        uint32_t id = number(p, "Id", "id");
        vec_push(&c->groups, (struct group){.rank = id});
    } else if (strcmp(name, "location") == 0) {
        uint32_t id = number(p, "Id", "id");
        if (!c->groups.n)
            fail(p, "a location stands outside of a process", 0);
        else
            vec_push(&c->locations, (struct location){.id = id, .rank = id, .group = c->groups.n - 1});
    }
}

static void close_element(struct parse *p, const char *name)
{
    if (strcmp(name, "cnode") == 0 && p->open.n)
        p->open.n--;
}

static void put(char **where, const char *text)
{
    free(*where);
    *where = xstrdup(text);
}

static void rank(struct parse *p, uint32_t *to, const char *text)
{
    long value;
    if (parse_long(text, &value) && value >= 0 && value <= INT_MAX)
        *to = (uint32_t)value;
    else
        fail(p, "a rank is not a number:", text);
}

static void text_of_metric(struct metric *m, const char *in, const char *text)
{
    if (strcmp(in, "uniq_name") == 0)
        put(&m->name, text);
    else if (strcmp(in, "uom") == 0)
        put(&m->unit, text);
    else if (strcmp(in, "dtype") == 0)
        put(&m->type, text);
}

/* Takes the text of the element `in`, which stands in the element `of`. */
static void text(struct parse *p, const char *of, const char *in, const char *text)
{
    struct cube *c = p->cube;
    bool is_name = strcmp(in, "name") == 0, is_rank = strcmp(in, "rank") == 0;
    if (strcmp(of, "metric") == 0 && c->metrics.n)
        text_of_metric(&c->metrics.at[c->metrics.n - 1], in, text);
    else if (strcmp(of, "region") == 0 && is_name && c->regions.n)
        put(&c->regions.at[c->regions.n - 1].name, text);
    else if (strcmp(of, "locationgroup") == 0 && is_name && c->groups.n)
        put(&c->groups.at[c->groups.n - 1].name, text);
    else if (strcmp(of, "locationgroup") == 0 && is_rank && c->groups.n)
        rank(p, &c->groups.at[c->groups.n - 1].rank, text);
    else if (strcmp(of, "location") == 0 && is_name && c->locations.n)
        put(&c->locations.at[c->locations.n - 1].name, text);
    else if (strcmp(of, "location") == 0 && is_rank && c->locations.n)
        rank(p, &c->locations.at[c->locations.n - 1].rank, text);
    else if (strcmp(of, "systemtreenode") == 0 && is_name && !c->machine)
        put(&c->machine, text);
}

static void node(struct parse *p)
{
    const char *value;
    switch (xmlTextReaderNodeType(p->reader)) {
    case XML_READER_TYPE_DOCUMENT_TYPE:
        fail(p, "a DOCTYPE is not accepted", 0);
        break;
    case XML_READER_TYPE_ELEMENT:
        open_element(p);
        if (xmlTextReaderIsEmptyElement(p->reader))
            close_element(p, name_of(p));
        else
            vec_push(&p->around, xstrdup(name_of(p)));
        break;
    case XML_READER_TYPE_END_ELEMENT:
        free(p->around.at[--p->around.n]);
        close_element(p, name_of(p));
        break;
    case XML_READER_TYPE_TEXT:
    case XML_READER_TYPE_CDATA:
        value = (const char *)xmlTextReaderConstValue(p->reader);
        if (value && p->around.n > 1)
            text(p, p->around.at[p->around.n - 2], p->around.at[p->around.n - 1], value);
        break;
    default:
        break;
    }
}

#if LIBXML_VERSION >= 21200
static void said(void *user, const xmlError *error)
#else
static void said(void *user, xmlErrorPtr error)
#endif
{
    struct parse *p = user;
    if (error->level < XML_ERR_ERROR || p->status)
        return;
    size_t n = error->message ? strcspn(error->message, "\n") : 0;
    char *message = xstrndup(error->message ? error->message : "", n);
    p->status = error_set(p->e, ERR_INPUT, AT_FILE(p->cube->path), "anchor.xml, line %d: %s", error->line, message);
    free(message);
}

/* Entities are never expanded: a document with a DOCTYPE is refused before libxml2 sees it. */
static enum status elements(struct cube *c, const struct str *anchor, struct error *e)
{
    struct parse p = {.cube = c, .e = e};
    if (anchor->len > INT_MAX || memchr(str_text(anchor), 0, anchor->len) || strstr(str_text(anchor), "<!DOCTYPE"))
        return error_set(e, ERR_INPUT, AT_FILE(c->path), "anchor.xml has a DOCTYPE or bytes that are not text");
    p.reader =
        xmlReaderForMemory(str_text(anchor), (int)anchor->len, "anchor.xml", 0, XML_PARSE_NONET | XML_PARSE_HUGE);
    if (!p.reader)
        return error_set(e, ERR_SYSTEM, AT_FILE(c->path), "libxml2 cannot start to read anchor.xml");
    xmlTextReaderSetStructuredErrorHandler(p.reader, said, &p);
    int more;
    while ((more = xmlTextReaderRead(p.reader)) == 1 && !p.status)
        node(&p);
    if (more < 0)
        fail(&p, "this is no XML", 0);
    for (size_t i = 0; i < p.around.n; i++)
        free(p.around.at[i]);
    vec_release(&p.around);
    vec_release(&p.open);
    xmlFreeTextReader(p.reader);
    return p.status;
}

/* ---- checks ---- */

static enum status wrong(const struct cube *c, struct error *e, const char *what, unsigned id)
{
    return error_set(e, ERR_INPUT, AT_FILE(c->path), "anchor.xml: %s %u", what, id);
}

static int by_region_id(const void *a, const void *b)
{
    const struct region *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static enum status names(struct cube *c, struct error *e)
{
    if (c->regions.n)
        qsort(c->regions.at, c->regions.n, sizeof *c->regions.at, by_region_id);
    for (size_t i = 0; i < c->cnodes.n; i++) {
        struct region key = {.id = c->cnodes.at[i].callee}, *r = 0;
        if (c->regions.n)
            r = bsearch(&key, c->regions.at, c->regions.n, sizeof key, by_region_id);
        if (!r)
            return wrong(c, e, "a call path calls a region that is not there:", key.id);
        c->cnodes.at[i].name = r->name ? r->name : "";
    }
    return OK;
}

static enum status metrics(const struct cube *c, struct error *e)
{
    for (size_t i = 0; i < c->metrics.n; i++) {
        const struct metric *m = &c->metrics.at[i];
        if (!m->name || !m->type)
            return wrong(c, e, "no uniq_name or no dtype has metric", m->id);
        for (size_t j = 0; j < i; j++)
            if (c->metrics.at[j].id == m->id || strcmp(c->metrics.at[j].name, m->name) == 0)
                return wrong(c, e, "its number or its name occurs twice: metric", m->id);
    }
    return OK;
}

/* Ids must be 0, 1, 2 ..., each once. So a call tree cannot contain a cycle. */
static enum status cnode_ids(const struct cube *c, struct error *e)
{
    char *seen = xcalloc(c->cnodes.n + 1, 1);
    enum status s = OK;
    for (size_t i = 0; !s && i < c->cnodes.n; i++) {
        uint32_t id = c->cnodes.at[i].id;
        if (id >= c->cnodes.n || seen[id]++)
            s = wrong(c, e, "call paths are numbered 0, 1, 2 ..., each number once; wrong is", id);
    }
    free(seen);
    return s;
}

static enum status location_ids(const struct cube *c, struct error *e)
{
    char *seen = xcalloc(c->locations.n, 1);
    enum status s = OK;
    for (size_t i = 0; !s && i < c->locations.n; i++) {
        uint32_t id = c->locations.at[i].id;
        if (id >= c->locations.n || seen[id]++)
            s = wrong(c, e, "locations are numbered 0, 1, 2 ..., each number once; wrong is", id);
    }
    free(seen);
    return s;
}

/* Numbers the tree level by level: siblings get consecutive numbers. */
static void widen(struct cube *c)
{
    size_t n = 0, *next = xcalloc(c->cnodes.n + 1, sizeof *next);
    c->wide = xcalloc(c->cnodes.n + 1, sizeof *c->wide);
    for (size_t i = 0; i < c->cnodes.n; i++)
        n += c->cnodes.at[i].parent == NO_PARENT;
    size_t root = 0;
    for (size_t i = 0; i < c->cnodes.n; i++) {
        struct cnode *x = &c->cnodes.at[i];
        x->first = n; /* in the order of the document: what is below earlier call paths has its numbers already */
        n += x->children;
        size_t at = x->parent == NO_PARENT ? root++ : c->cnodes.at[x->parent].first + next[x->parent]++;
        c->wide[at] = i;
    }
    free(next);
}

/* Where ranks are not unique among processes or threads, they are replaced by positions. */
static void ranks(struct cube *c)
{
    bool groups = true, locations = true;
    for (size_t i = 1; i < c->groups.n; i++)
        groups = groups && c->groups.at[i].rank > c->groups.at[i - 1].rank;
    for (size_t i = 1; i < c->locations.n; i++)
        locations = locations && (c->locations.at[i].group != c->locations.at[i - 1].group ||
                                  c->locations.at[i].rank > c->locations.at[i - 1].rank);
    for (size_t i = 0; !groups && i < c->groups.n; i++)
        c->groups.at[i].rank = (uint32_t)i;
    for (size_t i = 0; !locations && i < c->locations.n; i++)
        c->locations.at[i].rank = (uint32_t)i;
}

enum status cube_parse(struct cube *c, const struct str *anchor, struct error *e)
{
    enum status s = elements(c, anchor, e);
    if (!s && (!c->metrics.n || !c->locations.n))
        s = error_set(e, ERR_INPUT, AT_FILE(c->path), "anchor.xml has no metric or no location");
    if (!s)
        s = metrics(c, e);
    if (!s)
        s = cnode_ids(c, e);
    if (!s)
        s = names(c, e);
    if (!s)
        s = location_ids(c, e);
    if (!s) {
        widen(c);
        ranks(c);
    }
    return s;
}

void cube_release(struct cube *c)
{
    for (size_t i = 0; i < c->metrics.n; i++) {
        struct metric *m = &c->metrics.at[i];
        free(m->name);
        free(m->unit);
        free(m->type);
        free(m->kind);
    }
    for (size_t i = 0; i < c->regions.n; i++)
        free(c->regions.at[i].name);
    for (size_t i = 0; i < c->groups.n; i++)
        free(c->groups.at[i].name);
    for (size_t i = 0; i < c->locations.n; i++)
        free(c->locations.at[i].name);
    vec_release(&c->metrics);
    vec_release(&c->regions);
    vec_release(&c->cnodes);
    vec_release(&c->groups);
    vec_release(&c->locations);
    free(c->machine);
    free(c->wide);
}
