/*
 * html.h - writing HTML so that no text of the user's can become markup.
 * What is written is also well-formed XML (scripts and styles apart), so that
 * a strict parser can judge the page.
 */
#ifndef SHIMGEN_PAGE_HTML_H
#define SHIMGEN_PAGE_HTML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* Appends text, escaped for element content and for quoted attributes. Bytes that are not UTF-8, and characters that
 * no document may hold, become U+FFFD. NULL is nothing. */
void html_text(struct str *out, const char *text);

/* Like str_addf, but what `%s` stands for is escaped. Markup comes from the format alone. No width on %s. */
void html_addf(struct str *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Appends text for the inside of a <script> that is JSON: `<`, `>`, `&` only occur in its strings, where they are
 * written as \u003c … so that no string can end the script. */
void html_script_json(struct str *out, const char *json);

/* The text as UTF-8 that a JSON writer accepts; the caller frees. */
char *html_clean_utf8(const char *text);

/* True when the text is a relative path that a page may link to: no scheme, no leading '/', no control characters. */
bool html_is_relative_link(const char *path);
/* Appends a relative path as the value of href: percent-encoded where it must be, escaped. */
void html_href(struct str *out, const char *path);

/* A table in a box that scrolls when the window is narrow; the caption is text. `class` may be "". */
void html_table_open(struct str *out, const char *class, const char *caption);
void html_table_close(struct str *out);

/* <section> with a heading that can be linked to. */
void html_section_open(struct str *out, const char *id, const char *heading);
void html_section_close(struct str *out);

/* A cell with a number: shown by `show`, right-aligned, sorted by its value. */
typedef void html_figure(struct str *out, double value);
void html_number_cell(struct str *out, double value, html_figure *show);

#endif
