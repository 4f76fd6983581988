/* page.c - a history as one HTML page that works offline: tables, the drawing, and data that a script zooms into. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/file.h"
#include "irprof/history/history.h"
#include "shimgen/page/figures.h"
#include "shimgen/page/html.h"
#include "shimgen/page/page_frame.h"

static const unsigned char script[] = {
#include "gantt.js.inc"
};
static const unsigned char style[] = {
#include "gantt.css.inc"
};

enum { MOST_SHOWN = 50000, WIDTH = 1040 };

/* ---- data: {labels, rows: [[name, bars: [label, from, length, depth, processor, ...]], marks ...]} in ns ---- */

static void add_quoted(struct str *out, const char *text)
{
    str_addch(out, '"');
    for (const char *s = text; *s; s++) {
        if (*s == '"' || *s == '\\' || (unsigned char)*s < 32)
            str_addf(out, "\\u%04x", (unsigned char)*s);
        else
            str_addch(out, *s);
    }
    str_addch(out, '"');
}

static void add_number(struct str *out, double v)
{
    str_addf(out, "%.1f,", v);
}

/* What a page shows: the longest intervals, and every n-th mark. */
struct shown {
    int64_t shortest; /* [ticks]; longer intervals are all shown */
    size_t as_short;  /* and so many of exactly this length */
    size_t every;     /* one of so many marks */
    size_t left_out, n_marks;
};

static int by_length(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

static bool is_mark(const struct history *h, const struct history_stamp *s)
{
    enum history_kind kind = h->points.at[s->point].kind;
    return kind == HISTORY_MARK || kind == HISTORY_RESULT;
}

static void find_shown(const struct history *h, struct shown *shown)
{
    VEC(int64_t) all = {0};
    *shown = (struct shown){.shortest = -1};
    for (size_t i = 0; i < h->threads.n; i++) {
        const struct history_thread *t = &h->threads.at[i];
        for (size_t k = 0; k < t->intervals.n; k++)
            vec_push(&all, t->intervals.at[k].to - t->intervals.at[k].from);
        for (size_t k = 0; k < t->stamps.n; k++)
            shown->n_marks += is_mark(h, &t->stamps.at[k]);
    }
    shown->every = shown->n_marks / MOST_SHOWN + 1;
    if (all.n > MOST_SHOWN) {
        qsort(all.at, all.n, sizeof *all.at, by_length);
        shown->shortest = all.at[MOST_SHOWN - 1];
        for (size_t i = 0; i < MOST_SHOWN; i++)
            shown->as_short += all.at[i] == shown->shortest;
        shown->left_out = all.n - MOST_SHOWN;
    }
    vec_release(&all);
}

static void add_processor(struct str *out, uint32_t processor)
{
    str_addf(out, "%lld,", processor == STAMP_NO_PROCESSOR ? -1LL : (long long)processor);
}

static bool is_shown(struct shown *shown, const struct history_interval *v)
{
    int64_t length = v->to - v->from;
    if (length != shown->shortest || shown->shortest < 0)
        return length > shown->shortest;
    return shown->as_short && shown->as_short--;
}

static void thread_data(const struct history *h, const struct history_thread *t, struct shown *shown, struct str *out)
{
    int64_t first = history_first(h);
    str_add(out, "{\"name\":");
    add_quoted(out, t->name);
    if (t->lane)
        str_addf(out, ",\"lane\":%u", t->lane);
    str_add(out, ",\"bars\":[");
    for (size_t i = 0; i < t->intervals.n; i++) {
        const struct history_interval *v = &t->intervals.at[i];
        if (!is_shown(shown, v))
            continue;
        str_addf(out, "%zu,", v->label);
        add_number(out, history_ns(h, v->from - first));
        add_number(out, history_ns(h, v->to - v->from));
        str_addf(out, "%u,", v->depth);
        add_processor(out, v->processor);
    }
    str_add(out, "-1],\"marks\":[");
    size_t marks = 0;
    for (size_t i = 0; i < t->stamps.n; i++) {
        const struct history_stamp *s = &t->stamps.at[i];
        if (!is_mark(h, s) || marks++ % shown->every)
            continue;
        str_addf(out, "%zu,", h->points.at[s->point].label);
        add_number(out, history_ns(h, s->at - first));
        add_processor(out, s->processor);
    }
    str_add(out, "-1]}");
}

static void data(const struct history *h, struct shown *shown, struct str *out)
{
    struct str json = STR_INIT;
    int64_t first = history_first(h);
    str_addf(&json, "{\"length\":%.1f,\"who\":\"%s\",\"rows\":\"%s\",%s\"labels\":[",
             history_ns(h, history_last(h) - first), history_who(h), h->kernels ? "processors" : history_who(h),
             h->per_ns > 0 ? "" : "\"ticks\":true,");
    for (size_t i = 0; i < h->labels.n; i++) {
        str_add(&json, i ? "," : "");
        add_quoted(&json, h->labels.at[i]);
    }
    str_add(&json, "],\"threads\":[");
    for (size_t i = 0; i < h->threads.n; i++) {
        str_add(&json, i ? "," : "");
        thread_data(h, &h->threads.at[i], shown, &json);
    }
    str_add(&json, "]}");
    page_data_json(out, "data", str_text(&json));
    str_release(&json);
}

/* ---- the page ---- */

static void head(const struct history *h, struct str *out)
{
    const char *name = path_basename(h->program);
    char *title = xasprintf("%s: execution history", name);
    page_begin(out, &(struct page_head){.title = title, .style = style, .style_size = sizeof style});
    free(title);
    str_add(out, "<header><p class=\"over\">Execution history</p>\n");
    html_addf(out, "<h1>%s</h1>\n", name);
    str_add(out, "<p class=\"under\">");
    if (!h->kernels)
        str_addf(out, "process %u, ", h->process);
    str_addf(out, "%zu %s</p></header>\n<main>\n", h->threads.n, history_who(h));
}

static void notes(const struct history *h, const struct shown *shown, struct str *out)
{
    struct str text = STR_INIT;
    history_notes(h, &text);
    if (shown->left_out)
        str_addf(&text,
                 "the drawing and the curves show the %d longest intervals; the tables have the %zu others too\n",
                 MOST_SHOWN, shown->left_out);
    if (shown->every > 1)
        str_addf(&text, "they show one of %zu marks\n", shown->every);
    char **lines = words_of(str_text(&text), "\n");
    if (*lines)
        str_add(out, "<ul class=\"notes\">\n");
    for (char **line = lines; *line; line++)
        html_addf(out, "<li>%s</li>\n", *line);
    if (*lines)
        str_add(out, "</ul>\n");
    words_free(lines);
    str_release(&text);
}

static void drawing(const struct history *h, struct str *out)
{
    struct gantt g;
    gantt_make(&g, h, h->kernels);
    html_section_open(out, "gantt", h->kernels ? "Processors and work-items over time" : "Threads over time");
    str_add(out, "<div id=\"controls\"></div>\n<div id=\"drawing\" class=\"scroll\">\n");
    gantt_svg(out, h, &g, WIDTH, false);
    str_add(out, "</div>\n<p class=\"aside\" id=\"about\"></p>\n");
    html_section_close(out);
    gantt_release(&g);
}

enum status history_write_page(const struct history *h, const char *path, struct error *e)
{
    struct str out = STR_INIT;
    struct shown shown;
    find_shown(h, &shown);
    head(h, &out);
    notes(h, &shown, &out);
    drawing(h, &out);
    html_section_open(&out, "progress", "Progress");
    str_add(&out, "<div id=\"curves\"></div>\n");
    page_progress(h, &out);
    html_section_close(&out);
    html_section_open(&out, "figures", "Points");
    page_figures(h, &out);
    html_section_close(&out);
    str_add(&out, "</main>\n");
    data(h, &shown, &out);
    page_end_with(&out, script, sizeof script);
    enum status s = file_write(path, str_text(&out), out.len, e);
    str_release(&out);
    return s;
}

enum status history_write_svg(const struct history *h, bool by_processor, const char *path, struct error *e)
{
    struct gantt g;
    struct str out = STR_INIT;
    gantt_make(&g, h, by_processor);
    gantt_svg(&out, h, &g, WIDTH, true);
    enum status s = file_write(path, str_text(&out), out.len, e);
    str_release(&out);
    gantt_release(&g);
    return s;
}
