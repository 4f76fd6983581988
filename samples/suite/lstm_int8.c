/*
 * lstm_int8 - a long short-term memory cell, 8-bit weights and outputs, 16-bit gates and cell, over a sequence.
 *
 * Hochreiter and Schmidhuber, "Long Short-Term Memory", 1997; sigmoid and tangent from tables of 256 intervals with
 * linear interpolation, as small processors do. The truth: the same cell in double precision with the library's exp and
 * tanh.
 *
 * Work: each of the 20 steps depends on the one before; 4 * 16 gates of 24 + 16 products and sums, a multiply-add in at
 * most 64 lanes: 20 * 64 * 40 / 64 = 800. The 5 functions of the 16 cells are looked up: 20 * 80 loads in 16 lanes:
 * 100.
 */
#include "../sample.h"
#include "test_signal.h"

#define STEPS  20
#define INPUTS 24
#define CELLS  16
#define GATES  4 /* input, forget, candidate, output */
#define TABLE  256

static int8_t input[STEPS][INPUTS];
static int8_t weight_in[GATES][CELLS][INPUTS], weight_back[GATES][CELLS][CELLS];
static int16_t bias[GATES][CELLS];                                 /* as the sums: Q14 */
static int16_t sigmoid_table[TABLE + 1], tangent_table[TABLE + 1]; /* arguments -8 .. 8; Q15 */
static int16_t cell[CELLS];                                        /* Q12 */
static int8_t output[STEPS][CELLS], state[CELLS];                  /* Q7 */

/* table(x): x is Q12, clamped to -8 .. 8. */
static int16_t look_up(const int16_t *table, int32_t x)
{
    int32_t place, share;

    if (x < -32768)
        x = -32768;
    if (x > 32767)
        x = 32767;
    place = (x + 32768) >> 8;
    share = (x + 32768) & 255;
    return (int16_t)(table[place] + (((table[place + 1] - table[place]) * share) >> 8));
}

static int32_t gate(int g, int c, const int8_t *x)
{
    int32_t sum = bias[g][c];

    for (int i = 0; i < INPUTS; i++)
        sum += weight_in[g][c][i] * x[i];
    for (int i = 0; i < CELLS; i++)
        sum += weight_back[g][c][i] * state[i];
    return sum / 4; /* Q7 * Q7 is Q14; Q12 */
}

static void step(const int8_t *x, int8_t *out)
{
    for (int c = 0; c < CELLS; c++) {
        int32_t in = look_up(sigmoid_table, gate(0, c, x)), forget = look_up(sigmoid_table, gate(1, c, x));
        int32_t candidate = look_up(tangent_table, gate(2, c, x)), open = look_up(sigmoid_table, gate(3, c, x));
        int32_t sum = ((forget * cell[c]) >> 15) + ((in * candidate) >> 18);

        cell[c] = (int16_t)(sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum);
        sum = (open * look_up(tangent_table, cell[c]) + (1 << 22)) >> 23;
        out[c] = (int8_t)(sum > 127 ? 127 : sum);
    }
    memcpy(state, out, sizeof state);
}

static void run(void)
{
    for (int t = 0; t < STEPS; t++)
        step(input[t], output[t]);
}

static int16_t q15(double x)
{
    double scaled = floor(32768.0 * x + 0.5);

    return scaled > 32767.0 ? INT16_MAX : (int16_t)scaled;
}

static void prepare(void)
{
    uint32_t noise = 137035u;

    for (int i = 0; i <= TABLE; i++) {
        sigmoid_table[i] = q15(1.0 / (1.0 + exp(8.0 - i / 16.0)));
        tangent_table[i] = q15(tanh(i / 16.0 - 8.0));
    }
    for (int g = 0; g < GATES; g++)
        for (int c = 0; c < CELLS; c++) {
            for (int i = 0; i < INPUTS; i++)
                weight_in[g][c][i] = (int8_t)noise_within(&noise, 50);
            for (int i = 0; i < CELLS; i++)
                weight_back[g][c][i] = (int8_t)noise_within(&noise, 30);
            bias[g][c] = (int16_t)noise_within(&noise, 8000);
        }
    for (int t = 0; t < STEPS; t++)
        for (int i = 0; i < INPUTS; i++)
            input[t][i] = (int8_t)noise_within(&noise, 127);
    memset(cell, 0, sizeof cell);
    memset(state, 0, sizeof state);
    SHIM_KEEP(input);
    SHIM_KEEP(weight_in);
    SHIM_KEEP(weight_back);
    SHIM_KEEP(bias);
    SHIM_KEEP(sigmoid_table);
    SHIM_KEEP(tangent_table);
    SHIM_KEEP(cell);
    SHIM_KEEP(state);
}

static double exact_gate(int g, int c, const int8_t *x, const double *back)
{
    double sum = bias[g][c] / 16384.0;

    for (int i = 0; i < INPUTS; i++)
        sum += weight_in[g][c][i] / 128.0 * (x[i] / 128.0);
    for (int i = 0; i < CELLS; i++)
        sum += weight_back[g][c][i] / 128.0 * back[i];
    return sum;
}

static double sigmoid(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

/* The worst distance of an output from the exact cell's. */
static double worst_output(void)
{
    double inner[CELLS] = {0.0}, back[CELLS] = {0.0}, next[CELLS], worst = 0.0;

    for (int t = 0; t < STEPS; t++) {
        for (int c = 0; c < CELLS; c++) {
            double in = sigmoid(exact_gate(0, c, input[t], back)), forget = sigmoid(exact_gate(1, c, input[t], back));

            inner[c] = forget * inner[c] + in * tanh(exact_gate(2, c, input[t], back));
            next[c] = sigmoid(exact_gate(3, c, input[t], back)) * tanh(inner[c]);
            worst = worse_of(worst, fabs(output[t][c] / 128.0 - next[c]));
        }
        memcpy(back, next, sizeof back);
    }
    return worst;
}

/* An output is rounded by 1/256; 16 of them return with weights below 0.24, slopes of a quarter or 1: some
 * hundredths. */
int main(void)
{
    prepare();
    shim_region_begin("lstm_int8");
    run();
    SHIM_KEEP(output);
    SHIM_KEEP(cell);
    shim_region_end("lstm_int8");
    return sample_verdict_real("worst output", worst_output(), 0.0, 0.03);
}
