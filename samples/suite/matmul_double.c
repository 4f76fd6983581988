/*
 * matmul_double - product of two 48 x 48 matrices in double precision, the row of the result swept by columns.
 *
 * The loop order i, k, j runs along rows (Golub and Van Loan, "Matrix Computations", section 1.1). The truth: A holds
 * i + k + 1 and B holds k - j, and the sum of (i + k + 1)(k - j) over k has a closed form; all numbers are exact.
 *
 * Work: 48^3 products and as many sums; in vectors of 8 lanes, 110592 * 2 / 8 = 27648.
 */
#include "../sample.h"
#include "test_signal.h"

#define N 48

static double a[N][N], b[N][N], product[N][N];

static void multiply(void)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            product[i][j] = 0.0;
        for (int k = 0; k < N; k++) {
            double factor = a[i][k];

            for (int j = 0; j < N; j++)
                product[i][j] += factor * b[k][j];
        }
    }
}

static void prepare(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i + j + 1;
            b[i][j] = i - j;
        }
    SHIM_KEEP(a);
    SHIM_KEEP(b);
}

/* sum k^2 + (i + 1 - j) sum k - N (i + 1) j, over k from 0 to N - 1. */
static double expected(int i, int j)
{
    int sum = N * (N - 1) / 2, squares = (N - 1) * N * (2 * N - 1) / 6;

    return squares + (i + 1 - j) * sum - N * (i + 1) * j;
}

int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("matmul_double");
    multiply();
    SHIM_KEEP(product);
    shim_region_end("matmul_double");
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double error = fabs(product[i][j] - expected(i, j));

            worst = worse_of(worst, error);
        }
    return sample_verdict_real("worst error", worst, 0.0, 0.0);
}
