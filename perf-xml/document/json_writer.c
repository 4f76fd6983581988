/* json_writer.c - the sink that writes JSON, as a stream; own_json.c reads it back. */
#include <math.h>

#include "perf-xml/document/document.h"
#include "perf-xml/document/writer.h"

static void member(struct str *out, const char *name, const char *value)
{
    if (!value)
        return;
    str_addf(out, ",\"%s\":", name);
    text_as_json(out, value);
}

/* JSON readers have signed integers of 64 bits, so a larger number is written as a text. */
static void number(struct str *out, const char *name, const struct perf_number *n)
{
    char digits[NUMBER_ROOM];
    perf_number_text(digits, n);
    if (n->kind == PERF_UNSIGNED && n->u > INT64_MAX)
        member(out, name, digits);
    else
        str_addf(out, ",\"%s\":%s", name, digits);
}

static void id_member(struct str *out, const char *name, uint64_t id)
{
    struct perf_number n = perf_unsigned(id);
    number(out, name, &n);
}

static enum status json_head(struct perf_sink *s, const struct perf_head *h, struct error *e)
{
    struct writer *w = (struct writer *)s;
    (void)e;
    str_add(&w->text, "{\"version\":\"" PERF_VERSION "\"");
    member(&w->text, "source", h->source);
    member(&w->text, "machine", h->machine);
    member(&w->text, "date", h->date);
    return OK;
}

/* Begins an object in a list, and the list if it is the first. The caller writes the members; the kind comes first. */
static void begin(struct writer *w, bool *any, const char *list)
{
    if (*any)
        str_add(&w->text, ",\n{");
    else
        str_addf(&w->text, ",\"%s\":[\n{", list);
    *any = true;
}

static enum status json_callpath(struct perf_sink *s, const struct perf_callpath *c, struct error *e)
{
    struct writer *w = (struct writer *)s;
    (void)e;
    begin(w, &w->callpaths, "callpaths");
    str_add(&w->text, "\"name\":");
    text_as_json(&w->text, c->name);
    id_member(&w->text, "id", c->id);
    if (c->has_parent)
        id_member(&w->text, "parent", c->parent);
    str_addch(&w->text, '}');
    return writer_go_on(w);
}

static void end_callpaths(struct writer *w)
{
    if (w->callpaths)
        str_addch(&w->text, ']');
    w->callpaths = false;
}

static enum status json_open(struct perf_sink *s, const struct perf_group *g, struct error *e)
{
    static const char *const lists[] = {"", "processes", "threads", "categories", "items"};
    struct writer *w = (struct writer *)s;
    (void)e;
    end_callpaths(w);
    begin(w, &w->children[w->depth], lists[g->level]);
    w->children[++w->depth] = false;
    if (g->name) {
        str_add(&w->text, "\"name\":");
        text_as_json(&w->text, g->name);
    } else {
        struct perf_number n = perf_unsigned(g->id);
        char digits[NUMBER_ROOM];
        perf_number_text(digits, &n);
        str_addf(&w->text, g->id > INT64_MAX ? "\"%s\":\"%s\"" : "\"%s\":%s", g->level == PERF_ITEM ? "path" : "id",
                 digits);
    }
    member(&w->text, "label", g->label);
    return writer_go_on(w);
}

static enum status json_data(struct perf_sink *s, const struct perf_data *d, struct error *e)
{
    struct writer *w = (struct writer *)s;
    (void)e;
    member(&w->text, "unit", d->unit);
    if (d->state != PERF_MEASURED)
        member(&w->text, "state", perf_state_name(d->state));
    member(&w->text, "why", d->why);
    if (d->value.kind != PERF_NONE)
        number(&w->text, "value", &d->value);
    return OK;
}

static enum status json_close(struct perf_sink *s, enum perf_level level, struct error *e)
{
    struct writer *w = (struct writer *)s;
    (void)e;
    end_callpaths(w);
    if (w->children[w->depth])
        str_addch(&w->text, ']');
    else if (level == PERF_ROOT)
        str_add(&w->text, ",\"processes\":[]");
    str_addch(&w->text, '}');
    if (level == PERF_ROOT)
        str_addch(&w->text, '\n');
    else
        w->depth--;
    return writer_go_on(w);
}

const struct perf_sink writer_json = {json_head, json_callpath, json_open, json_data, json_close};
