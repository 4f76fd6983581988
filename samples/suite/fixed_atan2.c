/*
 * fixed_atan2 - the angle of a vector of 16-bit numbers, in 1/65536 of a turn: a division and a polynomial, no floats.
 *
 * The ratio of the smaller to the greater component, Q15, through the odd polynomial of degree 9 from Abramowitz and
 * Stegun, "Handbook of Mathematical Functions", 4.4.49 (error below 1e-5), then the octant. The truth: vectors are made
 * from known angles.
 *
 * Work: each of the 80 vectors takes a division, 6 products with shifts and 3 comparisons: 80 * 16 = 1280; in 16 lanes
 * 80.
 */
#include "../sample.h"
#include "test_signal.h"

#define VECTORS 80

struct vector {
    int16_t x, y;
};

static struct vector vector[VECTORS];
static uint16_t angle[VECTORS];

static int32_t multiply(int32_t a, int32_t b)
{
    return (a * b + (1 << 14)) >> 15;
}

/* atan(t) / 2 pi for t in 0 .. 1 (Q15), in 1/65536 / 4 of a turn: coefficients / 2 pi, Q18. */
static int32_t octant_angle(int32_t t)
{
    int32_t square = multiply(t, t);
    int32_t p = 869;

    p = multiply(p, square) - 3552;
    p = multiply(p, square) + 7516;
    p = multiply(p, square) - 13780;
    p = multiply(p, square) + 41716;
    return (int32_t)(((int64_t)p * t + (1 << 14)) >> 15);
}

static uint16_t angle_of(struct vector v)
{
    int32_t x = v.x < 0 ? -v.x : v.x, y = v.y < 0 ? -v.y : v.y;
    int32_t turn;

    if (x == 0 && y == 0)
        return 0;
    if (x >= y)
        turn = octant_angle((y * (1 << 15)) / x);
    else
        turn = 65536 - octant_angle((x * (1 << 15)) / y);
    if (v.x < 0)
        turn = 131072 - turn;
    if (v.y < 0)
        turn = -turn;
    return (uint16_t)((turn + 2) >> 2);
}

static void angles(void)
{
    for (int n = 0; n < VECTORS; n++)
        angle[n] = angle_of(vector[n]);
}

static double turns_of(int n)
{
    return (n * 29 % VECTORS) / (double)VECTORS + 0.003;
}

static void prepare(void)
{
    for (int n = 0; n < VECTORS; n++) {
        double length = 20000.0 + 150.0 * n, radians = 2.0 * TEST_SIGNAL_PI * turns_of(n);

        vector[n].x = (int16_t)floor(length * cosine_of(radians) + 0.5);
        vector[n].y = (int16_t)floor(length * sine_of(radians) + 0.5);
    }
    SHIM_KEEP(vector);
}

/* A component's rounding turns by 0.7 / 20000 radians, 0.37 units; the ratio's by 0.33; products by 5 * 0.13; the
 * result by 0.5; the polynomial by 0.1: less than 2.5. */
int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("fixed_atan2");
    angles();
    SHIM_KEEP(angle);
    shim_region_end("fixed_atan2");
    for (int n = 0; n < VECTORS; n++) {
        double off = angle[n] - 65536.0 * turns_of(n);

        off -= off > 32768.0 ? 65536.0 : 0.0;
        off += off < -32768.0 ? 65536.0 : 0.0;
        worst = worse_of(worst, fabs(off));
    }
    return sample_verdict_real("worst angle", worst, 0.0, 2.5);
}
