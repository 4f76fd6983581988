/*
 * page_accounting.c - what the cycles of each program were spent on: bars by a model, beside the measured cycles.
 * Programs that the model explains worst come first.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "shimgen/report/derived.h"
#include "shimgen/page/figures.h"
#include "shimgen/page/html.h"
#include "shimgen/report/page.h"
#include "shimgen/page/svg.h"

#define UNFOLDED 40
#define COLOURS  8 /* of style.css; if there are more kinds, the last colour is "other" */

/* The sum of all kinds, as a fraction of the measured cycles. */
static double accounted(const struct report *r, const struct report_program *p)
{
    double sum = 0;
    for (size_t k = 0; p->account && k < r->n_accounts; k++)
        sum += p->account[k];
    return p->account ? sum : REPORT_UNKNOWN;
}

static double surprise(const void *data, size_t i)
{
    const struct report *r = data;
    return fabs(accounted(r, &r->programs[i]) - 1);
}

static void class_of(char class[16], size_t kind)
{
    if (kind < COLOURS)
        snprintf(class, 16, "c%zu", kind);
    else
        snprintf(class, 16, "c-other");
}

static void bar(const struct report *r, struct str *out, const struct scale *s, const struct report_program *p)
{
    struct str tip = STR_INIT;
    double at = 0;
    lane_open(out, s, 16);
    for (size_t k = 0; k < r->n_accounts; k++) {
        double from = scale_at(s, at), to = scale_at(s, at + fmax(0, p->account[k]));
        char class[16];
        at += fmax(0, p->account[k]);
        if (!(to > from))
            continue;
        class_of(class, k);
        str_clear(&tip);
        str_addf(&tip, "%s: ", r->accounts[k]);
        figure_share(&tip, p->account[k]);
        str_add(&tip, " of the measured cycles");
        stack_part(out, class, from, to - from, str_text(&tip));
    }
    lane_stroke(out, s, "median", 1, 8, 8);
    lane_close(out);
    str_release(&tip);
}

static void row(const struct report *r, struct str *out, const struct scale *s, const struct report_program *p)
{
    html_addf(out, "<tr><th scope=\"row\"><code>%s</code>", p->name);
    if (has_text(p->region) && strcmp(p->region, "main") != 0)
        html_addf(out, " <span class=\"aside\">region %s</span>", p->region);
    html_addf(out, "</th><td>%s</td>", p->role == REPORT_TEST ? "test" : "training");
    html_number_cell(out, p->measured, figure_count);
    html_number_cell(out, accounted(r, p) - 1, figure_error);
    str_add(out, "<td class=\"lanes\">");
    bar(r, out, s, p);
    str_add(out, "</td></tr>\n");
}

static void table(const struct report *r, struct str *out, struct scale *s, const size_t *order, size_t from, size_t to)
{
    html_table_open(out, "chart sortable",
                    "Cycles by kind, as parts of those measured: the line is at 100" THIN
                    "%. A bar that ends before it leaves cycles unexplained, one that goes beyond explains too many.");
    str_add(out, "<thead><tr><th scope=\"col\">program</th><th scope=\"col\">role</th><th scope=\"col\" "
                 "class=\"num\">measured</th><th scope=\"col\" class=\"num\">error</th><th scope=\"col\" "
                 "class=\"lanes\">");
    lane_axis(out, s, figure_short_percent);
    str_add(out, "</th></tr></thead><tbody>\n");
    for (size_t i = from; i < to; i++)
        row(r, out, s, &r->programs[order[i]]);
    html_table_close(out);
}

static void legend(const struct report *r, struct str *out)
{
    legend_open(out);
    for (size_t k = 0; k < r->n_accounts; k++) {
        char class[16];
        struct str whole = STR_INIT;
        class_of(class, k);
        str_addf(&whole, "part %s", class);
        legend_swatch(out, str_text(&whole), r->accounts[k]);
        str_release(&whole);
    }
    legend_close(out);
}

static void tables(const struct report *r, struct str *out)
{
    struct scale s = scale_linear(0, 1.5);
    size_t *order = order_descending(r->n_programs, surprise, r), n = 0;
    while (n < r->n_programs && r->programs[order[n]].account)
        n++;
    html_addf(out, "<p>By the model <code>%s</code>, fitted on the training programs.</p>\n",
              text_or(r->account_model, ""));
    legend(r, out);
    table(r, out, &s, order, 0, n < UNFOLDED ? n : UNFOLDED);
    if (n > UNFOLDED) {
        html_addf(out, "<details><summary>%zu more</summary>\n", n - UNFOLDED);
        table(r, out, &s, order, UNFOLDED, n);
        str_add(out, "</details>\n");
    }
    free(order);
}

void page_accounting(const struct report *r, struct str *out)
{
    html_section_open(out, "accounting", "Cycle accounting");
    if (r->n_accounts)
        tables(r, out);
    else
        str_add(out, "<p>No model says what the cycles went to.</p>\n");
    html_section_close(out);
}
