/*
 * soft_float - single precision sums, products and quotients of 400 pairs in whole numbers alone, rounded to nearest
 * even, with subnormal numbers, infinities and NaN: what a core without a floating-point unit does.
 *
 * IEEE 754. The truth: the machine's own results, bit by bit.
 *
 * Work: 400 pairs, three operations, each with two unpackings, alignment or 64-bit product, and rounding: 400 * 3 * 20 =
 * 24000.
 */
#include "judge.h"

#define PAIRS 400

static uint32_t left[PAIRS], right[PAIRS], sums[PAIRS], products[PAIRS], quotients[PAIRS];

#define QUIET     0x7FC00000u
#define INFINITE  0x7F800000u
#define IS_NAN(x) (((x)&0x7FFFFFFFu) > INFINITE)

struct number {
    uint32_t sign;
    int exponent;         /* of the lowest bit of 24 */
    uint64_t significand; /* normalised: bit 23, unless 0 */
};

static struct number unpack(uint32_t x)
{
    struct number n = {x & 0x80000000u, (int)(x >> 23 & 255), x & 0x7FFFFFu};

    if (n.exponent)
        n.significand |= 0x800000u;
    else if (n.significand)
        for (n.exponent = 1; n.significand < 0x800000u; n.exponent--)
            n.significand <<= 1;
    return n;
}

/* significand * 2^(exponent - 150), any size; `sticky` bits already in its lowest bit. */
static uint32_t pack(uint32_t sign, int exponent, uint64_t s)
{
    uint64_t lost, half;
    unsigned shift = 0;

    if (s == 0)
        return sign;
    while (s >= UINT64_C(1) << 58) {
        s = s >> 1 | (s & 1);
        exponent++;
    }
    while (s >> shift >= 0x1000000u)
        shift++;
    while (s < 0x800000u && exponent > 1) {
        s <<= 1;
        exponent--;
    }
    exponent += (int)shift;
    if (exponent < 1) {
        shift += (unsigned)(1 - exponent);
        exponent = 1;
    }
    if (shift > 60)
        return sign;
    if (shift) {
        half = UINT64_C(1) << (shift - 1);
        lost = s & ((half << 1) - 1);
        s >>= shift;
        if (lost > half || (lost == half && (s & 1)))
            s++;
    }
    if (s >= 0x1000000u) {
        s >>= 1;
        exponent++;
    }
    if (exponent >= 255)
        return sign | INFINITE;
    return sign | (s >= 0x800000u ? (uint32_t)exponent << 23 : 0) | (uint32_t)(s & 0x7FFFFFu);
}

static uint32_t add(uint32_t a, uint32_t b)
{
    struct number x, y, t;
    int distance;

    if (IS_NAN(a) || IS_NAN(b))
        return QUIET;
    if ((a & 0x7FFFFFFFu) == INFINITE)
        return (b & 0x7FFFFFFFu) == INFINITE && a != b ? QUIET : a;
    if ((b & 0x7FFFFFFFu) == INFINITE)
        return b;
    x = unpack(a);
    y = unpack(b);
    if (!x.significand || !y.significand)
        return x.significand ? a : y.significand ? b : a & b;
    if (x.exponent < y.exponent) {
        t = x;
        x = y;
        y = t;
    }
    distance = x.exponent - y.exponent;
    x.significand <<= 30;
    y.significand <<= 30;
    if (distance > 55)
        y.significand = 1;
    else if (distance)
        y.significand = y.significand >> distance | ((y.significand & ((UINT64_C(1) << distance) - 1)) != 0);
    if (x.sign == y.sign)
        return pack(x.sign, x.exponent - 30, x.significand + y.significand);
    if (x.significand == y.significand)
        return 0;
    if (x.significand < y.significand)
        return pack(y.sign, x.exponent - 30, y.significand - x.significand);
    return pack(x.sign, x.exponent - 30, x.significand - y.significand);
}

static uint32_t multiply(uint32_t a, uint32_t b)
{
    uint32_t sign = (a ^ b) & 0x80000000u;
    struct number x, y;

    if (IS_NAN(a) || IS_NAN(b))
        return QUIET;
    x = unpack(a);
    y = unpack(b);
    if (x.exponent == 255 || y.exponent == 255)
        return x.significand && y.significand && (a << 1) && (b << 1) ? sign | INFINITE : QUIET;
    return pack(sign, x.exponent + y.exponent - 150, x.significand * y.significand);
}

static uint32_t divide(uint32_t a, uint32_t b)
{
    uint32_t sign = (a ^ b) & 0x80000000u;
    struct number x, y;
    uint64_t q;

    if (IS_NAN(a) || IS_NAN(b))
        return QUIET;
    x = unpack(a);
    y = unpack(b);
    if (x.exponent == 255)
        return y.exponent == 255 ? QUIET : sign | INFINITE;
    if (y.exponent == 255)
        return sign;
    if (!y.significand)
        return x.significand ? sign | INFINITE : QUIET;
    q = (x.significand << 32) / y.significand;
    q |= q * y.significand != x.significand << 32;
    return pack(sign, x.exponent - y.exponent + 150 - 32, q);
}

static float of_bits(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}
static int differs(uint32_t got, float expected)
{
    uint32_t bits;

    memcpy(&bits, &expected, sizeof bits);
    return IS_NAN(bits) ? !IS_NAN(got) : got != bits;
}

int main(void)
{
    static const uint32_t special[] = {0, 0x80000000u, INFINITE,    0xFF800000u, QUIET,
                                       1, 0x807FFFFFu, 0x00800000u, 0x7F7FFFFFu};
    uint64_t seed = 17;

    for (int i = 0; i < PAIRS; i++) {
        left[i] = draw(&seed);
        right[i] = draw(&seed);
        if (i % 3) { /* near each other */
            right[i] = (right[i] & 0x807FFFFFu) | (left[i] & 0x7F800000u);
            right[i] ^= draw(&seed) & 0x03000000u;
        }
        if (i < 81) {
            left[i] = special[i / 9];
            right[i] = special[i % 9];
        } else if (i < 120)
            left[i] = (left[i] & 0x80FFFFFFu);
    }
    SHIM_KEEP(left);
    SHIM_KEEP(right);
    shim_region_begin("soft_float");
    for (int i = 0; i < PAIRS; i++) {
        sums[i] = add(left[i], right[i]);
        products[i] = multiply(left[i], right[i]);
        quotients[i] = divide(left[i], right[i]);
    }
    SHIM_KEEP(sums);
    SHIM_KEEP(products);
    SHIM_KEEP(quotients);
    shim_region_end("soft_float");
    for (int i = 0; i < PAIRS; i++) {
        volatile float a = of_bits(left[i]), b = of_bits(right[i]);

        if (differs(sums[i], a + b) || differs(products[i], a * b))
            return sample_verdict_int("pair whose sum or product is wrong", i, -1);
        if (b != 0.0F && differs(quotients[i], a / b))
            return sample_verdict_int("pair whose quotient is wrong", i, -1);
        if (b == 0.0F && a == a && a != 0.0F && (quotients[i] & 0x7FFFFFFFu) != INFINITE)
            return sample_verdict_int("pair with a division by zero", i, -1);
    }
    return 0;
}
