/* page_values.c - report section: fitted values. */
#include "shimgen/report/derived.h"
#include "shimgen/page/figures.h"
#include "shimgen/page/html.h"
#include "shimgen/report/page.h"
#include "shimgen/page/svg.h"

/* Logarithmic if no value is negative and they span more than a factor of 30. */
static struct scale value_scale(const struct report *r)
{
    double lo = 0, hi = 0, least = INFINITY;
    for (size_t i = 0; i < r->n_values; i++) {
        const struct report_value *v = &r->values[i];
        const double figures[] = {v->value, v->low, v->high};
        for (size_t k = 0; k < 3; k++) {
            if (!isfinite(figures[k]))
                continue;
            lo = fmin(lo, figures[k]);
            hi = fmax(hi, figures[k]);
            if (figures[k] > 0)
                least = fmin(least, figures[k]);
        }
    }
    if (lo < 0 || !(hi > 30 * least))
        return scale_linear(lo, hi);
    return scale_log(fmax(least, hi / 1e5), hi, true);
}

static void interval_cell(struct str *out, double low, double high)
{
    if (!isfinite(low) || !isfinite(high)) {
        str_add(out, "<td class=\"num\">" FIGURE_UNKNOWN "</td>");
        return;
    }
    str_add(out, "<td class=\"num\">");
    figure_value(out, low);
    str_add(out, " \xe2\x80\xa6 ");
    figure_value(out, high);
    str_add(out, "</td>");
}

static void tooltip(struct str *out, const struct report_value *v)
{
    str_addf(out, "%s: ", v->variable);
    figure_value(out, v->value);
    str_add(out, " cycles");
    if (isfinite(v->low) && isfinite(v->high)) {
        str_add(out, ", interval ");
        figure_value(out, v->low);
        str_add(out, " \xe2\x80\xa6 ");
        figure_value(out, v->high);
    }
}

static void value_row(struct str *out, const struct scale *s, const struct report_value *v)
{
    struct str tip = STR_INIT;
    tooltip(&tip, v);
    html_addf(out, "<tr><th scope=\"row\"><code>%s</code></th>", v->variable);
    html_number_cell(out, v->value, figure_value);
    interval_cell(out, v->low, v->high);
    str_add(out, "<td class=\"lanes\">");
    lane_open(out, s, 22);
    lane_range(out, s, "whisker", v->low, v->high, 11);
    lane_stroke(out, s, "whisker", v->low, 11, 4);
    lane_stroke(out, s, "whisker", v->high, 11, 4);
    lane_mark(out, s, v->inherited ? MARK_INHERITED : MARK_VALUE, v->value, 11, str_text(&tip));
    lane_close(out);
    str_add(out, "</td>");
    html_addf(out, "<td class=\"num\" data-v=\"%zu\">%zu</td>", v->rows, v->rows);
    html_number_cell(out, v->count, figure_count);
    html_number_cell(out, v->share, figure_share);
    if (v->inherited)
        html_addf(out, "<td>inherited: %s</td></tr>\n", v->inherited);
    else
        str_add(out, "<td>fitted</td></tr>\n");
    str_release(&tip);
}

void page_values(const struct report *r, struct str *out)
{
    html_section_open(out, "values", "Fitted values");
    if (!r->n_values) {
        str_add(out, "<p>No model was fitted.</p>\n");
        html_section_close(out);
        return;
    }
    struct scale s = value_scale(r);
    struct str caption = STR_INIT;
    str_add(&caption, "Cycles per occurrence of each variable, with its interval");
    if (isfinite(r->interval)) {
        str_add(&caption, " (");
        figure_share(&caption, r->interval);
        str_add(&caption, ")");
    }
    str_add(&caption, s.log ? "; the axis is logarithmic, with a place for zero at its left end." : ".");
    str_add(&caption, " Share: of the training programs\xe2\x80\x99 predicted cycles.");
    legend_open(out);
    legend_mark(out, MARK_VALUE, "fitted, with its interval");
    legend_mark(out, MARK_INHERITED, "inherited: too rare for a value of its own");
    legend_close(out);
    html_table_open(out, "chart sortable crowded", str_text(&caption));
    str_add(out, "<thead><tr><th scope=\"col\">variable</th><th scope=\"col\" class=\"num\">cycles</th>"
                 "<th scope=\"col\" class=\"num\">interval</th><th scope=\"col\" class=\"lanes\">");
    lane_axis(out, &s, figure_short);
    str_add(out, "</th><th scope=\"col\" class=\"num\">programs</th><th scope=\"col\" class=\"num\">occurrences</th>"
                 "<th scope=\"col\" class=\"num\">share</th><th scope=\"col\">evidence</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < r->n_values; i++)
        value_row(out, &s, &r->values[i]);
    html_table_close(out);
    str_release(&caption);
    html_section_close(out);
}
