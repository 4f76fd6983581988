/* Loads pass stores of arrays that LLVM knows to be others. */
#include "shim_region.h"

int a[512], b[512], c[512];

__attribute__((noinline)) static void work(void)
{
#pragma clang loop vectorize(disable) unroll_count(4)
    for (int i = 0; i < 512; i++)
        c[i] = a[i] * 3 + b[i];
}

int main(void)
{
    shim_region_begin("work");
    for (int i = 0; i < 20; i++)
        work();
    shim_region_end("work");
    return 0;
}
