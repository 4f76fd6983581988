/* page_tables.c - the tables of a history's page: imbalance of points, progress of threads and of processors. */
#include <stdlib.h>

#include "irprof/history/history.h"
#include "shimgen/page/figures.h"
#include "shimgen/page/html.h"

static void microseconds(struct str *out, double ns)
{
    figure_value(out, ns / 1000);
}

/* The unit of times: µs, or thousands of ticks if the clock's rate is not known. Both are a thousandth of what
 * history_ns returns. */
static const char *unit(const struct history *h)
{
    return h->per_ns > 0 ? "µs" : "1000 ticks";
}

static void open_table(const struct history *h, struct str *out, const char *caption, const char *const *words)
{
    html_table_open(out, "", caption);
    str_add(out, "<thead><tr>");
    for (; *words; words++) {
        bool time = **words == '*';
        html_addf(out, "<th scope=\"col\">%s%s%s</th>", *words + time, time ? " " : "", time ? unit(h) : "");
    }
    str_add(out, "</tr></thead>\n<tbody>\n");
}

void page_figures(const struct history *h, struct str *out)
{
    const char *const heads[] = {"point",  "number", history_who(h), "*total", "*mean",
                                 "*least", "*most",  "imbalance",    0};
    struct history_figure *all;
    size_t n = history_figures(h, &all);
    open_table(h, out,
               h->kernels ? "Imbalance: how much more the busiest work-item has than the mean work-item"
                          : "Imbalance: how much more the busiest thread has than the mean thread",
               heads);
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
    static const char *const heads[] = {"thread",       "stamps",           "lost", "*first", "*last",
                                        "in intervals", "stamps' own cost", 0};
    double length = history_ns(h, history_last(h) - history_first(h));
    open_table(h, out,
               "Progress of threads; of the whole history: in intervals, and what the stamps cost by their calibration",
               heads);
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

/* There are too many work-items for a row each. */
static void processors_table(const struct history *h, struct str *out)
{
    static const char *const heads[] = {"processor", "work-items",    "stamps",    "lost", "*first",
                                        "*last",     "*in intervals", "imbalance", 0};
    struct history_processor *all;
    size_t n = history_processors(h, &all);
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += all[i].busy;
    open_table(h, out,
               "Progress of processors; in intervals: of their work-items together; imbalance: how much more of that a "
               "processor has than the mean processor",
               heads);
    for (size_t i = 0; i < n; i++) {
        const struct history_processor *p = &all[i];
        if (p->processor == STAMP_NO_PROCESSOR)
            str_add(out, "<tr><th scope=\"row\">not known</th>");
        else
            str_addf(out, "<tr><th scope=\"row\">%u</th>", p->processor);
        html_number_cell(out, (double)p->threads, figure_count);
        html_number_cell(out, (double)p->stamps, figure_count);
        html_number_cell(out, (double)p->lost, figure_count);
        html_number_cell(out, history_ns(h, p->first - history_first(h)), microseconds);
        html_number_cell(out, history_ns(h, p->last - history_first(h)), microseconds);
        html_number_cell(out, p->busy, microseconds);
        html_number_cell(out, sum > 0 ? p->busy * (double)n / sum - 1 : 0, figure_percent);
        str_add(out, "</tr>\n");
    }
    str_add(out, "</tbody>");
    html_table_close(out);
    free(all);
}

void page_progress(const struct history *h, struct str *out)
{
    if (h->kernels)
        processors_table(h, out);
    else
        threads_table(h, out);
}
