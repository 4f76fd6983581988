/* A select of two conditions before a branch is two branches. */
#include "shim_region.h"

int a[512], b[512];
static volatile int hits;

__attribute__((noinline)) static void work(void)
{
#pragma clang loop vectorize(disable) unroll(disable)
    for (int i = 0; i < 512; i++)
        if (a[i] == 0 && b[i] != 7)
            hits++;
}

int main(void)
{
    shim_region_begin("work");
    for (int i = 0; i < 20; i++)
        work();
    shim_region_end("work");
    return 0;
}
