/*
 * lu_float - 48 linear equations in single precision by LU factors with partial pivoting, for two right sides.
 *
 * Golub and Van Loan, "Matrix Computations", algorithms 3.4.1, 3.1.1 and 3.1.2. The solutions are chosen first, the
 * right sides are computed from them.
 *
 * Work: 48 * 47 / 2 = 1128 factors, a division each, in vectors of 16 lanes: 70; elimination takes a product and a
 * difference for sum m^2, m = 1 .. 47, = 35720 elements: 35720 * 2 / 16 = 4465. Forward and back substitution take a
 * product and a difference for 2256 elements, for two sides: 2 * 2 * 2256 / 16 = 564. Together 5099.
 */
#include "../sample.h"
#include "test_signal.h"

#define N     48
#define SIDES 2

static float matrix[N][N];
static float side[SIDES][N];
static double wanted[SIDES][N];

static int pivot_of(int k)
{
    int best = k;

    for (int i = k + 1; i < N; i++)
        if (fabsf(matrix[i][k]) > fabsf(matrix[best][k]))
            best = i;
    return best;
}

static void swap_rows(int i, int j)
{
    for (int k = 0; k < N; k++) {
        float kept = matrix[i][k];

        matrix[i][k] = matrix[j][k];
        matrix[j][k] = kept;
    }
}

static void factorise(int pivot[N])
{
    for (int k = 0; k < N; k++) {
        pivot[k] = pivot_of(k);
        if (pivot[k] != k)
            swap_rows(k, pivot[k]);
        for (int i = k + 1; i < N; i++) {
            float factor = matrix[i][k] / matrix[k][k];

            matrix[i][k] = factor;
            for (int j = k + 1; j < N; j++)
                matrix[i][j] -= factor * matrix[k][j];
        }
    }
}

static void solve(float x[N], const int pivot[N])
{
    for (int k = 0; k < N; k++) {
        float kept = x[k];

        x[k] = x[pivot[k]];
        x[pivot[k]] = kept;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++)
            x[i] -= matrix[i][j] * x[j];
    for (int i = N - 1; i >= 0; i--) {
        for (int j = i + 1; j < N; j++)
            x[i] -= matrix[i][j] * x[j];
        x[i] /= matrix[i][i];
    }
}

static void compute(void)
{
    int pivot[N];

    factorise(pivot);
    for (int s = 0; s < SIDES; s++)
        solve(side[s], pivot);
}

/* Noise, and 8 on a diagonal that is turned by 7 rows: well conditioned, and every column needs a swap. */
static void prepare(void)
{
    uint32_t noise = 3039177861u;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            matrix[i][j] = (float)(noise_unit(&noise) + ((i + 7) % N == j ? 8.0 : 0.0));
    for (int s = 0; s < SIDES; s++) {
        for (int j = 0; j < N; j++)
            wanted[s][j] = noise_within(&noise, 10);
        for (int i = 0; i < N; i++) {
            double sum = 0.0;

            for (int j = 0; j < N; j++)
                sum += matrix[i][j] * wanted[s][j];
            side[s][i] = (float)sum;
        }
    }
    SHIM_KEEP(matrix);
    SHIM_KEEP(side);
}

/* The condition is below 100, the roundings 2^-24 of values up to 100: far below 1e-2. */
int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("lu_float");
    compute();
    SHIM_KEEP(side);
    shim_region_end("lu_float");
    for (int s = 0; s < SIDES; s++)
        for (int j = 0; j < N; j++) {
            double error = fabs(side[s][j] - wanted[s][j]);

            worst = worse_of(worst, error);
        }
    return sample_verdict_real("worst error of an unknown", worst, 0.0, 1e-2);
}
