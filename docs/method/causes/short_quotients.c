/* Numbers divided by all that are smaller have short quotients: of 1 or 2 bits in the mean. */
#include "shim_region.h"

int number = 496, sum;

__attribute__((noinline)) static void work(int n)
{
#pragma clang loop unroll(disable)
    for (int i = 1; i < n; i++)
        sum += n % i;
}

int main(void)
{
    shim_region_begin("work");
    for (int i = 0; i < 20; i++)
        work(number + i);
    shim_region_end("work");
    return 0;
}
