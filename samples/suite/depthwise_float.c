/*
 * depthwise_float - a depthwise and a pointwise convolution, batch normalisation folded in, ReLU6; single precision.
 *
 * The block of Howard et al., "MobileNets", 2017: 3 x 3 for each channel, then 1 x 1 over all channels. The truth: the
 * same in double precision; and every output lies between 0 and 6.
 *
 * Work: 18 * 18 inner points, 16 channels of 9 products and sums, then 24 outputs of 16: 324 * (16 * 9 + 24 * 16) * 2 /
 * 16 lanes = 21384.
 */
#include "../sample.h"
#include "test_signal.h"

#define SIDE     20
#define CHANNELS 16
#define OUTPUTS  24
#define REACH    3

static float image[SIDE][SIDE][CHANNELS], between[SIDE][SIDE][CHANNELS], output[SIDE][SIDE][OUTPUTS];
static float depth_weight[REACH][REACH][CHANNELS], depth_bias[CHANNELS];
static float point_weight[OUTPUTS][CHANNELS], point_bias[OUTPUTS];

static float relu6(float x)
{
    if (x < 0.0f)
        return 0.0f;
    return x > 6.0f ? 6.0f : x;
}

static void depthwise(void)
{
    for (int y = 1; y < SIDE - 1; y++)
        for (int x = 1; x < SIDE - 1; x++)
            for (int c = 0; c < CHANNELS; c++) {
                float sum = depth_bias[c];

                for (int j = 0; j < REACH; j++)
                    for (int i = 0; i < REACH; i++)
                        sum += image[y + j - 1][x + i - 1][c] * depth_weight[j][i][c];
                between[y][x][c] = relu6(sum);
            }
}

static void pointwise(void)
{
    for (int y = 1; y < SIDE - 1; y++)
        for (int x = 1; x < SIDE - 1; x++)
            for (int o = 0; o < OUTPUTS; o++) {
                float sum = point_bias[o];

                for (int c = 0; c < CHANNELS; c++)
                    sum += between[y][x][c] * point_weight[o][c];
                output[y][x][o] = relu6(sum);
            }
}

static void fill(float *to, size_t n, uint32_t *noise)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (float)noise_unit(noise);
}

static void prepare(void)
{
    uint32_t noise = 331662u;

    fill(&image[0][0][0], sizeof image / sizeof(float), &noise);
    fill(&depth_weight[0][0][0], sizeof depth_weight / sizeof(float), &noise);
    fill(depth_bias, CHANNELS, &noise);
    fill(&point_weight[0][0], sizeof point_weight / sizeof(float), &noise);
    fill(point_bias, OUTPUTS, &noise);
    SHIM_KEEP(image);
    SHIM_KEEP(depth_weight);
    SHIM_KEEP(depth_bias);
    SHIM_KEEP(point_weight);
    SHIM_KEEP(point_bias);
}

static double limited(double x)
{
    if (x < 0.0)
        return 0.0;
    return x > 6.0 ? 6.0 : x;
}

static double worst_of(int y, int x)
{
    double inner[CHANNELS], worst = 0.0;

    for (int c = 0; c < CHANNELS; c++) {
        inner[c] = depth_bias[c];
        for (int k = 0; k < REACH * REACH; k++)
            inner[c] += (double)image[y + k % 3 - 1][x + k / 3 - 1][c] * depth_weight[k % 3][k / 3][c];
        inner[c] = limited(inner[c]);
    }
    for (int o = 0; o < OUTPUTS; o++) {
        double sum = point_bias[o];

        for (int c = 0; c < CHANNELS; c++)
            sum += inner[c] * point_weight[o][c];
        worst = worse_of(worst, fabs(output[y][x][o] - limited(sum)));
    }
    return worst;
}

int main(void)
{
    double worst = 0.0;

    prepare();
    shim_region_begin("depthwise_float");
    depthwise();
    pointwise();
    SHIM_KEEP(output);
    shim_region_end("depthwise_float");
    for (int y = 1; y < SIDE - 1; y++)
        for (int x = 1; x < SIDE - 1; x++)
            worst = worse_of(worst, worst_of(y, x));
    return sample_verdict_real("worst output", worst, 0.0, 1e-4);
}
