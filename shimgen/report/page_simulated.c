/* page_simulated.c - report section: simulated misses and mispredictions against measured ones, which show how far the
 * simulation of a core can be trusted. */
#include "base/str.h"
#include "shimgen/page/html.h"
#include "shimgen/report/page.h"

static void ratio(struct str *out, const struct report_ratio *r)
{
    if (r->n)
        str_addf(out, "<td class=\"num\">%zu</td><td class=\"num\">%.2f</td><td class=\"num\">%.2f &#8211; %.2f</td>",
                 r->n, r->median, r->low, r->high);
    else
        str_add(out, "<td class=\"num\">0</td><td class=\"num\">-</td><td class=\"num\">-</td>");
}

static void heads(struct str *out, const char *of)
{
    str_addf(out,
             "<th scope=\"col\" class=\"num\">%s</th><th scope=\"col\" class=\"num\">median</th><th scope=\"col\" "
             "class=\"num\">90 %%</th>",
             of);
}

static void table(const struct report *r, struct str *out)
{
    html_table_open(out, "",
                    "Simulated over measured, of regions with at least 100 such events: number of regions, median, "
                    "and what 90 % of them have. 1 is right.");
    str_add(out, "<thead><tr><th scope=\"col\">event</th><th scope=\"col\">predictor</th>");
    heads(out, "all");
    heads(out, "not in the choice");
    heads(out, "test");
    str_add(out, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < r->n_simulated; i++) {
        const struct report_simulated *s = &r->simulated[i];
        html_addf(out, "<tr><th scope=\"row\"><code>%s</code></th><td>", s->event);
        if (s->predictor)
            html_addf(out, "<code>%s</code>%s", s->predictor, s->chosen ? "" : " (to compare with)");
        str_add(out, "</td>");
        ratio(out, &s->all);
        ratio(out, &s->unseen);
        ratio(out, &s->test);
        str_add(out, "</tr>\n");
    }
    html_table_close(out);
}

void page_simulated(const struct report *r, struct str *out)
{
    html_section_open(out, "simulated", "Simulated events");
    if (r->n_simulated)
        table(r, out);
    else
        str_add(out,
                "<p>No cache miss or misprediction is both simulated and measured here, so nothing says how good the "
                "simulation is.</p>\n");
    if (r->predictor)
        html_addf(out, "<p>Which predictor of branches: %s.</p>\n", r->predictor);
    html_section_close(out);
}
