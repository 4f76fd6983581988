/*
 * horner - a quotient of two polynomials of degree 4 at eight points, in double: (2 - x) f / f with f without zeros.
 *
 * Truth: the quotient is 2 - x.
 * Work: 8 points with chains of 9 multiplications and a division, in vectors of 8 lanes at most: 10.
 */
#include "../sample.h"

enum { N = 8, DEGREE = 4 };
static const double f[DEGREE + 1] = {1, 0.5, 3, 0.25, 2};
static double above[DEGREE + 2], below[DEGREE + 1], x[N], y[N];

static double value(const double *c, int degree, double at)
{
    double sum = c[degree];

    while (degree-- > 0)
        sum = sum * at + c[degree];
    return sum;
}

int main(void)
{
    int wrong = 0;

    memcpy(below, f, sizeof below);
    for (int i = 0; i <= DEGREE + 1; i++)
        above[i] = (i <= DEGREE ? 2 * f[i] : 0) - (i > 0 ? f[i - 1] : 0);
    for (int i = 0; i < N; i++)
        x[i] = 0.375 * i;
    SHIM_KEEP(above);
    SHIM_KEEP(below);
    SHIM_KEEP(x);
    shim_region_begin("horner");
    for (int i = 0; i < N; i++)
        y[i] = value(above, DEGREE + 1, x[i]) / value(below, DEGREE, x[i]);
    SHIM_KEEP(y);
    shim_region_end("horner");
    for (int i = 0; i < N; i++)
        wrong |= sample_verdict_real("quotient", y[i], 2 - 0.375 * i, 1e-12);
    return wrong;
}
