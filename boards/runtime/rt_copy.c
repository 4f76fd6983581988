/*
 * rt_copy.c - memcpy, memmove and memset in Thumb-2 code, for programs of microcontrollers. The C library under which
 * such programs run in Linux's emulator has these in A32 code, which the parts cannot execute; everything else that a
 * sample calls is Thumb-2. Words are moved four at a time, as in libraries for such parts (newlib's memcpy for Armv7-M
 * moves sixteen). They are linked with the program and timed like it.
 */
#ifdef __arm__
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Otherwise the compiler would replace their loops by calls of these functions. */
#define PLAIN __attribute__((target("thumb"), no_builtin("memcpy", "memmove", "memset")))

typedef uint32_t __attribute__((may_alias, aligned(1))) any_word; /* such parts load words from any address */
typedef uint32_t __attribute__((may_alias)) word;

PLAIN void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    unsigned char *d = to;
    const unsigned char *s = from;
    for (; n && ((uintptr_t)d & 3); n--)
        *d++ = *s++;
    for (; n >= 16; n -= 16, d += 16, s += 16) {
        word *w = (word *)(void *)d;
        const any_word *r = (const any_word *)(const void *)s;
        uint32_t a = r[0], b = r[1], c = r[2], e = r[3];
        w[0] = a;
        w[1] = b;
        w[2] = c;
        w[3] = e;
    }
    for (; n >= 4; n -= 4, d += 4, s += 4)
        *(word *)(void *)d = *(const any_word *)(const void *)s;
    while (n--)
        *d++ = *s++;
    return to;
}

PLAIN void *memmove(void *to, const void *from, size_t n)
{
    unsigned char *d = (unsigned char *)to + n;
    const unsigned char *s = (const unsigned char *)from + n;
    if ((uintptr_t)to - (uintptr_t)from >= n) /* copying forwards overwrites nothing that has not been read */
        return memcpy(to, from, n);
    for (; n && ((uintptr_t)d & 3); n--)
        *--d = *--s;
    for (; n >= 4; n -= 4) {
        d -= 4;
        s -= 4;
        *(word *)(void *)d = *(const any_word *)(const void *)s;
    }
    while (n--)
        *--d = *--s;
    return to;
}

PLAIN void *memset(void *to, int value, size_t n)
{
    unsigned char *d = to;
    uint32_t v = (unsigned char)value * UINT32_C(0x01010101);
    for (; n && ((uintptr_t)d & 3); n--)
        *d++ = (unsigned char)v;
    for (; n >= 16; n -= 16, d += 16) {
        word *w = (word *)(void *)d;
        w[0] = v;
        w[1] = v;
        w[2] = v;
        w[3] = v;
    }
    for (; n >= 4; n -= 4, d += 4)
        *(word *)(void *)d = v;
    while (n--)
        *d++ = (unsigned char)v;
    return to;
}
#else
typedef int rt_copy_nothing; /* a source file must not be empty */
#endif
