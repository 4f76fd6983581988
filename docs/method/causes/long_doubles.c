/* Floating point of 128 bits is calls of the compiler's library. */
#include "shim_region.h"

long double a[64], sum;

__attribute__((noinline)) static void work(void)
{
    for (int i = 0; i < 64; i++)
        sum += a[i] * 3.0L + 1.0L;
}

int main(void)
{
    shim_region_begin("work");
    for (int i = 0; i < 20; i++)
        work();
    shim_region_end("work");
    return 0;
}
