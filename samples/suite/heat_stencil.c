/*
 * heat_stencil - heat in a plate of 240 x 240 points, 5 explicit steps between two fields of 450 KB; double precision.
 *
 * Courant, Friedrichs and Lewy, 1928: stable up to a factor of 1/4. The fields together are larger than the
 * second-level cache of a small processor. The truth: sin(k x) sin(l y) keeps its shape and becomes smaller by 1 - 4 r
 * (sin^2(k h / 2) + sin^2(l h / 2)) a step, exactly.
 *
 * Work: 5 steps of 238 * 238 points; 2 products, 5 sums, a store, in at most 8 lanes: 5 * 56644 * 8 / 8 = 283220.
 */
#include "../sample.h"
#include "test_signal.h"

#define SIDE  240
#define STEPS 5
#define WAVES 3 /* half waves along x; twice as many along y */

static double field[2][SIDE][SIDE];
static double ratio;

static void step(double from[SIDE][SIDE], double to[SIDE][SIDE])
{
    for (int y = 1; y < SIDE - 1; y++)
        for (int x = 1; x < SIDE - 1; x++)
            to[y][x] = from[y][x] +
                       ratio * (from[y - 1][x] + from[y + 1][x] + from[y][x - 1] + from[y][x + 1] - 4.0 * from[y][x]);
}

static void warm(void)
{
    for (int n = 0; n < STEPS; n++)
        step(field[n % 2], field[(n + 1) % 2]);
}

static double shape(int y, int x)
{
    double h = TEST_SIGNAL_PI / (SIDE - 1);

    return sine_of(WAVES * h * x) * sine_of(2 * WAVES * h * y);
}

static void prepare(void)
{
    ratio = 0.2;
    memset(field, 0, sizeof field);
    for (int y = 1; y < SIDE - 1; y++)
        for (int x = 1; x < SIDE - 1; x++)
            field[0][y][x] = shape(y, x);
    SHIM_KEEP(field);
    SHIM_KEEP(&ratio);
}

int main(void)
{
    double h = TEST_SIGNAL_PI / (SIDE - 1), sx = sine_of(WAVES * h / 2.0), sy = sine_of(WAVES * h);
    double decay = 1.0 - 4.0 * 0.2 * (sx * sx + sy * sy), left = 1.0, worst = 0.0;

    prepare();
    shim_region_begin("heat_stencil");
    warm();
    SHIM_KEEP(field);
    shim_region_end("heat_stencil");
    for (int n = 0; n < STEPS; n++)
        left *= decay;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            worst = worse_of(worst, fabs(field[STEPS % 2][y][x] - left * shape(y, x)));
    return sample_verdict_real("worst temperature", worst, 0.0, 1e-12);
}
