/* Loads that issue before the first of their values is needed miss together. */
#include "shim_region.h"

float table[6][64 * 1024];
float sum;

__attribute__((noinline)) static void work(unsigned at)
{
    float s = 0;
#pragma clang loop vectorize(disable) unroll(disable)
    for (int i = 0; i < 512; i++) {
        at = at * 1664525u + 1013904223u;
        unsigned k = at >> 16;
        s += (table[0][k] + table[1][k]) * (table[2][k] + table[3][k]) * (table[4][k] + table[5][k]);
    }
    sum += s;
}

int main(void)
{
    shim_region_begin("work");
    for (int i = 0; i < 20; i++)
        work((unsigned)i);
    shim_region_end("work");
    return 0;
}
