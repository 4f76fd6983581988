/* offload_page.c - prints offload candidates as an HTML page that works offline. */
#include "shimgen/offload/show/offload_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/demangle.h"
#include "shimgen/offload/show/icicle.h"
#include "shimgen/offload/show/over_time.h"
#include "shimgen/page/figures.h"
#include "shimgen/page/html.h"
#include "shimgen/page/page_frame.h"
#include "shimgen/page/svg.h"

/* functions with at least this share are marked in the roofline */
#define LEAST_MARKED 0.01

static enum offload_cost work_of(const struct offload_table *t)
{
    return offload_knows(t, OFFLOAD_TIME) ? OFFLOAD_TIME : OFFLOAD_INSTRUCTIONS;
}

static char *name_of(const struct offload_table *t, uint32_t function)
{
    return function == OFFLOAD_WHOLE ? xstrdup("the whole program") : demangle(t->functions.at[function].name);
}

static void head(const struct offload_print *p, struct str *out)
{
    page_begin(out, &(struct page_head){.title = "What is worth an accelerator", .body = "whole-width"});
    svg_shapes(out);
    html_addf(
        out,
        "<header><p class=\"over\">What is worth an accelerator</p>\n<h1>%s</h1>\n<p class=\"under\">%s</p></header>\n"
        "<main>\n",
        p->n ? p->reports[0].table->program : "", p->accelerator->name ? p->accelerator->name : p->accelerator->path);
}

static void threshold_row(const char *name, const struct offload_threshold *t, struct str *out)
{
    html_addf(out, "<tr><th scope=\"row\">%s</th>", name);
    html_number_cell(out, t->value, figure_short);
    html_addf(out, "<td>%s</td></tr>\n", t->source ? t->source : "no source given");
}

static void section_thresholds(const struct accelerator *a, struct str *out)
{
    html_section_open(out, "thresholds", "Thresholds");
    html_table_open(out, "", "What the indexes are compared with");
    str_add(out, "<thead><tr><th scope=\"col\">index</th><th scope=\"col\" class=\"num\">threshold</th><th "
                 "scope=\"col\">source</th></tr></thead><tbody>\n");
    threshold_row("intensity [operations a byte]", &a->intensity, out);
    threshold_row("integer intensity [operations a byte]", &a->integer_intensity, out);
    threshold_row("peak data rate [bytes a second]", &a->rate, out);
    threshold_row("functions", &a->functions, out);
    threshold_row("share of the work", &a->share, out);
    html_table_close(out);
    html_addf(out, "<p>The rule: %s.</p>\n", offload_rule());
    html_section_close(out);
}

/* ---- the table ---- */

static void ratio_cell(const struct offload_ratio *r, struct str *out)
{
    if (r->no_data)
        html_addf(out, "<td class=\"num\" data-v=\"1e300\">no data demanded<br/><span class=\"aside\">%s</span></td>",
                  offload_state_name(r->state));
    else {
        str_addf(out, "<td class=\"num\" data-v=\"%g\">", isnan(r->value) ? -1 : r->value);
        figure_value(out, r->value);
        html_addf(out, "<br/><span class=\"aside\">%s</span></td>", offload_state_name(r->state));
    }
}

static void state_cell(double value, enum offload_state state, html_figure *show, struct str *out)
{
    str_addf(out, "<td class=\"num\" data-v=\"%g\">", isnan(value) ? -1 : value);
    show(out, value);
    html_addf(out, "<br/><span class=\"aside\">%s</span></td>", offload_state_name(state));
}

static void obstacles_cell(unsigned obstacles, struct str *out)
{
    str_add(out, "<td>");
    for (unsigned i = 0, n = 0; i < OFFLOAD_OBSTACLES; i++)
        if (obstacles >> i & 1)
            html_addf(out, "%s%s", n++ ? ", " : "", offload_obstacle_name(i));
    str_add(out, "</td>");
}

static void rank_cell(const struct offload_candidate *c, struct str *out)
{
    str_addf(out, "<td class=\"num\" data-v=\"%zu\">", c->rank_from);
    if (c->rank_from)
        str_addf(out, c->rank_from == c->rank_to ? "%zu" : "%zu&#8211;%zu", c->rank_from, c->rank_to);
    str_add(out, "</td>");
}

static bool has_footprint(const struct offload_judgement *j)
{
    for (size_t i = 0; i < j->roots.n; i++)
        if (!isnan(j->roots.at[i].footprint[OFFLOAD_NEEDED]))
            return true;
    return false;
}

/* footprint: the table has bytes needed and left. */
static void candidate_row(const struct offload_table *t, const struct offload_candidate *c, bool footprint,
                          struct str *out)
{
    char *name = name_of(t, c->function);
    html_addf(out, "<tr><th scope=\"row\"><code>%s</code></th><td>%s<br/><span class=\"aside\">by %s</span></td>", name,
              offload_verdict_name(c->verdict), c->on_integers ? "integers" : "floats");
    free(name);
    ratio_cell(&c->intensity, out);
    ratio_cell(&c->integer_intensity, out);
    state_cell(c->rate, c->rate_state, figure_short, out);
    state_cell((double)c->needed, c->needed_state, figure_count, out);
    html_number_cell(out, c->share, figure_share);
    html_number_cell(out, c->self_share, figure_share);
    if (isinf(c->bound))
        str_add(out, "<td class=\"num\" data-v=\"1e300\">none</td>");
    else
        html_number_cell(out, c->bound, figure_value);
    rank_cell(c, out);
    if (footprint) {
        html_number_cell(out, c->footprint[OFFLOAD_NEEDED], figure_short);
        html_number_cell(out, c->footprint[OFFLOAD_LEFT], figure_short);
    }
    obstacles_cell(c->obstacles, out);
    str_add(out, "</tr>\n");
}

static void table(const struct offload_report *r, const struct offload_print *p, struct str *out)
{
    html_table_open(out, "sortable",
                    p->alone ? "Functions alone. The bound is an upper bound of the program's speed-up."
                             : "Functions with all that they call. The bound is an upper bound of the program's "
                               "speed-up.");
    str_add(out, "<thead><tr>");
    static const char *const heads[] = {"function",
                                        "verdict",
                                        "intensity",
                                        "integer<br/>intensity",
                                        "peak data rate,<br/>at least [B/s]",
                                        "functions<br/>needed",
                                        "share",
                                        "self",
                                        "bound",
                                        "rank",
                                        "bytes<br/>needed",
                                        "bytes<br/>left",
                                        "obstacles"};
    enum { FIRST_NUMBER = 2, FOOTPRINT = 10, HEADS = sizeof heads / sizeof *heads };
    bool footprint = has_footprint(r->judgement);
    for (size_t i = 0; i < HEADS; i++)
        if (footprint || i < FOOTPRINT || i == HEADS - 1)
            str_addf(out, "<th scope=\"col\"%s>%s</th>", i >= FIRST_NUMBER && i < HEADS - 1 ? " class=\"num\"" : "",
                     heads[i]);
    str_add(out, "</tr></thead><tbody>\n");
    candidate_row(r->table, &r->judgement->whole, footprint, out);
    for (size_t i = 0; i < r->judgement->roots.n; i++)
        candidate_row(r->table, &r->judgement->roots.at[i], footprint, out);
    html_table_close(out);
}

/* ---- the roofline ---- */

static double positive(double value)
{
    return value > 0 ? value : 0; /* NAN becomes 0 */
}

struct point {
    char *name; /* owned */
    double intensity, rate;
    bool alone;
};
typedef VEC(struct point) points;

static void add_point(points *all, const struct offload_table *t, const double *costs, char *name, bool alone)
{
    double intensity = costs[OFFLOAD_FLOPS] / costs[OFFLOAD_BYTES], rate = costs[OFFLOAD_FLOPS] / costs[OFFLOAD_TIME];
    bool known = offload_knows(t, OFFLOAD_FLOPS) && offload_knows(t, OFFLOAD_BYTES) && offload_knows(t, OFFLOAD_TIME);
    if (known && intensity > 0 && isfinite(intensity) && rate > 0 && isfinite(rate))
        vec_push(all, (struct point){name, intensity, rate, alone});
    else
        free(name);
}

static points find_points(const struct offload_report *r)
{
    points all = {0};
    const struct offload_table *t = r->table;
    double total = r->judgement->whole.costs[OFFLOAD_TIME];
    for (uint32_t i = 0; i < t->functions.n; i++)
        if (t->functions.at[i].self[OFFLOAD_TIME] >= LEAST_MARKED * total)
            add_point(&all, t, t->functions.at[i].self, name_of(t, i), true);
    for (size_t i = 0; i < r->judgement->roots.n; i++)
        add_point(&all, t, r->judgement->roots.at[i].costs, name_of(t, r->judgement->roots.at[i].function), false);
    return all;
}

/* [bytes per second] of the accelerator's memory; of the link, if it has no memory of its own. */
static double bandwidth_of(const struct accelerator *a)
{
    return isnan(a->memory) ? a->link : a->memory;
}

/* Draws the accelerator's roof within the axes: what its memory can feed, up to what it can calculate. */
static void draw_roof(const struct accelerator *a, const struct plot *p, struct str *out)
{
    double bandwidth = bandwidth_of(a), top = isnan(a->flops) ? p->y.hi : fmin(a->flops, p->y.hi);
    if (bandwidth > 0) {
        double from = fmax(p->x.lo, p->y.lo / bandwidth), to = fmin(p->x.hi, top / bandwidth);
        if (from < to)
            plot_line(out, p, "identity", from, from * bandwidth, to, to * bandwidth);
        if (top < p->y.hi && to < p->x.hi)
            plot_line(out, p, "identity", fmax(to, p->x.lo), top, p->x.hi, top);
    }
    plot_line(out, p, "identity", a->intensity.value, p->y.lo, a->intensity.value, p->y.hi);
}

static void draw_points(const points *all, const struct plot *p, struct str *out)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct point *point = &all->at[i];
        char *tip = xasprintf("%s%s: %.3g operations a byte, %.3g GFlop/s", point->name,
                              point->alone ? ", alone" : ", with its callees", point->intensity, point->rate / 1e9);
        plot_mark(out, p, point->alone ? MARK_INHERITED : MARK_VALUE, point->intensity, point->rate, tip);
        free(tip);
    }
}

static void roofline(const struct offload_report *r, const struct accelerator *a, size_t number, struct str *out)
{
    points all = find_points(r);
    double x_lo = a->intensity.value, x_hi = a->intensity.value, y_lo = INFINITY;
    double y_hi = positive(a->intensity.value * bandwidth_of(a));
    for (size_t i = 0; i < all.n; i++) {
        x_lo = fmin(x_lo, all.at[i].intensity);
        x_hi = fmax(x_hi, all.at[i].intensity);
        y_lo = fmin(y_lo, all.at[i].rate);
        y_hi = fmax(y_hi, all.at[i].rate);
    }
    if (!all.n) {
        str_add(out, "<p>There is no roofline: no function has floating-point operations, bytes and time that are all "
                     "known and above 0.</p>\n");
        return;
    }
    char *id = xasprintf("roofline%zu", number);
    struct plot p = {.id = id,
                     .title = "Roofline",
                     .description = "Each mark is a function. All values stand in the table.",
                     .x_title = "intensity [operations a byte]",
                     .y_title = "operations a second",
                     .x = scale_log(x_lo, x_hi, false),
                     .y = scale_log(y_lo, y_hi, false),
                     .x_figure = figure_short,
                     .y_figure = figure_short,
                     .size = "flat"};
    legend_open(out);
    legend_mark(out, MARK_VALUE, "a function with all that it calls");
    legend_mark(out, MARK_INHERITED, "a function alone");
    legend_close(out);
    plot_open(out, &p);
    draw_roof(a, &p, out);
    draw_points(&all, &p, out);
    plot_close(
        out,
        "Operations a second on the host against operations a byte. The slope is the accelerator's memory or link, "
        "the upright line the threshold of the intensity.");
    for (size_t i = 0; i < all.n; i++)
        free(all.at[i].name);
    vec_release(&all);
    free(id);
}

static void section_program(const struct offload_print *p, size_t i, struct str *out)
{
    const struct offload_report *r = &p->reports[i];
    char *id = xasprintf("program%zu", i + 1), *heading = xasprintf("%s (%s)", r->table->program, r->table->kind);
    html_section_open(out, id, heading);
    free(id);
    free(heading);
    table(r, p, out);
    str_add(out, "<h3>Roofline</h3>\n");
    roofline(r, p->accelerator, i + 1, out);
    html_addf(
        out, "<h3>Who calls whom</h3>\n<p>A box is as wide as its share of the %s, with all that it calls below.</p>\n",
        work_of(r->table) == OFFLOAD_TIME ? "time" : "instructions");
    icicle_draw(out, r->table, work_of(r->table));
    over_time_draw(out, r->table, p->accelerator->rate.value, i + 1);
    for (size_t k = 0; k < r->table->notes.n; k++)
        html_addf(out, "<p class=\"aside\">%s.</p>\n", r->table->notes.at[k]);
    html_section_close(out);
}

void offload_page(const struct offload_print *p, FILE *f)
{
    struct str out = STR_INIT;
    head(p, &out);
    for (size_t i = 0; i < p->n; i++)
        section_program(p, i, &out);
    section_thresholds(p->accelerator, &out);
    str_add(&out, "</main>\n");
    page_end(&out);
    fwrite(str_text(&out), 1, out.len, f);
    str_release(&out);
}
