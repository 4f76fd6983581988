/* Compilers put what needs the result of one division before the next one, which has to wait for the unit anyway. */
#include "shim_region.h"

double numbers[256];
float sum;

__attribute__((noinline)) static void work(void)
{
    float s = 0;
#pragma clang loop vectorize(disable) unroll_count(8)
    for (int i = 0; i < 256; i++)
        s = s + numbers[i] / 1000.0;
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
