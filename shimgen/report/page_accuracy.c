/*
 * page_accuracy.c - predicted against measured: every program as a point, then the same points by their error, then the
 * error by kind of program (draw_breakdown.c). Held-out predictions are prominent; fitted values of training programs
 * are smaller and hollow.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "shimgen/report/derived.h"
#include "shimgen/page/figures.h"
#include "shimgen/page/html.h"
#include "shimgen/report/page.h"
#include "shimgen/page/svg.h"

struct range {
    double lo, hi;
};

static void widen(struct range *range, double value)
{
    if (!isfinite(value) || value <= 0)
        return;
    range->lo = fmin(range->lo, value);
    range->hi = fmax(range->hi, value);
}

static struct scale cycles_scale(const struct report *r, bool predictions)
{
    struct range range = {INFINITY, -INFINITY};
    for (size_t i = 0; i < r->n_programs; i++) {
        const struct report_program *p = &r->programs[i];
        widen(&range, p->measured);
        if (!predictions)
            continue;
        widen(&range, p->predicted);
        widen(&range, heldout_prediction(p));
    }
    return scale_log(range.lo, range.hi, false);
}

/* Makes "suite/fir@O2: measured 12 345, held-out prediction 13 001 (+5.3 %)". */
static void tooltip(struct str *out, const struct report_program *p, const char *kind, double predicted)
{
    str_clear(out);
    str_addf(out, "%s%s%s: measured ", p->name, has_text(p->region) ? " " : "", text_or(p->region, ""));
    figure_count(out, p->measured);
    str_addf(out, ", %s ", kind);
    figure_count(out, predicted);
    str_add(out, " (");
    figure_error(out, relative_error(predicted, p->measured));
    str_add(out, ")");
}

/* The value that is drawn for a program: the fitted value or the held-out prediction. NAN: there is none. */
static double drawn_value(const struct report_program *p, bool fitted)
{
    if (!(p->measured > 0) || (fitted && p->role == REPORT_TEST))
        return NAN;
    return fitted ? p->predicted : heldout_prediction(p);
}

/* Draws training marks first, so that held-out ones are on top. `errors`: the vertical axis is the error. */
static void marks(const struct report *r, struct str *out, const struct plot *plot, bool errors)
{
    struct str tip = STR_INIT;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < r->n_programs; i++) {
            const struct report_program *p = &r->programs[i];
            bool fitted = pass == 0;
            double predicted = drawn_value(p, fitted);
            if (!isfinite(predicted))
                continue;
            enum mark kind = fitted ? MARK_TRAIN : p->role == REPORT_TEST ? MARK_TEST : MARK_HELDOUT;
            tooltip(&tip, p, fitted ? "fitted" : "held-out prediction", predicted);
            plot_mark(out, plot, kind, p->measured, errors ? relative_error(predicted, p->measured) : predicted,
                      str_text(&tip));
        }
    str_release(&tip);
}

static void mark_legend(const struct report *r, struct str *out, bool bands)
{
    legend_open(out);
    legend_mark(out, MARK_HELDOUT, "held out: predicted without this program\xe2\x80\x99s group");
    if (count_role(r, REPORT_TEST))
        legend_mark(out, MARK_TEST, "test program: never in any fit");
    legend_mark(out, MARK_TRAIN, "training: fitted on this program too");
    if (bands) {
        legend_swatch(out, "band10",
                      "within \xc2\xb1"
                      "10" THIN "%");
        legend_swatch(out, "band20",
                      "within \xc2\xb1"
                      "20" THIN "%");
    }
    legend_close(out);
}

/* Draws the area between predicted = (1 - d) measured and (1 + d) measured. Where a border leaves the axes, a corner
 * must be computed at that point, so each end gets two corners. */
static void band(struct str *out, const struct plot *p, const char *class, double d)
{
    double lo = p->x.lo, hi = p->x.hi, up = 1 + d, down = 1 - d;
    const double corners[] = {lo, lo, lo, lo * up, hi / up, hi, hi, hi, hi, hi * down, lo / down, lo};
    plot_area(out, p, class, corners, sizeof corners / sizeof *corners / 2);
}

static void scatter(const struct report *r, struct str *out)
{
    struct scale s = cycles_scale(r, true);
    struct plot p = {.id = "scatter",
                     .title = "Predicted against measured cycles",
                     .description = "Each mark is a program; the closer to the diagonal, the better. All values stand "
                                    "in the table of all programs.",
                     .x_title = "measured cycles",
                     .y_title = "predicted cycles",
                     .x = s,
                     .y = s,
                     .x_figure = figure_short,
                     .y_figure = figure_short,
                     .size = "square"};
    mark_legend(r, out, true);
    plot_open(out, &p);
    band(out, &p, "band20", 0.2);
    band(out, &p, "band10", 0.1);
    plot_line(out, &p, "identity", s.lo, s.lo, s.hi, s.hi);
    marks(r, out, &p, false);
    plot_close(out, "Predicted against measured cycles, both axes logarithmic. On the line a prediction is exact.");
}

/* The end of the error axis: most held-out errors fit. Larger ones are arrows at the edge. */
static double error_limit(const struct report *r)
{
    static const double limits[] = {0.2, 0.3, 0.5, 1, 2};
    double *errors = xcalloc(r->n_programs, sizeof *errors);
    size_t n = 0;
    for (size_t i = 0; i < r->n_programs; i++) {
        double e = fabs(heldout_error(&r->programs[i]));
        if (isfinite(e))
            errors[n++] = e;
    }
    double most = quantile(errors, n, 0.97);
    free(errors);
    size_t k = 0;
    while (k + 1 < sizeof limits / sizeof *limits && most > limits[k])
        k++;
    return limits[k];
}

static void residuals(const struct report *r, struct str *out)
{
    double limit = error_limit(r);
    struct plot p = {.id = "residuals",
                     .title = "Relative error of each program against its measured cycles",
                     .description = "Each mark is a program; zero is exact, above is predicted too long. All values "
                                    "stand in the table of all programs.",
                     .x_title = "measured cycles",
                     .y_title = "error: (predicted \xe2\x88\x92 measured) / measured",
                     .x = cycles_scale(r, false),
                     .y = {.lo = -limit, .hi = limit},
                     .x_figure = figure_short,
                     .y_figure = figure_short_error,
                     .size = "flat"};
    plot_open(out, &p);
    const double lo = p.x.lo, hi = p.x.hi;
    plot_area(out, &p, "band20", (double[]){lo, -0.2, lo, 0.2, hi, 0.2, hi, -0.2}, 4);
    plot_area(out, &p, "band10", (double[]){lo, -0.1, lo, 0.1, hi, 0.1, hi, -0.1}, 4);
    plot_line(out, &p, "identity", lo, 0, hi, 0);
    marks(r, out, &p, true);
    struct str caption = STR_INIT;
    str_add(&caption, "The same programs by their error. A triangle at the edge stands for an error beyond ");
    figure_percent(&caption, limit);
    str_add(&caption, ".");
    plot_close(out, str_text(&caption));
    str_release(&caption);
}

/* Counts held-out predictions within 10 %, 20 % and their intervals. */
static void counts(const struct report *r, struct str *out)
{
    size_t n = 0, ten = 0, twenty = 0, stated = 0, inside = 0;
    for (size_t i = 0; i < r->n_programs; i++) {
        const struct report_program *p = &r->programs[i];
        double e = fabs(heldout_error(p));
        if (!isfinite(e))
            continue;
        n++;
        ten += e <= 0.1;
        twenty += e <= 0.2;
        if (isfinite(p->low) && isfinite(p->high)) {
            stated++;
            inside += p->low <= p->measured && p->measured <= p->high;
        }
    }
    html_addf(out,
              "<p>Of %zu held-out predictions (test programs included), %zu are within \xc2\xb1"
              "10" THIN "%% and %zu "
              "within \xc2\xb1"
              "20" THIN "%%.",
              n, ten, twenty);
    if (stated) {
        html_addf(out, " The measured value lies in the stated interval for %zu of %zu", inside, stated);
        if (isfinite(r->interval)) {
            str_add(out, "; ");
            figure_share(out, r->interval);
            str_add(out, " are intended");
        }
        str_add(out, ".");
    }
    str_add(out, "</p>\n");
}

void page_accuracy(const struct report *r, struct str *out)
{
    html_section_open(out, "accuracy", "Predicted against measured");
    if (!r->n_programs) {
        str_add(out, "<p>No program was measured.</p>\n");
    } else {
        counts(r, out);
        scatter(r, out);
        residuals(r, out);
        draw_breakdown(r, out);
    }
    html_section_close(out);
}
