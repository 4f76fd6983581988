/* plain_text.c - replaces characters that XML 1.0 cannot hold, not even as references. */
#include "perf-xml/document/document.h"

#include <string.h>

#include "base/str.h"

/* XML 1.0, production 2. Bytes that are not UTF-8 are not a character. */
bool text_character(const char *p, size_t *n)
{
    unsigned code;
    *n = utf8_character((const unsigned char *)p, &code);
    bool blank = code == '\t' || code == '\n' || code == '\r';
    bool good = *n && (blank || code >= ' ') && code != 0xfffe && code != 0xffff;
    *n = *n ? *n : 1;
    return good;
}

bool text_fits(const char *text)
{
    size_t n;
    while (*text && text_character(text, &n))
        text += n;
    return !*text;
}

char *text_word(const char *text)
{
    struct str out = STR_INIT;
    str_add(&out, "");
    for (size_t n; *text; text += n)
        if (text_character(text, &n) && !strchr(" \t\n\r", *text))
            str_addn(&out, text, n);
        else
            str_addch(&out, '_');
    return str_detach(&out);
}

static void add_escaped(struct str *out, const char *text, bool attribute)
{
    for (size_t n; text && *text; text += n) {
        bool fits = text_character(text, &n);
        const char *entity = attribute || *text != '"' ? xml_entity(*text) : 0;
        if (entity)
            str_add(out, entity);
        else if (attribute && strchr("\t\n\r", *text))
            str_addf(out, "&#%d;", *text);
        else if (fits)
            str_addn(out, text, n);
        else
            str_addch(out, '?');
    }
}

void text_as_xml(struct str *out, const char *text)
{
    add_escaped(out, text, false);
}

void text_as_attribute(struct str *out, const char *text)
{
    add_escaped(out, text, true);
}

void text_as_json(struct str *out, const char *text)
{
    str_addch(out, '"');
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            str_addf(out, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            str_addf(out, "\\u%04x", (unsigned)*text);
        else
            str_addch(out, *text);
    str_addch(out, '"');
}
