#include <shim_region.h>
static volatile int table[1024];
static int deeper(int n)
{
    volatile char here[64];
    here[0] = (char)n;
    return n ? deeper(n - 1) + here[0] : 0;
}
int main(void)
{
    int sum = 0;
    shim_region_begin("table");
    for (int i = 0; i < 1024; i++)
        sum += table[i];
    shim_region_end("table");
    shim_region_begin("stack");
    sum += deeper(10);
    shim_region_end("stack");
    return sum - 55;
}
