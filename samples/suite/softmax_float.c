/*
 * softmax_float - the last layer of a classifier: a dense layer of 64 inputs and 20 classes, then softmax; single
 * precision.
 *
 * The exponential without a library: Cody and Waite's reduction ("Software Manual for the Elementary Functions", 1980)
 * and a polynomial of degree 6; the maximum is taken off first. The truth: the library's exp in double precision; the
 * sum is 1.
 *
 * Work: 60 vectors; 64 * 20 products and sums and 20 exponentials of 7 products and sums, in at most 16 lanes:
 * 60 * (2560 + 280) / 16 = 10650.
 */
#include "../sample.h"
#include "test_signal.h"

#define VECTORS 60
#define INPUTS  64
#define CLASSES 20

union bits {
    uint32_t word;
    float value;
};

static float input[VECTORS][INPUTS], weight[CLASSES][INPUTS], bias[CLASSES];
static float output[VECTORS][CLASSES];

/* e^x for -87 < x <= 0: 2^n times e^r, |r| <= ln 2 / 2; ln 2 in two parts. */
static float exponential(float x)
{
    int n = (int)(x * 1.44269504f - 0.5f);
    float r = x - (float)n * 0.693359375f + (float)n * 2.12194440e-4f;
    float p = 1.3888889e-3f;
    union bits power;

    p = p * r + 8.3333333e-3f;
    p = p * r + 4.1666667e-2f;
    p = p * r + 1.6666667e-1f;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    p = p * r + 1.0f;
    if (n < -126)
        return 0.0f;
    power.word = (uint32_t)(n + 127) << 23;
    return p * power.value;
}

static void dense(const float *x, float *y)
{
    for (int c = 0; c < CLASSES; c++) {
        float sum = bias[c];

        for (int i = 0; i < INPUTS; i++)
            sum += weight[c][i] * x[i];
        y[c] = sum;
    }
}

static void softmax(float *y)
{
    float most = y[0], sum = 0.0f;

    for (int c = 1; c < CLASSES; c++)
        most = y[c] > most ? y[c] : most;
    for (int c = 0; c < CLASSES; c++) {
        y[c] = exponential(y[c] - most);
        sum += y[c];
    }
    for (int c = 0; c < CLASSES; c++)
        y[c] /= sum;
}

static void classify(void)
{
    for (int v = 0; v < VECTORS; v++) {
        dense(input[v], output[v]);
        softmax(output[v]);
    }
}

static void prepare(void)
{
    uint32_t noise = 729735u;

    for (int c = 0; c < CLASSES; c++) {
        bias[c] = (float)noise_unit(&noise);
        for (int i = 0; i < INPUTS; i++)
            weight[c][i] = (float)noise_unit(&noise);
    }
    for (int v = 0; v < VECTORS; v++)
        for (int i = 0; i < INPUTS; i++)
            input[v][i] = (float)noise_unit(&noise);
    SHIM_KEEP(input);
    SHIM_KEEP(weight);
    SHIM_KEEP(bias);
}

static double worst_of(int v)
{
    double exact[CLASSES], sum = 0.0, worst = 0.0;

    for (int c = 0; c < CLASSES; c++) {
        double x = bias[c];

        for (int i = 0; i < INPUTS; i++)
            x += (double)weight[c][i] * input[v][i];
        exact[c] = exp(x);
        sum += exact[c];
    }
    for (int c = 0; c < CLASSES; c++)
        worst = worse_of(worst, fabs(output[v][c] - exact[c] / sum));
    return worst;
}

int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("softmax_float");
    classify();
    SHIM_KEEP(output);
    shim_region_end("softmax_float");
    for (int v = 0; v < VECTORS; v++)
        worst = worse_of(worst, worst_of(v));
    return sample_verdict_real("worst probability", worst, 0.0, 1e-5);
}
