#include <stdio.h>
__attribute__((noinline)) static void work(const int *restrict a, const int *restrict b, int *restrict c,
                                           double *restrict d, int n)
{
    for (int i = 0; i < n; i++) {
        c[i] = a[i] / b[i] * 3;
        d[i] = a[i] * .5;
    }
}
static int a[64], b[64], c[64];
static double d[64];
int main(void)
{
    unsigned long sum = 0;
    for (int i = 0; i < 64; i++)
        a[i] = i * 7, b[i] = i % 5 + 1;
    work(a, b, c, d, 64);
    for (int i = 0; i < 64; i++)
        sum += (unsigned)c[i] + (unsigned long)(d[i] * 2);
    printf("%lu\n", sum);
    return 0;
}
