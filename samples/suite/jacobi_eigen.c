/*
 * jacobi_eigen - all eigenvalues and vectors of a symmetric 12 x 12 matrix by Jacobi's rotations; double precision.
 *
 * Jacobi, 1846, cyclic by rows as in Golub and Van Loan, "Matrix Computations", 8.5. The truth: the matrix with 2 on
 * the diagonal and -1 beside it has the eigenvalues 2 - 2 cos(k pi / 13); it is turned before by a known reflection,
 * which leaves them as they are.
 *
 * Work: fewer than 66 rotations do not reach all orthogonal matrices, whose dimension is 66. One takes 12 elements each
 * of two rows, two columns and two vectors, 2 products and a sum: 66 * 72 * 3 / 8 = 1782.
 */
#include "../sample.h"
#include "test_signal.h"

#define N      12
#define SWEEPS 12

static double matrix[N][N], vectors[N][N];
static double a[N][N];

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

/* Turns rows and columns p, q so that a[p][q] becomes zero. */
static void rotate(int p, int q)
{
    double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    double size = theta < 0.0 ? -theta : theta;
    double t = 1.0 / (size + root_of(theta * theta + 1.0));
    double c, s;

    t = theta < 0.0 ? -t : t;
    c = 1.0 / root_of(t * t + 1.0);
    s = t * c;
    for (int k = 0; k < N; k++) {
        double kp = a[k][p], kq = a[k][q];

        a[k][p] = c * kp - s * kq;
        a[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < N; k++) {
        double pk = a[p][k], qk = a[q][k];

        a[p][k] = c * pk - s * qk;
        a[q][k] = s * pk + c * qk;
    }
    for (int k = 0; k < N; k++) {
        double kp = vectors[k][p], kq = vectors[k][q];

        vectors[k][p] = c * kp - s * kq;
        vectors[k][q] = s * kp + c * kq;
    }
}

static int sweep(void)
{
    int turned = 0;

    for (int p = 0; p < N - 1; p++)
        for (int q = p + 1; q < N; q++)
            if (a[p][q] > 1e-13 || a[p][q] < -1e-13) {
                rotate(p, q);
                turned++;
            }
    return turned;
}

static void solve(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = matrix[i][j];
            vectors[i][j] = i == j;
        }
    for (int n = 0; n < SWEEPS && sweep() > 0; n++)
        ;
}

/* H T H with H = 1 - 2 v v' / v'v: w = T v, the rest by the formula. */
static void prepare(void)
{
    uint32_t noise = 866025u;
    double t[N][N], v[N], w[N], vv = 0.0, vw = 0.0;

    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            t[i][j] = i == j ? 2.0 : abs(i - j) == 1 ? -1.0 : 0.0;
        v[i] = noise_unit(&noise);
        vv += v[i] * v[i];
    }
    for (int i = 0; i < N; i++) {
        w[i] = 0.0;
        for (int j = 0; j < N; j++)
            w[i] += t[i][j] * v[j];
        vw += v[i] * w[i];
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            matrix[i][j] = t[i][j] - 2.0 / vv * (v[i] * w[j] + w[i] * v[j]) + 4.0 * vw / (vv * vv) * v[i] * v[j];
    SHIM_KEEP(matrix);
}

/* How far the nearest value on the diagonal is from eigenvalue k. */
static double nearest(double value)
{
    double best = 1e9;

    for (int i = 0; i < N; i++)
        best = fabs(a[i][i] - value) < best ? fabs(a[i][i] - value) : best;
    return best;
}

int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("jacobi_eigen");
    solve();
    SHIM_KEEP(a);
    SHIM_KEEP(vectors);
    shim_region_end("jacobi_eigen");
    for (int k = 1; k <= N; k++)
        worst = worse_of(worst, nearest(2.0 - 2.0 * cosine_of(k * TEST_SIGNAL_PI / (N + 1))));
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++) {
            double image = 0.0;

            for (int j = 0; j < N; j++)
                image += matrix[i][j] * vectors[j][k];
            worst = worse_of(worst, fabs(image - a[k][k] * vectors[i][k]));
        }
    return sample_verdict_real("worst error", worst, 0.0, 1e-11);
}
