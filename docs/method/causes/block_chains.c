/* What an iteration leaves is first used under a condition, two blocks later: the chain goes through three blocks. */
#include "shim_region.h"

unsigned long pattern = ~0UL, dividend = 3000000019UL;
volatile unsigned long seen;

__attribute__((noinline)) static void work(void)
{
    unsigned long bits = pattern, n = dividend, x = 1, y = 0;
#pragma clang loop unroll(disable)
    for (int i = 0; i < 256; i++) {
        if (bits >> (i & 63) & 1)
            seen = y += x;
        x = n / (x | 65537);
    }
}

int main(void)
{
    shim_region_begin("work");
    for (int i = 0; i < 20; i++)
        work();
    shim_region_end("work");
    return 0;
}
