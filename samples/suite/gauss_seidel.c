/*
 * gauss_seidel - the temperature of a plate of 40 x 40 points whose rim is given: successive over-relaxation; single
 * precision.
 *
 * Young, "Iterative Methods for Solving Partial Difference Equations of Elliptic Type", 1954: factor 2 / (1 + sin(pi /
 * 39)). The truth: x^2 - y^2 + x y solves the difference equations exactly, as it does Laplace's; its values on the rim
 * are given.
 *
 * Work: 120 sweeps of 38 * 38 points; a point's new value enters into the next one's: at least a product and a sum for
 * each in a chain: 120 * 1444 * 2 = 346560; along diagonals 16 lanes could share: 21660.
 */
#include "../sample.h"
#include "test_signal.h"

#define SIDE   40
#define SWEEPS 120

static float plate[SIDE][SIDE];
static float factor, change;

static float sweep(void)
{
    float most = 0.0f;

    for (int y = 1; y < SIDE - 1; y++)
        for (int x = 1; x < SIDE - 1; x++) {
            float mean = 0.25f * (plate[y - 1][x] + plate[y][x - 1] + plate[y][x + 1] + plate[y + 1][x]);
            float step = factor * (mean - plate[y][x]);

            plate[y][x] += step;
            step = step < 0.0f ? -step : step;
            most = step > most ? step : most;
        }
    return most;
}

static void relax(void)
{
    for (int n = 0; n < SWEEPS; n++)
        change = sweep();
}

static double wanted(int y, int x)
{
    double u = x / (SIDE - 1.0), v = y / (SIDE - 1.0);

    return u * u - v * v + u * v;
}

static void prepare(void)
{
    factor = (float)(2.0 / (1.0 + sine_of(TEST_SIGNAL_PI / (SIDE - 1))));
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            plate[y][x] = y == 0 || x == 0 || y == SIDE - 1 || x == SIDE - 1 ? (float)wanted(y, x) : 0.0f;
    SHIM_KEEP(plate);
    SHIM_KEEP(&factor);
}

/* The error falls like n * (factor - 1)^n with factor - 1 = 0.851: by 120 sweeps to 5e-7; rounding of 6e-8 is
 * enlarged by the matrix's condition at most, some 600. */
int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("gauss_seidel");
    relax();
    SHIM_KEEP(plate);
    SHIM_KEEP(&change);
    shim_region_end("gauss_seidel");
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            worst = worse_of(worst, fabs(plate[y][x] - wanted(y, x)));
    return sample_verdict_real("worst temperature", worst, 0.0, 4e-5) |
           sample_verdict_real("last change", change, 0.0, 1e-5);
}
