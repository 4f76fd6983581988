/* page_coverage.c - report section: how well the training programs determine each value, and which programs would
 * help. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shimgen/report/derived.h"
#include "shimgen/page/figures.h"
#include "shimgen/page/html.h"
#include "shimgen/report/page.h"

static void figure_worth(struct str *out, double value)
{
    if (isfinite(value))
        str_addf(out, "%.1f", value);
    else
        str_add(out, FIGURE_UNKNOWN);
}

static void figure_error_or_none(struct str *out, double value)
{
    if (isinf(value))
        str_add(out, "\xe2\x88\x9e");
    else
        figure_value(out, value);
}

static void words(const struct report *r, struct str *out)
{
    const struct report_coverage *c = &r->coverage;
    str_add(out,
            "<p>How well the training programs determine each value, by least squares alone: what the solver knows "
            "besides, as that costs are not negative, is not in it. ");
    if (isfinite(c->scatter)) {
        str_add(out, "Programs scatter about the values by ");
        figure_percent(out, c->scatter);
        str_add(out, ". ");
    }
    if (isfinite(c->condition)) {
        str_add(out, "The condition number of the table is ");
        figure_value(out, c->condition);
        str_add(out, ". ");
    }
    str_addf(out,
             "Of the instructions in the SHIM file, programs execute %zu; %zu have a microbenchmark, %zu the value of "
             "their class, %zu that of another instruction, %zu the mean of all, and %zu are never executed by C "
             "programs.</p>\n",
             c->executed, c->micro, c->of_class, c->as_other, c->of_all, c->never);
}

/* The words are made for terminals: "+-27 %" gets its sign here. */
static void add_words(struct str *out, const char *words)
{
    for (const char *at; (at = strstr(words, "+-")); words = at + 2) {
        char *before = xstrndup(words, (size_t)(at - words));
        html_addf(out, "%s\xc2\xb1", before);
        free(before);
    }
    html_text(out, words);
}

/* Sorts the least determined first: values that no program has, values that depend on others, then by relative
 * error. */
static double doubt(const void *data, size_t i)
{
    const struct report_covered *v = &((const struct report *)data)->coverage.variables[i];
    if (!v->programs)
        return INFINITY;
    return isinf(v->error) ? 1e300 : v->value > 0 ? v->error / v->value : isfinite(v->error) ? 1e200 : REPORT_UNKNOWN;
}

static void row(struct str *out, const struct report_covered *v)
{
    html_addf(out, "<tr><th scope=\"row\"><code>%s</code></th>", v->variable);
    html_addf(out, "<td class=\"num\" data-v=\"%zu\">%zu</td>", v->programs, v->programs);
    html_number_cell(out, v->effective, figure_worth);
    html_number_cell(out, v->share, figure_share);
    html_number_cell(out, v->cycles, figure_share);
    html_number_cell(out, v->dependent, figure_share);
    html_number_cell(out, v->value, figure_value);
    html_number_cell(out, v->error, figure_error_or_none);
    html_addf(out, "<td>%s</td><td>", v->standing);
    add_words(out, v->words);
    str_add(out, "</td></tr>\n");
}

static void help(struct str *out, const struct report_coverage *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n_variables; i++)
        n += has_text(c->variables[i].help);
    if (!n)
        return;
    str_add(out, "<details id=\"missing\"><summary>What would help</summary><ul>\n");
    for (size_t i = 0; i < c->n_variables; i++)
        if (has_text(c->variables[i].help))
            html_addf(out, "<li><code>%s</code>: %s</li>\n", c->variables[i].variable, c->variables[i].help);
    str_add(out, "</ul></details>\n");
}

void page_coverage(const struct report *r, struct str *out)
{
    const struct report_coverage *c = &r->coverage;
    html_section_open(out, "coverage", "Rare and collinear variables");
    if (!c->n_variables) {
        str_add(out, "<p>How well the programs determine the values is not known.</p>\n");
        html_section_close(out);
        return;
    }
    words(r, out);
    html_table_open(
        out, "sortable doubts",
        "What the training programs have of each variable, the least determined first: rare ones and those that go "
        "with others. Worth: how many programs its information would be, "
        "were they all alike; dependent: counts that use the result of the instruction before.");
    str_add(out, "<thead><tr><th scope=\"col\">variable</th><th scope=\"col\" class=\"num\">programs</th>"
                 "<th scope=\"col\" class=\"num\">worth</th><th scope=\"col\" class=\"num\">of counts</th>"
                 "<th scope=\"col\" class=\"num\">of cycles</th><th scope=\"col\" class=\"num\">dependent</th>"
                 "<th scope=\"col\" class=\"num\">cycles</th><th scope=\"col\" class=\"num\">standard error</th>"
                 "<th scope=\"col\">determined</th><th scope=\"col\">why</th></tr></thead><tbody>\n");
    size_t *order = order_descending(c->n_variables, doubt, r);
    for (size_t i = 0; i < c->n_variables; i++)
        row(out, &c->variables[order[i]]);
    free(order);
    html_table_close(out);
    help(out, c);
    html_section_close(out);
}
