/*
 * shim_library.c - the few functions that compilers call by themselves, for images without a C library: memory, texts,
 * division of 64 bits. Where there is a C library and the compiler's own, leave it out. C89 and a type of 64 bits.
 */
#include <stddef.h>

void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int value, size_t n);
int memcmp(const void *a, const void *b, size_t n);
void *memchr(const void *at, int value, size_t n);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);

/* volatile: the compiler must not turn a copying loop into a call of memcpy */
void *memcpy(void *to, const void *from, size_t n)
{
    volatile char *d = to;
    const char *s = from;
    while (n--)
        *d++ = *s++;
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    volatile char *d = to;
    const char *s = from;
    if ((const char *)to <= s)
        return memcpy(to, from, n);
    while (n--)
        d[n] = s[n];
    return to;
}

void *memset(void *to, int value, size_t n)
{
    volatile char *d = to;
    while (n--)
        *d++ = (char)value;
    return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *x = a, *y = b;
    for (; n; n--, x++, y++)
        if (*x != *y)
            return *x - *y;
    return 0;
}

void *memchr(const void *at, int value, size_t n)
{
    const unsigned char *x = at;
    for (; n; n--, x++)
        if (*x == (unsigned char)value)
            return (void *)x;
    return 0;
}

size_t strlen(const char *text)
{
    const volatile char *at = text;
    while (*at)
        at++;
    return (size_t)(at - text);
}

int strncmp(const char *a, const char *b, size_t n)
{
    for (; n && *a && *a == *b; n--, a++)
        b++;
    return n ? (unsigned char)*a - (unsigned char)*b : 0;
}

int strcmp(const char *a, const char *b)
{
    return strncmp(a, b, (size_t)-1);
}

#if defined(__SIZEOF_POINTER__) && __SIZEOF_POINTER__ == 4
__extension__ typedef long long long64;
__extension__ typedef unsigned long long word64;

word64 __udivmoddi4(word64 a, word64 b, word64 *rest);
word64 __udivdi3(word64 a, word64 b);
word64 __umoddi3(word64 a, word64 b);
long64 __divdi3(long64 a, long64 b);
long64 __moddi3(long64 a, long64 b);

/* Divides bit by bit, in words of 32 bits, so that it never calls itself. Division by 0 gives 0. */
word64 __udivmoddi4(word64 a, word64 b, word64 *rest)
{
    word64 left = 0, quotient = 0;
    int i;
    for (i = 63; b != 0 && i >= 0; i--) {
        left = left << 1 | (a >> 63);
        a <<= 1;
        quotient <<= 1;
        if (left >= b) {
            left -= b;
            quotient |= 1;
        }
    }
    if (rest)
        *rest = left;
    return quotient;
}

word64 __udivdi3(word64 a, word64 b)
{
    return __udivmoddi4(a, b, 0);
}

word64 __umoddi3(word64 a, word64 b)
{
    word64 rest;
    (void)__udivmoddi4(a, b, &rest);
    return rest;
}

static word64 size_of(long64 a)
{
    return a < 0 ? 0 - (word64)a : (word64)a;
}

long64 __divdi3(long64 a, long64 b)
{
    word64 q = __udivmoddi4(size_of(a), size_of(b), 0);
    return (long64)((a < 0) != (b < 0) ? 0 - q : q);
}

long64 __moddi3(long64 a, long64 b)
{
    word64 rest;
    (void)__udivmoddi4(size_of(a), size_of(b), &rest);
    return (long64)(a < 0 ? 0 - rest : rest);
}

#if defined(__arm__)
/* Run-time ABI for the Arm architecture (IHI 0043), 4.3: the quotient in r0 and r1, the remainder in r2 and r3. */
long64 shim_divided(long64 a, long64 b, long64 *rest);
long64 shim_divided(long64 a, long64 b, long64 *rest)
{
    *rest = __moddi3(a, b);
    return __divdi3(a, b);
}
__asm__(".syntax unified\n.text\n.thumb\n"
        ".globl __aeabi_uldivmod\n.thumb_func\n__aeabi_uldivmod:\n\t"
        "push {r4, lr}\n\tsub sp, #16\n\tadd r4, sp, #8\n\tstr r4, [sp]\n\tbl __udivmoddi4\n\t"
        "ldrd r2, r3, [sp, #8]\n\tadd sp, #16\n\tpop {r4, pc}\n"
        ".globl __aeabi_ldivmod\n.thumb_func\n__aeabi_ldivmod:\n\t"
        "push {r4, lr}\n\tsub sp, #16\n\tadd r4, sp, #8\n\tstr r4, [sp]\n\tbl shim_divided\n\t"
        "ldrd r2, r3, [sp, #8]\n\tadd sp, #16\n\tpop {r4, pc}\n");

/* The same document, 4.3.4: memory. */
void __aeabi_memcpy(void *to, const void *from, size_t n);
void __aeabi_memmove(void *to, const void *from, size_t n);
void __aeabi_memset(void *to, size_t n, int value);
void __aeabi_memclr(void *to, size_t n);
void __aeabi_memcpy(void *to, const void *from, size_t n)
{
    (void)memcpy(to, from, n);
}
void __aeabi_memmove(void *to, const void *from, size_t n)
{
    (void)memmove(to, from, n);
}
void __aeabi_memset(void *to, size_t n, int value)
{
    (void)memset(to, value, n);
}
void __aeabi_memclr(void *to, size_t n)
{
    (void)memset(to, 0, n);
}
__asm__(".globl __aeabi_memcpy4, __aeabi_memcpy8, __aeabi_memmove4, __aeabi_memmove8\n"
        ".globl __aeabi_memset4, __aeabi_memset8, __aeabi_memclr4, __aeabi_memclr8\n"
        ".set __aeabi_memcpy4, __aeabi_memcpy\n.set __aeabi_memcpy8, __aeabi_memcpy\n"
        ".set __aeabi_memmove4, __aeabi_memmove\n.set __aeabi_memmove8, __aeabi_memmove\n"
        ".set __aeabi_memset4, __aeabi_memset\n.set __aeabi_memset8, __aeabi_memset\n"
        ".set __aeabi_memclr4, __aeabi_memclr\n.set __aeabi_memclr8, __aeabi_memclr\n");
#endif
#endif
