/* The upper half of a 128-bit product is a register: the shift by 64 makes no code. */
#include "shim_region.h"

unsigned long a[256], b[256];
unsigned long upper, lower;

__attribute__((noinline)) static void work(void)
{
    unsigned long high = 0, low = 0;
#pragma clang loop vectorize(disable) unroll(disable)
    for (int i = 0; i < 256; i++) {
        unsigned __int128 product = (unsigned __int128)a[i] * b[i];
        high += (unsigned long)(product >> 64);
        low ^= (unsigned long)product;
    }
    upper += high;
    lower += low;
}

int main(void)
{
    shim_region_begin("work");
    for (int i = 0; i < 20; i++)
        work();
    shim_region_end("work");
    return 0;
}
