/* rt_copy.c - memcpy, memmove, memset in Thumb-2 code, for programs of microcontrollers. Those of the C library
 * that carries such programs under Linux' emulator are in the Arm state, which these parts do not have; all else
 * of it that a sample calls is Thumb-2. Words are moved four at a time, as in the libraries of such parts
 * (newlib's memcpy for Armv7-M moves sixteen). These stand with the program's code, and are timed like it. */
#ifdef __arm__
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The compiler would find these very functions in them. */
#define PLAIN __attribute__((target("thumb"), no_builtin("memcpy", "memmove", "memset")))

typedef uint32_t __attribute__((may_alias, aligned(1))) any_word; /* such a part loads words from any address */
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
    if ((uintptr_t)to - (uintptr_t)from >= n) /* from the front nothing is overwritten before it is read */
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
typedef int rt_copy_nothing; /* a source must not be empty */
#endif
