/*
 * table1d_cubic - a table of 40 places read with cubics through four points: even spacing, no search; double precision.
 *
 * Catmull and Rom, "A Class of Local Interpolating Splines", 1974. The truth: the cubics give back every parabola
 * exactly, and a sine within the third power of the spacing.
 *
 * Work: 900 look-ups in 2 tables; the place, 4 loads from where the data say, 9 products and 9 sums: 900 * 2 * 22 / 8
 * lanes = 4950.
 */
#include "../sample.h"
#include "test_signal.h"

#define PLACES  40
#define LOOKUPS 900
#define FIRST   (-2.0)
#define SPACING 0.25

static double parabola[PLACES], sine[PLACES];
static double input[LOOKUPS], output[2][LOOKUPS];

static double look_up(const double *table, double x)
{
    double at = (x - FIRST) / SPACING, t, a, b, c;
    int i = (int)at;

    if (i < 1)
        i = 1;
    else if (i > PLACES - 3)
        i = PLACES - 3;
    t = at - i;
    a = table[i + 1] - table[i - 1];
    b = 2.0 * table[i - 1] - 5.0 * table[i] + 4.0 * table[i + 1] - table[i + 2];
    c = 3.0 * (table[i] - table[i + 1]) + table[i + 2] - table[i - 1];
    return table[i] + 0.5 * t * (a + t * (b + t * c));
}

static void look_up_all(void)
{
    for (int n = 0; n < LOOKUPS; n++) {
        output[0][n] = look_up(parabola, input[n]);
        output[1][n] = look_up(sine, input[n]);
    }
}

static double parabola_at(double x)
{
    return 0.5 * x * x - 2.0 * x + 0.125;
}

static void prepare(void)
{
    uint32_t noise = 793700u;

    for (int i = 0; i < PLACES; i++) {
        parabola[i] = parabola_at(FIRST + SPACING * i);
        sine[i] = sine_of(FIRST + SPACING * i);
    }
    for (int n = 0; n < LOOKUPS; n++)
        input[n] = FIRST + SPACING * ((PLACES - 1) / 2.0 + (PLACES - 3) / 2.0 * noise_unit(&noise));
    SHIM_KEEP(parabola);
    SHIM_KEEP(sine);
    SHIM_KEEP(input);
}

/* The sine: slopes are off by h^2 / 6 at most, which the cubic carries in by t (1 - t) h <= h / 4, were their signs
 * opposite: h^3 / 24; as they are not, the rest of the cubic itself, h^4 / 384, is within. */
int main(void)
{
    double worst = 0.0, worst_sine = 0.0;

    prepare();
    shim_region_begin("table1d_cubic");
    look_up_all();
    SHIM_KEEP(output);
    shim_region_end("table1d_cubic");
    for (int n = 0; n < LOOKUPS; n++) {
        worst = worse_of(worst, fabs(output[0][n] - parabola_at(input[n])));
        worst_sine = worse_of(worst_sine, fabs(output[1][n] - sine_of(input[n])));
    }
    return sample_verdict_real("worst of the parabola", worst, 0.0, 1e-12) |
           sample_verdict_real("worst of the sine", worst_sine, 0.0, 0.25 * 0.25 * 0.25 / 24.0);
}
