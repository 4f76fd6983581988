/* plain_text.c - texts that every format can hold: XML 1.0 has no place for some characters, not even as references. */
#include "perf-xml/document/document.h"

#include <string.h>

#include "base/str.h"

/* XML 1.0, production 2; what is no UTF-8 is no character. */
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
