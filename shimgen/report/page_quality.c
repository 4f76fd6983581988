/* page_quality.c - report section: how much the runs of a program differ. No model can be better than its
 * measurements. */
#include <stdlib.h>

#include "base/alloc.h"
#include "shimgen/report/derived.h"
#include "shimgen/page/figures.h"
#include "shimgen/page/html.h"
#include "shimgen/report/page.h"
#include "shimgen/page/svg.h"

#define NOISIEST 10

/* Standard deviation of the runs, as a fraction of the value. */
static double spread(const struct report_program *p)
{
    return p->measured > 0 && isfinite(p->stddev) ? p->stddev / p->measured : REPORT_UNKNOWN;
}

static double spread_at(const void *data, size_t i)
{
    return spread(&((const struct report *)data)->programs[i]);
}

static void plot_spreads(const struct report *r, struct str *out)
{
    double x[2] = {INFINITY, -INFINITY}, y[2] = {INFINITY, -INFINITY};
    for (size_t i = 0; i < r->n_programs; i++) {
        double s = spread_at(r, i), m = r->programs[i].measured;
        if (!isfinite(s))
            continue;
        x[0] = fmin(x[0], m);
        x[1] = fmax(x[1], m);
        if (s > 0)
            y[0] = fmin(y[0], s);
        y[1] = fmax(y[1], s);
    }
    struct plot p = {.id = "spreads",
                     .title = "Spread between the runs of each program against its measured cycles",
                     .description = "Each mark is a program; lower is better. The largest stand in the table below.",
                     .x_title = "measured cycles",
                     .y_title = "spread: standard deviation / measured",
                     .x = scale_log(x[0], x[1], false),
                     .y = scale_log(fmax(y[0], 1e-6), y[1], true),
                     .x_figure = figure_short,
                     .y_figure = figure_short_percent,
                     .size = "flat"};
    struct str tip = STR_INIT;
    plot_open(out, &p);
    for (size_t i = 0; i < r->n_programs; i++) {
        const struct report_program *program = &r->programs[i];
        if (!isfinite(spread(program)))
            continue;
        str_clear(&tip);
        str_addf(&tip, "%s: ", program->name);
        figure_percent(&tip, spread(program));
        str_addf(&tip, " over %u runs, %u dropped", program->runs, program->dropped);
        plot_mark(out, &p, MARK_VALUE, program->measured, spread(program), tip.s);
    }
    plot_close(out, "Spread between the runs of each program, both axes logarithmic.");
    str_release(&tip);
}

static void words(const struct report *r, struct str *out)
{
    double *spreads = xcalloc(r->n_programs, sizeof *spreads);
    size_t n = 0;
    unsigned long long runs = 0, dropped = 0;
    for (size_t i = 0; i < r->n_programs; i++) {
        if (isfinite(spread_at(r, i)))
            spreads[n++] = spread_at(r, i);
        runs += r->programs[i].runs;
        dropped += r->programs[i].dropped;
    }
    str_add(out, "<p>Half of the programs spread by at most ");
    figure_percent(out, quantile(spreads, n, 0.5));
    str_add(out, " between their runs, nine in ten by at most ");
    figure_percent(out, quantile(spreads, n, 0.9));
    str_add(out, ". ");
    if (runs) {
        figure_count(out, (double)runs);
        str_add(out, " runs were used, ");
        figure_count(out, (double)dropped);
        str_add(out, " dropped as outliers.");
    }
    str_add(out, "</p>\n");
    free(spreads);
}

static void table(const struct report *r, struct str *out)
{
    size_t *order = order_descending(r->n_programs, spread_at, r);
    html_table_open(out, "sortable", "The largest spreads.");
    str_add(out, "<thead><tr><th scope=\"col\">program</th><th scope=\"col\" class=\"num\">spread</th>"
                 "<th scope=\"col\" class=\"num\">measured</th><th scope=\"col\" class=\"num\">standard deviation</th>"
                 "<th scope=\"col\" class=\"num\">runs</th><th scope=\"col\" class=\"num\">dropped</th></tr></thead>"
                 "<tbody>\n");
    for (size_t i = 0; i < r->n_programs && i < NOISIEST && isfinite(spread_at(r, order[i])); i++) {
        const struct report_program *p = &r->programs[order[i]];
        html_addf(out, "<tr><th scope=\"row\"><code>%s</code></th>", p->name);
        html_number_cell(out, spread(p), figure_percent);
        html_number_cell(out, p->measured, figure_count);
        html_number_cell(out, p->stddev, figure_count);
        html_number_cell(out, p->runs ? p->runs : REPORT_UNKNOWN, figure_count);
        html_number_cell(out, p->dropped, figure_count);
        str_add(out, "</tr>\n");
    }
    html_table_close(out);
    free(order);
}

void page_quality(const struct report *r, struct str *out)
{
    html_section_open(out, "quality", "Quality of the measurements");
    bool known = false;
    for (size_t i = 0; i < r->n_programs; i++)
        known = known || isfinite(spread_at(r, i));
    if (known) {
        words(r, out);
        plot_spreads(r, out);
        table(r, out);
    } else {
        str_add(out, "<p>The spread between runs is not known.</p>\n");
    }
    html_section_close(out);
}
