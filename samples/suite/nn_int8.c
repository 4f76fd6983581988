/*
 * nn_int8 - two dense layers of a quantised neural network: 128 inputs, 64 hidden, 10 outputs, 8-bit weights.
 *
 * Jacob et al., "Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only Inference", 2018:
 * 32-bit sums, a multiplier in Q31 and a shift with rounding, saturation, ReLU. The truth: the same network in double
 * precision, which holds all these integers exactly.
 *
 * Work: 24 inputs through 128 * 64 + 64 * 10 = 8832 weights, a product and a sum each; a multiply-add of bytes in at
 * most 64 lanes: 24 * 8832 / 64 = 3312. The 24 * 74 outputs take a product of 64 bits each, in at most 8 lanes: 222.
 * Together 3534.
 */
#include "../sample.h"
#include "test_signal.h"

#define INPUTS  128
#define HIDDEN  64
#define OUTPUTS 10
#define IMAGES  24

struct scale {
    int32_t multiplier; /* Q31 */
    int shift;          /* further, to the right */
};

static int8_t input[IMAGES][INPUTS];
static int8_t weight1[HIDDEN][INPUTS], weight2[OUTPUTS][HIDDEN];
static int32_t bias1[HIDDEN], bias2[OUTPUTS];
static int8_t hidden[IMAGES][HIDDEN], output[IMAGES][OUTPUTS];
static struct scale scale1, scale2;

/* sum * multiplier / 2^(31 + shift), rounded to nearest, between low and 127. */
static int8_t requantise(int32_t sum, struct scale s, int low)
{
    int64_t value = ((int64_t)sum * s.multiplier + (INT64_C(1) << (30 + s.shift))) >> (31 + s.shift);

    if (value < low)
        return (int8_t)low;
    return value > 127 ? 127 : (int8_t)value;
}

static int32_t dot(const int8_t *a, const int8_t *b, int length)
{
    int32_t sum = 0;

    for (int i = 0; i < length; i++)
        sum += a[i] * b[i];
    return sum;
}

static void infer(int image)
{
    for (int n = 0; n < HIDDEN; n++)
        hidden[image][n] = requantise(bias1[n] + dot(weight1[n], input[image], INPUTS), scale1, 0);
    for (int n = 0; n < OUTPUTS; n++)
        output[image][n] = requantise(bias2[n] + dot(weight2[n], hidden[image], HIDDEN), scale2, -128);
}

static void infer_all(void)
{
    for (int image = 0; image < IMAGES; image++)
        infer(image);
}

static void fill(int8_t *to, size_t size, uint32_t *noise)
{
    for (size_t i = 0; i < size; i++)
        to[i] = (int8_t)noise_within(noise, 127);
}

/* The scales put the spread of a sum, 127^2 / 3 times the root of its length, at about 60. */
static void prepare(void)
{
    uint32_t noise = 747796405u;

    fill(&input[0][0], sizeof input, &noise);
    fill(&weight1[0][0], sizeof weight1, &noise);
    fill(&weight2[0][0], sizeof weight2, &noise);
    for (int n = 0; n < HIDDEN; n++)
        bias1[n] = noise_within(&noise, 20000);
    for (int n = 0; n < OUTPUTS; n++)
        bias2[n] = noise_within(&noise, 20000);
    scale1 = (struct scale){1234567890, 9};
    scale2 = (struct scale){1876543210, 9};
    SHIM_KEEP(input);
    SHIM_KEEP(weight1);
    SHIM_KEEP(weight2);
    SHIM_KEEP(bias1);
    SHIM_KEEP(bias2);
    SHIM_KEEP(&scale1);
    SHIM_KEEP(&scale2);
}

static double expected(double sum, struct scale s, double low)
{
    double power = 2147483648.0 * (double)(1 << s.shift);
    double value = sum * s.multiplier / power + 0.5;
    double whole = (double)(long long)value;

    whole -= whole > value ? 1.0 : 0.0;
    if (whole < low)
        return low;
    return whole > 127.0 ? 127.0 : whole;
}

static int wrong_of(const int8_t *got, const int8_t *from, const int8_t *weights, const int32_t *bias, int inputs,
                    int outputs, struct scale s, double low)
{
    int wrong = 0;

    for (int n = 0; n < outputs; n++) {
        double sum = bias[n];

        for (int i = 0; i < inputs; i++)
            sum += (double)weights[n * inputs + i] * from[i];
        wrong += got[n] != expected(sum, s, low);
    }
    return wrong;
}

int main(void)
{
    int wrong = 0;

    prepare();
    shim_region_begin("nn_int8");
    infer_all();
    SHIM_KEEP(hidden);
    SHIM_KEEP(output);
    shim_region_end("nn_int8");
    for (int k = 0; k < IMAGES; k++) {
        wrong += wrong_of(hidden[k], input[k], &weight1[0][0], bias1, INPUTS, HIDDEN, scale1, 0.0);
        wrong += wrong_of(output[k], hidden[k], &weight2[0][0], bias2, HIDDEN, OUTPUTS, scale2, -128.0);
    }
    return sample_verdict_int("wrong neurons", wrong, 0);
}
