/* A branch that is predicted does not hold up the code for the comparison before it. */
#include "shim_region.h"

int numbers[1024];
int found;

__attribute__((noinline)) static void work(int wanted)
{
    int i = 0;
#pragma clang loop unroll(disable)
    while (i < 1024 && numbers[i] != wanted)
        i++;
    found += i;
}

int main(void)
{
    shim_region_begin("work");
    for (int i = 0; i < 20; i++)
        work(i + 1);
    shim_region_end("work");
    return 0;
}
