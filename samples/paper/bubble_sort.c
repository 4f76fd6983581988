/*
 * BubbleSort - sort 100 ints, the inner loop running downwards from the end; filling the array is part of the run.
 *
 * Work: 100 * 99 / 2 = 4950 comparisons; each loads one element that the step before did not have: 4950 icmp (or
 * min/max) + 4950 load = 9900. Each step depends on the one before, so none of it can be widened.
 */
#include "paper_data.h"

#define COUNT 100

static void fill(int data[])
{
    int i;

    for (i = 0; i < COUNT; i++)
        data[i] = paper_value(i);
}

static void bubble_sort(int data[], int count)
{
    int i, j, swapped;

    for (i = 0; i < count - 1; i++) {
        for (j = count - 1; j > i; j--) {
            if (data[j - 1] > data[j]) {
                swapped = data[j - 1];
                data[j - 1] = data[j];
                data[j] = swapped;
            }
        }
    }
}

int main(void)
{
    int data[COUNT];

    SHIM_KEEP(data);
    shim_region_begin("BubbleSort");
    fill(data);
    bubble_sort(data, COUNT);
    shim_region_end("BubbleSort");
    SHIM_KEEP(data);
    return paper_check_sorted(data, COUNT);
}
