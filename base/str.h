/*
 * str.h - a growing string. It always ends in NUL; `s` is never NULL after the first call. Initialise with STR_INIT,
 * free with str_release, or take the text with str_detach.
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
void str_clear(struct str *b);             /* empties the string, keeps the memory */
const char *str_text(const struct str *b); /* "" if nothing was added; borrowed */
char *str_detach(struct str *b);           /* the caller now owns the text; b is empty */
void str_release(struct str *b);

/* Matches a pattern against the whole text: `*` is any sequence, `?` any character. All else matches itself, brackets too:
 * names in SHIM files have them, and fnmatch would take them as a set. */
bool glob_match(const char *pattern, const char *text);

/* Does the text begin with these bytes? */
bool text_begins(const char *text, const char *with);
/* Does a name have this ending? The ending alone is no name: ".csv" does not end with ".csv". */
bool text_ends(const char *text, const char *with);

/* What a character is written as in XML and HTML, in text and between double quotes: "&amp;" and the like for & < > "; NULL:
 * it stands for itself. */
const char *xml_entity(char c);

/* The candidate most similar to `word` by edit distance, if it may be a typing error; otherwise NULL. Borrowed from the
 * list. */
const char *nearest_word(const char *word, const char *const *candidates, size_t n);

/* The words of a text between any of the separators, as a list that ends with NULL and is never NULL itself. The caller frees
 * it with words_free. */
char **words_of(const char *text, const char *separators);
void words_free(char **words);        /* NULL is fine */
char *words_text(char *const *words); /* with spaces between; the caller frees it; NULL: no words */

/* The words of a command: parted by spaces, '...' and "..." keep them together. NULL: a quote is not closed. The caller
 * frees it with words_free. */
char **words_quoted(const char *text);
/* The same backwards, with quotes where they are needed; the caller frees it. */
char *words_requoted(char *const *words);

/* Convert a whole string: true if all of `text` is a number in range. '.' is the decimal point in every locale. */
bool parse_double(const char *text, double *value); /* Also accepts inf and nan; callers refuse them where needed. */
bool parse_long(const char *text, long *value);     /* decimal */

/* A size in bytes: "65536", "32K", "1 GiB", "64 B"; K, M, G and T are powers of 1024. *rest is what
 * follows it; NULL: nothing may follow. False: not a size, or 2^64 bytes or more. */
bool parse_bytes(const char *text, uint64_t *bytes, const char **rest);

/* How many bytes at `p` are one character of UTF-8 (RFC 3629), *code: which; 0: none. */
size_t utf8_character(const unsigned char *p, unsigned *code);
/* Control characters other than line break and tab, and marks that change the direction of writing. */
bool is_steering(unsigned code);
/* A copy that cannot control a terminal: control characters other than line break and tab, bytes that are not UTF-8 and
 * marks that change the direction of writing become \xHH. The caller frees it. */
char *printable_text(const char *text);

/* The shortest decimal that reads back as the same double; whole numbers below 1e15 have all digits. '.' is the decimal
 * point. The caller frees it. */
char *format_double(double value);

#endif
