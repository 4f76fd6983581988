/* page.c - a history as one page that works offline: figures as tables, the drawing, and data that a script
 * zooms into. */
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

/* What a page has room for: of more intervals the longest, of more marks every so many. */
struct shown {
    int64_t shortest; /* [ticks] longer ones are all shown */
    size_t as_short;  /* and so many of this length */
    size_t every;     /* marks */
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
    str_addf(&json, "{\"length\":%.1f,\"labels\":[", history_ns(h, history_last(h) - first));
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

/* ---- tables ---- */

static void microseconds(struct str *out, double ns)
{
    figure_value(out, ns / 1000);
}

static void head_cells(struct str *out, const char *const *words)
{
    str_add(out, "<thead><tr>");
    for (; *words; words++)
        html_addf(out, "<th scope=\"col\">%s</th>", *words);
    str_add(out, "</tr></thead>\n<tbody>\n");
}

static void figures_table(const struct history *h, struct str *out)
{
    static const char *const heads[] = {"point",    "number",  "threads",   "total µs", "mean µs",
                                        "least µs", "most µs", "imbalance", 0};
    struct history_figure *all;
    size_t n = history_figures(h, &all);
    html_table_open(out, "", "Imbalance: how much more the busiest thread has than the mean thread");
    head_cells(out, heads);
    for (size_t i = 0; i < n; i++) {
        const struct history_figure *f = &all[i];
        html_addf(out, "<tr><th scope=\"row\">%s</th>", h->labels.at[f->label]);
        html_number_cell(out, (double)f->count, figure_count);
        html_number_cell(out, (double)f->threads, figure_count);
        if (f->mark) {
            str_add(out, "<td></td><td></td><td></td><td></td>");
        } else {
            html_number_cell(out, f->total, microseconds);
            html_number_cell(out, f->total / (double)f->count, microseconds);
            html_number_cell(out, f->least, microseconds);
            html_number_cell(out, f->most, microseconds);
        }
        html_number_cell(out, f->imbalance, figure_percent);
        str_add(out, "</tr>\n");
    }
    str_add(out, "</tbody>");
    html_table_close(out);
    free(all);
}

static void threads_table(const struct history *h, struct str *out)
{
    static const char *const heads[] = {"thread",       "stamps",           "lost", "first µs", "last µs",
                                        "in intervals", "stamps' own cost", 0};
    double length = history_ns(h, history_last(h) - history_first(h));
    html_table_open(
        out, "",
        "Progress of threads; of the whole history: in intervals, and what the stamps cost by their calibration");
    head_cells(out, heads);
    for (size_t i = 0; i < h->threads.n; i++) {
        const struct history_thread *t = &h->threads.at[i];
        size_t n = t->stamps.n;
        html_addf(out, "<tr><th scope=\"row\">%s</th>", t->name);
        html_number_cell(out, (double)n, figure_count);
        html_number_cell(out, (double)t->lost, figure_count);
        html_number_cell(out, n ? history_ns(h, t->stamps.at[0].at - history_first(h)) : 0, microseconds);
        html_number_cell(out, n ? history_ns(h, t->stamps.at[n - 1].at - history_first(h)) : 0, microseconds);
        html_number_cell(out, length > 0 ? thread_busy(h, t) / length : 0, figure_percent);
        html_number_cell(out, length > 0 ? history_ns(h, 1) * h->cost * (double)n / length : 0, figure_percent);
        str_add(out, "</tr>\n");
    }
    str_add(out, "</tbody>");
    html_table_close(out);
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
    str_addf(out, "<p class=\"under\">process %u, %zu threads</p></header>\n<main>\n", h->process, h->threads.n);
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
    gantt_make(&g, h, false);
    html_section_open(out, "gantt", "Threads over time");
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
    threads_table(h, &out);
    html_section_close(&out);
    html_section_open(&out, "figures", "Points");
    figures_table(h, &out);
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
