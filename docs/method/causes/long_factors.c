/* Vectors of products of 64 bits: by one number, and by a constant. The factors are extended by the product itself. */
#include "shim_region.h"
#include <stdint.h>

int32_t a[512], b[512];
volatile int32_t gain = 12345;

__attribute__((noinline)) static void work(const int32_t *restrict x, int32_t *restrict y)
{
    int32_t f = gain;
    for (int i = 0; i < 512; i++)
        y[i] = (int32_t)(((int64_t)x[i] * f) >> 31);
    for (int i = 0; i < 512; i++)
        y[i] = (int32_t)((y[i] + (int64_t)x[i] * 12345) >> 16);
}

int main(void)
{
    for (int i = 0; i < 512; i++)
        a[i] = i * 7 - 900;
    shim_region_begin("work");
    for (int i = 0; i < 20; i++) {
        work(a, b);
        SHIM_KEEP(b);
    }
    shim_region_end("work");
    return 0;
}
