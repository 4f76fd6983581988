/* report_page.c - the whole report: one HTML page. */
#include "base/alloc.h"
#include "shimgen/page/page_frame.h"
#include "shimgen/report/report.h"

#include <stdlib.h>

#include "base/file.h"
#include "shimgen/report/derived.h"
#include "shimgen/page/html.h"
#include "shimgen/report/page.h"
#include "shimgen/page/svg.h"

/* The sections from top to bottom. */
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

static void head(const struct report *r, struct str *out)
{
    char *title = xasprintf("%s: SHIM performance model", r->title);
    page_begin(out, &(struct page_head){.title = title, .version = text_or(r->version, "")});
    free(title);
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
    page_data_json(out, "report-data", str_text(&json));
    page_end(out);
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
