/*
 * alloc.h - memory allocation. The one exception to the error convention: when memory runs out, the program ends with
 * one message and exit code 1, after removing unfinished output files. Sizes that come from input must be limited
 * before memory is allocated for them. Free everything returned with free().
 */
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include <stdarg.h>
#include <stddef.h>

void *xmalloc(size_t size);                          /* size 0: a valid pointer */
void *xcalloc(size_t n, size_t size);                /* zeroed */
void *xreallocarray(void *p, size_t n, size_t size); /* overflow of n * size ends the program */
char *xstrdup(const char *s);                        /* NULL gives NULL */
char *xstrndup(const char *s, size_t n);
void *xmemdup(const void *p, size_t n);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *xvasprintf(const char *fmt, va_list ap);
/* What is called when memory runs out, after the message. cleanup.c asks for it: allocation itself knows no files. */
void alloc_before_end(void (*clear_away)(void));

/* VEC(type): a growing array {at, n, cap}. All zeros is an empty one. Elements are moved by value. */
#define VEC(type)                                                                                                      \
    struct {                                                                                                           \
        type *at;                                                                                                      \
        size_t n, cap;                                                                                                 \
    }
/* Grows an array for at least `need` elements; used by vec_push. */
void *vec_grow(void *at, size_t *cap, size_t need, size_t size);
#define vec_push(v, ...)                                                                                               \
    do {                                                                                                               \
        (v)->at = vec_grow((v)->at, &(v)->cap, (v)->n + 1, sizeof *(v)->at);                                           \
        (v)->at[(v)->n++] = (__VA_ARGS__);                                                                             \
    } while (0)
/* Frees the array, but not what its elements own, and leaves it empty. */
#define vec_release(v)                                                                                                 \
    do {                                                                                                               \
        free((v)->at);                                                                                                 \
        (v)->at = 0;                                                                                                   \
        (v)->n = (v)->cap = 0;                                                                                         \
    } while (0)

#endif
