/* gantt.c - draws a history as rows of bars: one SVG that needs no script. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "irprof/history/history.h"
#include "shimgen/page/figures.h"
#include "shimgen/page/html.h"
#include "shimgen/page/svg.h"

/* ---- rows ---- */

static size_t row_of_processor(struct gantt *g, uint32_t processor)
{
    char *name =
        processor == STAMP_NO_PROCESSOR ? xstrdup("processor not known") : xasprintf("processor %u", processor);
    for (size_t i = 0; i < g->rows.n; i++)
        if (strcmp(g->rows.at[i].name, name) == 0) {
            free(name);
            return i;
        }
    vec_push(&g->rows, (struct gantt_row){.name = name});
    return g->rows.n - 1;
}

static void add_bar(struct gantt *g, size_t row, struct gantt_bar bar)
{
    struct gantt_row *r = &g->rows.at[row];
    r->marks |= bar.mark;
    if (!bar.mark && bar.depth + 1 > r->lanes)
        r->lanes = bar.depth + 1;
    vec_push(&r->bars, bar);
}

static void add_thread(struct gantt *g, const struct history *h, size_t number, bool by_processor)
{
    const struct history_thread *t = &h->threads.at[number];
    size_t row = 0;
    if (!by_processor) {
        vec_push(&g->rows, (struct gantt_row){.name = xstrdup(t->name)});
        row = g->rows.n - 1;
    }
    for (size_t i = 0; i < t->intervals.n; i++) {
        const struct history_interval *v = &t->intervals.at[i];
        if (by_processor)
            row = row_of_processor(g, v->processor);
        add_bar(g, row,
                (struct gantt_bar){v->label, v->from, v->to, v->depth + (by_processor ? t->lane : 0), number, false});
    }
    for (size_t i = 0; i < t->stamps.n; i++) {
        const struct history_stamp *s = &t->stamps.at[i];
        const struct history_point *p = &h->points.at[s->point];
        if (p->kind != HISTORY_MARK && p->kind != HISTORY_RESULT)
            continue;
        if (by_processor)
            row = row_of_processor(g, s->processor);
        add_bar(g, row, (struct gantt_bar){p->label, s->at, s->at, 0, number, true});
    }
}

/* Sorts "processor 2" before "processor 10". */
static int by_row_name(const void *a, const void *b)
{
    return strverscmp(((const struct gantt_row *)a)->name, ((const struct gantt_row *)b)->name);
}

static int by_begin(const void *a, const void *b)
{
    const struct gantt_bar *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

void gantt_make(struct gantt *g, const struct history *h, bool by_processor)
{
    *g = (struct gantt){0};
    for (size_t i = 0; i < h->threads.n; i++)
        add_thread(g, h, i, by_processor);
    if (by_processor && g->rows.n)
        qsort(g->rows.at, g->rows.n, sizeof *g->rows.at, by_row_name);
    for (size_t i = 0; by_processor && i < g->rows.n; i++)
        qsort(g->rows.at[i].bars.at, g->rows.at[i].bars.n, sizeof *g->rows.at[i].bars.at, by_begin);
}

void gantt_release(struct gantt *g)
{
    for (size_t i = 0; i < g->rows.n; i++) {
        free(g->rows.at[i].name);
        vec_release(&g->rows.at[i].bars);
    }
    vec_release(&g->rows);
}

/* ---- the drawing ---- */

enum { LEFT = 130, RIGHT = 20, TOP = 34, LANE = 16, GAP = 8, LEGEND = 20, COLOURS = 8 };

struct drawing {
    struct str *out;
    const struct history *h;
    int64_t first, last;
    int width;
    double least; /* [px]; narrower bars are joined with their neighbours */
};

static double place(const struct drawing *d, int64_t at)
{
    double length = (double)(d->last - d->first);
    return LEFT + (length > 0 ? (double)(at - d->first) / length : 0) * (d->width - LEFT - RIGHT);
}

static void figure_ns(const struct drawing *d, double ns)
{
    struct str *out = d->out;
    static const struct {
        double from;
        const char *unit;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}};
    for (size_t i = 0; d->h->per_ns > 0 && i < sizeof units / sizeof *units; i++)
        if (ns >= units[i].from) {
            str_addf(out, "%.4g" THIN "%s", ns / units[i].from, units[i].unit);
            return;
        }
    str_addf(out, "%.4g" THIN "%s", ns, d->h->per_ns > 0 ? "ns" : "ticks");
}

static void axis(const struct drawing *d, int bottom)
{
    struct tick ticks[TICKS_MAX];
    struct scale scale = scale_linear(0, history_ns(d->h, d->last - d->first));
    size_t n = scale_ticks(&scale, 8, ticks);
    for (size_t i = 0; i < n; i++) {
        double x = LEFT + ticks[i].value / (scale.hi - scale.lo) * (d->width - LEFT - RIGHT);
        if (!ticks[i].labelled || ticks[i].value > history_ns(d->h, d->last - d->first))
            continue;
        str_addf(d->out,
                 "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/><text class=\"tick\" x=\"%.1f\" "
                 "y=\"%d\">",
                 x, x, TOP - 6, bottom, x, TOP - 12);
        figure_ns(d, ticks[i].value);
        str_add(d->out, "</text>\n");
    }
}

static void title(const struct drawing *d, const struct gantt_bar *b, size_t together)
{
    html_addf(d->out, "<title>%s, %s: ", d->h->labels.at[b->label], d->h->threads.at[b->thread].name);
    if (together > 1)
        str_addf(d->out, "and others, %zu in all, ", together);
    figure_ns(d, history_ns(d->h, b->from - d->first));
    if (!b->mark) {
        str_add(d->out, " and ");
        figure_ns(d, history_ns(d->h, b->to - b->from));
        str_add(d->out, " long");
    }
    str_add(d->out, "</title>");
}

static void draw_bar(const struct drawing *d, const struct gantt_bar *b, int64_t to, int top, size_t together)
{
    double x = place(d, b->from), width = place(d, to) - x;
    if (b->mark) {
        str_addf(d->out, "<path class=\"m%zu\" d=\"M%.2f %dv%d\">", b->label % COLOURS, x, top, LANE - 2);
        title(d, b, together);
        str_add(d->out, "</path>\n");
        return;
    }
    str_addf(d->out, "<rect class=\"%s%zu\" x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\">",
             together > 1 ? "d b" : "b", b->label % COLOURS, x, top, width < .3 ? .3 : width, LANE - 2);
    title(d, b, together);
    str_add(d->out, "</rect>\n");
}

/* Draws a lane's bars in the order of time. */
static void draw_lane(const struct drawing *d, const struct gantt_row *row, unsigned lane, bool marks, int top)
{
    const struct gantt_bar *held = 0;
    int64_t to = 0;
    size_t together = 0;
    for (size_t i = 0; i < row->bars.n; i++) {
        const struct gantt_bar *b = &row->bars.at[i];
        if (b->depth != lane || b->mark != marks)
            continue;
        if (held && b->from >= held->from && place(d, b->to) - place(d, held->from) < d->least) {
            to = b->to > to ? b->to : to;
            together++;
            continue;
        }
        if (held)
            draw_bar(d, held, to, top, together);
        held = b;
        to = b->to;
        together = 1;
    }
    if (held)
        draw_bar(d, held, to, top, together);
}

static int draw_row(const struct drawing *d, const struct gantt_row *row, int top)
{
    html_addf(d->out, "<text class=\"row\" x=\"%d\" y=\"%d\">%s</text>\n", LEFT - 8, top + LANE - 5, row->name);
    for (unsigned lane = 0; lane < row->lanes; lane++)
        draw_lane(d, row, lane, false, top + (int)lane * LANE);
    if (row->marks)
        draw_lane(d, row, 0, true, top + (int)row->lanes * LANE);
    unsigned lanes = row->lanes + row->marks;
    return top + (int)(lanes ? lanes : 1) * LANE + GAP;
}

static int draw_legend(const struct drawing *d, int top)
{
    int x = LEFT;
    for (size_t i = 0; i < d->h->labels.n && i < 64; i++) {
        int wide = 26 + (int)strlen(d->h->labels.at[i]) * 7;
        if (x > LEFT && x + wide > d->width - RIGHT) {
            x = LEFT;
            top += LEGEND;
        }
        html_addf(d->out,
                  "<rect class=\"b%zu\" x=\"%d\" y=\"%d\" width=\"12\" height=\"12\"/><text class=\"key\" x=\"%d\" "
                  "y=\"%d\">%s</text>\n",
                  i % COLOURS, x, top, x + 17, top + 11, d->h->labels.at[i]);
        x += wide;
    }
    return top + LEGEND;
}

/* Half a pixel, or more if there are very many rows: a drawing has at most MOST_DRAWN bars. */
static double least_width(const struct gantt *g, int width)
{
    enum { MOST_DRAWN = 12000 };
    size_t lanes = 0;
    for (size_t i = 0; i < g->rows.n; i++)
        lanes += g->rows.at[i].lanes + g->rows.at[i].marks;
    double least = (double)lanes * width / MOST_DRAWN;
    return least > .5 ? least : .5;
}

static const char alone_style[] =
    "<style>text{font:12px sans-serif;fill:#1a2230}.row{text-anchor:end}.tick{text-anchor:middle;fill:#566173}"
    ".grid{stroke:#dfe4ea}.d{opacity:.6}"
    ".b0{fill:#4477aa}.b1{fill:#ee8866}.b2{fill:#228833}.b3{fill:#ccbb44}.b4{fill:#66ccee}.b5{fill:#aa3377}.b6{fill:#"
    "997700}"
    ".b7{fill:#332288}.m0{stroke:#4477aa}.m1{stroke:#ee8866}.m2{stroke:#228833}.m3{stroke:#ccbb44}.m4{stroke:#66ccee}"
    ".m5{stroke:#aa3377}.m6{stroke:#997700}.m7{stroke:#332288}</style>\n";

void gantt_svg(struct str *out, const struct history *h, const struct gantt *g, int width, bool alone)
{
    struct str body = STR_INIT;
    struct drawing d = {&body, h, history_first(h), history_last(h), width, least_width(g, width)};
    int y = TOP;
    for (size_t i = 0; i < g->rows.n; i++)
        y = draw_row(&d, &g->rows.at[i], y);
    int bottom = y;
    axis(&d, bottom);
    y = draw_legend(&d, bottom + 6);
    str_addf(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"gantt\" viewBox=\"0 0 %d %d\" width=\"%d\" "
             "height=\"%d\" role=\"img\" "
             "aria-label=\"Execution history\">\n",
             width, y, width, y);
    if (alone)
        str_add(out, alone_style);
    str_addn(out, str_text(&body), body.len);
    str_add(out, "</svg>\n");
    str_release(&body);
}
