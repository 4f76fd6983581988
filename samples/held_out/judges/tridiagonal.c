/*
 * tridiagonal - 20 systems of 300 unknowns, three diagonals, by Thomas's elimination; and a natural cubic spline through
 * 300 points evaluated at 600 places; double precision.
 *
 * The truth: the residual of each system; and the sine that the spline's points are from.
 *
 * Work: 20 * 300 rows, each with a division in a chain, two products and two differences, and back: 6000 * 6 = 36000.
 */
#include "judge.h"

#define ROWS    300
#define SYSTEMS 20
#define PLACES  600

static double lower[ROWS], diagonal[ROWS], upper[ROWS], right[SYSTEMS][ROWS], solution[SYSTEMS][ROWS];
static double knots[ROWS], values[ROWS], curvature[ROWS], places[PLACES], between[PLACES];

static void solve(const double *a, const double *b, const double *c, const double *d, double *x, int n)
{
    double share[ROWS];
    double pivot = b[0];

    x[0] = d[0] / pivot;
    for (int i = 1; i < n; i++) {
        share[i] = c[i - 1] / pivot;
        pivot = b[i] - a[i] * share[i];
        x[i] = (d[i] - a[i] * x[i - 1]) / pivot;
    }
    for (int i = n - 2; i >= 0; i--)
        x[i] -= share[i + 1] * x[i + 1];
}

static void spline(void)
{
    double a[ROWS], b[ROWS], c[ROWS], d[ROWS];

    a[0] = c[0] = d[0] = a[ROWS - 1] = c[ROWS - 1] = d[ROWS - 1] = 0;
    b[0] = b[ROWS - 1] = 1;
    for (int i = 1; i < ROWS - 1; i++) {
        double before = knots[i] - knots[i - 1], after = knots[i + 1] - knots[i];

        a[i] = before;
        b[i] = 2 * (before + after);
        c[i] = after;
        d[i] = 6 * ((values[i + 1] - values[i]) / after - (values[i] - values[i - 1]) / before);
    }
    solve(a, b, c, d, curvature, ROWS);
}
static double spline_at(double x)
{
    int low = 0, high = ROWS - 1;
    double h, t;

    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (knots[middle] > x)
            high = middle;
        else
            low = middle;
    }
    h = knots[high] - knots[low];
    t = (x - knots[low]) / h;
    return (1 - t) * values[low] + t * values[high] +
           ((1 - t) * ((1 - t) * (1 - t) - 1) * curvature[low] + t * (t * t - 1) * curvature[high]) * h * h / 6;
}

int main(void)
{
    uint64_t seed = 22;
    double worst = 0, off = 0;

    for (int i = 0; i < ROWS; i++) {
        lower[i] = draw_unit(&seed) - 0.5;
        upper[i] = draw_unit(&seed) - 0.5;
        diagonal[i] = 1.5 + draw_unit(&seed);
        knots[i] = 0.02 * i + 0.01 * draw_unit(&seed);
        values[i] = sin(knots[i]);
        for (int s = 0; s < SYSTEMS; s++)
            right[s][i] = draw_unit(&seed);
    }
    for (int i = 0; i < PLACES; i++)
        places[i] = 1.0 + 4.0 * draw_unit(&seed);
    SHIM_KEEP(lower);
    SHIM_KEEP(diagonal);
    SHIM_KEEP(upper);
    SHIM_KEEP(right);
    SHIM_KEEP(values);
    SHIM_KEEP(knots);
    SHIM_KEEP(places);
    shim_region_begin("tridiagonal");
    for (int s = 0; s < SYSTEMS; s++)
        solve(lower, diagonal, upper, right[s], solution[s], ROWS);
    spline();
    for (int i = 0; i < PLACES; i++)
        between[i] = spline_at(places[i]);
    SHIM_KEEP(solution);
    SHIM_KEEP(between);
    shim_region_end("tridiagonal");
    for (int s = 0; s < SYSTEMS; s++)
        for (int i = 0; i < ROWS; i++) {
            double sum = diagonal[i] * solution[s][i] - right[s][i];
            sum += i ? lower[i] * solution[s][i - 1] : 0;
            sum += i < ROWS - 1 ? upper[i] * solution[s][i + 1] : 0;
            worst = fmax(worst, fabs(sum));
        }
    for (int i = 0; i < PLACES; i++)
        off = fmax(off, fabs(between[i] - sin(places[i])));
    return sample_verdict_real("residual", worst, 0, 1e-12) |
           sample_verdict_real("spline beside the sine", off, 0, 1e-7);
}
