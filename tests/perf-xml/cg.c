/* Conjugate gradients on the five-point Laplacian of a grid, as NPB's CG in small: rows go to threads by blocks. */
#include <math.h>
#include <stdio.h>
enum { N = 48, ROWS = N * N };
static double x[ROWS], r[ROWS], p[ROWS], q[ROWS];
static void product(const double *from, double *to)
{
#pragma omp parallel for schedule(static) num_threads(4)
    for (int i = 0; i < ROWS; i++) {
        double sum = 4 * from[i];
        if (i % N)
            sum -= from[i - 1];
        if (i % N != N - 1)
            sum -= from[i + 1];
        if (i >= N)
            sum -= from[i - N];
        if (i + N < ROWS)
            sum -= from[i + N];
        to[i] = sum;
    }
}
static double dot(const double *a, const double *b)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static) num_threads(4)
    for (int i = 0; i < ROWS; i++)
        sum += a[i] * b[i];
    return sum;
}
int main(void)
{
    for (int i = 0; i < ROWS; i++)
        r[i] = p[i] = 1;
    double rr = dot(r, r);
    for (int k = 0; k < 90; k++) {
        product(p, q);
        double alpha = rr / dot(p, q), next;
#pragma omp parallel for schedule(static) num_threads(4)
        for (int i = 0; i < ROWS; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        next = dot(r, r);
        for (int i = 0; i < ROWS; i++)
            p[i] = r[i] + next / rr * p[i];
        rr = next;
    }
    return !(sqrt(rr) < 1e-6); /* it has converged */
}
