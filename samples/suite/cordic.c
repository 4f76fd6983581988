/*
 * cordic - sine, cosine and the square root of integers by shifts and sums alone.
 *
 * Volder, "The CORDIC Trigonometric Computing Technique", 1959, rotation mode, 24 steps in Q28; the root digit by digit
 * (Warren, "Hacker's Delight", section 11-1). The truth: Taylor's series, and the definition r^2 <= n < (r + 1)^2.
 *
 * Work: 500 angles of 24 steps, each 3 sums and 2 shifts that follow the step before; roots of 500 numbers of 16 steps,
 * each at least a sum, a comparison and a shift. At best 16 of either share a vector: 500 * (24 * 5 + 16 * 3) / 16 =
 * 5250.
 */
#include "../sample.h"
#include "test_signal.h"

#define ANGLES 500
#define STEPS  24
#define Q28    268435456.0

static int32_t arc_tangent[STEPS];
static int32_t start; /* what the steps lengthen to 1 */
static int32_t angle[ANGLES], sine[ANGLES], cosine[ANGLES];
static uint32_t square[ANGLES];
static uint16_t root[ANGLES];

static void rotate(int32_t by, int32_t *s, int32_t *c)
{
    int32_t x = start, y = 0;

    for (int i = 0; i < STEPS; i++) {
        int32_t dx = y >> i, dy = x >> i;

        if (by >= 0) {
            x -= dx;
            y += dy;
            by -= arc_tangent[i];
        } else {
            x += dx;
            y -= dy;
            by += arc_tangent[i];
        }
    }
    *s = y;
    *c = x;
}

static uint16_t integer_root(uint32_t n)
{
    uint32_t found = 0;

    for (uint32_t bit = UINT32_C(1) << 30; bit > 0; bit >>= 2) {
        uint32_t trial = found + bit;

        found >>= 1;
        if (n >= trial) {
            n -= trial;
            found += bit;
        }
    }
    return (uint16_t)found;
}

static void compute(void)
{
    for (int i = 0; i < ANGLES; i++)
        rotate(angle[i], &sine[i], &cosine[i]);
    for (int i = 0; i < ANGLES; i++)
        root[i] = integer_root(square[i]);
}

/* atan 2^-i by its series; pi/4 for i = 0. */
static double arc_tangent_of_power(int i)
{
    double x = 1.0 / (double)(1 << i), term = x, sum = 0.0;

    if (i == 0)
        return TEST_SIGNAL_PI / 4.0;
    for (int n = 1; n < 60; n += 2) {
        sum += term / n;
        term *= -x * x;
    }
    return sum;
}

/* Angles within +-pi/2. The start is the product of all cosines. */
static void prepare(void)
{
    uint32_t noise = 134775813u;
    double shortening = 1.0;

    for (int i = 0; i < STEPS; i++) {
        double a = arc_tangent_of_power(i);

        arc_tangent[i] = (int32_t)(Q28 * a + 0.5);
        shortening *= cosine_of(a);
    }
    start = (int32_t)(Q28 * shortening);
    for (int i = 0; i < ANGLES; i++) {
        angle[i] = (int32_t)(Q28 * 1.57 * noise_unit(&noise));
        square[i] = noise_next(&noise) >> i % 32;
    }
    SHIM_KEEP(arc_tangent);
    SHIM_KEEP(&start);
    SHIM_KEEP(angle);
    SHIM_KEEP(square);
}

/* The last angle is 2^-23; each step may cut 1 from either part, of 2^28: 1e-6 covers both. */
static int is_right(int i)
{
    uint64_t r = root[i], n = square[i];
    double turn = angle[i] / Q28;

    return fabs(sine[i] / Q28 - sine_of(turn)) < 1e-6 && fabs(cosine[i] / Q28 - cosine_of(turn)) < 1e-6 && r * r <= n &&
           n < (r + 1) * (r + 1);
}

int main(void)
{
    int wrong = 0;

    prepare();
    shim_region_begin("cordic");
    compute();
    SHIM_KEEP(sine);
    SHIM_KEEP(cosine);
    SHIM_KEEP(root);
    shim_region_end("cordic");
    for (int i = 0; i < ANGLES; i++)
        wrong += !is_right(i);
    return sample_verdict_int("wrong results", wrong, 0);
}
