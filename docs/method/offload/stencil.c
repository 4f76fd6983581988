/* stencil.c - forty sweeps of a five-point stencil over 512 x 512 floats: two grids of 1 MiB. */
#include <stdio.h>
#define N 512
static float grid[2][N][N];
__attribute__((noinline)) static void sweep(int from)
{
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            grid[1 - from][i][j] = 0.5f * grid[from][i][j] + 0.125f * (grid[from][i - 1][j] + grid[from][i + 1][j] +
                                                                       grid[from][i][j - 1] + grid[from][i][j + 1]);
}
int main(void)
{
    for (int i = 0; i < N; i++)
        grid[0][i][0] = grid[1][i][0] = (float)i;
    for (int s = 0; s < 40; s++)
        sweep(s & 1);
    printf("%g\n", grid[0][N / 2][1]);
    return 0;
}
