/* Copies and comparisons of 8 bytes and of 8 KB, and a sort: how long a call takes depends on how much it has to do. */
#include <stdlib.h>
#include <string.h>

#include "shim_region.h"

static char from[8192], to[8192];
static int numbers[256];

static int compare(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

__attribute__((noinline)) static int work(size_t few, size_t many)
{
    int same = 0;
    for (int i = 0; i < 200; i++) {
        memcpy(to, from, few);
        same += memcmp(to, from, few);
    }
    for (int i = 0; i < 20; i++) {
        memcpy(to, from, many);
        same += memcmp(to, from, many);
    }
    qsort(numbers, 64, sizeof *numbers, compare);
    return same;
}

int main(int argc, char **argv)
{
    (void)argv;
    shim_region_begin("work");
    int same = work(8 * (size_t)argc, 8000 * (size_t)argc);
    shim_region_end("work");
    return same;
}
