/* icicle.c - draws the call tree as nested boxes. */
#include "shimgen/offload/show/icicle.h"

#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/map.h"
#include "shimgen/offload/call_parts.h"
#include "shimgen/page/figures.h"
#include "shimgen/page/html.h"

enum { ROW = 24, DEEPEST = 24, COLOURS = 8 };
/* narrower boxes are left out */
#define NARROWEST 0.004
/* characters that fit into the whole width */
#define CHARACTERS 130

struct box {
    uint32_t function;
    double from, share; /* of the whole */
    unsigned depth;
};
struct drawing {
    const struct call_parts *parts;
    enum offload_cost work;
    double total;
    VEC(struct box) boxes; /* breadth-first */
    unsigned deepest;
};

static double share_of(const struct drawing *d, uint32_t function)
{
    return d->total > 0 ? d->parts->inclusive[d->parts->graph.circle[function]][d->work] / d->total : 0;
}

/* Adds the callees of a box below it, side by side. A cycle of functions is one box, named after its first function. */
static void add_callees(struct drawing *d, struct box box)
{
    const struct call_parts *p = d->parts;
    uint32_t circle = p->graph.circle[box.function];
    double whole = share_of(d, box.function), scale = whole > 0 ? box.share / whole : 0, from = box.from;
    for (size_t a = p->first[circle]; box.depth + 1 < DEEPEST && a < p->first[circle + 1]; a++) {
        uint32_t callee = p->table->arcs.at[p->arc[a]].callee;
        double share = scale * p->part[p->arc[a]] * share_of(d, callee);
        if (share < NARROWEST)
            continue;
        vec_push(&d->boxes, (struct box){callee, from, share, box.depth + 1});
        from += share;
    }
}

/* Adds functions without callers, and those whose callers are not known. */
static void add_roots(struct drawing *d)
{
    const struct call_parts *p = d->parts;
    double *called = xcalloc(p->graph.n_circles, sizeof *called), from = 0;
    bool *seen = xcalloc(p->graph.n_circles, sizeof *seen);
    for (size_t i = 0; i < p->table->arcs.n; i++)
        called[p->graph.circle[p->table->arcs.at[i].callee]] += p->part[i];
    for (uint32_t i = 0; i < p->table->functions.n; i++) {
        uint32_t circle = p->graph.circle[i];
        double share = (1 - called[circle]) * share_of(d, i);
        if (seen[circle] || share < NARROWEST)
            continue;
        seen[circle] = true;
        vec_push(&d->boxes, (struct box){i, from, share, 0});
        from += share;
    }
    free(called);
    free(seen);
}

static void draw_box(struct str *out, const struct drawing *d, const struct box *b)
{
    char *name = demangle(d->parts->table->functions.at[b->function].name);
    size_t room = (size_t)(b->share * CHARACTERS);
    html_addf(out, "<g><title>%s: ", name);
    figure_share(out, b->share);
    str_addf(out,
             "</title><rect x=\"%.3f%%\" y=\"%u\" width=\"%.3f%%\" height=\"%d\" style=\"fill:var(--c%u);"
             "fill-opacity:.35;stroke:var(--paper)\"/>",
             100 * b->from, b->depth * ROW, 100 * b->share, ROW - 1, (unsigned)(hash_text(HASH_START, name) % COLOURS));
    if (room > 3) {
        bool cut = strlen(name) > room;
        char *shown = cut ? xasprintf("%.*s\xe2\x80\xa6", (int)room - 1, name) : xstrdup(name);
        str_addf(out, "<text x=\"%.3f%%\" dx=\"4\" y=\"%u\" style=\"font-size:12px;fill:var(--ink)\">", 100 * b->from,
                 b->depth * ROW + 16);
        html_addf(out, "%s</text>", shown);
        free(shown);
    }
    str_add(out, "</g>\n");
    free(name);
}

void icicle_draw(struct str *out, const struct offload_table *t, enum offload_cost work)
{
    struct call_parts parts;
    call_parts_make(&parts, t);
    struct drawing d = {.parts = &parts, .work = work};
    for (size_t i = 0; i < t->functions.n; i++)
        d.total += t->functions.at[i].self[work];
    add_roots(&d);
    for (size_t i = 0; i < d.boxes.n; i++) {
        add_callees(&d, d.boxes.at[i]);
        if (d.boxes.at[i].depth > d.deepest)
            d.deepest = d.boxes.at[i].depth;
    }
    str_addf(out, "<svg width=\"100%%\" height=\"%u\" role=\"img\" aria-label=\"call tree\">\n", (d.deepest + 1) * ROW);
    for (size_t i = 0; i < d.boxes.n; i++)
        draw_box(out, &d, &d.boxes.at[i]);
    str_add(out, "</svg>\n");
    vec_release(&d.boxes);
    call_parts_release(&parts);
}
