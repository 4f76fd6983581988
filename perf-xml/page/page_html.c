/* page_html.c - a profile as one HTML page that works offline: data, script and style. */
#include <stdlib.h>

#include "base/alloc.h"
#include "perf-xml/page/page_data.h"
#include "shimgen/page/html.h"
#include "shimgen/page/page_frame.h"

static const unsigned char script[] = {
#include "page.js.inc"
};
static const unsigned char style[] = {
#include "page.css.inc"
};

/* Elements into which the script puts each part. */
static const struct {
    const char *id, *heading;
} sections[] = {
    {"summary", "Summary"},      {"comparison", "Comparison"},
    {"balance", "Load balance"}, {"accounting", "Cycle accounting"},
    {"items", "Items"},          {"values", "Processes and threads"},
    {"paths", "Call paths"},
};

static void head(const struct page_data *d, struct str *out)
{
    char *title = xasprintf("%s: performance data", d->source ? d->source : "profile");
    page_begin(out, &(struct page_head){.title = title, .style = style, .style_size = sizeof style});
    free(title);
    str_add(out, "<header><p class=\"over\">Performance data</p>\n");
    html_addf(out, "<h1>%s</h1>\n<p class=\"under\">%s</p></header>\n", d->source ? d->source : "profile",
              d->machine ? d->machine : "");
}

static void data(const struct page_data *d, const char *id, struct str *out)
{
    struct str json = STR_INIT;
    page_data_write(d, &json);
    page_data_json(out, id, str_text(&json));
    str_release(&json);
}

void page_write(struct str *out, const struct page_data *d, const struct page_data *other)
{
    head(d, out);
    str_add(out,
            "<nav aria-label=\"Contents\"><ul></ul></nav>\n<main>\n"
            "<noscript><p>This page needs JavaScript; <code>perf-xml show</code> prints the same.</p></noscript>\n");
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        html_section_open(out, sections[i].id, sections[i].heading);
        html_section_close(out);
    }
    str_add(out, "</main>\n");
    data(d, "data", out);
    if (other)
        data(other, "other", out);
    page_end_with(out, script, sizeof script);
}
