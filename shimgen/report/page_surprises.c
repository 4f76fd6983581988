/*
 * page_surprises.c - report section: programs that the model explains worst, and what it attributes their cycles to;
 * then all programs, as the table of the plots.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shimgen/report/derived.h"
#include "shimgen/page/figures.h"
#include "shimgen/page/html.h"
#include "shimgen/report/page.h"
#include "shimgen/page/svg.h"

#define SURPRISES    12
#define NAMED_SHARES 3

static double surprise(const void *data, size_t i)
{
    return fabs(heldout_error(&((const struct report *)data)->programs[i]));
}

/* Classes with a colour of their own: those with the largest shares over all programs, in their given order. */
struct palette {
    int colour[REPORT_CLASSES_DRAWN]; /* index of the class */
    size_t n;
};

static double class_total(const void *data, size_t class)
{
    const struct report *r = data;
    double total = 0;
    for (size_t i = 0; i < r->n_programs; i++)
        if (r->programs[i].shares && isfinite(r->programs[i].shares[class]))
            total += r->programs[i].shares[class];
    return total;
}

static int compare_ints(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static struct palette palette_of(const struct report *r)
{
    struct palette p = {.n = r->n_classes < REPORT_CLASSES_DRAWN ? r->n_classes : REPORT_CLASSES_DRAWN};
    size_t *order = order_descending(r->n_classes, class_total, r);
    for (size_t i = 0; i < p.n; i++)
        p.colour[i] = (int)order[i];
    qsort(p.colour, p.n, sizeof *p.colour, compare_ints);
    free(order);
    return p;
}

static void stack(const struct report *r, struct str *out, const struct palette *palette,
                  const struct report_program *p)
{
    double at = 0, drawn = 0, sum = 0;
    struct str tip = STR_INIT, class = STR_INIT;
    for (size_t k = 0; k < r->n_classes; k++)
        sum += isfinite(p->shares[k]) ? fmax(0, p->shares[k]) : 0;
    stack_open(out);
    for (size_t i = 0; i <= palette->n && sum > 0; i++) {
        bool other = i == palette->n;
        double share = other ? sum - drawn : fmax(0, p->shares[palette->colour[i]]);
        if (!isfinite(share) || share < sum * 1e-4)
            continue;
        str_clear(&tip);
        str_clear(&class);
        str_addf(&tip, "%s: ", other ? "other" : r->classes[palette->colour[i]]);
        figure_share(&tip, share);
        str_addf(&class, other ? "c-other" : "c%zu", i);
        stack_part(out, class.s, at, share / sum, tip.s);
        at += share / sum;
        drawn += share;
    }
    stack_close(out);
    str_release(&tip);
    str_release(&class);
}

struct share_of {
    const double *shares;
};

static double share_at(const void *data, size_t i)
{
    return ((const struct share_of *)data)->shares[i];
}

/* Prints the largest shares as words, for people who cannot distinguish the colours. */
static void largest_shares(const struct report *r, struct str *out, const struct report_program *p)
{
    size_t *order = order_descending(r->n_classes, share_at, &(struct share_of){p->shares});
    str_add(out, "<span class=\"aside\">");
    for (size_t i = 0; i < r->n_classes && i < NAMED_SHARES; i++) {
        double share = p->shares[order[i]];
        if (!(share > 0))
            break;
        html_addf(out, "%s%s ", i ? ", " : "", r->classes[order[i]]);
        figure_share(out, share);
    }
    str_add(out, "</span>");
    free(order);
}

static void program_name(struct str *out, const struct report_program *p)
{
    html_addf(out, "<th scope=\"row\"><code>%s</code>", p->name);
    if (has_text(p->region) && strcmp(p->region, "main"))
        html_addf(out, " <span class=\"aside\">region %s</span>", p->region);
    str_add(out, "</th>");
}

/* The held-out prediction, and its interval below it. */
static void prediction_cell(struct str *out, const struct report_program *p)
{
    str_add(out, "<td class=\"num\">");
    figure_count(out, heldout_prediction(p));
    if (isfinite(p->low) && isfinite(p->high)) {
        str_add(out, "<span class=\"aside below\">");
        figure_count(out, p->low);
        str_add(out, " \xe2\x80\xa6 ");
        figure_count(out, p->high);
        str_add(out, p->measured < p->low || p->measured > p->high ? ": missed</span>" : "</span>");
    }
    str_add(out, "</td>");
}

static void surprise_row(const struct report *r, struct str *out, const struct palette *palette,
                         const struct report_program *p)
{
    str_add(out, "<tr>");
    program_name(out, p);
    html_addf(out, "<td>%s</td>", p->role == REPORT_TEST ? "test" : "training");
    html_number_cell(out, heldout_error(p), figure_error);
    html_number_cell(out, training_error(p), figure_error);
    html_number_cell(out, p->measured, figure_count);
    prediction_cell(out, p);
    str_add(out, "<td class=\"made-of\">");
    if (p->shares && r->n_classes) {
        stack(r, out, palette, p);
        largest_shares(r, out, p);
    } else {
        str_add(out, "<span class=\"aside\">not known</span>");
    }
    str_add(out, "</td></tr>\n");
}

static void class_legend(const struct report *r, struct str *out, const struct palette *palette)
{
    if (!r->n_classes)
        return;
    legend_open(out);
    for (size_t i = 0; i < palette->n; i++) {
        char class[16];
        snprintf(class, sizeof class, "part c%zu", i);
        legend_swatch(out, class, r->classes[palette->colour[i]]);
    }
    if (palette->n < r->n_classes)
        legend_swatch(out, "part c-other", "other");
    legend_close(out);
}

static void surprises(const struct report *r, struct str *out, const size_t *order)
{
    struct palette palette = palette_of(r);
    class_legend(r, out, &palette);
    html_table_open(out, "chart sortable surprising",
                    "Largest held-out errors first, with the training error; the prediction is the held-out one, with "
                    "its interval. The bar shows what the predicted cycles are made of: a class that appears here "
                    "again and again is one that the model does not describe well.");
    str_add(out, "<thead><tr><th scope=\"col\">program</th><th scope=\"col\">role</th>"
                 "<th scope=\"col\" class=\"num\">held-out error</th><th scope=\"col\" class=\"num\">training</th>"
                 "<th scope=\"col\" class=\"num\">measured</th><th scope=\"col\" class=\"num\">predicted</th>"
                 "<th scope=\"col\" class=\"made-of\">made of</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < r->n_programs && i < SURPRISES; i++)
        if (isfinite(surprise(r, order[i])))
            surprise_row(r, out, &palette, &r->programs[order[i]]);
    html_table_close(out);
}

static void all_programs(const struct report *r, struct str *out)
{
    html_addf(out, "<details id=\"programs\"><summary>All %zu rows</summary>\n", r->n_programs);
    html_table_open(out, "sortable searchable", "Every program that was measured, in the order of the dataset.");
    str_add(out, "<thead><tr><th scope=\"col\">program</th><th scope=\"col\">set</th><th scope=\"col\">domain</th>"
                 "<th scope=\"col\">role</th><th scope=\"col\" class=\"num\">measured</th>"
                 "<th scope=\"col\" class=\"num\">held-out prediction</th>"
                 "<th scope=\"col\" class=\"num\">held-out error</th><th scope=\"col\" class=\"num\">fitted</th>"
                 "<th scope=\"col\" class=\"num\">training error</th>"
                 "<th scope=\"col\" class=\"num\">IR instructions</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < r->n_programs; i++) {
        const struct report_program *p = &r->programs[i];
        str_add(out, "<tr>");
        program_name(out, p);
        html_addf(out, "<td>%s</td><td>%s</td><td>%s</td>", text_or(p->set, FIGURE_UNKNOWN),
                  text_or(p->domain, FIGURE_UNKNOWN), p->role == REPORT_TEST ? "test" : "training");
        html_number_cell(out, p->measured, figure_count);
        html_number_cell(out, heldout_prediction(p), figure_count);
        html_number_cell(out, heldout_error(p), figure_error);
        html_number_cell(out, p->role == REPORT_TRAIN ? p->predicted : REPORT_UNKNOWN, figure_count);
        html_number_cell(out, training_error(p), figure_error);
        html_number_cell(out, p->instructions, figure_count);
        str_add(out, "</tr>\n");
    }
    html_table_close(out);
    str_add(out, "</details>\n");
}

void page_surprises(const struct report *r, struct str *out)
{
    html_section_open(out, "surprises", "The most surprising programs");
    size_t *order = order_descending(r->n_programs, surprise, r);
    if (!r->n_programs) {
        str_add(out, "<p>No program was measured.</p>\n");
    } else {
        if (isfinite(surprise(r, order[0])))
            surprises(r, out, order);
        else
            str_add(out, "<p>No held-out prediction is known.</p>\n");
        all_programs(r, out);
    }
    free(order);
    html_section_close(out);
}
