/* matrix_product.c - C = A B of 192 x 192 doubles, the textbook's three loops. */
#include <stdio.h>
#define N 192
static double a[N][N], b[N][N], c[N][N];
__attribute__((noinline)) static void fill(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i * 0.25 + j;
            b[i][j] = i - j * 0.5;
        }
}
__attribute__((noinline)) static void product(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}
int main(void)
{
    fill();
    product();
    printf("%g\n", c[N / 2][N / 3]);
    return 0;
}
