/* sparse_solver.c - thirty iterations of conjugate gradients on a Poisson problem of 256 x 256, in CSR of doubles. */
#include <stdio.h>
enum { SIDE = 256, N = SIDE * SIDE };
static int first[N + 1], column[5 * N];
static double value[5 * N], x[N], r[N], p[N], q[N];
static void entry(int *n, int c, double v)
{
    column[*n] = c;
    value[(*n)++] = v;
}
__attribute__((noinline)) static void matrix(void)
{
    int n = 0;
    for (int i = 0; i < N; i++) {
        int row = i / SIDE, col = i % SIDE;
        first[i] = n;
        if (row > 0)
            entry(&n, i - SIDE, -1);
        if (col > 0)
            entry(&n, i - 1, -1);
        entry(&n, i, 4);
        if (col < SIDE - 1)
            entry(&n, i + 1, -1);
        if (row < SIDE - 1)
            entry(&n, i + SIDE, -1);
    }
    first[N] = n;
}
__attribute__((noinline)) static void multiply(void)
{
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int k = first[i]; k < first[i + 1]; k++)
            sum += value[k] * p[column[k]];
        q[i] = sum;
    }
}
__attribute__((noinline)) static double dot(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[i] * b[i];
    return sum;
}
__attribute__((noinline)) static void add(double *to, double factor, const double *from)
{
    for (int i = 0; i < N; i++)
        to[i] += factor * from[i];
}
__attribute__((noinline)) static void direction(double beta)
{
    for (int i = 0; i < N; i++)
        p[i] = r[i] + beta * p[i];
}
__attribute__((noinline)) static void solve(void)
{
    double old = dot(r, r);
    for (int i = 0; i < 30; i++) {
        multiply();
        double alpha = old / dot(p, q);
        add(x, alpha, p);
        add(r, -alpha, q);
        double now = dot(r, r);
        direction(now / old);
        old = now;
    }
}
int main(void)
{
    matrix();
    for (int i = 0; i < N; i++)
        r[i] = p[i] = i % 7 - 3;
    solve();
    printf("%g\n", x[N / 2]);
    return 0;
}
