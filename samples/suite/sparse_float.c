/*
 * sparse_float - a sparse matrix of 2000 rows and 196608 columns, 16 entries a row in compressed rows, times a vector
 * of 768 KB, four times: gathers that miss a second-level cache of 512 KB.
 *
 * The truth: entries and vector are whole numbers and so small that single precision adds them exactly; the same sums
 * in 64-bit integers, from the rule that made them, outside.
 *
 * Work: 4 * 32000 entries, each an index loaded, an element gathered, a product and a sum; of these at most 16 in a
 * vector: 4 * 32000 * 4 / 16 = 32000.
 */
#include "../sample.h"
#include "lcg.h"

#define ROWS    2000
#define COLUMNS 196608
#define PER_ROW 16
#define ENTRIES (ROWS * PER_ROW)
#define ROUNDS  4

static uint32_t starts[ROWS + 1], columns[ENTRIES];
static float values[ENTRIES], vector[COLUMNS], result[ROUNDS][ROWS];

static void multiply(float *out, int round)
{
    for (int row = 0; row < ROWS; row++) {
        float sum = 0;

        for (uint32_t i = starts[row]; i < starts[row + 1]; i++)
            sum += values[i] * vector[(columns[i] + (uint32_t)round * 16384) % COLUMNS];
        out[row] = sum;
    }
}

static int element(uint32_t column)
{
    return (int)(column * 2654435761U >> 26) - 32;
}

int main(void)
{
    uint32_t seed = 45;

    for (uint32_t i = 0; i < ENTRIES; i++) {
        columns[i] = ((uint32_t)lcg_draw(&seed) << 8 ^ lcg_draw(&seed)) % COLUMNS;
        values[i] = (float)(lcg_draw(&seed) % 128) - 64;
    }
    for (uint32_t row = 0; row <= ROWS; row++)
        starts[row] = row * PER_ROW;
    for (uint32_t i = 0; i < COLUMNS; i++)
        vector[i] = (float)element(i);
    SHIM_KEEP(starts);
    SHIM_KEEP(columns);
    SHIM_KEEP(values);
    SHIM_KEEP(vector);
    shim_region_begin("sparse_float");
    for (int round = 0; round < ROUNDS; round++)
        multiply(result[round], round);
    SHIM_KEEP(result);
    shim_region_end("sparse_float");
    for (uint32_t round = 0; round < ROUNDS; round++)
        for (uint32_t row = 0; row < ROWS; row++) {
            int64_t sum = 0;

            for (uint32_t i = row * PER_ROW; i < (row + 1) * PER_ROW; i++)
                sum += (int64_t)values[i] * element((columns[i] + round * 16384) % COLUMNS);
            if (sample_verdict_real("element of the product", result[round][row], (double)sum, 0))
                return 1;
        }
    return 0;
}
