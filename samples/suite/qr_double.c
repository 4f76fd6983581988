/*
 * qr_double - a small matrix taken apart by Householder's reflections, A = Q R, and a system solved; double precision.
 *
 * Householder, "Unitary Triangularization of a Nonsymmetric Matrix", 1958. The root is Newton's, for the library has no
 * place in the region. The truth: the solution that the right-hand side was made from; and R'R = A'A, whatever Q is.
 *
 * Work: 8 x 8: column k is reflected at 7 - k others of 8 - k elements, 2 products and 2 sums each; over k = 0 .. 6
 * that is 7 * 8 + 6 * 7 + 5 * 6 + 4 * 5 + 3 * 4 + 2 * 3 + 1 * 2 = 168 elements; in 8 lanes 168 * 4 / 8 = 84.
 */
#include "../sample.h"
#include "test_signal.h"

#define N 8

static double a[N][N + 1]; /* the matrix, the right-hand side in the last column */
static double r[N][N + 1];
static double solution[N];

/* From above, so that it falls to the root; stops where it no longer falls. */
static double root_of(double x)
{
    double y = x > 1.0 ? x : 1.0, next;

    for (;;) {
        next = 0.5 * (y + x / y);
        if (!(next < y))
            return y;
        y = next;
    }
}

static void reflect(int k)
{
    double norm = 0.0, v[N], vv, dot;

    for (int i = k; i < N; i++)
        norm += r[i][k] * r[i][k];
    norm = root_of(norm);
    for (int i = k; i < N; i++)
        v[i] = r[i][k];
    v[k] += v[k] < 0.0 ? -norm : norm;
    vv = norm * norm + norm * (r[k][k] < 0.0 ? -r[k][k] : r[k][k]);
    for (int j = k; j <= N; j++) {
        dot = 0.0;
        for (int i = k; i < N; i++)
            dot += v[i] * r[i][j];
        dot /= vv;
        for (int i = k; i < N; i++)
            r[i][j] -= dot * v[i];
    }
}

static void solve(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= N; j++)
            r[i][j] = a[i][j];
    for (int k = 0; k < N - 1; k++)
        reflect(k);
    for (int i = N - 1; i >= 0; i--) {
        double sum = r[i][N];

        for (int j = i + 1; j < N; j++)
            sum -= r[i][j] * solution[j];
        solution[i] = sum / r[i][i];
    }
}

static double wanted(int i)
{
    return i - 2.5;
}

/* Strong on the diagonal, so that its condition is small. */
static void prepare(void)
{
    uint32_t noise = 141421u;

    for (int i = 0; i < N; i++) {
        a[i][N] = 0.0;
        for (int j = 0; j < N; j++) {
            a[i][j] = noise_unit(&noise) + (i == j ? 5.0 : 0.0);
            a[i][N] += a[i][j] * wanted(j);
        }
    }
    SHIM_KEEP(a);
}

static double gram(double m[N][N + 1], int i, int j, int rows)
{
    double sum = 0.0;

    for (int k = 0; k < rows; k++)
        sum += m[k][i] * m[k][j];
    return sum;
}

int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("qr_double");
    solve();
    SHIM_KEEP(r);
    SHIM_KEEP(solution);
    shim_region_end("qr_double");
    for (int i = 0; i < N; i++) {
        worst = worse_of(worst, fabs(solution[i] - wanted(i)));
        for (int j = i; j < N; j++)
            worst = worse_of(worst, fabs(gram(r, i, j, i + 1) - gram(a, i, j, N)));
    }
    return sample_verdict_real("worst error", worst, 0.0, 1e-11);
}
