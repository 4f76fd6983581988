/* matmul.c - a product of two matrices in 32 blocks of rows: 32 stamps. */
#include "timed.h"

enum { N = 128, ROWS = N / 32 };

static double a[N * N], b[N * N], c[N * N];

__attribute__((noinline)) static void matmul(const double *restrict x, const double *restrict y, double *restrict z)
{
    enum { BLOCKS = 32 };

    for (int block = 0; block < BLOCKS; block++)
        for (int i = block * ROWS; i < (block + 1) * ROWS; i++)
            for (int j = 0; j < N; j++) {
                double sum = 0;
                for (int k = 0; k < N; k++)
                    sum += x[i * N + k] * y[k * N + j];
                z[i * N + j] = sum;
            }
}

static void work(void)
{
    matmul(a, b, c);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < N * N; i++) {
        a[i] = (i % 17) * .25;
        b[i] = (i % 13) - 6;
    }
    return timed_main(argc, argv, work, c, sizeof c);
}
