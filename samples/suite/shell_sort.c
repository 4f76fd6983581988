/*
 * shell_sort - sort 2000 ints by insertion with the gaps 1093, 364, 121, 40, 13, 4, 1.
 *
 * Work: the pass with gap g looks at 2000 - g elements, each at least one load and one comparison:
 * (7 * 2000 - 1636) * 2 = 24728. What a step reads depends on the step before.
 */
#include "../sample.h"
#include "lcg.h"

#define COUNT 2000

static int data[COUNT];
static int seen[65536];

static void shell_sort(int a[], int count)
{
    int gap, i, j, value;

    for (gap = 1; gap < count / 3; gap = 3 * gap + 1)
        ;
    for (; gap > 0; gap /= 3) {
        for (i = gap; i < count; i++) {
            value = a[i];
            for (j = i; j >= gap && a[j - gap] > value; j -= gap)
                a[j] = a[j - gap];
            a[j] = value;
        }
    }
}

int main(void)
{
    uint32_t seed = 2;
    int i;

    memset(seen, 0, sizeof seen);
    for (i = 0; i < COUNT; i++) {
        data[i] = (int)lcg_draw(&seed);
        seen[data[i]]++;
    }
    SHIM_KEEP(data);
    shim_region_begin("shell_sort");
    shell_sort(data, COUNT);
    shim_region_end("shell_sort");
    SHIM_KEEP(data);
    for (i = 0; i < COUNT; i++) {
        if (i > 0 && sample_verdict_int("whether neighbours are in order", data[i - 1] <= data[i], 1))
            return 1;
        seen[data[i]]--;
    }
    for (i = 0; i < 65536; i++)
        if (sample_verdict_int("difference in how often a value occurs", seen[i], 0))
            return 1;
    return 0;
}
