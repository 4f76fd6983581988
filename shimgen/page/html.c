/* html.c - writes HTML; all text from the user is escaped. */
#include "shimgen/page/html.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

#define REPLACEMENT "\xef\xbf\xbd"

/* Characters that HTML or XML do not allow in text, and those that change how surrounding text is displayed. */
static bool forbidden(unsigned c)
{
    return is_steering(c) || (c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c <= 0xfdef);
}

/* The bytes of the text's next character; a forbidden one is replaced. */
static const char *next_character(const char **text, size_t *n)
{
    unsigned c = 0;
    const char *at = *text;
    *n = utf8_character((const unsigned char *)at, &c);
    *text += *n ? *n : 1;
    if (*n && !forbidden(c))
        return at;
    *n = sizeof REPLACEMENT - 1;
    return REPLACEMENT;
}

void html_text(struct str *out, const char *text)
{
    while (text && *text) {
        size_t n;
        const char *at = next_character(&text, &n);
        const char *entity = *at == '\'' ? "&#39;" : xml_entity(*at);
        if (entity)
            str_add(out, entity);
        else
            str_addn(out, at, n);
    }
}

char *html_clean_utf8(const char *text)
{
    struct str clean = STR_INIT;
    while (text && *text) {
        size_t n;
        const char *at = next_character(&text, &n);
        str_addn(&clean, at, n);
    }
    str_add(&clean, "");
    return str_detach(&clean);
}

/* Handles one conversion of html_addf, such as "%.2f". */
static void add_conversion(struct str *out, const char *spec, va_list *ap)
{
    char kind = spec[strlen(spec) - 1];
    bool size = strchr(spec, 'z') != 0;
    if (kind == 's')
        html_text(out, va_arg(*ap, const char *));
    else if (kind == 'c')
        str_addch(out, (char)va_arg(*ap, int));
    else if (kind == 'u' && size)
        str_addf(out, "%zu", va_arg(*ap, size_t));
    else if (kind == 'u')
        str_addf(out, "%u", va_arg(*ap, unsigned));
    else if (kind == 'd' && !size)
        str_addf(out, "%d", va_arg(*ap, int));
    else if (kind == '%')
        str_addch(out, '%');
    else
        BUG("html_addf does not know %s", spec);
}

void html_addf(struct str *out, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    while (*fmt) {
        size_t plain = strcspn(fmt, "%");
        str_addn(out, fmt, plain);
        fmt += plain;
        if (!*fmt)
            break;
        char spec[8];
        size_t n = 1 + strspn(fmt + 1, "z") + 1;
        if (n >= sizeof spec)
            BUG("a conversion that is too long: %s", fmt);
        memcpy(spec, fmt, n);
        spec[n] = 0;
        add_conversion(out, spec, &ap);
        fmt += n;
    }
    va_end(ap);
}

void html_script_json(struct str *out, const char *json)
{
    for (; *json; json++) {
        if (*json == '<' || *json == '>' || *json == '&')
            str_addf(out, "\\u%04x", (unsigned)*json);
        else
            str_addch(out, *json);
    }
}

bool html_is_relative_link(const char *path)
{
    if (!path || !*path || *path == '/' || *path == '\\')
        return false;
    for (const char *p = path; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            return false;
    size_t head = strcspn(path, "/?#");
    return memchr(path, ':', head) == 0;
}

void html_href(struct str *out, const char *path)
{
    static const char safe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/+,=@!";
    for (; *path; path++) {
        if (strchr(safe, *path))
            str_addch(out, *path);
        else
            str_addf(out, "%%%02X", (unsigned)(unsigned char)*path);
    }
}

void html_table_open(struct str *out, const char *class, const char *caption)
{
    html_addf(out, "<div class=\"scroll\"><table class=\"%s\"><caption><span>%s</span></caption>\n", class, caption);
}

void html_table_close(struct str *out)
{
    str_add(out, "</tbody></table></div>\n");
}

void html_section_open(struct str *out, const char *id, const char *heading)
{
    html_addf(out, "<section id=\"%s\" aria-labelledby=\"h-%s\"><h2 id=\"h-%s\">%s</h2>\n", id, id, id, heading);
}

void html_section_close(struct str *out)
{
    str_add(out, "</section>\n");
}

void html_number_cell(struct str *out, double value, html_figure *show)
{
    str_add(out, "<td class=\"num\"");
    if (isfinite(value)) {
        char *exact = format_double(value);
        html_addf(out, " data-v=\"%s\"", exact);
        free(exact);
    }
    str_addch(out, '>');
    show(out, value);
    str_add(out, "</td>");
}
