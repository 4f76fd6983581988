/* print_html.c - the blocks as one HTML page that works offline, and as a drawing. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "shimgen/blocks/print/shown.h"
#include "shimgen/page/figures.h"
#include "shimgen/page/html.h"
#include "shimgen/page/page_frame.h"
#include "shimgen/page/svg.h"

/* ---- shared by page and drawing ---- */

/* Ends of the whisker: over the steps of the run, else the interval; without either, just the value. */
static double least_of(const struct blocks_print *p, const struct blocks_row *row, size_t core)
{
    double low, high, mean = shown_cycles(p, row, core);
    if (shown_steps(p))
        return row->steps[core].best;
    blocks_interval(&low, &high, p, core, mean);
    return isnan(low) ? mean : low;
}

static double most_of(const struct blocks_print *p, const struct blocks_row *row, size_t core)
{
    double low, high, mean = shown_cycles(p, row, core);
    if (shown_steps(p))
        return row->steps[core].worst;
    blocks_interval(&low, &high, p, core, mean);
    return isnan(high) ? mean : high;
}

static double largest(const struct blocks_print *p, const struct shown *s)
{
    double most = 0;
    for (size_t i = 0; i < s->n_rows; i++)
        for (size_t k = 0; k < s->n_cores; k++)
            most = fmax(most,
                        fmax(shown_cycles(p, s->rows[i], s->cores[k].core), most_of(p, s->rows[i], s->cores[k].core)));
    return most;
}

/* ---- the page ---- */

static void head(const struct blocks_print *p, struct str *out)
{
    char *title = xasprintf("%s: cycles of its blocks", p->blocks->request->profile->program);
    page_begin(out, &(struct page_head){.title = title, .body = "whole-width"});
    free(title);
    svg_shapes(out);
    html_addf(out,
              "<header><p class=\"over\">Cycles of a model\xe2\x80\x99s blocks</p>\n<h1>%s</h1>\n<p class=\"under\">",
              p->blocks->request->profile->program);
    html_addf(out, "%s \xc2\xb7 method %s</p></header>\n<main>\n", path_basename(p->shim),
              p->blocks->request->method->name);
}

/* Writes the value, and its bounds below it. */
static void cycles_cell(const struct blocks_print *p, size_t core, double cycles, html_figure *show, struct str *out)
{
    double low, high, level = blocks_interval(&low, &high, p, core, cycles);
    char *exact = format_double(cycles);
    html_addf(out, "<td class=\"num\" data-v=\"%s\">", exact);
    free(exact);
    show(out, cycles);
    if (p->blocks->request->cores[core].clock_hz > 0) {
        str_add(out, "<br/><span class=\"aside\">");
        figure_value(out, blocks_us(p->blocks, core, cycles));
        str_add(out, THIN "\xc2\xb5s</span>");
    }
    if (level > 0) {
        str_add(out, "<br/><span class=\"aside\">");
        show(out, low);
        str_add(out, " \xe2\x80\x93 ");
        show(out, high);
        str_add(out, "</span>");
    }
    str_add(out, "</td>");
}

static void core_row(const struct blocks_print *p, const struct shown_core *shown, struct str *out)
{
    size_t core = shown->core;
    const struct blocks *b = p->blocks;
    const struct costs *c = &b->request->cores[core];
    html_addf(out, "<tr><th scope=\"row\"><code>%s</code></th><td class=\"num\">", shown->names);
    if (c->clock_hz > 0)
        figure_hertz(out, c->clock_hz);
    else
        str_add(out, FIGURE_UNKNOWN);
    str_add(out, "</td>");
    cycles_cell(p, core, b->total[core].typical, figure_count, out);
    if (p->ranges) {
        html_number_cell(out, b->total[core].best, figure_count);
        html_number_cell(out, b->total[core].worst, figure_count);
    }
    if (b->steps) {
        cycles_cell(p, core, b->steps[core].mean, figure_value, out);
        html_number_cell(out, b->steps[core].best, figure_value);
        html_number_cell(out, b->steps[core].worst, figure_value);
    }
    str_add(out, "</tr>\n");
}

static void program_heads(const struct blocks_print *p, struct str *out)
{
    str_add(out, "<thead><tr><th scope=\"col\">core</th><th scope=\"col\" class=\"num\">clock</th><th scope=\"col\" "
                 "class=\"num\">cycles</th>");
    if (p->ranges)
        str_add(out, "<th scope=\"col\" class=\"num\">by best values</th><th scope=\"col\" class=\"num\">by worst "
                     "values</th>");
    if (p->blocks->steps)
        str_add(out, "<th scope=\"col\" class=\"num\">step, mean</th><th scope=\"col\" class=\"num\">shortest "
                     "step</th><th scope=\"col\" class=\"num\">longest step</th>");
    str_add(out, "</tr></thead><tbody>\n");
}

/* Says what the small numbers below the cycles are; nothing if there are none. */
static void say_interval(const struct blocks_print *p, struct str *out)
{
    double level = trust_level(p->trust);
    if (!(level > 0))
        return;
    str_add(out, " Below cycles: what the board\xe2\x80\x99s lie between, for ");
    figure_share(out, level);
    str_add(out, " of programs that the values were not fitted on.");
}

static void section_program(const struct blocks_print *p, const struct shown *shown, struct str *out)
{
    const struct blocks *b = p->blocks;
    struct str caption = STR_INIT;
    figure_count(&caption, (double)b->instructions);
    str_add(&caption, " IR instructions were executed");
    if (b->steps) {
        size_t n;
        const char *step = blocks_step_name(b, &n);
        str_add(&caption, " in ");
        figure_count(&caption, (double)b->n_steps);
        str_addf(&caption, " steps of %.*s, gone through in ", (int)n, step);
        figure_count(&caption, (double)b->n_kinds);
        str_add(&caption, b->step_kinds_complete ? " ways" : " and more ways");
    }
    str_add(&caption, ".");
    say_interval(p, &caption);
    html_section_open(out, "program", "Program");
    html_table_open(out, "", str_text(&caption));
    program_heads(p, out);
    for (size_t i = 0; i < shown->n_cores; i++)
        core_row(p, &shown->cores[i], out);
    html_table_close(out);
    html_section_close(out);
    str_release(&caption);
}

static void lane(const struct blocks_print *p, const struct blocks_row *row, const struct scale *s, size_t core,
                 struct str *out)
{
    struct str tip = STR_INIT;
    const struct blocks *b = p->blocks;
    double mean = shown_cycles(p, row, core), least = least_of(p, row, core), most = most_of(p, row, core), y = 11;
    char *title = blocks_readable_name(p, row);
    str_addf(&tip, "%s on %s: ", title, b->request->cores[core].core);
    figure_value(&tip, mean);
    str_add(&tip, " cycles, from ");
    figure_value(&tip, least);
    str_add(&tip, " to ");
    figure_value(&tip, most);
    lane_open(out, s, 22);
    lane_range(out, s, "whisker", least, most, y);
    lane_stroke(out, s, "whisker", least, y, 4);
    lane_stroke(out, s, "whisker", most, y, 4);
    lane_mark(out, s, MARK_VALUE, mean, y, str_text(&tip));
    lane_close(out);
    free(title);
    str_release(&tip);
}

/* A cell that is hidden in narrow windows. */
static void minor_cell(struct str *out, double value)
{
    char *exact = format_double(value);
    html_addf(out, "<td class=\"num minor\" data-v=\"%s\">", exact);
    figure_value(out, value);
    str_add(out, "</td>");
    free(exact);
}

static void block_row(const struct blocks_print *p, const struct shown *shown, const struct blocks_row *row,
                      const struct scale *s, struct str *out)
{
    char *title = blocks_readable_name(p, row), *remark = blocks_remark(row);
    html_addf(out, "<tr><th scope=\"row\">%s", title);
    if (row->block->system || row->path) {
        str_add(out, "<br/><span class=\"aside\">");
        html_addf(out, "%s%s", row->block->system ? row->block->system : "",
                  row->block->system && row->path ? " \xc2\xb7 " : "");
        if (row->path)
            html_addf(out, "%s:%zu", path_basename(row->path), (size_t)row->block->line);
        str_add(out, "</span>");
    }
    str_add(out, "</th>");
    for (size_t i = 0; i < shown->n_cores; i++)
        cycles_cell(p, shown->cores[i].core, shown_cycles(p, row, shown->cores[i].core), figure_value, out);
    str_add(out, "<td class=\"lanes\">");
    for (size_t i = 0; i < shown->n_cores; i++)
        lane(p, row, s, shown->cores[i].core, out);
    str_add(out, "</td>");
    html_number_cell(out, shown_share(p, row, 0), figure_share);
    cycles_cell(p, 0, shown_inclusive(p, row, 0), figure_value, out);
    minor_cell(out, shown_count(p, row->executions, row->in_steps.executions));
    minor_cell(out, shown_count(p, row->read, row->in_steps.read));
    minor_cell(out, shown_count(p, row->written, row->in_steps.written));
    html_addf(out, "<td class=\"minor\">%s", remark);
    if (row->block->incorporates && *remark)
        str_add(out, "<br/>");
    if (row->block->incorporates)
        html_addf(out, "<span class=\"aside\">with %s</span>", row->block->incorporates);
    str_add(out, "</td></tr>\n");
    free(title);
    free(remark);
}

static void blocks_heads(const struct blocks_print *p, const struct shown *shown, struct scale *s, struct str *out)
{
    static const char *const minor[] = {"times", "read", "written"};
    str_add(out, "<thead><tr><th scope=\"col\">block</th>");
    for (size_t i = 0; i < shown->n_cores; i++)
        html_addf(out, "<th scope=\"col\" class=\"num\">%s</th>",
                  p->blocks->request->n_cores > 1 ? shown->cores[i].names : "cycles");
    str_add(out, "<th scope=\"col\" class=\"lanes\">");
    lane_axis(out, s, figure_short);
    str_add(out, "</th><th scope=\"col\" class=\"num\">share</th><th scope=\"col\" class=\"num\">inclusive</th>");
    for (size_t i = 0; i < sizeof minor / sizeof *minor; i++)
        html_addf(out, "<th scope=\"col\" class=\"num minor\">%s</th>", minor[i]);
    str_add(out, "<th scope=\"col\" class=\"minor\">remarks</th></tr></thead><tbody>\n");
}

static void section_blocks(const struct blocks_print *p, const struct shown *shown, struct str *out)
{
    struct scale s = scale_linear(0, largest(p, shown));
    html_section_open(out, "blocks", "Blocks");
    html_table_open(
        out, "chart sortable searchable crowded",
        shown_steps(p)
            ? "All of a step: the mean cycles, and from the shortest to the longest step of the run. Share: of "
              "the mean step. Inclusive: with what stands in the block and what it calls. Merged, inlined, "
              "moved: what the optimiser did to its instructions."
            : "All of the whole run: cycles, and their interval where one is known. Share: of the run. "
              "Inclusive: with what stands in the block and what it calls. Merged, inlined, moved: what the "
              "optimiser did to its instructions.");
    blocks_heads(p, shown, &s, out);
    for (size_t i = 0; i < shown->n_rows; i++)
        block_row(p, shown, shown->rows[i], &s, out);
    html_table_close(out);
    if (shown->n_cut || shown->n_empty)
        str_addf(out, "<p>Left out: %zu rows by <code>--top</code>, %zu without cycles (<code>--all</code>).</p>\n",
                 shown->n_cut, shown->n_empty);
    html_section_close(out);
}

/* Shows small loads too. */
static void figure_load(struct str *out, double fraction)
{
    figure_value(out, 100 * fraction);
    str_add(out, THIN "%");
}

/* Loads for each rate and core. */
static void section_loads(const struct blocks_print *p, const struct shown *shown, struct str *out)
{
    if (!p->loads || !p->loads->n)
        return;
    html_section_open(out, "loads", "Load");
    html_table_open(out, "", "Share of a core\xe2\x80\x99s time that the steps of each rate take.");
    str_add(out, "<thead><tr><th scope=\"col\">steps of</th><th scope=\"col\" class=\"num\">period [ms]</th><th "
                 "scope=\"col\">core</th><th scope=\"col\" class=\"num\">mean</th><th scope=\"col\" "
                 "class=\"num\">longest step</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < p->loads->n; i++)
        for (size_t k = 0; k < shown->n_cores; k++) {
            const struct blocks_rate *r = &p->loads->at[i];
            size_t core = shown->cores[k].core;
            html_addf(out, "<tr><th scope=\"row\"><code>%s</code></th>", r->function);
            html_number_cell(out, r->period_s * 1e3, figure_value);
            html_addf(out, "<td><code>%s</code></td>", shown->cores[k].names);
            html_number_cell(out, blocks_load(p->blocks, r, core, r->mean[core]), figure_load);
            html_number_cell(out, blocks_load(p->blocks, r, core, r->worst[core]), figure_load);
            str_add(out, "</tr>\n");
        }
    html_table_close(out);
    html_section_close(out);
}

static void section_notes(const struct blocks *b, struct str *out)
{
    if (!b->notes.n)
        return;
    html_section_open(out, "notes", "Notes");
    str_add(out, "<ul>\n");
    for (size_t i = 0; i < b->notes.n; i++)
        html_addf(out, "<li>%s</li>\n", b->notes.at[i]);
    str_add(out, "</ul>\n");
    html_section_close(out);
}

void blocks_html(const struct blocks_print *p, FILE *f)
{
    struct str out = STR_INIT;
    json_t *data = blocks_data(p);
    char *text = json_dumps(data, JSON_INDENT(1));
    struct shown shown;
    shown_make(&shown, p);
    head(p, &out);
    section_program(p, &shown, &out);
    section_loads(p, &shown, &out);
    section_blocks(p, &shown, &out);
    shown_release(&shown);
    section_notes(p->blocks, &out);
    str_add(&out, "</main>\n");
    page_data_json(&out, "report-data", text);
    page_end(&out);
    fwrite(out.s, 1, out.len, f);
    free(text);
    json_decref(data);
    str_release(&out);
}

/* ---- the drawing ---- */

enum { LABEL = 330, PLOT = 560, LANE = 20, TOP = 54, BOTTOM = 34 };

static double place(double value, double most)
{
    const struct bars b = {LABEL, PLOT, most};
    return bars_at(&b, value);
}

static const char *colour(size_t core)
{
    static const char *const colours[] = {"#4477aa", "#ee8866", "#228833", "#ccbb44", "#66ccee", "#aa3377"};
    return colours[core % (sizeof colours / sizeof *colours)];
}

/* Shows which colour belongs to which core. */
static void svg_legend(const struct shown *shown, struct str *out)
{
    double x = 12;
    for (size_t core = 0; core < shown->n_cores; core++) {
        const char *name = shown->cores[core].names;
        str_addf(out, "<rect x=\"%.0f\" y=\"28\" width=\"9\" height=\"9\" fill=\"%s\"/>", x, colour(core));
        str_addf(out, "<text x=\"%.0f\" y=\"36\" fill=\"#566173\">", x + 13);
        html_addf(out, "%s</text>\n", name);
        x += 30 + 7 * (double)strlen(name);
    }
}

static void svg_row(const struct blocks_print *p, const struct shown *shown, const struct blocks_row *row, double y,
                    double most, struct str *out)
{
    size_t n = shown->n_cores;
    double height = (double)(LANE - 6) / (double)n;
    char *title = blocks_readable_name(p, row), *remark = blocks_remark(row);
    str_addf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" fill=\"#1a2230\">", LABEL - 8, y + 11);
    html_addf(out, "%s</text>\n", title);
    for (size_t i = 0; i < n; i++) {
        size_t core = shown->cores[i].core;
        double from = y + height * (double)i, mean = shown_cycles(p, row, core);
        double least = least_of(p, row, core), worst = most_of(p, row, core), middle = from + height / 2;
        str_addf(out, "<g><title>");
        html_addf(out, "%s on %s%s%s: ", title, shown->cores[i].names, *remark ? ", " : "", remark);
        str_addf(
            out,
            "%.1f cycles, %.1f to %.1f</title><rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>"
            "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#1a2230\"/></g>\n",
            mean, least, worst, LABEL, from, place(mean, most) - LABEL, height, colour(i), place(least, most),
            place(worst, most), middle, middle);
    }
    free(title);
    free(remark);
}

void blocks_svg(const struct blocks_print *p, FILE *f)
{
    const struct blocks *b = p->blocks;
    struct str out = STR_INIT;
    struct shown shown;
    shown_make(&shown, p);
    double most = largest(p, &shown), bottom = TOP + (double)LANE * (double)shown.n_rows;
    str_addf(
        &out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\" "
        "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
        LABEL + PLOT + 40, bottom + BOTTOM, LABEL + PLOT + 40, bottom + BOTTOM);
    html_addf(&out,
              "<title>%s: cycles of its blocks</title><text x=\"12\" y=\"20\" font-size=\"15\" fill=\"#1a2230\">%s: ",
              b->request->profile->program, b->request->profile->program);
    str_add(&out, shown_steps(p)              ? "cycles of a step, and from the shortest to the longest"
                  : trust_level(p->trust) > 0 ? "cycles of the run, and their interval"
                                              : "cycles of the run");
    str_add(&out, "</text>\n");
    svg_legend(&shown, &out);
    bars_axis(&out, &(struct bars){LABEL, PLOT, most}, TOP - 8, bottom, bottom + 16);
    for (size_t i = 0; i < shown.n_rows; i++)
        svg_row(p, &shown, shown.rows[i], TOP + (double)LANE * (double)i, most, &out);
    shown_release(&shown);
    str_add(&out, "</svg>\n");
    fwrite(out.s, 1, out.len, f);
    str_release(&out);
}
