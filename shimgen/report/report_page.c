/* report_page.c - the report as a whole: one HTML page. */
#include "shimgen/report/report.h"

#include <stdlib.h>

#include "base/file.h"
#include "shimgen/report/derived.h"
#include "shimgen/page/html.h"
#include "shimgen/page/assets.h"
#include "shimgen/report/page.h"
#include "shimgen/page/svg.h"

/* The page, top to bottom. */
static const struct {
    const char *id, *name; /* of the entry in the table of contents; the section has the same id */
    page_section *write;
} sections[] = {
    {"summary", "Summary", page_summary},
    {"machine", "Machine", page_machine},
    {"accuracy", "Accuracy", page_accuracy},
    {"estimators", "Estimates", page_estimators},
    {"models", "Models", page_models},
    {"surprises", "Surprises", page_surprises},
    {"accounting", "Accounting", page_accounting},
    {"simulated", "Simulated events", page_simulated},
    {"values", "Values", page_values},
    {"coverage", "Coverage", page_coverage},
    {"instructions", "Instructions", page_instructions},
    {"micro", "Single instructions", page_micro},
    {"memory", "Memory", page_memory},
    {"method", "Method", page_method},
    {"quality", "Measurements", page_quality},
    {"findings", "Findings", page_findings},
    {"files", "Files", page_files},
};
#define N_SECTIONS (sizeof sections / sizeof *sections)

static void add_bytes(struct str *out, const unsigned char *bytes, size_t n)
{
    str_addn(out, (const char *)bytes, n);
}

/* The policy forbids the page any traffic, should a browser ever think of one. */
static void head(const struct report *r, struct str *out)
{
    html_addf(out,
              "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
              "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;; "
              "style-src &#39;unsafe-inline&#39;; script-src &#39;unsafe-inline&#39;; img-src data:\"/>\n"
              "<meta name=\"generator\" content=\"shimgen %s\"/>\n"
              "<link rel=\"icon\" href=\"data:,\"/>\n<title>%s: SHIM performance model</title>\n<style>\n",
              text_or(r->version, ""), r->title);
    add_bytes(out, report_style, report_style_size);
    str_add(out, "</style>\n</head>\n<body>\n");
}

static void top(const struct report *r, struct str *out)
{
    svg_shapes(out);
    html_addf(out,
              "<a class=\"skip\" href=\"#summary\">To the summary</a>\n<header><p class=\"over\">SHIM performance "
              "model</p>\n<h1>%s</h1>\n<p class=\"under\">",
              r->title);
    if (has_text(r->board))
        html_addf(out, "board <code>%s</code>", r->board);
    if (has_text(r->generated))
        html_addf(out, "%s%s", has_text(r->board) ? " \xc2\xb7 " : "", r->generated);
    if (has_text(r->version))
        html_addf(out, " \xc2\xb7 shimgen %s", r->version);
    str_add(out, "</p></header>\n<nav aria-label=\"Contents\"><ul>\n");
    for (size_t i = 0; i < N_SECTIONS; i++)
        html_addf(out, "<li><a href=\"#%s\">%s</a></li>\n", sections[i].id, sections[i].name);
    str_add(out, "</ul></nav>\n");
}

static void bottom(const struct report *r, struct str *out)
{
    struct str json = STR_INIT;
    report_json(r, &json);
    str_add(out, "<script type=\"application/json\" id=\"report-data\">");
    html_script_json(out, str_text(&json));
    str_add(out, "</script>\n<script>\n");
    add_bytes(out, report_script, report_script_size);
    str_add(out, "</script>\n</body>\n</html>\n");
    str_release(&json);
}

void report_html(const struct report *r, struct str *out)
{
    head(r, out);
    top(r, out);
    str_add(out, "<main>\n");
    for (size_t i = 0; i < N_SECTIONS; i++)
        sections[i].write(r, out);
    str_add(out, "</main>\n");
    bottom(r, out);
}

enum status report_write(const struct report *r, const char *path, struct error *e)
{
    struct str page = STR_INIT;
    report_html(r, &page);
    enum status s = file_write(path, page.s, page.len, e);
    str_release(&page);
    return s;
}
