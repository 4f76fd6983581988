/* Two loads or stores of neighbours in memory are one instruction. */
#include "shim_region.h"

struct four {
    long a, b, c, d;
} from[256], to[256];

__attribute__((noinline)) static void work(void)
{
#pragma clang loop vectorize(disable) unroll(disable)
    for (int i = 0; i < 256; i++) {
        to[i].a = from[i].a + 1;
        to[i].b = from[i].b + 2;
        to[i].c = from[i].c + 3;
        to[i].d = from[i].d + 4;
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
