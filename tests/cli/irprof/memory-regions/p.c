#include "shim_region.h"

static int a[4096] __attribute__((aligned(64)));

__attribute__((noinline)) static void walk(void)
{
    for (int i = 0; i < 4096; i++)
        ((volatile int *)a)[i];
}
int main(void)
{
    walk();
    for (int i = 0; i < 2; i++) {
        shim_region_begin("first");
        walk();
        shim_region_end("first");
    }
    shim_region_begin("second");
    walk();
    shim_region_begin("inner");
    walk();
    shim_region_end("inner");
    shim_region_end("second");
    return 0;
}
