/* A product of two variables has a long quotient, which takes a divider longer. */
#include "shim_region.h"

unsigned long modulus = 4294967291UL, start = 3000000019UL;
unsigned long result;

__attribute__((noinline)) static void work(void)
{
    unsigned long n = modulus, x = start, y = 1;
#pragma clang loop unroll(disable)
    for (int i = 0; i < 256; i++) {
        y = y * x % n;
        x = x * x % n;
    }
    result += y;
}

int main(void)
{
    shim_region_begin("work");
    for (int i = 0; i < 20; i++)
        work();
    shim_region_end("work");
    return 0;
}
