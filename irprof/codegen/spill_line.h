/*
 * spill_line.h - a line of machine IR, searched outside of its quoted names, and the parts of an instruction's:
 *
 *     $x0, $sp = frame-destroy LDRXpost $sp, 16, debug-location !7 :: (load (s64) from %stack.0)
 *
 * Internal to spill_mir.c, spill_access.c and target_code.c.
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

static inline bool line_has(struct line l, const char *what)
{
    return line_find(l.s, l.s + l.n, what);
}

struct mir_line {
    struct line all, defined, opcode, operands;
    struct line memory; /* what it accesses; s NULL: nothing is said */
    bool loads, stores; /* so `memory` says */
    bool frame;         /* sets up a frame, or takes it down */
};
/* spill_mir.c: the parts of an instruction. */
struct mir_line mir_line_read(struct line l);
/* spill_mir.c: where in memory: what follows "from", "into" or "on". s NULL: not given. */
struct line mir_line_place(struct line operand);

#endif
