/*
 * page_models.c - report section: every classification with every solver. Training and held-out errors side by side, as
 * drawings and numbers; impossible combinations with the reason.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shimgen/report/derived.h"
#include "shimgen/page/figures.h"
#include "shimgen/page/html.h"
#include "shimgen/report/page.h"
#include "shimgen/page/svg.h"

#define LARGEST_DRAWN 100.0 /* 10 000 %: larger errors are arrows, with the number in their row */
#define DRAWN         20    /* models drawn per scheme, besides the chosen one and the baselines */
#define UNFOLDED      40    /* rows of the table that are always visible */
#define HELDOUT_Y     10.0
#define TRAIN_Y       24.0

/* Sorts the worst models last, impossible ones after them. */
static double heldout_rank(const void *data, size_t i)
{
    const struct report_evaluation *v = &((const struct report *)data)->evaluations[i];
    return v->why_not || !v->heldout.rows ? REPORT_UNKNOWN : -v->heldout.mean_abs;
}

static void reach(const struct report_errors *e, double *lo, double *hi)
{
    if (!e->rows)
        return;
    const double figures[] = {e->median_abs, e->mean_abs, fabs(e->worst)};
    for (size_t i = 0; i < 3; i++) {
        if (!isfinite(figures[i]))
            continue;
        *hi = fmax(*hi, figures[i]);
        if (figures[i] > 0)
            *lo = fmin(*lo, figures[i]);
    }
}

static struct scale error_scale(const struct report *r)
{
    double lo = INFINITY, hi = 0;
    for (size_t i = 0; i < r->n_evaluations; i++) {
        if (r->evaluations[i].why_not)
            continue;
        reach(&r->evaluations[i].train, &lo, &hi);
        reach(&r->evaluations[i].heldout, &lo, &hi);
    }
    return scale_log(fmin(fmax(lo, 0.001), 0.01), fmin(hi, LARGEST_DRAWN), true);
}

static void tooltip(struct str *out, const char *kind, const struct report_errors *e)
{
    str_addf(out, "%s: mean absolute ", kind);
    figure_percent(out, e->mean_abs);
    str_add(out, ", median ");
    figure_percent(out, e->median_abs);
    str_add(out, ", worst ");
    figure_error(out, e->worst);
    if (has_text(e->worst_program))
        str_addf(out, " (%s)", e->worst_program);
}

/* Draws the middle 80 % of the absolute errors. */
static void middle(struct str *out, const struct scale *s, const struct report_errors *e, const char *class, double y)
{
    if (!e->each)
        return;
    double *absolute = xcalloc(e->rows, sizeof *absolute);
    size_t n = 0;
    for (size_t i = 0; i < e->rows; i++)
        if (isfinite(e->each[i]))
            absolute[n++] = fabs(e->each[i]);
    double lo = quantile(absolute, n, 0.1), hi = quantile(absolute, n, 0.9);
    lane_range(out, s, class, lo, hi, y);
    free(absolute);
}

static void draw_errors(struct str *out, const struct scale *s, const struct report_errors *e, enum mark kind, double y)
{
    if (!e->rows)
        return;
    struct str tip = STR_INIT;
    bool train = kind == MARK_TRAIN;
    tooltip(&tip, train ? "training" : "held out", e);
    middle(out, s, e, train ? "middle middle-train" : "middle middle-heldout", y);
    lane_range(out, s, "reach", fmin(e->median_abs, e->mean_abs), fabs(e->worst), y);
    lane_stroke(out, s, "reach", fabs(e->worst), y, 4);
    lane_stroke(out, s, "median", e->median_abs, y, 5);
    lane_mark(out, s, kind, e->mean_abs, y, str_text(&tip));
    str_release(&tip);
}

static void model_name(const struct report *r, struct str *out, const struct report_evaluation *v)
{
    html_addf(out, "<th scope=\"row\"><code>%s</code> <span class=\"times\">\xc3\x97</span> <code>%s</code>",
              v->classes, v->solver);
    if (is_chosen(r, v))
        str_add(out, " <span class=\"badge chosen\">in the file</span>");
    if (v->baseline)
        str_add(out, " <span class=\"badge\">baseline</span>");
    str_add(out, "</th>");
}

static void chart_row(const struct report *r, struct str *out, const struct scale *s, const struct report_evaluation *v)
{
    str_add(out, is_chosen(r, v) ? "<tr class=\"chosen\">" : "<tr>");
    model_name(r, out, v);
    html_number_cell(out, v->heldout.mean_abs, figure_percent);
    html_number_cell(out, v->train.rows ? v->train.mean_abs : REPORT_UNKNOWN, figure_percent);
    str_add(out, "<td class=\"lanes\">");
    lane_open(out, s, 34);
    draw_errors(out, s, &v->train, MARK_TRAIN, TRAIN_Y);
    draw_errors(out, s, &v->heldout, MARK_HELDOUT, HELDOUT_Y);
    lane_close(out);
    str_add(out, "</td></tr>\n");
}

static void chart(const struct report *r, struct str *out, const size_t *order, struct scale *s, const char *scheme)
{
    struct str caption = STR_INIT;
    str_addf(&caption, "Judged by %s. Absolute errors, logarithmic axis. Mark: mean; short line: median; ", scheme);
    str_add(&caption, "shaded: the middle 80" THIN "% of the programs; thin line: to the worst.");
    html_addf(out, "<h3>%s</h3>\n", scheme);
    html_table_open(out, "chart sortable", str_text(&caption));
    str_release(&caption);
    str_add(out, "<thead><tr><th scope=\"col\">classification \xc3\x97 solver</th>"
                 "<th scope=\"col\" class=\"num\">held out</th><th scope=\"col\" class=\"num\">training</th>"
                 "<th scope=\"col\" class=\"lanes\">");
    lane_axis(out, s, figure_short_percent);
    str_add(out, "</th></tr></thead><tbody>\n");
    size_t drawn = 0, left = 0;
    for (size_t i = 0; i < r->n_evaluations; i++) {
        const struct report_evaluation *v = &r->evaluations[order[i]];
        if (v->why_not || !v->heldout.rows || strcmp(v->scheme, scheme))
            continue;
        if (drawn++ < DRAWN || is_chosen(r, v) || v->baseline)
            chart_row(r, out, s, v);
        else
            left++;
    }
    html_table_close(out);
    if (left)
        html_addf(out, "<p class=\"aside\">%zu more, all with larger errors, stand in the table of all figures.</p>\n",
                  left);
}

static void charts(const struct report *r, struct str *out, const size_t *order)
{
    struct scale s = error_scale(r);
    legend_open(out);
    legend_mark(out, MARK_HELDOUT, "held out");
    legend_mark(out, MARK_TRAIN, "training");
    legend_close(out);
    for (size_t i = 0; i < r->n_evaluations; i++) {
        const struct report_evaluation *v = &r->evaluations[i];
        bool first = !v->why_not && v->heldout.rows;
        for (size_t k = 0; k < i && first; k++) {
            const struct report_evaluation *before = &r->evaluations[k];
            first = before->why_not || !before->heldout.rows || strcmp(before->scheme, v->scheme);
        }
        if (first)
            chart(r, out, order, &s, v->scheme);
    }
}

static void error_cells(struct str *out, const struct report_errors *e)
{
    static const struct report_errors none = REPORT_ERRORS_INIT;
    if (!e->rows)
        e = &none;
    html_number_cell(out, e->rows ? (double)e->rows : REPORT_UNKNOWN, figure_count);
    html_number_cell(out, e->mean, figure_error);
    html_number_cell(out, e->mean_abs, figure_percent);
    html_number_cell(out, e->median_abs, figure_percent);
    html_number_cell(out, e->worst, figure_error);
}

static void table_row(const struct report *r, struct str *out, const struct report_evaluation *v)
{
    str_add(out, is_chosen(r, v) ? "<tr class=\"chosen\">" : "<tr>");
    model_name(r, out, v);
    html_addf(out, "<td>%s</td>", v->scheme);
    if (v->why_not) {
        html_addf(out, "<td colspan=\"11\" class=\"why\">not possible: %s</td></tr>\n",
                  text_or(v->why_not, "no reason given"));
        return;
    }
    error_cells(out, &v->heldout);
    error_cells(out, &v->train);
    html_addf(out, "<td><code>%s</code></td></tr>\n", text_or(v->heldout.worst_program, FIGURE_UNKNOWN));
}

static void table_head(struct str *out)
{
    static const char *const figures[] = {"rows", "mean", "mean |e|", "median |e|", "worst"};
    str_add(out, "<thead><tr class=\"over\"><td colspan=\"2\"></td><th scope=\"colgroup\" colspan=\"5\">held out</th>"
                 "<th scope=\"colgroup\" colspan=\"5\">training</th><td></td></tr>\n<tr class=\"keys\">"
                 "<th scope=\"col\">classification \xc3\x97 solver</th><th scope=\"col\">judged by</th>");
    for (size_t i = 0; i < 2 * (sizeof figures / sizeof *figures); i++)
        html_addf(out, "<th scope=\"col\" class=\"num\">%s</th>", figures[i % (sizeof figures / sizeof *figures)]);
    str_add(out, "<th scope=\"col\">worst held-out program</th></tr></thead><tbody>\n");
}

/* A long table is collapsed. */
static void table(const struct report *r, struct str *out, const size_t *order)
{
    bool folded = r->n_evaluations > UNFOLDED;
    if (folded)
        html_addf(out, "<details><summary>All figures of all %zu evaluations</summary>\n", r->n_evaluations);
    else
        str_add(out, "<h3>All figures</h3>\n");
    html_table_open(out, "sortable wide",
                    "Every classification and solver that was tried. mean: of the signed errors (the bias); mean |e| "
                    "and median |e|: of the absolute errors; worst: the signed error that is largest.");
    table_head(out);
    for (size_t i = 0; i < r->n_evaluations; i++)
        table_row(r, out, &r->evaluations[order[i]]);
    html_table_close(out);
    if (folded)
        str_add(out, "</details>\n");
}

void page_models(const struct report *r, struct str *out)
{
    html_section_open(out, "models", "Classifications and solvers");
    if (!r->n_evaluations) {
        str_add(out, "<p>No model was evaluated.</p>\n");
    } else {
        size_t *order = order_descending(r->n_evaluations, heldout_rank, r);
        charts(r, out, order);
        table(r, out, order);
        free(order);
    }
    html_section_close(out);
}
