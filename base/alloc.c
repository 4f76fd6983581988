/* alloc.c - memory allocation that ends the program with one message when memory runs out. */
#include "base/alloc.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void (*before_end)(void); /* set by the program: removes its temporary files (cleanup.c) */

void alloc_before_end(void (*clear_away)(void))
{
    before_end = clear_away;
}

static _Noreturn void out_of_memory(size_t size)
{
    fprintf(stderr, "out of memory (%zu bytes wanted)\n", size);
    if (before_end)
        before_end();
    _Exit(1);
}

void *xmalloc(size_t size)
{
    void *p = malloc(size ? size : 1);
    if (!p)
        out_of_memory(size);
    return p;
}

void *xcalloc(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size ? size : 1);
    if (!p)
        out_of_memory(size && n > SIZE_MAX / size ? SIZE_MAX : n * size);
    return p;
}

void *xreallocarray(void *p, size_t n, size_t size)
{
    if (size && n > SIZE_MAX / size)
        out_of_memory(SIZE_MAX);
    void *q = realloc(p, n && size ? n * size : 1);
    if (!q)
        out_of_memory(n * size);
    return q;
}

char *xstrdup(const char *s)
{
    return s ? xstrndup(s, strlen(s)) : 0;
}

char *xstrndup(const char *s, size_t n)
{
    n = strnlen(s, n);
    char *copy = xmalloc(n + 1);
    memcpy(copy, s, n);
    copy[n] = 0;
    return copy;
}

void *xmemdup(const void *p, size_t n)
{
    void *copy = xmalloc(n);
    if (n)
        memcpy(copy, p, n);
    return copy;
}

char *xvasprintf(const char *fmt, va_list ap)
{
    char *s;
    if (vasprintf(&s, fmt, ap) < 0)
        out_of_memory(0);
    return s;
}

char *xasprintf(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *s = xvasprintf(fmt, ap);
    va_end(ap);
    return s;
}

void *vec_grow(void *at, size_t *cap, size_t need, size_t size)
{
    if (need <= *cap)
        return at;
    size_t cap_new = *cap ? *cap : 8;
    while (cap_new < need) {
        if (cap_new > SIZE_MAX / 2)
            out_of_memory(SIZE_MAX);
        cap_new *= 2;
    }
    at = xreallocarray(at, cap_new, size);
    *cap = cap_new;
    return at;
}
