/* stdlib.h - declarations of the standard functions, for compiling samples to IR without a C library at hand. */
#ifndef SHIM_STDLIB_H
#define SHIM_STDLIB_H
#include <stddef.h>
void *malloc(size_t n);
void *calloc(size_t n, size_t size);
void *realloc(void *at, size_t n);
void free(void *at);
_Noreturn void exit(int code);
_Noreturn void abort(void);
int abs(int x);
long labs(long x);
long long llabs(long long x);
int atoi(const char *text);
long strtol(const char *restrict text, char **restrict end, int base);
unsigned long strtoul(const char *restrict text, char **restrict end, int base);
long long strtoll(const char *restrict text, char **restrict end, int base);
unsigned long long strtoull(const char *restrict text, char **restrict end, int base);
double strtod(const char *restrict text, char **restrict end);
float strtof(const char *restrict text, char **restrict end);
void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *base, size_t n, size_t size, int (*compare)(const void *, const void *));
#endif
