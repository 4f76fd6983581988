/* str.c - growing strings, number parsing, edit distance, UTF-8. */
#include "base/str.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"

static void reserve(struct str *b, size_t more)
{
    b->s = vec_grow(b->s, &b->cap, b->len + more + 1, 1);
}

void str_addn(struct str *b, const char *bytes, size_t n)
{
    reserve(b, n);
    if (n)
        memcpy(b->s + b->len, bytes, n);
    b->len += n;
    b->s[b->len] = 0;
}

void str_add(struct str *b, const char *text)
{
    str_addn(b, text, strlen(text));
}

void str_addch(struct str *b, char c)
{
    reserve(b, 1);
    b->s[b->len++] = c;
    b->s[b->len] = 0;
}

void str_addf(struct str *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = xvasprintf(fmt, ap);
    va_end(ap);
    str_add(b, text);
    free(text);
}

void str_clear(struct str *b)
{
    b->len = 0;
    if (b->s)
        b->s[0] = 0;
}

const char *str_text(const struct str *b)
{
    return b->s ? b->s : "";
}

char *str_detach(struct str *b)
{
    reserve(b, 0);
    b->s[b->len] = 0;
    char *s = b->s;
    *b = (struct str)STR_INIT;
    return s;
}

void str_release(struct str *b)
{
    free(b->s);
    *b = (struct str)STR_INIT;
}

bool text_begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

bool text_ends(const char *text, const char *with)
{
    size_t n = strlen(text), m = strlen(with);
    return n > m && memcmp(text + n - m, with, m) == 0;
}

const char *xml_entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return 0;
    }
}

bool glob_match(const char *pattern, const char *text)
{
    /* on a mismatch, go back to the last star and let it match one more character */
    const char *star = 0, *resume = 0;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            resume = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++resume;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

/* Levenshtein distance. Returns `limit` as soon as the distance cannot be below it. */
static size_t edit_distance(const char *a, const char *b, size_t limit)
{
    size_t n = strlen(a), m = strlen(b);
    if ((n > m ? n - m : m - n) >= limit)
        return limit;
    size_t *row = xcalloc(m + 1, sizeof *row);
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t above = row[j];
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            if (above + 1 < best)
                best = above + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
            diagonal = above;
        }
    }
    size_t distance = row[m];
    free(row);
    return distance < limit ? distance : limit;
}

const char *nearest_word(const char *word, const char *const *candidates, size_t n)
{
    size_t limit = strlen(word) / 3 + 2; /* up to a third of the letters, plus one, may be wrong */
    const char *best = 0;
    for (size_t i = 0; i < n; i++) {
        size_t d = edit_distance(word, candidates[i], limit);
        if (d < limit) {
            limit = d;
            best = candidates[i];
        }
    }
    return best;
}

/* Parses digits with at most one point. There are so few that both numbers are exact, and a single division gives what
 * strtod gives. */
static bool parse_short(const char *text, double *value)
{
    enum { EXACT = 15 }; /* any number of so many digits is exact in a double */
    static const double tens[EXACT + 1] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                           1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    uint64_t digits = 0;
    const char *p = text, *point = 0;
    for (; isdigit((unsigned char)*p) || (*p == '.' && !point); p++) {
        if (*p == '.')
            point = p;
        else
            digits = 10 * digits + (uint64_t)(*p - '0');
        if (p - text > EXACT)
            return false;
    }
    if (*p || p - text < 1 + (point != 0))
        return false;
    *value = (double)digits / tens[point ? p - point - 1 : 0];
    return true;
}

char **words_quoted(const char *text)
{
    VEC(char *) all = {0};
    char quote = 0;
    while (*(text += strspn(text, " \t"))) {
        struct str word = STR_INIT;
        str_add(&word, "");
        for (; *text && (quote || !strchr(" \t", *text)); text++) {
            if (quote && *text == quote)
                quote = 0;
            else if (!quote && strchr("'\"", *text))
                quote = *text;
            else
                str_addch(&word, *text);
        }
        vec_push(&all, str_detach(&word));
    }
    vec_push(&all, 0);
    if (!quote)
        return all.at;
    words_free(all.at);
    return 0;
}

char *words_requoted(char *const *words)
{
    struct str text = STR_INIT;
    str_add(&text, "");
    for (size_t i = 0; words[i]; i++) {
        const char *quote = *words[i] && !strpbrk(words[i], " \t'\"") ? "" : strchr(words[i], '"') ? "'" : "\"";
        str_addf(&text, "%s%s%s%s", i ? " " : "", quote, words[i], quote);
    }
    return str_detach(&text);
}

bool parse_double(const char *text, double *value)
{
    char *end;
    if (parse_short(text, value))
        return true;
    if (!*text || isspace((unsigned char)*text) || strpbrk(text, "xX"))
        return false;
    double v = strtod(text, &end); /* the programs never call setlocale, so '.' is the decimal point */
    if (*end)
        return false;
    *value = v;
    return true;
}

bool parse_long(const char *text, long *value)
{
    char *end;
    if (!*text || isspace((unsigned char)*text))
        return false;
    errno = 0;
    long v = strtol(text, &end, 10);
    if (*end || errno == ERANGE)
        return false;
    *value = v;
    return true;
}

bool parse_bytes(const char *text, uint64_t *bytes, const char **rest)
{
    static const char letters[] = "KMGT";
    if (!isdigit((unsigned char)*text))
        return false;
    char *end;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);
    const char *unit = end + strspn(end, " "), *letter = *unit ? strchr(letters, *unit) : 0;
    unsigned shift = letter ? 10 * (unsigned)(letter - letters + 1) : 0;
    if (letter)
        end = (char *)unit + (strncmp(unit + 1, "iB", 2) == 0 ? 3 : unit[1] == 'B' ? 2 : 1);
    else if (*unit == 'B')
        end = (char *)unit + 1;
    if (errno || n > UINT64_MAX >> shift || (!rest && *end))
        return false;
    *bytes = (uint64_t)n << shift;
    if (rest)
        *rest = end;
    return true;
}

char *format_double(double value)
{
    /* a count: its digits are no longer than an exponent would be, and easier to read */
    if (fabs(value) < 1e15 && value == floor(value))
        return xasprintf("%.0f", value == 0 ? 0 : value);
    char *text = 0;
    for (int digits = 1; digits <= 17; digits++) {
        free(text);
        text = xasprintf("%.*g", digits, value);
        double back;
        if (!parse_double(text, &back) || back == value)
            break;
    }
    return text;
}

size_t utf8_character(const unsigned char *p, unsigned *code)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = *p < 0x80 ? 1 : *p >> 5 == 6 ? 2 : *p >> 4 == 14 ? 3 : *p >> 3 == 30 ? 4 : 0;
    *code = n == 1 ? *p : n ? *p & (0xffu >> (n + 1)) : 0;
    for (size_t i = 1; i < n; i++) {
        if (p[i] >> 6 != 2) /* this also stops at a NUL */
            return 0;
        *code = *code << 6 | (p[i] & 0x3f);
    }
    bool surrogate = *code >= 0xd800 && *code < 0xe000;
    return n && *code >= least[n] && *code <= 0x10ffff && !surrogate ? n : 0;
}

bool is_steering(unsigned code)
{
    bool control = (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0);
    return control || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

char *printable_text(const char *text)
{
    struct str out = STR_INIT;
    str_add(&out, "");
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        unsigned code;
        size_t n = utf8_character(p, &code);
        bool shown = n && !is_steering(code);
        n = n ? n : 1;
        if (shown)
            str_addn(&out, (const char *)p, n);
        for (size_t i = 0; i < n && !shown; i++)
            str_addf(&out, "\\x%02x", p[i]);
        p += n;
    }
    return str_detach(&out);
}

char **words_of(const char *text, const char *separators)
{
    VEC(char *) list = {0};
    for (text += strspn(text, separators); *text; text += strspn(text, separators)) {
        size_t length = strcspn(text, separators);
        vec_push(&list, xstrndup(text, length));
        text += length;
    }
    vec_push(&list, NULL);
    return list.at;
}

void words_free(char **words)
{
    for (char **w = words; w && *w; w++)
        free(*w);
    free(words);
}

char *words_text(char *const *words)
{
    struct str text = STR_INIT;
    str_add(&text, "");
    for (; words && *words; words++)
        str_addf(&text, "%s%s", text.len ? " " : "", *words);
    return str_detach(&text);
}
