/* A 64-bit division by a constant is a high multiplication. */
#include "shim_region.h"

unsigned long numbers[256], digits[256];

__attribute__((noinline)) static void work(void)
{
#pragma clang loop vectorize(disable) unroll(disable)
    for (int i = 0; i < 256; i++)
        digits[i] = numbers[i] / 1000003;
}

int main(void)
{
    shim_region_begin("work");
    for (int i = 0; i < 20; i++)
        work();
    shim_region_end("work");
    return 0;
}
