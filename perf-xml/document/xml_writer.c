/*
 * xml_writer.c - the sink that writes performance XML, compact or indented. In compact form, values of consecutive call
 * paths become one list. An item that may join a list is held back until it is closed.
 */
#include "perf-xml/document/document.h"
#include "perf-xml/document/writer.h"

enum { LIST_MOST = 512 /* values of a list: readers hold the text of an element in memory */ };

static void line(struct writer *w)
{
    if (!w->layout.indent)
        return;
    str_addch(&w->text, '\n');
    for (unsigned i = 0; i < w->depth; i++)
        str_add(&w->text, "  ");
}

static void attribute(struct writer *w, const char *name, const char *value)
{
    if (!value)
        return;
    str_addch(&w->text, ' ');
    str_add(&w->text, name);
    str_add(&w->text, "=\"");
    text_as_attribute(&w->text, value);
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

static void add_number(struct writer *w, const struct perf_number *n)
{
    char text[NUMBER_ROOM];
    str_addn(&w->text, text, perf_number_text(text, n));
}

static void end_list(struct writer *w)
{
    if (w->list.open)
        str_add(&w->text, "</values>");
    w->list.open = false;
}

/* Adds the value of the held item: to the current list if it fits, else it begins another list. */
static void add_to_list(struct writer *w)
{
    struct xml_list *l = &w->list;
    if (l->open && l->next == l->path && l->n < LIST_MOST) {
        str_addch(&w->text, ' ');
    } else {
        end_list(w);
        str_add(&w->text, "<values");
        number_attribute(w, "path", l->path);
        str_addch(&w->text, '>');
        l->open = true;
        l->n = 0;
    }
    add_number(w, &l->value);
    l->next = l->path + 1;
    l->n++;
    l->held = false;
}

static void open_tag(struct writer *w, const struct perf_group *g)
{
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
}

static void data_tag(struct writer *w, const struct perf_data *d)
{
    line(w);
    str_add(&w->text, "<data");
    attribute(w, "unit", d->unit);
    if (d->state != PERF_MEASURED)
        attribute(w, "state", perf_state_name(d->state));
    attribute(w, "why", d->why);
    if (d->value.kind == PERF_NONE) {
        str_add(&w->text, "/>");
        return;
    }
    str_addch(&w->text, '>');
    add_number(w, &d->value);
    str_add(&w->text, "</data>");
}

/* Releases the held item as an element of its own, since it has more than a value. */
static void let_go(struct writer *w)
{
    struct xml_list *l = &w->list;
    end_list(w);
    if (!l->held)
        return;
    l->held = false;
    open_tag(w, &(struct perf_group){.level = PERF_ITEM, .id = l->path});
    if (l->has_value)
        data_tag(w, &(struct perf_data){.value = l->value});
}

static enum status xml_open(struct perf_sink *s, const struct perf_group *g, struct error *e)
{
    struct writer *w = (struct writer *)s;
    (void)e;
    end_callpaths(w);
    bool hold = g->level == PERF_ITEM && !g->name && !w->layout.indent;
    if (!hold || w->list.held)
        let_go(w);
    if (hold) {
        w->list.held = true;
        w->list.has_value = false;
        w->list.path = g->id;
    } else {
        open_tag(w, g);
    }
    return writer_go_on(w);
}

static enum status xml_data(struct perf_sink *s, const struct perf_data *d, struct error *e)
{
    struct writer *w = (struct writer *)s;
    struct xml_list *l = &w->list;
    (void)e;
    if (l->held && !d->unit && !d->why && d->state == PERF_MEASURED && d->value.kind != PERF_NONE) {
        l->has_value = true;
        l->value = d->value;
        return OK;
    }
    let_go(w);
    data_tag(w, d);
    return OK;
}

static enum status xml_close(struct perf_sink *s, enum perf_level level, struct error *e)
{
    struct writer *w = (struct writer *)s;
    (void)e;
    if (w->list.held && w->list.has_value) {
        add_to_list(w);
        return writer_go_on(w);
    }
    let_go(w);
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
