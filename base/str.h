/*
 * str.h - a growing string. Always ends in NUL; `s` is never NULL after the first
 * call. Start with STR_INIT, end with str_release or str_detach.
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str {
    char *s;
    size_t len; /* without the NUL; the string may hold NULs */
    size_t cap;
};
#define STR_INIT                                                                                                       \
    {                                                                                                                  \
        0, 0, 0                                                                                                        \
    }

void str_add(struct str *b, const char *text);
void str_addn(struct str *b, const char *bytes, size_t n);
void str_addch(struct str *b, char c);
void str_addf(struct str *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void str_clear(struct str *b);             /* empty, memory kept */
const char *str_text(const struct str *b); /* "" when nothing was added; borrowed */
char *str_detach(struct str *b);           /* the caller now owns the text; b is empty */
void str_release(struct str *b);

/* Shell-style pattern: `*` any run, `?` one character, all else itself: brackets too, which names in SHIM files have
 * and which fnmatch would take as a set. The whole text must match. */
bool glob_match(const char *pattern, const char *text);

/* The candidate nearest to `word` by edit distance, if near enough to be a slip; NULL otherwise. Borrowed from the
 * list. */
const char *nearest_word(const char *word, const char *const *candidates, size_t n);

/* Whole-string conversions: true when all of `text` is a number in range. Locale-independent form only ('.' decimal).
 */
bool parse_double(const char *text,
                  double *value);               /* accepts inf and nan spellings; callers refuse them where they must */
bool parse_long(const char *text, long *value); /* decimal */

/* A size in bytes: "65536", "32K", "1 GiB", "64 B"; K, M, G and T are powers of 1024. *rest (NULL: nothing may) is what
 * follows it. False: no such size, or one of 2^64 bytes and more. */
bool parse_bytes(const char *text, uint64_t *bytes, const char **rest);

/* A copy in which nothing can steer a terminal: control characters but line break and tab, bytes that are no UTF-8 and
 * the marks that turn the direction of writing become \xHH. The caller frees. */
char *printable_text(const char *text);

/* Shortest decimal that reads back as the same double; whole numbers below 1e15 by all their digits. '.' decimal. The
 * caller frees. */
char *format_double(double value);

#endif
