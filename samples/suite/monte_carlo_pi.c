/*
 * monte_carlo_pi - pi by chance: how many of 60000 points of a square fall into the circle; own generator, double
 * precision.
 *
 * L'Ecuyer and Simard's remarks on 64-bit linear congruential generators (multiplier of Knuth, "The Art of Computer
 * Programming", volume 2), the upper 32 bits a draw. The truth: pi, within 5 deviations; one is 4 sqrt(p (1 - p) / n)
 * with p = pi / 4: 0.0067.
 *
 * Work: 120000 draws in a chain, each a product and a sum, and for a point 2 products, a sum and a comparison; the
 * chain may be cut into 8: 120000 * 2 / 8 + 60000 * 4 / 8 = 60000.
 */
#include "../sample.h"
#include "test_signal.h"

#define POINTS 60000

static uint64_t state;
static double estimate, mean_square;

static double draw(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 32) * (1.0 / 2147483648.0) - 1.0;
}

static void throw_points(void)
{
    int inside = 0;
    double squares = 0.0;

    for (int n = 0; n < POINTS; n++) {
        double x = draw(), y = draw();
        double square = x * x + y * y;

        inside += square < 1.0;
        squares += square;
    }
    estimate = 4.0 * inside / POINTS;
    mean_square = squares / POINTS;
}

static void prepare(void)
{
    state = 20061004u;
    SHIM_KEEP(&state);
}

/* The mean of x^2 + y^2 is 2/3; its deviation sqrt(8 / 45 / n) = 0.0017. */
int main(void)
{
    prepare();
    shim_region_begin("monte_carlo_pi");
    throw_points();
    SHIM_KEEP(&estimate);
    SHIM_KEEP(&mean_square);
    shim_region_end("monte_carlo_pi");
    return sample_verdict_real("pi", estimate, TEST_SIGNAL_PI, 5 * 0.0067) |
           sample_verdict_real("mean square", mean_square, 2.0 / 3.0, 5 * 0.0018);
}
