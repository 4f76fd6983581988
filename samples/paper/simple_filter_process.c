/*
 * SimpleFilterProcess - 1000 pseudo-random ints in a global array, each through a filter: below 100 -> x/5 + f(x+100),
 * else x/4, at most 1023. Filling the array is part of the run.
 *
 * Work: per element paper_value's remainder and division, and at least the filter's comparison with 100, its
 * division and the comparison with the cap, in functions that are called and not inlined: 5 * 1000 = 5000.
 */
#include "paper_data.h"

#define COUNT 1000

static int data[COUNT];

static void fill(void)
{
    int i;

    for (i = 0; i < COUNT; i++)
        data[i] = paper_value(i);
}

static __attribute__((noinline)) int filter(int x)
{
    int y;

    if (x < 100)
        return x / 5 + filter(x + 100);
    y = x / 4;
    if (y > 1023)
        y = 1023;
    return y;
}

static void filter_all(void)
{
    int i;

    for (i = 0; i < COUNT; i++)
        data[i] = filter(data[i]);
}

/* No input is negative, so that the recursion is at most one deep: the filter in one formula. */
static int expected(int x)
{
    int y = (x < 100 ? x + 100 : x) / 4;

    return (x < 100 ? x / 5 : 0) + (y < 1023 ? y : 1023);
}

int main(void)
{
    int i;

    SHIM_KEEP(data);
    shim_region_begin("SimpleFilterProcess");
    fill();
    filter_all();
    shim_region_end("SimpleFilterProcess");
    SHIM_KEEP(data);
    for (i = 0; i < COUNT; i++)
        if (sample_verdict_int("filtered value", data[i], expected(paper_value_exact(i))))
            return 1;
    return 0;
}
