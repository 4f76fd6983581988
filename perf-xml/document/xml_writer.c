<<<<<<< HEAD
/* xml_writer.c - the sinks that write: performance XML, compact or indented, and CSV; both packed by gzip if wanted. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/str.h"
#include "perf-xml/perfxml.h"

enum { ROOM = 1 << 16, WINDOW = 15 + 16 /* of zlib: the largest, and the frame of gzip */ };

struct writer {
    struct perf_sink sink;
    struct outfile file;
    struct perf_layout layout;
    struct str text; /* not yet written */
    z_stream packer;
    bool packing, failed, inside, callpaths;
    unsigned depth;
    struct perf_place place; /* of CSV */
};

/* A full disk is noticed by outfile_commit; `failed` only ends the packing. */
static void pack(struct writer *w, int flush)
{
    unsigned char out[ROOM];
    w->packer.next_in = (unsigned char *)w->text.s;
    w->packer.avail_in = (uInt)w->text.len;
    do {
        w->packer.next_out = out;
        w->packer.avail_out = sizeof out;
        if (deflate(&w->packer, flush) == Z_STREAM_ERROR)
            w->failed = true;
        size_t n = sizeof out - w->packer.avail_out;
        w->failed = w->failed || fwrite(out, 1, n, w->file.f) != n;
    } while (!w->packer.avail_out && !w->failed);
}

static void flush(struct writer *w, bool end)
{
    str_add(&w->text, "");
    if (w->packing)
        pack(w, end ? Z_FINISH : Z_NO_FLUSH);
    else
        fwrite(w->text.s, 1, w->text.len, w->file.f);
    str_clear(&w->text);
}

static enum status go_on(struct writer *w)
{
    if (w->text.len >= ROOM)
        flush(w, false);
    return OK;
}
=======
/* xml_writer.c - the sink that writes performance XML, compact or indented. */
#include "perf-xml/document/writer.h"
>>>>>>> h-22

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

<<<<<<< HEAD
static enum status csv_open(struct perf_sink *s, const struct perf_group *g, struct error *e)
{
    (void)e;
    perf_place_open(&((struct writer *)s)->place, g);
    return OK;
}

static void quoted(struct str *out, const char *text)
{
    str_addch(out, '"');
    str_add(out, csv_defused(text));
    for (; *text; text++) {
        if (*text == '"')
            str_addch(out, '"');
        str_addch(out, *text);
    }
    str_addch(out, '"');
}

/* place,unit,state,value */
static enum status csv_data(struct perf_sink *s, const struct perf_data *d, struct error *e)
{
    struct writer *w = (struct writer *)s;
    char text[NUMBER_ROOM];
    (void)e;
    const char *unit = perf_place_unit(&w->place, d->unit);
    if (d->value.kind == PERF_NONE && d->state != PERF_UNAVAILABLE)
        return OK;
    char *place = perf_place_text(&w->place);
    quoted(&w->text, place);
    str_addch(&w->text, ',');
    quoted(&w->text, unit);
    str_addf(&w->text, ",%s,", perf_state_name(d->state));
    str_addn(&w->text, text, perf_number_text(text, &d->value));
    str_add(&w->text, "\r\n");
    free(place);
    return go_on(w);
}

static enum status csv_close(struct perf_sink *s, enum perf_level level, struct error *e)
{
    (void)e;
    if (level != PERF_ROOT)
        perf_place_close(&((struct writer *)s)->place);
    return OK;
}

static enum status csv_head(struct perf_sink *s, const struct perf_head *h, struct error *e)
{
    (void)h;
    (void)e;
    str_add(&((struct writer *)s)->text, "place,unit,state,value\r\n");
    return OK;
}

enum status perf_writer_open(struct perf_sink **out, const char *path, const struct perf_layout *layout,
                             struct error *e)
{
    static const struct perf_sink xml = {xml_head, xml_callpath, xml_open, xml_data, xml_close};
    static const struct perf_sink csv = {csv_head, 0, csv_open, csv_data, csv_close};
    struct writer *w = xcalloc(1, sizeof *w);
    w->sink = layout->format == PERF_XML ? xml : csv;
    w->layout = *layout;
    enum status s = outfile_open(&w->file, path, e);
    if (!s && layout->gzip) {
        w->packing = true;
        if (deflateInit2(&w->packer, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
            w->packing = false;
            s = error_set(e, ERR_SYSTEM, NOWHERE, "zlib cannot start to pack");
        }
    }
    *out = &w->sink;
    if (s) {
        perf_writer_abort(*out);
        *out = 0;
    }
    return s;
}

static void release(struct writer *w)
{
    if (w->packing)
        deflateEnd(&w->packer);
    str_release(&w->text);
    perf_place_release(&w->place);
    free(w);
}

enum status perf_writer_commit(struct perf_sink *sink, struct error *e)
{
    struct writer *w = (struct writer *)sink;
    flush(w, true);
    enum status s = outfile_commit(&w->file, e);
    release(w);
    return s;
}

void perf_writer_abort(struct perf_sink *sink)
{
    struct writer *w = (struct writer *)sink;
    if (!w)
        return;
    outfile_abort(&w->file);
    release(w);
}
=======
const struct perf_sink writer_xml = {xml_head, xml_callpath, xml_open, xml_data, xml_close};
>>>>>>> h-22
