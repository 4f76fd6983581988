/* draw_lines.c - block diagram: writes blocks and connecting lines as SVG. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shim-xml/show/draw.h"
#include "shim-xml/show/spoken.h"
#include "shim-xml/document/text.h"

#define DOT " \xc2\xb7 "
#define TO  " \xe2\x80\x93 "

static void add_line(struct block *b, struct str *text)
{
    if (text->len)
        vec_push(&b->lines, str_detach(text));
    str_release(text);
}

/* "Core_0"; for several, "16 x Core_0" and "to Core_15". A frame is wider, so there it is one line. */
static void add_title(struct block *b)
{
    struct str text = STR_INIT;
    bool wide = b->kind == BLOCK_SET || b->kind == BLOCK_GROUP;
    if (b->nodes.n > 1)
        str_addf(&text, "%zu \xc3\x97 ", b->nodes.n);
    describe_attribute(&text, "", b->nodes.at[0], "name", "");
    if (b->nodes.n > 1 && !wide)
        add_line(b, &text);
    if (b->nodes.n > 1) {
        str_add(&text, wide ? " to " : "to ");
        describe_attribute(&text, "", b->nodes.at[b->nodes.n - 1], "name", "");
    }
    if (!text.len)
        str_add(&text, shimxml_name(b->nodes.at[0]));
    add_line(b, &text);
}

static void write_core(const struct drawing *w, struct block *b)
{
    const struct shimxml_node *n = b->nodes.at[0];
    const struct shimxml_core *c = &w->s->cores[drawing_number(w, n)];
    struct str text = STR_INIT;
    describe_attribute(&text, "", n, "arch", "");
    describe_attribute(&text, " ", n, "archOption", "");
    add_line(b, &text);
    describe_attribute(&text, "", n, "masterType", "");
    str_add(&text, DOT);
    text_hertz(&text, c->clock_hz);
    double threads = shimxml_number(n, "nThread");
    if (threads > 1)
        str_addf(&text, DOT "%g threads", threads);
    add_line(b, &text);
    describe_access_types(&text, n);
    add_line(b, &text);
    if (c->n_instructions)
        str_addf(&text, "%zu instruction%s with values", c->n_instructions, c->n_instructions == 1 ? "" : "s");
    else if (!b->transfer)
        str_add(&text, "no instruction values");
    add_line(b, &text);
    if (b->marked && w->how->mark) {
        str_addf(&text, "%s%s%s", w->how->mark, b->nodes.n > 1 ? ": " : "", b->nodes.n > 1 ? w->how->marked : "");
        add_line(b, &text);
    }
}

static void write_cache(const struct drawing *w, struct block *b)
{
    const struct shimxml_cache *c = &w->s->caches[drawing_number(w, b->nodes.at[0])];
    struct str text = STR_INIT;
    str_add(&text, strcmp(c->type, "DATA") == 0 ? "data " : strcmp(c->type, "INSTRUCTION") == 0 ? "instr. " : "");
    text_bytes(&text, c->bytes);
    if (c->ways)
        str_addf(&text, ", %ld ways", c->ways);
    if (c->line)
        str_addf(&text, ", %ld B lines", c->line);
    if (c->core == SHIMXML_SHARED && c->serves)
        str_addf(&text, ", %zu core%s", c->serves, c->serves == 1 ? "" : "s");
    add_line(b, &text);
}

static void add_masters(struct str *out, const struct drawing *w, const struct reach *r)
{
    if (r->masters.n == w->s->n_cores && r->masters.n > 2) {
        str_addf(out, "from all %zu masters", r->masters.n);
    } else if (r->masters.n > 2) {
        str_addf(out, "from %zu of %zu masters", r->masters.n, w->s->n_cores);
    } else {
        for (size_t i = 0; i < r->masters.n; i++) {
            str_add(out, i ? ", " : "from ");
            describe_attribute(out, "", r->masters.at[i], "name", "");
        }
    }
}

static void write_memory(const struct drawing *w, struct block *b)
{
    const struct shimxml_node *n = b->nodes.at[0];
    const struct reach *r = drawing_reach(w, n);
    struct str text = STR_INIT;
    text_bytes(&text, shimxml_bytes(n));
    str_add(&text, DOT);
    describe_attribute(&text, "", n, "rwType", "");
    add_line(b, &text);
    if (!r) {
        str_add(&text, "bound nowhere");
        add_line(b, &text);
        return;
    }
    if (r->range) {
        describe_range(&text, r->range, TO);
        if (b->nodes.n > 1 || r->ranges > 1)
            str_add(&text, " \xe2\x80\xa6");
        add_line(b, &text);
    }
    add_masters(&text, w, r);
    add_line(b, &text);
    if (!isnan(r->least)) {
        str_addf(&text, "latency %.3g", r->least);
        if (r->greatest > r->least)
            str_addf(&text, TO "%.3g", r->greatest);
        str_add(&text, " cycles");
    } else {
        str_add(&text, "cost of accesses not given");
    }
    add_line(b, &text);
}

void block_write(const struct drawing *w, struct block *b)
{
    if (b->kind == BLOCK_GROUP && b->nodes.n == 1)
        return;
    add_title(b);
    if (b->kind == BLOCK_CORE)
        write_core(w, b);
    else if (b->kind == BLOCK_CACHE)
        write_cache(w, b);
    else if (b->kind == BLOCK_MEMORY)
        write_memory(w, b);
}
