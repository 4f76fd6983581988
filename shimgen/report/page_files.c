/* page_files.c - report section: files of the build. */
#include "shimgen/report/derived.h"
#include "shimgen/page/figures.h"
#include "shimgen/page/html.h"
#include "shimgen/report/page.h"

static void file_row(struct str *out, const struct report_file *f)
{
    str_add(out, "<tr><th scope=\"row\">");
    if (html_is_relative_link(f->path)) {
        str_add(out, "<a href=\"");
        html_href(out, f->path);
        html_addf(out, "\"><code>%s</code></a></th>", f->path);
    } else {
        html_addf(out, "<code>%s</code></th>", f->path);
    }
    html_addf(out, "<td>%s</td><td class=\"num\">", text_or(f->what, ""));
    figure_bytes(out, f->bytes);
    str_add(out, "</td></tr>\n");
}

void page_files(const struct report *r, struct str *out)
{
    html_section_open(out, "files", "Files and commands");
    if (r->n_files) {
        html_table_open(out, "", "Files in the folder of this page.");
        str_add(out, "<thead><tr><th scope=\"col\">file</th><th scope=\"col\">what it is</th>"
                     "<th scope=\"col\" class=\"num\">size</th></tr></thead><tbody>\n");
        for (size_t i = 0; i < r->n_files; i++)
            file_row(out, &r->files[i]);
        html_table_close(out);
    }
    if (r->n_commands) {
        str_add(out, "<p>Made by:</p>\n<pre class=\"commands\">");
        for (size_t i = 0; i < r->n_commands; i++)
            html_addf(out, "%s\n", r->commands[i]);
        str_add(out, "</pre>\n");
    }
    str_add(out, "<p>All figures of this page are also inside it as JSON, in the element "
                 "<code>report-data</code>.</p>\n");
    html_section_close(out);
}
