/*
 * conv_int8 - a convolution layer of a quantised network: 3 x 3, 8 channels into 16, stride 1, edges padded with zero.
 *
 * Arithmetic as in Jacob et al., "Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only
 * Inference", 2018: 8-bit weights and values, 32-bit sums, one scale for each output channel, ReLU. The truth: the
 * layer in double precision, summed in another order; it holds all these integers exactly.
 *
 * Work: 18 * 18 inner points of 16 channels, each with 72 products and sums, a multiply-add in at most 64 lanes:
 * 324 * 16 * 72 / 64 = 5832.
 */
#include "../sample.h"
#include "test_signal.h"

#define SIZE    20
#define INPUTS  8
#define OUTPUTS 16
#define REACH   3
#define SCALED  20 /* places of the scales */

static int8_t image[SIZE][SIZE][INPUTS], weight[OUTPUTS][REACH][REACH][INPUTS];
static int32_t bias[OUTPUTS], scale[OUTPUTS];
static int8_t output[SIZE][SIZE][OUTPUTS];

static int32_t channel_sum(const int8_t *a, const int8_t *b)
{
    int32_t sum = 0;

    for (int c = 0; c < INPUTS; c++)
        sum += a[c] * b[c];
    return sum;
}

static int8_t activate(int32_t sum, int32_t factor)
{
    int64_t value = ((int64_t)sum * factor + (1 << (SCALED - 1))) >> SCALED;

    if (value < 0)
        return 0;
    return value > 127 ? 127 : (int8_t)value;
}

static void point(int y, int x)
{
    for (int o = 0; o < OUTPUTS; o++) {
        int32_t sum = bias[o];

        for (int j = 0; j < REACH; j++) {
            int row = y + j - 1;

            if (row < 0 || row >= SIZE)
                continue;
            for (int i = 0; i < REACH; i++) {
                int column = x + i - 1;

                if (column >= 0 && column < SIZE)
                    sum += channel_sum(image[row][column], weight[o][j][i]);
            }
        }
        output[y][x][o] = activate(sum, scale[o]);
    }
}

static void convolve(void)
{
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++)
            point(y, x);
}

static void prepare(void)
{
    uint32_t noise = 5772156u;

    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++)
            for (int c = 0; c < INPUTS; c++)
                image[y][x][c] = (int8_t)noise_within(&noise, 127);
    for (int o = 0; o < OUTPUTS; o++) {
        for (int j = 0; j < REACH; j++)
            for (int i = 0; i < REACH; i++)
                for (int c = 0; c < INPUTS; c++)
                    weight[o][j][i][c] = (int8_t)noise_within(&noise, 127);
        bias[o] = noise_within(&noise, 15000);
        scale[o] = 1500 + noise_within(&noise, 500);
    }
    SHIM_KEEP(image);
    SHIM_KEEP(weight);
    SHIM_KEEP(bias);
    SHIM_KEEP(scale);
}

static double pixel(int y, int x, int c)
{
    return y < 0 || y >= SIZE || x < 0 || x >= SIZE ? 0.0 : image[y][x][c];
}

static int expected(int y, int x, int o)
{
    double sum = 0.0, value;

    for (int c = INPUTS; c-- > 0;)
        for (int i = 0; i < REACH; i++)
            for (int j = 0; j < REACH; j++)
                sum += pixel(y + j - 1, x + i - 1, c) * weight[o][j][i][c];
    value = floor((sum + bias[o]) * scale[o] / (1 << SCALED) + 0.5);
    if (value < 0.0)
        return 0;
    return value > 127.0 ? 127 : (int)value;
}

int main(void)
{
    int wrong = 0;

    prepare();
    shim_region_begin("conv_int8");
    convolve();
    SHIM_KEEP(output);
    shim_region_end("conv_int8");
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++)
            for (int o = 0; o < OUTPUTS; o++)
                wrong += output[y][x][o] != expected(y, x, o);
    return sample_verdict_int("wrong outputs", wrong, 0);
}
