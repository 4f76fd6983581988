/* map_gantt.c - draws a mapping as a Gantt chart and as an HTML page. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "shimgen/map/show/map_show.h"
#include "shimgen/page/figures.h"
#include "shimgen/page/html.h"
#include "shimgen/page/page_frame.h"
#include "shimgen/page/svg.h"

enum { LABEL = 120, PLOT = 860, LANE = 34, TOP = 40, BOTTOM = 36, LETTER = 6 };

static double place(double value, double most)
{
    const struct bars b = {LABEL, PLOT, most};
    return bars_at(&b, value);
}

static void axis(struct str *out, const char *unit, double most, double bottom)
{
    bars_axis(out, &(struct bars){LABEL, PLOT, most}, TOP - 6, bottom, bottom + 15);
    str_addf(out, "<text x=\"12\" y=\"%.1f\" fill=\"#566173\">%s</text>\n", bottom + 15,
             strcmp(unit, "us") == 0 ? "\xc2\xb5s" : unit);
}

static void bar(struct str *out, const struct map_report *r, size_t b, double most)
{
    static const char *const colours[] = {"#4477aa", "#ee8866", "#228833", "#ccbb44", "#66ccee", "#aa3377"};
    const struct map_plan *plan = &r->point->result.plan;
    const char *name = r->graph->blocks.at[b].name;
    double x = place(plan->start[b], most), width = place(plan->end[b], most) - x;
    double y = TOP + (double)LANE * (double)plan->core[b];
    html_addf(out, "<g><title>%s on %s: ", name, map_core_of(r, b));
    str_addf(out,
             "%.6g to %.6g %s</title><rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\" fill=\"%s\" "
             "stroke=\"#ffffff\" stroke-width=\"0.5\"/>",
             plan->start[b], plan->end[b], r->machine->unit, x, y, fmax(width, 0.5), LANE - 10,
             colours[b % (sizeof colours / sizeof *colours)]);
    if (width > LETTER * (double)strlen(name)) {
        str_addf(out, "<text x=\"%.2f\" y=\"%.1f\" fill=\"#ffffff\">", x + 3, y + 16);
        html_addf(out, "%s</text>", name);
    }
    str_add(out, "</g>\n");
}

/* Draws an arrow from the end of a block to where its data are waited for. */
static void arrow(struct str *out, const struct map_report *r, size_t arc, double most)
{
    const struct map_problem *p = &r->point->problem;
    const struct map_plan *plan = &r->point->result.plan;
    const struct map_arc *a = &p->arcs[arc];
    size_t from = plan->core[a->from], to = plan->core[a->to];
    if (from == to)
        return;
    double there = plan->end[a->from] + map_arc_cost(p, arc, from, to), middle = (LANE - 10) / 2.0;
    html_addf(out, "<g><title>%s to %s: ", r->graph->blocks.at[a->from].name, r->graph->blocks.at[a->to].name);
    str_addf(out,
             "%g bytes</title><line x1=\"%.2f\" y1=\"%.1f\" x2=\"%.2f\" y2=\"%.1f\" stroke=\"#1a2230\" "
             "stroke-opacity=\"0.5\"/></g>\n",
             a->bytes, place(plan->end[a->from], most), TOP + (double)LANE * (double)from + middle,
             place(fmin(there, most), most), TOP + (double)LANE * (double)to + middle);
}

void map_gantt(struct str *out, const struct map_report *r, bool in_page)
{
    const struct map_problem *p = &r->point->problem;
    double most = r->point->result.plan.makespan, bottom = TOP + (double)LANE * (double)p->n_cores;
    str_addf(out, "<svg%s viewBox=\"0 0 %d %.0f\" font-family=\"sans-serif\" font-size=\"11\"",
             in_page ? "" : " xmlns=\"http://www.w3.org/2000/svg\"", LABEL + PLOT + 30, bottom + BOTTOM);
    if (in_page)
        str_add(out, " role=\"img\" style=\"width:100%;min-width:40rem\">\n");
    else
        str_addf(out, " width=\"%d\" height=\"%.0f\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
                 LABEL + PLOT + 30, bottom + BOTTOM);
    html_addf(
        out,
        "<title>%s on its cores</title><text x=\"12\" y=\"20\" font-size=\"15\" fill=\"#1a2230\">%s: a step</text>\n",
        r->graph->name, r->graph->name);
    axis(out, r->machine->unit, most, bottom);
    for (size_t c = 0; c < p->n_cores; c++) {
        str_addf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" fill=\"#1a2230\">", LABEL - 8,
                 TOP + (double)LANE * (double)c + 16);
        html_addf(out, "%s</text>\n", r->machine->cores.at[p->cores[c]].name);
    }
    for (size_t b = 0; b < p->n; b++)
        bar(out, r, b, most);
    for (size_t i = 0; i < p->n_now; i++)
        arrow(out, r, i, most);
    str_add(out, "</svg>\n");
}

void map_svg(const struct map_report *r, FILE *f)
{
    struct str out = STR_INIT;
    map_gantt(&out, r, false);
    fwrite(out.s, 1, out.len, f);
    str_release(&out);
}

/* ---- the page ---- */

static void head(const struct map_report *r, struct str *out)
{
    char *title = xasprintf("%s on its cores", r->graph->name);
    page_begin(out, &(struct page_head){.title = title});
    free(title);
    svg_shapes(out);
    html_addf(
        out, "<header><p class=\"over\">Blocks on cores</p>\n<h1>%s</h1>\n<p class=\"under\">%s</p></header>\n<main>\n",
        r->graph->name, path_basename(r->machine->path));
}

static void section_step(const struct map_report *r, struct str *out)
{
    char *limit = map_limit_text(r->point);
    html_section_open(out, "step", "A step");
    str_add(out, "<p>");
    figure_value(out, r->point->result.plan.makespan);
    str_addf(out, " %s, ", r->machine->unit);
    figure_value(out, map_speedup(r, r->point->result.plan.makespan));
    html_addf(out, " times as fast as on %s alone. Limited by: %s.</p>\n",
              r->machine->cores.at[r->curve->single_core].name, limit);
    map_gantt(out, r, true);
    html_section_close(out);
    free(limit);
}

static void section_curve(const struct map_report *r, struct str *out)
{
    html_section_open(out, "curve", "Number of cores");
    html_table_open(out, "", "The step on one, two, \xe2\x80\xa6 cores. At most: no mapping is faster than that.");
    str_add(out, "<thead><tr><th scope=\"col\" class=\"num\">cores</th><th scope=\"col\" class=\"num\">step</th><th "
                 "scope=\"col\" class=\"num\">speed-up</th><th scope=\"col\" class=\"num\">at most</th><th "
                 "scope=\"col\">limited by</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < r->curve->points.n; i++) {
        const struct map_point *p = &r->curve->points.at[i];
        if (isinf(p->result.plan.makespan))
            continue;
        char *limit = map_limit_text(p);
        str_add(out, "<tr>");
        html_number_cell(out, (double)i + 1, figure_count);
        html_number_cell(out, p->result.plan.makespan, figure_value);
        html_number_cell(out, map_speedup(r, p->result.plan.makespan), figure_value);
        html_number_cell(out, map_speedup(r, p->result.bound), figure_value);
        html_addf(out, "<td>%s</td></tr>\n", limit);
        free(limit);
    }
    html_table_close(out);
    html_section_close(out);
}

static void section_blocks(const struct map_report *r, struct str *out)
{
    const struct map_plan *plan = &r->point->result.plan;
    html_section_open(out, "blocks", "Blocks");
    html_table_open(out, "sortable searchable", "Where each block runs, and when in the step.");
    str_add(out, "<thead><tr><th scope=\"col\">block</th><th scope=\"col\">core</th><th scope=\"col\" "
                 "class=\"num\">start</th><th scope=\"col\" class=\"num\">end</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < plan->n; i++) {
        size_t b = plan->sequence[i];
        html_addf(out, "<tr><th scope=\"row\">%s</th><td>%s</td>", r->graph->blocks.at[b].name,
                  r->machine->cores.at[r->point->problem.cores[plan->core[b]]].name);
        html_number_cell(out, plan->start[b], figure_value);
        html_number_cell(out, plan->end[b], figure_value);
        str_add(out, "</tr>\n");
    }
    html_table_close(out);
    html_section_close(out);
}

static void section_notes(const struct map_report *r, struct str *out)
{
    if (!r->graph->notes.n && !r->machine->notes.n)
        return;
    html_section_open(out, "notes", "Notes");
    str_add(out, "<ul>\n");
    for (size_t i = 0; i < r->graph->notes.n; i++)
        html_addf(out, "<li>%s</li>\n", r->graph->notes.at[i]);
    for (size_t i = 0; i < r->machine->notes.n; i++)
        html_addf(out, "<li>%s</li>\n", r->machine->notes.at[i]);
    str_add(out, "</ul>\n");
    html_section_close(out);
}

void map_html(const struct map_report *r, FILE *f)
{
    struct str out = STR_INIT;
    json_t *data = map_data(r);
    char *text = json_dumps(data, JSON_INDENT(1));
    head(r, &out);
    section_step(r, &out);
    section_curve(r, &out);
    section_blocks(r, &out);
    section_notes(r, &out);
    str_add(&out, "</main>\n");
    page_data_json(&out, "report-data", text);
    page_end(&out);
    fwrite(out.s, 1, out.len, f);
    free(text);
    json_decref(data);
    str_release(&out);
}
