/*
 * binary_search - look up 3000 numbers, half of them present, in a sorted table of 4096.
 *
 * Work: halving 4096 places takes 12 steps, each a load and a comparison that decide the next: 3000 * 12 * 2 = 72000.
 */
#include "../sample.h"
#include "lcg.h"

#define COUNT   4096
#define LOOKUPS 3000

static int table[COUNT], wanted[LOOKUPS], found[LOOKUPS];

/* The first place whose number is not below the wanted one; count if there is none. */
static int lower_bound(const int sorted[], int count, int number)
{
    int first = 0, last = count, middle;

    while (first < last) {
        middle = first + (last - first) / 2;
        if (sorted[middle] < number)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

int main(void)
{
    uint32_t seed = 4;
    int i;

    for (i = 0; i < COUNT; i++)
        table[i] = 3 * i + 1;
    for (i = 0; i < LOOKUPS; i++)
        wanted[i] = 3 * (int)(lcg_draw(&seed) % COUNT) + i % 2;
    SHIM_KEEP(table);
    SHIM_KEEP(wanted);
    shim_region_begin("binary_search");
    for (i = 0; i < LOOKUPS; i++)
        found[i] = lower_bound(table, COUNT, wanted[i]);
    shim_region_end("binary_search");
    SHIM_KEEP(found);
    /* 3k and 3k + 1 both belong at k. */
    for (i = 0; i < LOOKUPS; i++)
        if (sample_verdict_int("place", found[i], wanted[i] / 3))
            return 1;
    return 0;
}
