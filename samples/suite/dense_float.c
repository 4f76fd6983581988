/*
 * dense_float - a dense layer of 512 inputs and 384 outputs, 768 KB of weights that are read once for each input
 * vector; single precision.
 *
 * What bounds it on small processors is memory: the weights do not stay in the second-level cache. The weights are
 * Walsh's functions (Walsh, "A Closed Set of Normal Orthogonal Functions", 1923), scaled; the truth: a Walsh function
 * put in comes out at its own number alone, and two of them at both.
 *
 * Work: 3 vectors, 196608 products and sums each, in at most 16 lanes: 3 * 196608 * 2 / 16 = 73728.
 */
#include "../sample.h"

#define INPUTS  512
#define OUTPUTS 384
#define VECTORS 3

static float weight[OUTPUTS][INPUTS], bias[OUTPUTS];
static float input[VECTORS][INPUTS], output[VECTORS][OUTPUTS];

static void layer(const float *x, float *y)
{
    for (int o = 0; o < OUTPUTS; o++) {
        float sum0 = bias[o], sum1 = 0.0f, sum2 = 0.0f, sum3 = 0.0f;

        for (int i = 0; i < INPUTS; i += 4) {
            sum0 += weight[o][i] * x[i];
            sum1 += weight[o][i + 1] * x[i + 1];
            sum2 += weight[o][i + 2] * x[i + 2];
            sum3 += weight[o][i + 3] * x[i + 3];
        }
        y[o] = (sum0 + sum1) + (sum2 + sum3);
    }
}

static void infer(void)
{
    for (int v = 0; v < VECTORS; v++)
        layer(input[v], output[v]);
}

/* 1 or -1: by the parity of the bits that both numbers have. */
static float walsh(unsigned number, unsigned place)
{
    unsigned both = number & place;
    int odd = 0;

    for (; both != 0; both &= both - 1)
        odd = !odd;
    return odd ? -1.0f : 1.0f;
}

static unsigned first_of(int v)
{
    return 37u + 100u * (unsigned)v;
}

static unsigned second_of(int v)
{
    return 5u + 90u * (unsigned)v;
}

static void prepare(void)
{
    for (unsigned o = 0; o < OUTPUTS; o++) {
        bias[o] = (float)(o % 8) * 0.25f;
        for (unsigned i = 0; i < INPUTS; i++)
            weight[o][i] = walsh(o, i) / INPUTS;
    }
    for (int v = 0; v < VECTORS; v++)
        for (unsigned i = 0; i < INPUTS; i++)
            input[v][i] = 3.0f * walsh(first_of(v), i) - 2.0f * walsh(second_of(v), i);
    SHIM_KEEP(weight);
    SHIM_KEEP(bias);
    SHIM_KEEP(input);
}

/* All numbers are small multiples of 2^-9: nothing is rounded. */
int main(void)
{
    int wrong = 0;

    prepare();
    shim_region_begin("dense_float");
    infer();
    SHIM_KEEP(output);
    shim_region_end("dense_float");
    for (int v = 0; v < VECTORS; v++)
        for (unsigned o = 0; o < OUTPUTS; o++) {
            double expected = (o % 8) * 0.25 + (o == first_of(v) ? 3.0 : 0.0) - (o == second_of(v) ? 2.0 : 0.0);

            wrong += (double)output[v][o] != expected;
        }
    return sample_verdict_int("wrong outputs", wrong, 0);
}
