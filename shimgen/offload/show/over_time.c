/* over_time.c - draws the shares of functions and the data rate in the windows of a run. */
#include "shimgen/offload/show/over_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "shimgen/page/figures.h"
#include "shimgen/page/html.h"
#include "shimgen/page/svg.h"

enum { COLUMNS = 200, NAMED = 7, HEIGHT = 160 };
/* Adjacent windows, joined so that there are no more columns than fit on a page. */
struct column {
    double begin, end;      /* [s] */
    double time[NAMED + 1]; /* of the named functions, then of all others [s] */
    double most;            /* [bytes per second]: the largest rate of its windows */
};
struct over_time {
    const struct offload_table *t;
    uint32_t named[NAMED];
    size_t n_named;
    VEC(struct column) columns;
};

/* ---- data ---- */

static void find_named(struct over_time *o)
{
    const struct offload_table *t = o->t;
    double *time = xcalloc(t->functions.n, sizeof *time);
    for (size_t i = 0; i < t->spent.n; i++)
        time[t->spent.at[i].function] += t->spent.at[i].costs[OFFLOAD_TIME];
    for (; o->n_named < NAMED; o->n_named++) {
        uint32_t most = 0;
        for (uint32_t f = 1; f < t->functions.n; f++)
            most = time[f] > time[most] ? f : most;
        if (!t->functions.n || time[most] <= 0)
            break;
        o->named[o->n_named] = most;
        time[most] = 0;
    }
    free(time);
}

static size_t place_of(const struct over_time *o, uint32_t function)
{
    size_t i = 0;
    while (i < o->n_named && o->named[i] != function)
        i++;
    return i == o->n_named ? NAMED : i;
}

static void add_window(const struct over_time *o, struct column *c, const struct offload_window *w)
{
    double bytes = 0;
    for (size_t i = w->first; i < w->first + w->n; i++) {
        const struct offload_spent *spent = &o->t->spent.at[i];
        c->time[place_of(o, spent->function)] += spent->costs[OFFLOAD_TIME];
        bytes += spent->costs[OFFLOAD_BYTES];
    }
    c->end = w->begin + w->seconds;
    c->most = fmax(c->most, bytes / w->seconds);
}

static void make_columns(struct over_time *o)
{
    size_t n = o->t->windows.n, each = (n + COLUMNS - 1) / COLUMNS;
    for (size_t i = 0; i < n; i++) {
        const struct offload_window *w = &o->t->windows.at[i];
        if (i % each == 0)
            vec_push(&o->columns, (struct column){.begin = w->begin});
        if (w->seconds > 0)
            add_window(o, &o->columns.at[o->columns.n - 1], w);
    }
}

/* ---- shares ---- */

static const char *const colours[NAMED + 1] = {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c-other"};

static void box(struct str *out, const struct column *c, double end, double from, double share, const char *name,
                const char *colour)
{
    str_addf(out, "<rect x=\"%.3f%%\" y=\"%.1f\" width=\"%.3f%%\" height=\"%.1f\" class=\"%s\"><title>",
             100 * c->begin / end, HEIGHT * (1 - from - share), 100 * (c->end - c->begin) / end, HEIGHT * share,
             colour);
    html_addf(out, "%s: ", name);
    figure_share(out, share);
    str_addf(out, " at %.4g s</title></rect>\n", c->begin);
}

static char *name_of(const struct over_time *o, size_t i)
{
    return i == NAMED ? xstrdup("all others") : demangle(o->t->functions.at[o->named[i]].name);
}

static void draw_shares(struct str *out, const struct over_time *o, double end)
{
    str_add(out, "<h3>Share of the time, over time</h3>\n<p>");
    for (size_t i = 0; i < o->n_named; i++) {
        char *name = name_of(o, i);
        str_addf(out, "<span style=\"color:var(--%s)\">&#9632;</span> ", colours[i]);
        html_addf(out, "<code>%s</code> ", name);
        free(name);
    }
    str_addf(out, "<span style=\"color:var(--%s)\">&#9632;</span> all others</p>\n", colours[NAMED]);
    str_addf(out, "<svg width=\"100%%\" height=\"%d\" role=\"img\" aria-label=\"share of the time, over time\">\n",
             HEIGHT);
    for (size_t k = 0; k < o->columns.n; k++) {
        const struct column *c = &o->columns.at[k];
        double sum = 0, from = 0;
        for (size_t i = 0; i <= NAMED; i++)
            sum += c->time[i];
        for (size_t i = 0; i <= NAMED && sum > 0; i++) {
            char *name = c->time[i] > 0 ? name_of(o, i) : NULL;
            if (name)
                box(out, c, end, from, c->time[i] / sum, name, colours[i]);
            from += c->time[i] / sum;
            free(name);
        }
    }
    str_add(out, "</svg>\n");
}

/* ---- bytes per second ---- */

static void draw_rates(struct str *out, const struct over_time *o, double end, double threshold, size_t number)
{
    double most = threshold;
    for (size_t i = 0; i < o->columns.n; i++)
        most = fmax(most, o->columns.at[i].most);
    char *id = xasprintf("rates%zu", number);
    struct plot p = {.id = id,
                     .title = "Data rate over time",
                     .description = "Each mark is a window of time.",
                     .x_title = "time [s]",
                     .y_title = "bytes a second",
                     .x = scale_linear(0, end),
                     .y = scale_linear(0, most * 1.05),
                     .x_figure = figure_short,
                     .y_figure = figure_short,
                     .size = "flat"};
    str_add(out, "<h3>Bytes a second, over time</h3>\n");
    plot_open(out, &p);
    plot_line(out, &p, "identity", 0, threshold, end, threshold);
    for (size_t i = 0; i < o->columns.n; i++) {
        char *tip = xasprintf("%.4g s: %.3g GB/s", o->columns.at[i].begin, o->columns.at[i].most / 1e9);
        plot_mark(out, &p, MARK_VALUE, o->columns.at[i].begin, o->columns.at[i].most, tip);
        free(tip);
    }
    char *caption =
        xasprintf("Bytes a second that come from beyond the local memory, in windows of %s. The line is the "
                  "threshold.",
                  o->t->window_size);
    plot_close(out, caption);
    free(caption);
    free(id);
}

void over_time_draw(struct str *out, const struct offload_table *t, double threshold, size_t number)
{
    struct over_time o = {.t = t};
    double end = t->windows.n ? t->windows.at[t->windows.n - 1].begin + t->windows.at[t->windows.n - 1].seconds : 0;
    if (!(end > 0))
        return;
    find_named(&o);
    make_columns(&o);
    draw_shares(out, &o, end);
    if (offload_knows(t, OFFLOAD_BYTES))
        draw_rates(out, &o, end, threshold, number);
    vec_release(&o.columns);
}
