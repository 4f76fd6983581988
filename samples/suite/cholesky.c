/*
 * cholesky - the factor of a symmetric positive definite 40 x 40 matrix in double precision.
 *
 * Golub and Van Loan, "Matrix Computations", section 4.2; square roots by Newton's iteration, so that no library has
 * part in the work. The truth: min(i, j) + 1 has the factor of ones below the diagonal, exactly.
 *
 * Work: inner products over sum of j <= i of j, 40 * 41 * 39 / 6 = 10660 products and differences, in vectors of 8
 * lanes: 10660 * 2 / 8 = 2665. 780 divisions for what stands below the diagonal, in vectors: 97. 4 times 2762 = 11048.
 */
#include "../sample.h"
#include "test_signal.h"

#define N     40
#define TIMES 4

static double matrix[N][N], factor[N][N];

/* Newton's iteration from above falls until rounding stops it. For x of at least 1. */
static double square_root(double x)
{
    double root = x, next = 0.5 * (x + 1.0);

    while (next < root) {
        root = next;
        next = 0.5 * (root + x / root);
    }
    return root;
}

static double remainder_of(int i, int j)
{
    double sum = matrix[i][j];

    for (int k = 0; k < j; k++)
        sum -= factor[i][k] * factor[j][k];
    return sum;
}

static void factorise(void)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++)
            factor[i][j] = remainder_of(i, j) / factor[j][j];
        factor[i][i] = square_root(remainder_of(i, i));
    }
}

static void compute(void)
{
    for (int t = 0; t < TIMES; t++) {
        factorise();
        SHIM_KEEP(factor);
        SHIM_KEEP(matrix);
    }
}

static void prepare(void)
{
    memset(factor, 0, sizeof factor);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            matrix[i][j] = (i < j ? i : j) + 1;
    SHIM_KEEP(matrix);
    SHIM_KEEP(factor);
}

int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("cholesky");
    compute();
    shim_region_end("cholesky");
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double error = fabs(factor[i][j] - (j <= i ? 1.0 : 0.0));

            worst = worse_of(worst, error);
        }
    return sample_verdict_real("worst error", worst, 0.0, 1e-12);
}
