/* Elements of 64 bits are multiplied each by each: one factor was made longer before the loop, and stays so. */
#include "shim_region.h"
#include <stdint.h>

int32_t a[512], b[32], c[512];

__attribute__((noinline)) static void work(const int32_t *restrict x, const int32_t *restrict h, int32_t *restrict y)
{
    for (int n = 32; n < 64; n++) {
        int64_t sum = 0;
        for (int k = 0; k < 24; k++)
            sum += (int64_t)h[k] * x[n - k];
        y[n] = (int32_t)(sum >> 31);
    }
}

int main(void)
{
    for (int i = 0; i < 512; i++)
        a[i] = i * 7 - 900;
    for (int i = 0; i < 32; i++)
        b[i] = 3000 - i * 11;
    shim_region_begin("work");
    for (int i = 0; i < 20; i++) {
        work(a, b, c);
        SHIM_KEEP(c);
        SHIM_KEEP(a);
    }
    shim_region_end("work");
    return 0;
}
