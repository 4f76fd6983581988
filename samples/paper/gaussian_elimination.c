/*
 * GaussianElimination - 10 simultaneous equations: a Hilbert matrix rounded to 7 decimals, right side 1 .. 10; partial
 * pivoting, back substitution.
 *
 * Work: 45 factors and 10 unknowns are one division each, and each is needed by itself before the next: 55. Elimination
 * multiplies and subtracts over sum m (m + 1), m = 1 .. 9, = 330 elements, back substitution over 45: 750 operations,
 * in vectors of at most 16 lanes: 46. Together 101.
 */
#include "../sample.h"

#define N 10

/* Row i, column j of the matrix is reciprocal[i + j]. */
static const double reciprocal[2 * N - 1] = {
    1.0000000, 0.5000000, 0.3333333, 0.2500000, 0.2000000, 0.1666667, 0.1428571, 0.1250000, 0.1111111, 0.1000000,
    0.0909091, 0.0833333, 0.0769231, 0.0714286, 0.0666667, 0.0625000, 0.0588235, 0.0555556, 0.0526316,
};

static void eliminate(double a[N][N], double b[N])
{
    int i, j, k, pivot;
    double factor, kept;

    for (k = 0; k < N - 1; k++) {
        pivot = k;
        for (i = k + 1; i < N; i++)
            if (fabs(a[i][k]) > fabs(a[pivot][k]))
                pivot = i;
        if (pivot != k) {
            for (j = k; j < N; j++) {
                kept = a[k][j];
                a[k][j] = a[pivot][j];
                a[pivot][j] = kept;
            }
            kept = b[k];
            b[k] = b[pivot];
            b[pivot] = kept;
        }
        for (i = k + 1; i < N; i++) {
            factor = a[i][k] / a[k][k];
            for (j = k + 1; j < N; j++)
                a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    }
}

static void substitute_back(double a[N][N], double b[N])
{
    int i, j;

    for (i = N - 1; i >= 0; i--) {
        for (j = i + 1; j < N; j++)
            b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
}

/*
 * The solution put into the equations. Elimination with partial pivoting is backward stable: the residual stays within
 * a small multiple of epsilon * |A| * |x|, however ill-conditioned the matrix is; |A| is at most the first row's sum,
 * below 3.
 */
static int check(const double x[N])
{
    long double left;
    double largest = 0;
    int i, j, verdict = 0;

    for (j = 0; j < N; j++)
        largest = fmax(largest, fabs(x[j]));
    for (i = 0; i < N && !verdict; i++) {
        left = 0;
        for (j = 0; j < N; j++)
            left += (long double)reciprocal[i + j] * x[j];
        verdict = sample_verdict_real("left side", (double)left, i + 1, 100 * 2.2e-16 * 3 * largest);
    }
    return verdict;
}

int main(void)
{
    double a[N][N], b[N];
    int i, j;

    for (i = 0; i < N; i++) {
        for (j = 0; j < N; j++)
            a[i][j] = reciprocal[i + j];
        b[i] = i + 1;
    }
    SHIM_KEEP(a);
    SHIM_KEEP(b);
    shim_region_begin("GaussianElimination");
    eliminate(a, b);
    substitute_back(a, b);
    shim_region_end("GaussianElimination");
    SHIM_KEEP(b);
    return check(b);
}
