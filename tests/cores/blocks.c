/* blocks.c - code that no trial of a core has: what the C and mathematical libraries bring along. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    enum { N = 64 };
    double x[N], sum = 0;
    for (int i = 0; i < N; i++)
        x[i] = sin(i) + pow(1.01, i) + log1p(i) * atan2(i, 3) + cabs(csqrt(i - 3.0)) + tgamma(i / 32.0 + 1);
    qsort(x, N, sizeof *x, by_value);
    for (int i = 0; i < N; i++)
        sum += fma(x[i], i, 1) + (double)strtod(argc > 1 ? argv[1] : "1.5e3", NULL) + (double)lround(erf(x[i]));
    char text[80];
    snprintf(text, sizeof text, "%.3f %s", sum, argc > 2 ? strstr(argv[2], "a") : "");
    return (int)strlen(text) & 1;
}
