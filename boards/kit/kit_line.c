/* kit_line.c - finds a line of the kit's log in the input, checks it, and splits it. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "boards/kit/kit.h"

uint32_t kit_crc(uint32_t crc, const void *bytes, size_t n)
{
    for (const unsigned char *p = bytes; n--; p++) {
        crc ^= *p;
        for (int i = 0; i < 8; i++)
            crc = crc & 1 ? crc >> 1 ^ 0xEDB88320U : crc >> 1;
    }
    return crc;
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Takes hexadecimal digits in lower case. Returns false if there are none, or more than `most`. */
static bool take_digits(const char **at, size_t most, uint64_t *value)
{
    size_t n = 0;
    for (*value = 0; digit(**at) >= 0; ++*at, n++)
        *value = n < most ? *value << 4 | (uint64_t)digit(**at) : *value;
    return n > 0 && n <= most;
}

static bool whole_number(const char *text, size_t most, uint64_t *value)
{
    return take_digits(&text, most, value) && !*text;
}

bool kit_number(const char *text, uint32_t *value)
{
    uint64_t v;
    bool good = whole_number(text, 8, &v);
    *value = good ? (uint32_t)v : 0;
    return good;
}

bool kit_long_number(const char *text, double *value)
{
    uint64_t v;
    bool good = whole_number(text, 13, &v);
    *value = good ? (double)v : 0;
    return good;
}

/* Cuts " *XXXXXXXX" off the end of the text and returns its number. Returns false if the text does not end so. */
static bool cut_checksum(char *text, uint32_t *crc)
{
    enum { TAIL = 10 };
    size_t n = strlen(text);
    while (n && (text[n - 1] == '\r' || text[n - 1] == ' '))
        text[--n] = 0;
    if (n <= TAIL || memcmp(text + n - TAIL, " *", 2) != 0 || !kit_number(text + n - TAIL + 2, crc))
        return false;
    text[n - TAIL] = 0;
    return true;
}

static bool take_head(struct kit_line *out, const char **at)
{
    uint64_t tag, number;
    *at += strlen("shim ");
    if (!take_digits(at, 8, &tag) || *(*at)++ != ' ' || !take_digits(at, 8, &number) || *(*at)++ != ' ')
        return false;
    out->tag = (uint32_t)tag;
    out->number = (uint32_t)number;
    return true;
}

static bool take_fields(struct kit_line *out)
{
    out->word = out->text;
    for (char *space = strchr(out->text, ' '); space; space = strchr(space, ' ')) {
        *space++ = 0;
        if (out->n == KIT_MOST_FIELDS)
            return false;
        out->fields[out->n++] = space;
    }
    return *out->word;
}

static enum kit_line_kind take(struct kit_line *out, char *line)
{
    uint32_t said;
    const char *at = line;
    for (const char *p = line; *p; p++)
        if ((*p < ' ' && *p != '\r') || *p > '~')
            return KIT_LINE_BROKEN; /* the kit prints only plain text */
    if (!cut_checksum(line, &said) || (kit_crc(UINT32_MAX, line, strlen(line)) ^ UINT32_MAX) != said ||
        !take_head(out, &at))
        return KIT_LINE_BROKEN;
    out->body = xasprintf("%s\n", at);
    out->length = strlen(out->body);
    out->text = xstrdup(at);
    return take_fields(out) ? KIT_LINE_GOOD : KIT_LINE_BROKEN;
}

enum kit_line_kind kit_line_take(struct kit_line *out, const char *text)
{
    const char *begin = strstr(text, "shim ");
    *out = (struct kit_line){.word = ""};
    if (!begin)
        return KIT_LINE_OTHER;
    char *line = xstrdup(begin);
    enum kit_line_kind kind = take(out, line);
    free(line);
    return kind;
}

void kit_line_release(struct kit_line *l)
{
    free(l->body);
    free(l->text);
    *l = (struct kit_line){.word = ""};
}
