/* Regions begun and ended inside loops and by callees of loops: counters must be up to date at each of them. */
#include <shim_region.h>
#include <stdio.h>

static volatile int sink;

__attribute__((noinline)) static void mark(int i)
{
    if (i % 10 == 3)
        shim_region_begin("from 3 to 7");
    if (i % 10 == 7)
        shim_region_end("from 3 to 7");
}

__attribute__((noinline)) static void inner(int n)
{
    shim_region_begin("inner");
    for (int i = 0; i < n; i++)
        sink += i;
    shim_region_end("inner");
}

int main(void)
{
    for (int i = 0; i < 100; i++) {
        mark(i);
        for (int k = 0; k < i; k++)
            sink ^= k;
        if (i % 4 == 0)
            shim_region_begin("four");
        inner(i % 6);
        sink++;
        if (i % 4 == 0)
            shim_region_end("four");
    }
    printf("%d\n", sink);
    return 0;
}
