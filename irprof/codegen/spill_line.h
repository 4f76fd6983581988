/*
 * spill_line.h - a line of machine IR, searched outside of its quoted names. Internal
 * to spill_mir.c and spill_access.c.
 */
#ifndef IRPROF_CODEGEN_SPILL_LINE_H
#define IRPROF_CODEGEN_SPILL_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct line {
    const char *s;
    size_t n;
};

static inline bool line_starts(struct line l, const char *prefix)
{
    size_t n = strlen(prefix);
    return l.n >= n && memcmp(l.s, prefix, n) == 0;
}

/* The length of the token at s: a quoted text, or one character. */
static inline size_t line_token(const char *s, const char *end)
{
    if (*s != '"' && *s != '`')
        return 1;
    char quote = *s;
    for (const char *p = s + 1; p < end; p++) {
        if (*p == '\\' && quote == '"' && p + 1 < end)
            p++;
        else if (*p == quote)
            return (size_t)(p + 1 - s);
    }
    return (size_t)(end - s);
}

/* The first `what` outside of quotes, or NULL. */
static inline const char *line_find(const char *s, const char *end, const char *what)
{
    size_t n = strlen(what);
    for (; s + n <= end; s += line_token(s, end))
        if (memcmp(s, what, n) == 0)
            return s;
    return 0;
}

#endif
