/*
 * fixed_exp - powers and logarithms of base 2 in fixed point: 16 places, tables of 32 intervals and a square term.
 *
 * log2 by the highest bit and a table, 2^x by a table and a shift. The truth: the library's in double precision.
 *
 * Work: 2500 numbers; a logarithm takes the highest bit, a load from a computed place, 2 products and 4 sums or shifts;
 * a power as much: 2500 * 2 * 8 / 16 lanes = 2500.
 */
#include "../sample.h"
#include "test_signal.h"

#define NUMBERS 2500
#define TABLE   32

static int32_t log_table[TABLE + 2], power_table[TABLE + 2]; /* of log2(1 + m) and 2^m - 1, Q30 */
static uint32_t number[NUMBERS];                             /* Q16 */
static int32_t logarithm[NUMBERS];                           /* Q16 */
static int32_t exponent[NUMBERS];                            /* Q16 */
static uint32_t power[NUMBERS];                              /* Q16 */

static int highest_bit(uint32_t x)
{
    int n = 0;

    for (int step = 16; step > 0; step >>= 1)
        if (x >> step != 0) {
            x >>= step;
            n += step;
        }
    return n;
}

/* Newton's interpolation through three points of a table of 32 intervals; place is Q27, result Q30. */
static int32_t look_up(const int32_t *table, uint32_t place)
{
    uint32_t i = place >> 22;
    int64_t share = place & 0x3fffff; /* Q22 */
    int64_t first = table[i + 1] - table[i];
    int64_t second = (int64_t)table[i + 2] - 2 * (int64_t)table[i + 1] + table[i];
    int64_t bend = (share * (share - (1 << 22))) >> 23; /* s (s - 1) / 2, Q22 */

    return (int32_t)(table[i] + ((first * share + second * bend) >> 22));
}

/* x > 0 is 2^n (1 + m): m with 27 places. */
static int32_t log2_of(uint32_t x)
{
    int n = highest_bit(x);
    uint32_t mantissa = n <= 27 ? x << (27 - n) : x >> (n - 27);

    return (n - 16) * 65536 + ((look_up(log_table, mantissa - (1u << 27)) + (1 << 13)) >> 14);
}

/* -16 <= x < 13. */
static uint32_t power_of(int32_t x)
{
    int whole = x >> 16;
    uint32_t mantissa = (1u << 30) + (uint32_t)look_up(power_table, (uint32_t)(x & 0xffff) << 11);

    return (mantissa + (1u << (13 - whole))) >> (14 - whole);
}

static void convert(void)
{
    for (int n = 0; n < NUMBERS; n++) {
        logarithm[n] = log2_of(number[n]);
        power[n] = power_of(exponent[n]);
    }
}

static void prepare(void)
{
    uint32_t noise = 223606u;

    for (int i = 0; i < TABLE + 2; i++) {
        log_table[i] = (int32_t)floor(1073741824.0 * log2(1.0 + i / (double)TABLE) + 0.5);
        power_table[i] = (int32_t)floor(1073741824.0 * (exp2(i / (double)TABLE) - 1.0) + 0.5);
    }
    for (int n = 0; n < NUMBERS; n++) {
        number[n] = (noise_next(&noise) >> n % 32) + 1u;
        exponent[n] = (int32_t)(noise_next(&noise) % (24u << 16)) - (12 << 16);
    }
    SHIM_KEEP(log_table);
    SHIM_KEEP(power_table);
    SHIM_KEEP(number);
    SHIM_KEEP(exponent);
}

/* Logarithms: rounding by 1/2, cubic rest (1/32)^3 * 2.9 / 15.6 = 6e-6 = 0.4 of 1/65536. Powers: rounding by 1/2,
 * and relative (1/32)^3 * 0.33 * 2 / 15.6 = 1.3e-6. */
int main(void)
{
    double worst_log = 0.0, worst_power = 0.0;

    prepare();
    shim_region_begin("fixed_exp");
    convert();
    SHIM_KEEP(logarithm);
    SHIM_KEEP(power);
    shim_region_end("fixed_exp");
    for (int n = 0; n < NUMBERS; n++) {
        double exact = 65536.0 * exp2(exponent[n] / 65536.0);

        worst_log = worse_of(worst_log, fabs(logarithm[n] - 65536.0 * log2(number[n] / 65536.0)));
        worst_power = worse_of(worst_power, fabs(power[n] - exact) - 1.3e-6 * exact);
    }
    return sample_verdict_real("worst logarithm", worst_log, 0.0, 1.0) |
           sample_verdict_real("worst power", worst_power, 0.0, 0.6);
}
