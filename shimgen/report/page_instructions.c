/* page_instructions.c - report section: instruction values, microbenchmarks and memory costs. */
#include "shimgen/report/derived.h"
#include "shimgen/page/figures.h"
#include "shimgen/page/html.h"
#include "shimgen/report/page.h"
#include "shimgen/page/svg.h"

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

static struct scale cycles_scale(const struct report_instruction *list, size_t n)
{
    double lo = INFINITY, hi = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        widen(&lo, &hi, &list[i].pitch);
        widen(&lo, &hi, &list[i].latency);
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

static void head(struct str *out, struct scale *s, const char *what)
{
    html_addf(out,
              "<thead><tr class=\"over\"><td></td><th scope=\"colgroup\" colspan=\"3\">pitch</th>"
              "<th scope=\"colgroup\" colspan=\"3\">latency</th><td colspan=\"2\"></td></tr>\n"
              "<tr class=\"keys\"><th scope=\"col\">%s</th>",
              what);
    for (size_t side = 0; side < 2; side++)
        str_add(out, "<th scope=\"col\" class=\"num\">best</th><th scope=\"col\" class=\"num\">typical</th>"
                     "<th scope=\"col\" class=\"num\">worst</th>");
    str_add(out, "<th scope=\"col\" class=\"lanes\">");
    lane_axis(out, s, figure_short);
    str_add(out, "</th><th scope=\"col\">evidence</th></tr></thead><tbody>\n");
}

static void table(struct str *out, const struct report_instruction *list, size_t n, const char *what,
                  const char *caption)
{
    struct scale s = cycles_scale(list, n);
    legend_open(out);
    legend_mark(out, MARK_TRAIN, "pitch: one after the other, independent");
    legend_mark(out, MARK_VALUE, "latency: depending on the one before");
    legend_close(out);
    html_table_open(out, "chart sortable searchable crowded", caption);
    head(out, &s, what);
    for (size_t i = 0; i < n; i++)
        row(out, &s, &list[i]);
    html_table_close(out);
}

void page_instructions(const struct report *r, struct str *out)
{
    html_section_open(out, "instructions", "Instructions in the SHIM file");
    if (r->n_instructions && r->evidence)
        html_addf(out, "<p>%s.</p>\n", r->evidence);
    if (r->n_instructions)
        table(
            out, r->instructions, r->n_instructions, "instruction",
            "Cycles of each instruction: mark at the typical value, line from best to worst, logarithmic "
            "axis. Evidence: how often the programs that were fitted executed it; else what microbenchmarks, or which "
            "other instruction, it is from.");
    else
        str_add(out, "<p>No SHIM file was written.</p>\n");
    html_section_close(out);
}

void page_micro(const struct report *r, struct str *out)
{
    html_section_open(out, "micro", "Single instructions");
    if (r->n_micro) {
        html_addf(out, "<p>%zu cases were measured, each an instruction on its own in a condition.</p>\n", r->n_micro);
        html_addf(out, "<details><summary>All %zu</summary>\n", r->n_micro);
        table(out, r->micro, r->n_micro, "key and condition",
              "Cycles of each instruction of LLVM measured alone, in loops with more and more copies of it that the IR "
              "passes never see: mark at the slope, line its 90 % interval, logarithmic axis. Evidence: the machine "
              "instructions of one copy.");
        str_add(out, "</details>\n");
    } else {
        str_add(out, "<p>Single instructions were not measured.</p>\n");
    }
    html_section_close(out);
}

void page_memory(const struct report *r, struct str *out)
{
    html_section_open(out, "memory", "Memory and messages");
    if (r->n_accesses)
        table(out, r->accesses, r->n_accesses, "access",
              "Cycles of each access by what answers it, and of a message to another core: mark at the typical value "
              "(other cores idle), line from the best run to the worst condition (all other cores busy), logarithmic "
              "axis. Near: some pages before the next ones; far: another page with every access.");
    else
        str_add(out, "<p>Accesses to memory and messages between cores were not measured.</p>\n");
    html_section_close(out);
}
