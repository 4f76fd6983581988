/*
 * q7_vector - vectors of 8-bit fractions: saturating sum and difference, product with rounding, scaling, dot product.
 *
 * The basic functions of signal libraries for microcontrollers, Q7. The truth: the same in double precision, clamped.
 *
 * Work: 3000 elements through 4 functions that load, compute, clamp and store, and a dot product, in at most 64 lanes:
 * 3000 * (4 * 4 + 2) / 64 = 843.
 */
#include "../sample.h"
#include "test_signal.h"

#define LENGTH 3000

static int8_t a[LENGTH], b[LENGTH];
static int8_t sum[LENGTH], difference[LENGTH], product[LENGTH], scaled[LENGTH];
static int32_t dot;
static int8_t factor;
static int shift;

static int8_t saturate(int x)
{
    if (x > 127)
        return 127;
    return x < -128 ? -128 : (int8_t)x;
}

static void add(void)
{
    for (int i = 0; i < LENGTH; i++)
        sum[i] = saturate(a[i] + b[i]);
}

static void subtract(void)
{
    for (int i = 0; i < LENGTH; i++)
        difference[i] = saturate(a[i] - b[i]);
}

static void multiply(void)
{
    for (int i = 0; i < LENGTH; i++)
        product[i] = saturate((a[i] * b[i] + 64) >> 7);
}

static void scale(void)
{
    for (int i = 0; i < LENGTH; i++)
        scaled[i] = saturate((a[i] * factor) >> (7 - shift));
}

static void dot_product(void)
{
    int32_t total = 0;

    for (int i = 0; i < LENGTH; i++)
        total += a[i] * b[i];
    dot = total;
}

static void prepare(void)
{
    uint32_t noise = 674120u;

    for (int i = 0; i < LENGTH; i++) {
        a[i] = (int8_t)(noise_next(&noise) >> 24);
        b[i] = (int8_t)(noise_next(&noise) >> 24);
    }
    a[0] = b[0] = -128;
    factor = 93;
    shift = 1;
    SHIM_KEEP(a);
    SHIM_KEEP(b);
    SHIM_KEEP(&factor);
    SHIM_KEEP(&shift);
}

static int clamped(double x)
{
    x = floor(x);
    if (x > 127.0)
        return 127;
    return x < -128.0 ? -128 : (int)x;
}

int main(void)
{
    double total = 0.0;
    int wrong = 0;

    prepare();
    shim_region_begin("q7_vector");
    add();
    subtract();
    multiply();
    scale();
    dot_product();
    SHIM_KEEP(sum);
    SHIM_KEEP(difference);
    SHIM_KEEP(product);
    SHIM_KEEP(scaled);
    SHIM_KEEP(&dot);
    shim_region_end("q7_vector");
    for (int i = 0; i < LENGTH; i++) {
        double x = a[i], y = b[i];

        wrong += sum[i] != clamped(x + y) || difference[i] != clamped(x - y);
        wrong += product[i] != clamped(x * y / 128.0 + 0.5) || scaled[i] != clamped(x * 93.0 / 64.0);
        total += x * y;
    }
    return sample_verdict_int("wrong elements", wrong, 0) | sample_verdict_real("dot product", dot, total, 0.0);
}
