/*
 * half_float - 3000 numbers from single to half precision and back by bits, rounded to nearest even, with subnormal
 * numbers; and their sum of squares from halves.
 *
 * IEEE 754 binary16. The truth: the nearest half found by bisection over all 31744 finite ones in double precision.
 *
 * Work: 3000 numbers, each with shifts, comparisons and a rounding there and a table-free way back: 3000 * 12 = 36000; 16
 * at once: 2250.
 */
#include "judge.h"

#define NUMBERS 3000

static float numbers[NUMBERS], back[NUMBERS], energy;
static uint16_t halves[NUMBERS];

static uint16_t to_half(float f)
{
    uint32_t x, sign, rest;
    int shift;

    memcpy(&x, &f, sizeof x);
    sign = x >> 16 & 0x8000;
    x &= 0x7FFFFFFF;
    if (x >= 0x47800000) /* 65536 and more */
        return (uint16_t)(sign | 0x7C00 | (x > 0x7F800000 ? 0x200 : 0));
    if (x < 0x38800000) { /* below the least normal half */
        if (x < 0x33000000)
            return (uint16_t)sign;
        shift = 126 - (int)(x >> 23);
        x = (x & 0x7FFFFF) | 0x800000;
        rest = x & ((1U << shift) - 1);
        x >>= shift;
        x += rest > 1U << (shift - 1) || (rest == 1U << (shift - 1) && (x & 1));
        return (uint16_t)(sign | x);
    }
    x += 0xC8000000 + 0xFFF + (x >> 13 & 1);
    return (uint16_t)(sign | x >> 13);
}
static float from_half(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = h >> 10 & 31, fraction = h & 0x3FF;
    float f;

    if (exponent == 0) {
        f = (float)fraction * 0x1p-24F;
        return sign ? -f : f;
    }
    sign |= (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13;
    memcpy(&f, &sign, sizeof f);
    return f;
}

static double value_of(unsigned magnitude)
{
    return magnitude < 0x400 ? ldexp(magnitude, -24) : ldexp((magnitude & 0x3FF) | 0x400, (int)(magnitude >> 10) - 25);
}
static unsigned nearest(double x)
{
    unsigned low = 0, high = 0x7C00; /* 65536 stands for infinity */
    double below, above;

    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        if (value_of(middle) <= x)
            low = middle;
        else
            high = middle;
    }
    below = x - value_of(low);
    above = value_of(high) - x;
    return below < above || (below == above && low % 2 == 0) ? low : high;
}

int main(void)
{
    uint64_t seed = 18;
    double truth = 0;

    for (int i = 0; i < NUMBERS; i++) {
        double scale = ldexp(1.0, draw_below(&seed, 40) - 26);
        numbers[i] = (float)((draw_unit(&seed) * 2 - 1) * scale);
        if (i % 50 == 0) /* exactly between two */
            numbers[i] = (float)((value_of(1000 + (unsigned)i * 9) + value_of(1001 + (unsigned)i * 9)) / 2);
    }
    numbers[1] = 65519.0F;
    numbers[2] = 65520.0F;
    numbers[3] = -1e9F;
    SHIM_KEEP(numbers);
    shim_region_begin("half_float");
    energy = 0;
    for (int i = 0; i < NUMBERS; i++)
        halves[i] = to_half(numbers[i]);
    SHIM_KEEP(halves);
    for (int i = 0; i < NUMBERS; i++) {
        back[i] = from_half(halves[i]);
        if ((halves[i] & 0x7FFF) < 0x5800) /* below 128 */
            energy += back[i] * back[i];
    }
    SHIM_KEEP(back);
    SHIM_KEEP(&energy);
    shim_region_end("half_float");
    for (int i = 0; i < NUMBERS; i++) {
        double x = fabs((double)numbers[i]);
        unsigned h = x >= 65536.0 ? 0x7C00 : nearest(x);

        if (halves[i] != (h | (signbit(numbers[i]) ? 0x8000 : 0)))
            return sample_verdict_int("number that is wrong", i, -1);
        if (h < 0x7C00 && fabs((double)back[i]) != value_of(h))
            return sample_verdict_int("number that comes back wrong", i, -1);
        if (h < 0x5800)
            truth += value_of(h) * value_of(h);
    }
    return sample_verdict_real("sum of squares", energy / truth, 1.0, 1e-3);
}
