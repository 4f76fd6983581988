/*
 * matmul_int - product of two 40 x 40 matrices of 32-bit integers that wrap.
 *
 * The truth: (A B) x = A (B x) for a vector x, a second way with a fortieth of the work (Freivalds, "Probabilistic
 * Machines Can Use Less Running Time", 1977).
 *
 * Work: 40^3 products and as many sums; in vectors of 16 lanes, 64000 * 2 / 16 = 8000.
 */
#include "../sample.h"
#include "test_signal.h"

#define N 40

static uint32_t a[N][N], b[N][N], product[N][N];

static void multiply(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            uint32_t sum = 0;

            for (int k = 0; k < N; k++)
                sum += a[i][k] * b[k][j];
            product[i][j] = sum;
        }
}

static void prepare(void)
{
    uint32_t noise = 48271u;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = noise_next(&noise);
            b[i][j] = noise_next(&noise);
        }
    SHIM_KEEP(a);
    SHIM_KEEP(b);
}

static void apply(uint32_t out[N], uint32_t matrix[N][N], const uint32_t x[N])
{
    for (int i = 0; i < N; i++) {
        out[i] = 0;
        for (int j = 0; j < N; j++)
            out[i] += matrix[i][j] * x[j];
    }
}

int main(void)
{
    uint32_t x[N], bx[N], abx[N], px[N], noise = 16807u;

    prepare();
    shim_region_begin("matmul_int");
    multiply();
    SHIM_KEEP(product);
    shim_region_end("matmul_int");
    for (int i = 0; i < N; i++)
        x[i] = noise_next(&noise);
    apply(bx, b, x);
    apply(abx, a, bx);
    apply(px, product, x);
    return sample_verdict_int("difference of A (B x) and (A B) x", memcmp(abx, px, sizeof px) != 0, 0);
}
