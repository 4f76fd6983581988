/*
 * newton_system - the operating point of a circuit of 3 nodes with diodes as cubics: Newton's method with Gauss's
 * elimination; double precision.
 *
 * f_i(v) = sum_j G_ij v_j + v_i^3 - s_i = 0. The truth: the sources are made from known voltages; with G strong on its
 * diagonal the Jacobian is positive everywhere and the solution the only one.
 *
 * Work: 4 circuits; from v = 0 Newton's first step solves the linear circuit alone, so that a cubic takes 2 steps at
 * least; each 9 products and sums for the function and 2 divisions for the elimination: 4 * 2 * 20 / 4 lanes = 40.
 */
#include "../sample.h"
#include "test_signal.h"

#define N        3
#define CIRCUITS 4
#define STEPS    30

static double conductance[CIRCUITS][N][N], source[CIRCUITS][N], voltage[CIRCUITS][N];

/* m holds N rows with the right-hand side behind; strong diagonals need no pivots. */
static void eliminate(double m[N][N + 1])
{
    for (int k = 0; k < N; k++)
        for (int i = k + 1; i < N; i++) {
            double factor = m[i][k] / m[k][k];

            for (int j = k; j <= N; j++)
                m[i][j] -= factor * m[k][j];
        }
    for (int i = N - 1; i >= 0; i--) {
        for (int j = i + 1; j < N; j++)
            m[i][N] -= m[i][j] * m[j][N];
        m[i][N] /= m[i][i];
    }
}

/* One step; the greatest change. */
static double improve(double g[N][N], const double *s, double *v)
{
    double m[N][N + 1], most = 0.0;

    for (int i = 0; i < N; i++) {
        m[i][N] = s[i] - v[i] * v[i] * v[i];
        for (int j = 0; j < N; j++) {
            m[i][j] = g[i][j] + (i == j ? 3.0 * v[i] * v[i] : 0.0);
            m[i][N] -= g[i][j] * v[j];
        }
    }
    eliminate(m);
    for (int i = 0; i < N; i++) {
        double change = m[i][N] < 0.0 ? -m[i][N] : m[i][N];

        v[i] += m[i][N];
        most = change > most ? change : most;
    }
    return most;
}

static void solve(void)
{
    for (int c = 0; c < CIRCUITS; c++) {
        for (int i = 0; i < N; i++)
            voltage[c][i] = 0.0;
        for (int n = 0; n < STEPS && improve(conductance[c], source[c], voltage[c]) > 1e-9; n++)
            ;
    }
}

static double wanted(int c, int i)
{
    return 0.5 * (i + 1) - 0.3 * c;
}

static void prepare(void)
{
    uint32_t noise = 316227u;

    for (int c = 0; c < CIRCUITS; c++)
        for (int i = 0; i < N; i++) {
            source[c][i] = wanted(c, i) * wanted(c, i) * wanted(c, i);
            for (int j = 0; j < N; j++) {
                conductance[c][i][j] = i == j ? 3.0 : -0.5 + 0.4 * noise_unit(&noise);
                source[c][i] += conductance[c][i][j] * wanted(c, j);
            }
        }
    SHIM_KEEP(conductance);
    SHIM_KEEP(source);
}

int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("newton_system");
    solve();
    SHIM_KEEP(voltage);
    shim_region_end("newton_system");
    for (int c = 0; c < CIRCUITS; c++)
        for (int i = 0; i < N; i++)
            worst = worse_of(worst, fabs(voltage[c][i] - wanted(c, i)));
    return sample_verdict_real("worst voltage", worst, 0.0, 1e-12);
}
