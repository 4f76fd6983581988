/* page_machine.c - report section: the machine and how it was measured. */
#include "shimgen/report/derived.h"
#include "shimgen/page/html.h"
#include "shimgen/report/page.h"

static void facts(struct str *out, const struct report_fact *f, size_t n)
{
    str_add(out, "<dl class=\"facts\">\n");
    for (size_t i = 0; i < n; i++) {
        html_addf(out, "<div><dt>%s</dt><dd>%s", f[i].name, text_or(f[i].value, "not known"));
        if (has_text(f[i].note))
            html_addf(out, "<span class=\"aside\">%s</span>", f[i].note);
        str_add(out, "</dd></div>\n");
    }
    str_add(out, "</dl>\n");
}

void page_machine(const struct report *r, struct str *out)
{
    html_section_open(out, "machine", "The machine");
    if (!r->drawing && !r->n_facts)
        str_add(out, "<p>Nothing is known about the machine.</p>\n");
    if (r->drawing) {
        str_add(out, "<figure id=\"blocks\"><div class=\"scroll\">");
        str_add(out, r->drawing);
        str_add(out, "</div><figcaption>A frame is a set of components; a line leads from what reaches a memory to it. "
                     "Pointing at a block shows all of its text.</figcaption></figure>\n");
    }
    if (r->n_facts)
        facts(out, r->facts, r->n_facts);
    html_section_close(out);
}

void page_method(const struct report *r, struct str *out)
{
    html_section_open(out, "method", "How it was measured");
    if (has_text(r->clock.event)) {
        html_addf(out, "<p>Cycles come from the event <code>%s</code>. ", r->clock.event);
        if (has_text(r->clock.sentence))
            html_addf(out, "%s", r->clock.sentence);
        else if (r->clock.core_cycles)
            str_add(out, "They are the core\xe2\x80\x99s own cycles, counted by its performance monitoring unit.");
        else
            str_add(out, "They are not the core\xe2\x80\x99s own cycles.");
        str_add(out, "</p>\n");
    }
    if (r->n_conditions)
        facts(out, r->conditions, r->n_conditions);
    else
        str_add(out, "<p>The conditions of the measurement are not known.</p>\n");
    html_section_close(out);
}
