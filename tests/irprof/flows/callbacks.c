/* Counted functions called from code that is not counted, before main and after it; pointers to functions. */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long state = 1;
static int calls;

static int by_digits(const void *x, const void *y)
{
    int a = *(const int *)x, b = *(const int *)y, s = 0;
    for (int i = a; i; i /= 10)
        s += i % 10;
    for (int i = b; i; i /= 10)
        s -= i % 10;
    calls++;
    return s ? s : (a > b) - (a < b);
}

__attribute__((constructor)) static void before(void)
{
    for (int i = 0; i < 10; i++)
        state = state * 6364136223846793005ul + 1442695040888963407ul;
}
__attribute__((destructor)) static void after(void)
{
    for (int i = 0; i < calls; i++)
        state ^= state << 1;
    printf("%lu\n", state);
}

static unsigned long twice(unsigned long x)
{
    return 2 * x;
}
static unsigned long collatz(unsigned long x)
{
    unsigned long n = 0;
    for (; x != 1; n++)
        x = x % 2 ? 3 * x + 1 : x / 2;
    return n;
}

int main(void)
{
    static unsigned long (*const functions[])(unsigned long) = {twice, collatz};
    int a[200];
    unsigned long sum = 0;
    for (int i = 0; i < 200; i++)
        a[i] = (int)(state = state * 6364136223846793005ul + 1442695040888963407ul) & 0xffff;
    qsort(a, 200, sizeof *a, by_digits);
    for (int i = 0; i < 200; i++) {
        size_t n = 200;
        sum += lfind(&a[199 - i], a, &n, sizeof *a, by_digits) != 0;
        sum += functions[a[i] % 2]((unsigned long)i + 1);
    }
    printf("%d %d %lu\n", a[0], a[199], sum);
    return 0;
}
