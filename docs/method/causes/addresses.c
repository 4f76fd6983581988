/* Additions are folded into the addresses of accesses. */
#include "shim_region.h"

int picture[34][64], out[34][64];

__attribute__((noinline)) static void work(void)
{
    for (int y = 1; y < 33; y++)
#pragma clang loop vectorize(disable) unroll(disable)
        for (int x = 1; x < 63; x++)
            out[y][x] = picture[y - 1][x] + picture[y + 1][x] + picture[y][x - 1] + picture[y][x + 1];
}

int main(void)
{
    shim_region_begin("work");
    for (int i = 0; i < 20; i++)
        work();
    shim_region_end("work");
    return 0;
}
