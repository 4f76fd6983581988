/* string.h - declarations of the standard functions, for compiling samples to IR without a C library at hand. */
#ifndef SHIM_STRING_H
#define SHIM_STRING_H
#include <stddef.h>
void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int value, size_t n);
int memcmp(const void *a, const void *b, size_t n);
void *memchr(const void *at, int value, size_t n);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
char *strchr(const char *text, int c);
char *strrchr(const char *text, int c);
char *strstr(const char *text, const char *part);
char *strcpy(char *restrict to, const char *restrict from);
char *strncpy(char *restrict to, const char *restrict from, size_t n);
char *strcat(char *restrict to, const char *restrict from);
char *strncat(char *restrict to, const char *restrict from, size_t n);
size_t strspn(const char *text, const char *set);
size_t strcspn(const char *text, const char *set);
char *strtok(char *restrict text, const char *restrict set);
#endif
