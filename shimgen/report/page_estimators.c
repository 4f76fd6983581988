/*
 * page_estimators.c - report section: errors of `shimgen estimate` by each method, as drawings and numbers, by
 * optimisation level; and every program as a point, in one drawing per method with the same axes. Training, left-out
 * and test programs are kept apart.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shimgen/report/derived.h"
#include "shimgen/page/figures.h"
#include "shimgen/page/html.h"
#include "shimgen/report/page.h"
#include "shimgen/page/svg.h"

#define LARGEST_DRAWN 10.0 /* 1 000 %: larger errors are arrows */
#define LEVELS_MOST   8
#define LEFT_OUT_Y    9.0
#define TEST_Y        22.0
#define TRAIN_Y       35.0

enum kind { LEFT_OUT, TEST, TRAINING, KINDS };
static const enum mark mark_of[KINDS] = {MARK_HELDOUT, MARK_TEST, MARK_TRAIN};
static const char *const name_of[KINDS] = {"left out", "test program", "fitted on"};

static double cycles_of(const struct report_estimator *x, const struct report *r, size_t i, int kind)
{
    enum report_role role = r->programs[i].role;
    if ((kind == TEST) != (role == REPORT_TEST))
        return REPORT_UNKNOWN;
    return kind == LEFT_OUT ? (x->left_out ? x->left_out[i] : REPORT_UNKNOWN) : x->estimated[i];
}

/* Errors of a method, kind and level (NULL: all). */
static struct report_errors errors_of(const struct report *r, const struct report_estimator *x, int kind,
                                      const char *level, double *absolute)
{
    struct report_errors e = REPORT_ERRORS_INIT;
    double sum = 0, worst = 0;
    for (size_t i = 0; i < r->n_programs; i++) {
        const struct report_program *p = &r->programs[i];
        double error = relative_error(cycles_of(x, r, i, kind), p->measured);
        if (!isfinite(error) || (level && strcmp(text_or(p->level, ""), level) != 0))
            continue;
        sum += error;
        absolute[e.rows++] = fabs(error);
        if (fabs(error) >= fabs(worst)) {
            worst = error;
            e.worst_program = p->name;
        }
    }
    if (!e.rows)
        return e;
    e.mean = sum / (double)e.rows;
    e.mean_abs = 0;
    for (size_t i = 0; i < e.rows; i++)
        e.mean_abs += absolute[i] / (double)e.rows;
    e.median_abs = quantile(absolute, e.rows, 0.5);
    e.worst = worst;
    return e;
}

bool estimator_errors(struct report_errors *left_out, struct report_errors *test, const struct report *r,
                      const char *name)
{
    const struct report_estimator *x = 0;
    for (size_t i = 0; i < r->n_estimators; i++)
        x = strcmp(r->estimators[i].name, name) == 0 ? &r->estimators[i] : x;
    if (!x)
        return false;
    double *absolute = xcalloc(r->n_programs, sizeof *absolute);
    *left_out = errors_of(r, x, LEFT_OUT, 0, absolute);
    *test = errors_of(r, x, TEST, 0, absolute);
    free(absolute);
    return left_out->rows > 0;
}

/* ---- the table ---- */

static void draw(struct str *out, const struct scale *s, const struct report_errors *e, double *absolute, int kind,
                 double y)
{
    static const char *const middles[KINDS] = {"middle middle-heldout", "middle middle-test", "middle middle-train"};
    if (!e->rows)
        return;
    struct str tip = STR_INIT;
    str_addf(&tip, "%s: mean absolute ", name_of[kind]);
    figure_percent(&tip, e->mean_abs);
    str_add(&tip, ", median ");
    figure_percent(&tip, e->median_abs);
    str_add(&tip, ", worst ");
    figure_error(&tip, e->worst);
    str_addf(&tip, " (%s)", text_or(e->worst_program, ""));
    lane_range(out, s, middles[kind], quantile(absolute, e->rows, 0.1), quantile(absolute, e->rows, 0.9), y);
    lane_range(out, s, "reach", fmin(e->median_abs, e->mean_abs), fabs(e->worst), y);
    lane_stroke(out, s, "median", e->median_abs, y, 4);
    lane_mark(out, s, mark_of[kind], e->mean_abs, y, str_text(&tip));
    str_release(&tip);
}

static void row(const struct report *r, struct str *out, const struct scale *s, const struct report_estimator *x,
                const char *level)
{
    static const double places[KINDS] = {LEFT_OUT_Y, TEST_Y, TRAIN_Y};
    double *absolute = xcalloc(r->n_programs, sizeof *absolute);
    html_addf(out, "<tr><th scope=\"row\"><code>%s</code>", x->name);
    html_addf(out, "</th><td>%s</td>", text_or(level, "all"));
    for (int kind = 0; kind < KINDS; kind++) {
        struct report_errors e = errors_of(r, x, kind, level, absolute);
        html_number_cell(out, e.mean_abs, figure_percent);
        html_number_cell(out, e.median_abs, figure_percent);
    }
    str_add(out, "<td class=\"lanes\">");
    lane_open(out, s, 44);
    for (int kind = KINDS - 1; kind >= 0; kind--) {
        struct report_errors e = errors_of(r, x, kind, level, absolute);
        draw(out, s, &e, absolute, kind, places[kind]);
    }
    lane_close(out);
    str_add(out, "</td></tr>\n");
    free(absolute);
}

/* The optimisation levels, in the order of the programs. */
static size_t levels_of(const struct report *r, const char *levels[LEVELS_MOST])
{
    size_t n = 0;
    for (size_t i = 0; i < r->n_programs && n < LEVELS_MOST; i++) {
        const char *level = r->programs[i].level;
        size_t k = 0;
        while (k < n && has_text(level) && strcmp(levels[k], level) != 0)
            k++;
        if (has_text(level) && k == n)
            levels[n++] = level;
    }
    return n;
}

static void table(const struct report *r, struct str *out)
{
    const char *levels[LEVELS_MOST];
    size_t n_levels = levels_of(r, levels);
    struct scale s = scale_log(0.01, LARGEST_DRAWN, true);
    html_table_open(out, "chart sortable",
                    "Absolute errors (mean and median); the axis is logarithmic. Mark: mean; short "
                    "line: median; shaded: the middle 80" THIN "% of the programs; thin line: "
                    "to the worst.");
    str_add(out, "<thead><tr class=\"over\"><td colspan=\"2\"></td><th scope=\"colgroup\" colspan=\"2\">left out</th>"
                 "<th scope=\"colgroup\" colspan=\"2\">test programs</th><th scope=\"colgroup\" colspan=\"2\">fitted "
                 "on</th><td></td></tr>\n<tr class=\"keys\"><th scope=\"col\">method</th><th "
                 "scope=\"col\">level</th>");
    for (int kind = 0; kind < KINDS; kind++)
        str_add(out, "<th scope=\"col\" class=\"num\">mean</th><th scope=\"col\" class=\"num\">median</th>");
    str_add(out, "<th scope=\"col\" class=\"lanes\">");
    lane_axis(out, &s, figure_short_percent);
    str_add(out, "</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < r->n_estimators; i++)
        for (size_t k = 0; k <= n_levels; k++)
            if (!k || n_levels > 1)
                row(r, out, &s, &r->estimators[i], k ? levels[k - 1] : 0);
    html_table_close(out);
}

/* ---- every program ---- */

static void widen(double *lo, double *hi, double cycles)
{
    if (!isfinite(cycles) || cycles <= 0)
        return;
    *lo = fmin(*lo, cycles);
    *hi = fmax(*hi, cycles);
}

/* The same scale for all drawings. Estimates far beyond the measurements are drawn at the edge. */
static struct scale cycles_scale(const struct report *r)
{
    double lo = INFINITY, hi = -INFINITY;
    for (size_t i = 0; i < r->n_programs; i++)
        widen(&lo, &hi, r->programs[i].measured);
    return scale_log(lo, hi, false);
}

static void marks(const struct report *r, struct str *out, const struct plot *plot, const struct report_estimator *x)
{
    struct str tip = STR_INIT;
    for (int kind = KINDS - 1; kind >= 0; kind--)
        for (size_t i = 0; i < r->n_programs; i++) {
            const struct report_program *p = &r->programs[i];
            double cycles = cycles_of(x, r, i, kind);
            if (!(p->measured > 0) || !isfinite(cycles) || (kind == TRAINING && x->left_out))
                continue;
            str_clear(&tip);
            str_addf(&tip, "%s (%s): ", p->name, name_of[kind]);
            figure_count(&tip, cycles);
            str_add(&tip, " for ");
            figure_count(&tip, p->measured);
            str_add(&tip, " measured, ");
            figure_error(&tip, relative_error(cycles, p->measured));
            plot_mark(out, plot, mark_of[kind], p->measured, cycles, str_text(&tip));
        }
    str_release(&tip);
}

/* Draws the area within this factor on both sides of the diagonal. */
static void band(struct str *out, const struct plot *p, double factor)
{
    double lo = p->x.lo, hi = p->x.hi;
    plot_area(out, p, "band20",
              (double[]){lo, lo, lo, lo * factor, hi / factor, hi, hi, hi, hi, hi / factor, lo * factor, lo}, 6);
}

static void drawing(const struct report *r, struct str *out, const struct report_estimator *x, const struct scale *s)
{
    char *id = xasprintf("estimates-%s", x->name), *title = xasprintf("%s against measured cycles", x->name);
    struct plot p = {.id = id,
                     .title = title,
                     .description = "Each mark is a program; the closer to the diagonal, the better.",
                     .x_title = "measured cycles",
                     .y_title = x->name,
                     .x = *s,
                     .y = *s,
                     .x_figure = figure_short,
                     .y_figure = figure_short,
                     .size = "small"};
    plot_open(out, &p);
    band(out, &p, 2);
    plot_line(out, &p, "identity", s->lo, s->lo, s->hi, s->hi);
    marks(r, out, &p, x);
    plot_close(out, text_or(x->values, title));
    free(title);
    free(id);
}

void page_estimators(const struct report *r, struct str *out)
{
    html_section_open(out, "estimators", "Estimating programs");
    if (!r->n_estimators) {
        str_add(out, "<p>No program was estimated: their profiles are not there.</p>\n");
        html_section_close(out);
        return;
    }
    str_add(out, "<p>What <code>shimgen estimate</code> says of the measured programs from their profiles, without the "
                 "board, by each of its methods.</p>\n");
    legend_open(out);
    legend_mark(out, MARK_HELDOUT, "left out: by values that the program had no part in");
    if (count_role(r, REPORT_TEST))
        legend_mark(out, MARK_TEST, "test program: never in any fit");
    legend_mark(out, MARK_TRAIN, "fitted on this program too");
    legend_swatch(out, "band20", "within a factor of two");
    legend_close(out);
    table(r, out);
    struct scale s = cycles_scale(r);
    str_add(out, "<div class=\"multiples\">\n");
    for (size_t i = 0; i < r->n_estimators; i++)
        drawing(r, out, &r->estimators[i], &s);
    str_add(out, "</div>\n");
    html_section_close(out);
}
