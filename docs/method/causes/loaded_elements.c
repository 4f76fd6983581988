/* What was loaded goes into an element of a vector by the load itself. */
#include "shim_region.h"

float in[5 * 1024], out[1024];

__attribute__((noinline)) static void work(void)
{
#pragma clang loop vectorize_width(4) interleave_count(1) unroll(disable)
    for (int i = 0; i < 1024; i++)
        out[i] = in[5 * i] * 0.5F;
}

int main(void)
{
    shim_region_begin("work");
    for (int i = 0; i < 20; i++)
        work();
    shim_region_end("work");
    return 0;
}
