/* xml_reader.c - reads performance XML into a sink; whatever the format does not allow is refused with its line. */
#include <libxml/xmlreader.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/str.h"
#include "perf-xml/document/document.h"

enum { VALUE_MOST = 64 /* longest text of a value */, NUMBERS_MOST = 1 << 24 };

/* What an element contains: its children's names, and their numbers. Small numbers are bits. */
struct level {
    enum perf_level level;
    struct map seen;
    VEC(unsigned char) numbers;
    bool has_data, has_children;
};
struct reading {
    const char *path;
    gzFile file;
    struct perf_sink *to;
    xmlTextReaderPtr reader;
    VEC(struct level) stack;
    struct map callpaths;
    bool in_callpaths, in_data, in_values, list_empty;
    uint64_t next; /* the call path of the next value in the list that is being read */
    struct str value;
    struct perf_data data; /* owns unit and why */
    struct error *e;
    enum status status;
};

static const char *const elements[] = {"performance", "process", "thread", "category", "item"};

static void fail(struct reading *r, const char *fmt, const char *what)
{
    int line = xmlTextReaderGetParserLineNumber(r->reader);
    if (!r->status)
        r->status = error_set(r->e, ERR_INPUT, AT(r->path, line > 0 ? line : 0), fmt, what);
}

static char *attribute(const struct reading *r, const char *name)
{
    return (char *)xmlTextReaderGetAttribute(r->reader, (const xmlChar *)name);
}

/* Returns false if the attribute is absent or wrong; an error has been set. */
static bool number(struct reading *r, const char *name, uint64_t *value)
{
    char *text = attribute(r, name);
    struct perf_number n = {0};
    bool good = text && perf_number_parse(&n, text) && n.kind == PERF_UNSIGNED;
    *value = n.u;
    if (!good)
        fail(r, text ? "the attribute '%s' is not a whole number of at least 0" : "the attribute '%s' is missing",
             name);
    xmlFree(text);
    return good;
}

static void attributes_among(struct reading *r, const char *const *allowed)
{
    while (xmlTextReaderMoveToNextAttribute(r->reader) == 1) {
        const char *name = (const char *)xmlTextReaderConstName(r->reader);
        const char *const *a = allowed;
        while (*a && strcmp(*a, name) != 0)
            a++;
        if (!*a)
            fail(r, "the attribute '%s' is not one of this element's", name);
    }
    xmlTextReaderMoveToElement(r->reader);
}

static struct level *top(struct reading *r)
{
    return r->stack.n ? &r->stack.at[r->stack.n - 1] : 0;
}

static void push(struct reading *r, enum perf_level level)
{
    if (r->stack.n >= PERF_DEPTH)
        fail(r, "%s are nested too deep", "items");
    else
        vec_push(&r->stack, (struct level){.level = level});
}

static void send(struct reading *r, enum status s)
{
    if (!r->status)
        r->status = s;
}

static void root(struct reading *r)
{
    static const char *const allowed[] = {"version", "source", "machine", "date", 0};
    attributes_among(r, allowed);
    char *version = attribute(r, "version"), *source = attribute(r, "source"), *machine = attribute(r, "machine");
    char *date = attribute(r, "date");
    if (!version || strcmp(version, PERF_VERSION) != 0)
        fail(r, "only version %s is known", PERF_VERSION);
    push(r, PERF_ROOT);
    if (!r->status)
        send(r, perf_send_head(r->to, &(struct perf_head){source, machine, date, "none"}, r->e));
    xmlFree(version);
    xmlFree(source);
    xmlFree(machine);
    xmlFree(date);
}

static bool known_path(const struct reading *r, uint64_t id)
{
    char text[NUMBER_ROOM];
    struct perf_number n = perf_unsigned(id);
    perf_number_text(text, &n);
    return map_get(&r->callpaths, text, 0);
}

static void callpath(struct reading *r)
{
    static const char *const allowed[] = {"id", "parent", "name", 0};
    attributes_among(r, allowed);
    struct perf_callpath c = {0};
    char *parent = attribute(r, "parent"), *name = attribute(r, "name");
    c.has_parent = parent;
    c.name = name;
    char text[NUMBER_ROOM];
    struct perf_number n;
    if (number(r, "id", &c.id) && (!parent || number(r, "parent", &c.parent))) {
        n = perf_unsigned(c.id);
        perf_number_text(text, &n);
        if (known_path(r, c.id))
            fail(r, "the call path %s occurs twice", text);
        if (parent && !known_path(r, c.parent))
            fail(r, "the call path %s stands before its parent", text);
        if (!name)
            fail(r, "the attribute '%s' is missing", "name");
        map_number(&r->callpaths, text);
        if (!r->status)
            send(r, perf_send_callpath(r->to, &c, r->e));
    }
    xmlFree(parent);
    xmlFree(name);
}

/* Has the number occurred already? Small numbers take a bit each, so a stream of many processes needs little memory. */
static bool number_again(struct level *t, uint64_t id)
{
    while (t->numbers.n <= id / 8)
        vec_push(&t->numbers, 0);
    unsigned char *bits = &t->numbers.at[id / 8], bit = (unsigned char)(1 << id % 8);
    bool again = *bits & bit;
    *bits |= bit;
    return again;
}

/* Each child of a group must have a name or a number that no other child has. */
static void once(struct reading *r, const struct perf_group *g)
{
    struct level *t = top(r);
    char text[NUMBER_ROOM] = "";
    struct perf_number n = perf_unsigned(g->id);
    t->has_children = true;
    perf_number_text(text, &n);
    if (!g->name && g->id < NUMBERS_MOST) {
        if (number_again(t, g->id))
            fail(r, "'%s' occurs twice in the same element", text);
        return;
    }
    char *key = xasprintf("%c%s", g->name ? 'n' : 'i', g->name ? g->name : text);
    if (map_get(&t->seen, key, 0))
        fail(r, "'%s' occurs twice in the same element", key + 1);
    map_number(&t->seen, key);
    free(key);
}

static void group(struct reading *r, enum perf_level level)
{
    static const char *const with_id[] = {"id", "label", 0}, *const with_name[] = {"name", 0},
                             *const of_item[] = {"name", "path", 0};
    attributes_among(r, level <= PERF_THREAD ? with_id : level == PERF_CATEGORY ? with_name : of_item);
    struct perf_group g = {.level = level};
    char *name = attribute(r, "name"), *label = attribute(r, "label"), *path = attribute(r, "path");
    if (level <= PERF_THREAD)
        number(r, "id", &g.id);
    else if (path && !name && number(r, "path", &g.id) && !known_path(r, g.id))
        fail(r, "there is no call path %s", path);
    else if (!path == !name || (name && !*name))
        fail(r, "%s", level == PERF_ITEM ? "an item has a name or a path" : "a category has a name");
    g.name = name;
    g.label = label;
    once(r, &g);
    push(r, level);
    if (!r->status)
        send(r, perf_send_open(r->to, &g, r->e));
    xmlFree(name);
    xmlFree(label);
    xmlFree(path);
}

static void data_begin(struct reading *r)
{
    static const char *const allowed[] = {"unit", "state", "why", 0};
    attributes_among(r, allowed);
    char *unit = attribute(r, "unit"), *why = attribute(r, "why"), *state = attribute(r, "state");
    r->data = (struct perf_data){.unit = xstrdup(unit), .why = xstrdup(why)};
    if (state && !perf_state_parse(&r->data.state, state))
        fail(r, "a state is measured, derived or unavailable, not '%s'", state);
    if (top(r)->has_data || top(r)->has_children)
        fail(r, "%s", "an element has its data once, before its items");
    top(r)->has_data = r->in_data = true;
    str_clear(&r->value);
    xmlFree(unit);
    xmlFree(why);
    xmlFree(state);
}

static void data_end(struct reading *r)
{
    struct perf_data *d = &r->data;
    const char *value = str_text(&r->value);
    r->in_data = false;
    if (*value && !perf_number_parse(&d->value, value))
        fail(r, "'%s' is not a number", value);
    else if ((d->state == PERF_UNAVAILABLE) != (d->why != 0) || (d->why && *value))
        fail(r, "%s", "what is unavailable has no value and says why; all else does not");
    if (!r->status)
        send(r, perf_send_data(r->to, d, r->e));
    free((char *)d->unit);
    free((char *)d->why);
    *d = (struct perf_data){0};
}

/* ---- lists of values of consecutive call paths ---- */

static void values_begin(struct reading *r)
{
    static const char *const allowed[] = {"path", 0};
    attributes_among(r, allowed);
    number(r, "path", &r->next);
    r->in_values = true;
    r->list_empty = true;
    str_clear(&r->value);
}

/* Sends one value of a list as if it were an item of its own. */
static void listed(struct reading *r)
{
    struct perf_group g = {.level = PERF_ITEM, .id = r->next};
    struct perf_data d = {.state = PERF_MEASURED};
    const char *value = str_text(&r->value);
    char path[NUMBER_ROOM];
    if (!*value)
        return;
    struct perf_number n = perf_unsigned(g.id);
    perf_number_text(path, &n);
    if (!perf_number_parse(&d.value, value))
        fail(r, "'%s' is not a number", value);
    else if (!known_path(r, g.id))
        fail(r, "there is no call path %s", path);
    if (r->stack.n >= PERF_DEPTH)
        fail(r, "%s are nested too deep", "items");
    once(r, &g);
    if (!r->status)
        send(r, perf_send_open(r->to, &g, r->e));
    if (!r->status)
        send(r, perf_send_data(r->to, &d, r->e));
    if (!r->status)
        send(r, perf_send_close(r->to, PERF_ITEM, r->e));
    r->next++;
    r->list_empty = false;
    str_clear(&r->value);
}

static void values_text(struct reading *r, const char *text)
{
    static const char spaces[] = " \t\r\n";
    while (*text && !r->status) {
        size_t n = strcspn(text, spaces);
        if (r->value.len + n > VALUE_MOST)
            fail(r, "%s", "a value is too long to be a number");
        else
            str_addn(&r->value, text, n);
        text += n;
        if (*text)
            listed(r);
        text += strspn(text, spaces);
    }
}

static void values_end(struct reading *r)
{
    listed(r);
    r->in_values = false;
    if (r->list_empty)
        fail(r, "%s", "a list of values has one or more");
}

static void close_group(struct reading *r)
{
    struct level last = r->stack.at[--r->stack.n];
    map_release(&last.seen);
    vec_release(&last.numbers);
    send(r, perf_send_close(r->to, last.level, r->e));
}

static enum perf_level level_of(const char *name)
{
    enum perf_level i = PERF_ROOT;
    while (i <= PERF_ITEM && strcmp(name, elements[i]) != 0)
        i++;
    return i;
}

static void begin_in(struct reading *r, const char *name)
{
    struct level *t = top(r);
    enum perf_level level = level_of(name);
    if (strcmp(name, "callpaths") == 0 && t->level == PERF_ROOT && !t->has_children && !r->callpaths.n)
        r->in_callpaths = true;
    else if (strcmp(name, "data") == 0 && t->level == PERF_ITEM)
        data_begin(r);
    else if (strcmp(name, "values") == 0 && t->level == PERF_ITEM)
        values_begin(r);
    else if (level <= PERF_ITEM && (level == t->level + 1 || (level == PERF_ITEM && t->level == PERF_ITEM)))
        group(r, level);
    else
        fail(r, "the element '%s' does not belong here", name);
}

static void begin(struct reading *r)
{
    const char *name = (const char *)xmlTextReaderConstName(r->reader);
    if (r->in_data || r->in_values || (r->in_callpaths && strcmp(name, "callpath") != 0))
        fail(r, "the element '%s' does not belong here", name);
    else if (r->in_callpaths)
        callpath(r);
    else if (top(r))
        begin_in(r, name);
    else if (strcmp(name, "performance") == 0)
        root(r);
    else
        fail(r, "this is not performance XML: its root is '%s', not 'performance'", name);
}

static void end(struct reading *r)
{
    const char *name = (const char *)xmlTextReaderConstName(r->reader);
    if (r->status)
        return;
    if (r->in_data)
        data_end(r);
    else if (r->in_values)
        values_end(r);
    else if (strcmp(name, "callpaths") == 0)
        r->in_callpaths = false;
    else if (strcmp(name, "callpath") != 0)
        close_group(r);
}

static void text(struct reading *r)
{
    const char *value = (const char *)xmlTextReaderConstValue(r->reader);
    if (r->in_values)
        values_text(r, value);
    else if (!r->in_data)
        fail(r, "%s", "only data and values have a text");
    else if (r->value.len + strlen(value) > VALUE_MOST)
        fail(r, "%s", "a value is too long to be a number");
    else
        str_add(&r->value, value);
}

static void node(struct reading *r)
{
    switch (xmlTextReaderNodeType(r->reader)) {
    case XML_READER_TYPE_ELEMENT: {
        bool empty = xmlTextReaderIsEmptyElement(r->reader);
        begin(r);
        if (empty)
            end(r);
        break;
    }
    case XML_READER_TYPE_END_ELEMENT:
        end(r);
        break;
    case XML_READER_TYPE_TEXT:
    case XML_READER_TYPE_CDATA:
        text(r);
        break;
    case XML_READER_TYPE_WHITESPACE:
    case XML_READER_TYPE_SIGNIFICANT_WHITESPACE:
        if (r->in_values)
            text(r);
        break;
    case XML_READER_TYPE_DOCUMENT_TYPE:
    case XML_READER_TYPE_ENTITY_REFERENCE:
        fail(r, "%s", "a DOCTYPE, and entities that the file defines, are not accepted");
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
    struct reading *r = user;
    if (error->level < XML_ERR_ERROR || r->status)
        return;
    char *message = xstrndup(error->message ? error->message : "", error->message ? strcspn(error->message, "\n") : 0);
    r->status = error_set(r->e, ERR_INPUT, AT(r->path, error->line > 0 ? error->line : 0), "%s", message);
    free(message);
}

static int bytes(void *user, char *room, int n)
{
    return gzread(((struct reading *)user)->file, room, (unsigned)n);
}

static int keep_open(void *user)
{
    (void)user;
    return 0;
}

static void release(struct reading *r)
{
    while (r->stack.n) {
        struct level *last = &r->stack.at[--r->stack.n];
        map_release(&last->seen);
        vec_release(&last->numbers);
    }
    vec_release(&r->stack);
    map_release(&r->callpaths);
    str_release(&r->value);
    free((char *)r->data.unit);
    free((char *)r->data.why);
    xmlFreeTextReader(r->reader);
}

enum status document_read(gzFile f, const char *path, struct perf_sink *to, struct error *e)
{
    struct reading r = {.path = path, .file = f, .to = to, .e = e};
    r.reader = xmlReaderForIO(bytes, keep_open, &r, 0, 0, XML_PARSE_NONET);
    if (!r.reader)
        return error_set(e, ERR_SYSTEM, AT_FILE(path), "libxml2 cannot start to read it");
    xmlTextReaderSetStructuredErrorHandler(r.reader, said, &r);
    int more;
    while ((more = xmlTextReaderRead(r.reader)) == 1 && !r.status)
        node(&r);
    if (more < 0)
        fail(&r, "%s", "this is no XML");
    release(&r);
    return r.status;
}
