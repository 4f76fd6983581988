/* A 64-bit product of two extended 32-bit numbers is smull. */
#include "shim_region.h"

int a[256], b[256];
long sum;

__attribute__((noinline)) static void work(void)
{
    long s = 0;
#pragma clang loop vectorize(disable) unroll(disable)
    for (int i = 0; i < 256; i++)
        s += (long)(a[i] + 1) * (b[i] + 2);
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
