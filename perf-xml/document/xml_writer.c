/* xml_writer.c - the sink that writes performance XML, compact or indented. */
#include "perf-xml/document/writer.h"

static void line(struct writer *w)
{
    if (!w->layout.indent)
        return;
    str_addch(&w->text, '\n');
    for (unsigned i = 0; i < w->depth; i++)
        str_add(&w->text, "  ");
}

/* Characters that XML 1.0 does not allow, even escaped, become '?'. */
static void escaped(struct str *out, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&':
            str_add(out, "&amp;");
            break;
        case '<':
            str_add(out, "&lt;");
            break;
        case '>':
            str_add(out, "&gt;");
            break;
        case '"':
            str_add(out, "&quot;");
            break;
        case '\t':
        case '\n':
        case '\r':
            str_addf(out, "&#%d;", *text);
            break;
        default:
            str_addch(out, (unsigned char)*text < ' ' ? '?' : *text);
        }
}

static void attribute(struct writer *w, const char *name, const char *value)
{
    if (!value)
        return;
    str_addch(&w->text, ' ');
    str_add(&w->text, name);
    str_add(&w->text, "=\"");
    escaped(&w->text, value);
    str_addch(&w->text, '"');
}

static void number_attribute(struct writer *w, const char *name, uint64_t value)
{
    char text[NUMBER_ROOM];
    struct perf_number n = perf_unsigned(value);
    perf_number_text(text, &n);
    attribute(w, name, text);
}

static enum status xml_head(struct perf_sink *s, const struct perf_head *h, struct error *e)
{
    struct writer *w = (struct writer *)s;
    (void)e;
    str_add(&w->text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<performance");
    attribute(w, "version", PERF_VERSION);
    attribute(w, "source", h->source);
    attribute(w, "machine", h->machine);
    attribute(w, "date", h->date);
    str_addch(&w->text, '>');
    w->depth = 1;
    return OK;
}

static enum status xml_callpath(struct perf_sink *s, const struct perf_callpath *c, struct error *e)
{
    struct writer *w = (struct writer *)s;
    (void)e;
    if (!w->callpaths) {
        w->callpaths = true;
        line(w);
        str_add(&w->text, "<callpaths>");
        w->depth++;
    }
    line(w);
    str_add(&w->text, "<callpath");
    number_attribute(w, "id", c->id);
    if (c->has_parent)
        number_attribute(w, "parent", c->parent);
    attribute(w, "name", c->name);
    str_add(&w->text, "/>");
    return writer_go_on(w);
}

static void end_callpaths(struct writer *w)
{
    if (!w->callpaths)
        return;
    w->callpaths = false;
    w->depth--;
    line(w);
    str_add(&w->text, "</callpaths>");
}

static const char *const elements[] = {"performance", "process", "thread", "category", "item"};

static enum status xml_open(struct perf_sink *s, const struct perf_group *g, struct error *e)
{
    struct writer *w = (struct writer *)s;
    (void)e;
    end_callpaths(w);
    line(w);
    str_addch(&w->text, '<');
    str_add(&w->text, elements[g->level]);
    if (g->name)
        attribute(w, "name", g->name);
    else
        number_attribute(w, g->level == PERF_ITEM ? "path" : "id", g->id);
    attribute(w, "label", g->label);
    str_addch(&w->text, '>');
    w->depth++;
    return writer_go_on(w);
}

static enum status xml_data(struct perf_sink *s, const struct perf_data *d, struct error *e)
{
    struct writer *w = (struct writer *)s;
    char text[NUMBER_ROOM];
    (void)e;
    line(w);
    str_add(&w->text, "<data");
    attribute(w, "unit", d->unit);
    if (d->state != PERF_MEASURED)
        attribute(w, "state", perf_state_name(d->state));
    attribute(w, "why", d->why);
    if (d->value.kind == PERF_NONE) {
        str_add(&w->text, "/>");
        return OK;
    }
    str_addch(&w->text, '>');
    str_addn(&w->text, text, perf_number_text(text, &d->value));
    str_add(&w->text, "</data>");
    return OK;
}

static enum status xml_close(struct perf_sink *s, enum perf_level level, struct error *e)
{
    struct writer *w = (struct writer *)s;
    (void)e;
    end_callpaths(w);
    w->depth--;
    line(w);
    str_add(&w->text, "</");
    str_add(&w->text, elements[level]);
    str_addch(&w->text, '>');
    if (level == PERF_ROOT)
        str_addch(&w->text, '\n');
    return writer_go_on(w);
}

const struct perf_sink writer_xml = {xml_head, xml_callpath, xml_open, xml_data, xml_close};
