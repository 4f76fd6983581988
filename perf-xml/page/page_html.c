/* page_html.c - a profile as one page that works offline: its data, the script that shows them, the style. */
#include <stdlib.h>

#include "perf-xml/page/page_data.h"
#include "shimgen/page/assets.h"
#include "shimgen/page/html.h"

static const unsigned char script[] = {
#include "page.js.inc"
};
static const unsigned char style[] = {
#include "page.css.inc"
};

/* Where the script puts each part. */
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
    str_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                 "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\"/>\n"
                 "<link rel=\"icon\" href=\"data:,\"/>\n");
    html_addf(out, "<title>%s: performance data</title>\n<style>\n", d->source ? d->source : "profile");
    str_addn(out, (const char *)report_style, report_style_size);
    str_addn(out, (const char *)style, sizeof style);
    str_add(out, "</style>\n</head>\n<body>\n<header><p class=\"over\">Performance data</p>\n");
    html_addf(out, "<h1>%s</h1>\n<p class=\"under\">%s</p></header>\n", d->source ? d->source : "profile",
              d->machine ? d->machine : "");
}

static void data(const struct page_data *d, const char *id, struct str *out)
{
    struct str json = STR_INIT;
    page_data_write(d, &json);
    html_addf(out, "<script type=\"application/json\" id=\"%s\">", id);
    html_script_json(out, str_text(&json));
    str_add(out, "</script>\n");
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
    str_add(out, "<script>\n");
    str_addn(out, (const char *)script, sizeof script);
    str_add(out, "</script>\n</body>\n</html>\n");
}
