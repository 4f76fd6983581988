#include "shimgen/report/derived.h"
#include "shimgen/report/figures.h"
#include "shimgen/report/html.h"
#include "shimgen/report/page.h"
#include "shimgen/report/svg.h"

static void widen(double *lo, double *hi, const struct report_cycles *c)
{
    const double figures[] = {c->best, c->typical, c->worst};
    for (size_t i = 0; i < 3; i++) {
        if (!isfinite(figures[i]) || figures[i] <= 0)
            continue;
        *lo = fmin(*lo, figures[i]);
        *hi = fmax(*hi, figures[i]);
    }
}

static struct scale cycles_scale(const struct report *r)
{
    double lo = INFINITY, hi = -INFINITY;
    for (size_t i = 0; i < r->n_instructions; i++) {
        widen(&lo, &hi, &r->instructions[i].pitch);
        widen(&lo, &hi, &r->instructions[i].latency);
    }
    return scale_log(fmax(lo, hi / 1e5), hi, true);
}

static void cycles_cells(struct str *out, const struct report_cycles *c)
{
    html_number_cell(out, c->best, figure_value);
    html_number_cell(out, c->typical, figure_value);
    html_number_cell(out, c->worst, figure_value);
}

static void draw(struct str *out, const struct scale *s, const struct report_cycles *c, const char *what, double y)
{
    if (!isfinite(c->typical))
        return;
    struct str tip = STR_INIT;
    str_addf(&tip, "%s: best ", what);
    figure_value(&tip, c->best);
    str_add(&tip, ", typical ");
    figure_value(&tip, c->typical);
    str_add(&tip, ", worst ");
    figure_value(&tip, c->worst);
    lane_range(out, s, "whisker", c->best, c->worst, y);
    lane_mark(out, s, *what == 'p' ? MARK_TRAIN : MARK_VALUE, c->typical, y, tip.s);
    str_release(&tip);
}

static void row(struct str *out, const struct scale *s, const struct report_instruction *i)
{
    html_addf(out, "<tr><th scope=\"row\"><code>%s</code></th>", i->name);
    cycles_cells(out, &i->pitch);
    cycles_cells(out, &i->latency);
    str_add(out, "<td class=\"lanes\">");
    lane_open(out, s, 26);
    draw(out, s, &i->pitch, "pitch", 8);
    draw(out, s, &i->latency, "latency", 18);
    lane_close(out);
    str_add(out, "</td>");
    if (i->inherited)
        html_addf(out, "<td><span class=\"badge\">inherited</span> from <code>%s</code></td>", i->inherited);
    else
        html_addf(out, "<td>%s</td>", text_or(i->evidence, "measured"));
    str_add(out, "</tr>\n");
}

static void head(struct str *out, const struct scale *s)
{
    str_add(out, "<thead><tr class=\"over\"><td></td><th scope=\"colgroup\" colspan=\"3\">pitch</th>"
                 "<th scope=\"colgroup\" colspan=\"3\">latency</th><td colspan=\"2\"></td></tr>\n"
                 "<tr class=\"keys\"><th scope=\"col\">instruction</th>");
    for (size_t side = 0; side < 2; side++)
        str_add(out, "<th scope=\"col\" class=\"num\">best</th><th scope=\"col\" class=\"num\">typical</th>"
                     "<th scope=\"col\" class=\"num\">worst</th>");
    str_add(out, "<th scope=\"col\" class=\"lanes\">");
    lane_axis(out, s, figure_short);
    str_add(out, "</th><th scope=\"col\">evidence</th></tr></thead><tbody>\n");
}

void page_instructions(const struct report *r, struct str *out)
{
    html_section_open(out, "instructions", "Instructions in the SHIM file");
    if (!r->n_instructions) {
        str_add(out, "<p>No SHIM file was written.</p>\n");
        html_section_close(out);
        return;
    }
    struct scale s = cycles_scale(r);
    legend_open(out);
    legend_mark(out, MARK_TRAIN, "pitch: one after the other, independent");
    legend_mark(out, MARK_VALUE, "latency: depending on the one before");
    legend_close(out);
    html_table_open(out, "chart sortable searchable crowded",
                    "Cycles of each instruction: mark at the typical value, line from best to worst, logarithmic "
                    "axis. Instructions without evidence inherit from their class.");
    head(out, &s);
    for (size_t i = 0; i < r->n_instructions; i++)
        row(out, &s, &r->instructions[i]);
    html_table_close(out);
    html_section_close(out);
}
