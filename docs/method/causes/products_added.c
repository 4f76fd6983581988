/* A product and its addition issue when all three operands are there: sums of products wait for each other. */
#include "shim_region.h"

int a[256];
int factor = 3, sum;

__attribute__((noinline)) static void work(void)
{
    int s = 1, f = factor;
#pragma clang loop vectorize(disable) unroll_count(8)
    for (int i = 0; i < 256; i++)
        s += a[i] * f;
    sum += s;
}

int main(void)
{
    shim_region_begin("work");
    for (int i = 0; i < 20; i++)
        work();
    shim_region_end("work");
    return 0;
}
