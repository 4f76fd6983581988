/* Operations on atomic variables are calls, which hold up what comes after them. */
#include <stdatomic.h>

#include "shim_region.h"

atomic_int packets, classes[16];
int sizes[256];
long sum;

__attribute__((noinline)) static void work(void)
{
    long s = 0;
#pragma clang loop vectorize(disable) unroll(disable)
    for (int i = 0; i < 256; i++) {
        s += sizes[i];
        atomic_fetch_add_explicit(&packets, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&classes[sizes[i] & 15], 1, memory_order_relaxed);
    }
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
