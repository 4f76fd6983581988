/* Elements of vectors become longer and shorter by a factor of two at a time. */
#include "shim_region.h"

signed char in[1024], out[1024];
int factor = 77, by = 7;

__attribute__((noinline)) static void work(void)
{
    int f = factor, s = by;
#pragma clang loop unroll(disable)
    for (int i = 0; i < 1024; i++)
        out[i] = (signed char)((in[i] * f) >> s);
}

int main(void)
{
    shim_region_begin("work");
    for (int i = 0; i < 20; i++)
        work();
    shim_region_end("work");
    return 0;
}
