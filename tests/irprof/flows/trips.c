/* Loops whose rounds are known before they begin, or look so: every direction, step, width and condition; none, one and
 * many rounds; several ways out; bounds that wrap. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static volatile unsigned sink;
#define ROUND(x) (sink += (unsigned)(x))

__attribute__((noinline)) static void up(int from, int to, int step)
{
    for (int i = from; i < to; i += step)
        ROUND(i);
    for (int i = from; i <= to; i++)
        ROUND(i ^ 1);
    for (int i = from; i < to; i += 3)
        ROUND(i ^ 2);
}
__attribute__((noinline)) static void down(unsigned n)
{
    for (unsigned i = n; i-- > 0;)
        ROUND(i);
    for (unsigned i = n; i; i--)
        ROUND(i ^ 3);
    while (n--)
        ROUND(n);
}
__attribute__((noinline)) static void until_equal(unsigned from, unsigned to)
{
    for (unsigned i = from; i != to; i += 7)
        ROUND(i); /* 7 is odd: it comes by, after wrapping if need be */
}
__attribute__((noinline)) static void narrow(uint8_t from, uint8_t to, int8_t low, int8_t high)
{
    for (uint8_t i = from; i != to; i++)
        ROUND(i);
    for (int8_t i = low; i < high; i = (int8_t)(i + 5))
        ROUND(i);
    uint8_t k = to;
    do
        ROUND(k);
    while (k++ < 250);
}
__attribute__((noinline)) static void wide(uint64_t n, int64_t low)
{
    for (uint64_t i = UINT64_MAX - n; i; i++)
        ROUND(i);
    for (int64_t i = low; i < low + 20; i += 2)
        ROUND(i);
}
__attribute__((noinline)) static void pointers(const char *s, const char *end)
{
    for (const char *p = s; p < end; p++)
        ROUND(*p);
    for (const char *p = end; p != s;)
        ROUND(*--p);
    for (const int32_t *q = (const int32_t *)(const void *)s; (const char *)(q + 1) <= end; q++)
        ROUND(*q);
}
__attribute__((noinline)) static void triangle(int n)
{
    for (int i = 0; i < n; i++)
        for (int k = i; k < n; k++)
            for (int l = k; l > i; l -= 2)
                ROUND(l);
}
__attribute__((noinline)) static int two_ways_out(const int *a, int n, int wanted)
{
    for (int i = 0; i < n; i++) {
        if (a[i] == wanted)
            return i;
        ROUND(a[i]);
    }
    return -1;
}
__attribute__((noinline)) static void skips(int n)
{
    for (int i = 0; i < n; i++) {
        if (i % 3 == 1)
            continue;
        ROUND(i);
        if (i == 1000)
            break;
    }
}
__attribute__((noinline)) static void product(int n, int m)
{
    for (int i = 0; i < n * m; i++)
        ROUND(i);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            ROUND(k);
}
__attribute__((noinline)) static void real(double to)
{
    for (double x = 0; x < to; x += 0.25)
        ROUND(x);
}
/* The bound changes while the loop runs. */
__attribute__((noinline)) static void moving(int *n)
{
    for (int i = 0; i < *n; i++) {
        ROUND(i);
        if (i % 5 == 0)
            --*n;
    }
}
/* Work that the optimiser may turn into no loop, a vector loop with a rest, or a call. */
__attribute__((noinline)) static unsigned shapes(unsigned *a, const unsigned *b, unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        a[i] = b[i] * 3 + i;
    for (unsigned i = 0; i < n; i++)
        sum += a[i];
    for (unsigned i = 0; i < n; i++)
        a[i] = 0;
    for (unsigned i = 0; i < n; i++)
        sum += i;
    return sum;
}

int main(void)
{
    static const int numbers[] = {5, 2, 8, 1, 9, 3};
    static const char text[] = "a text of some length, for pointers";
    static unsigned a[103], b[103];
    for (int n = -2; n < 6; n++) {
        up(0, n, 1);
        up(n, 9, 2);
        up(INT_MAX - 9, INT_MAX - 5 + n % 3, 1);
        skips(n * 300);
        triangle(n);
        product(n, 4);
        product(3, n);
        real(n);
    }
    for (unsigned n = 0; n < 5; n++) {
        down(n);
        until_equal(UINT_MAX - 20, n * 7 + 7 - 21);
        narrow((uint8_t)(250 + n), (uint8_t)n, (int8_t)(-128 + (int)n), (int8_t)(100 - (int)n));
        wide(n, -7);
    }
    pointers(text, text + sizeof text);
    pointers(text, text);
    for (int w = 0; w < 10; w++)
        ROUND(two_ways_out(numbers, 6, w));
    for (int n = 0; n < 30; n++) {
        int bound = n;
        moving(&bound);
    }
    for (unsigned n = 0; n < 103; n++)
        ROUND(shapes(a, b, n));
    printf("%u\n", sink);
    return 0;
}
