/*
 * MergeSort - sort 100 ints recursively; every call has a buffer of 100 ints on its stack, copies both halves into it
 * upwards, and merges them back. Filling the array is part of the run.
 *
 * Work: merging l with r elements takes at least min(l, r) comparisons; over the halving tree of 100 these minima sum
 * to 316 (each of the 316 is also a load and a store of the element that won): 3 * 316 = 948.
 */
#include "paper_data.h"

#define COUNT 100

static void fill(int data[])
{
    int i;

    for (i = 0; i < COUNT; i++)
        data[i] = paper_value(i);
}

/* Sorts data[first .. last], both included. */
static void merge_sort(int data[], int first, int last)
{
    int buffer[COUNT];
    int middle, i, j, k;

    if (first >= last)
        return;
    middle = (first + last) / 2;
    merge_sort(data, first, middle);
    merge_sort(data, middle + 1, last);
    for (i = first; i <= middle; i++)
        buffer[i] = data[i];
    for (j = middle + 1; j <= last; j++)
        buffer[j] = data[j];
    i = first;
    j = middle + 1;
    for (k = first; k <= last; k++) {
        if (j > last || (i <= middle && buffer[i] <= buffer[j]))
            data[k] = buffer[i++];
        else
            data[k] = buffer[j++];
    }
}

int main(void)
{
    int data[COUNT];

    SHIM_KEEP(data);
    shim_region_begin("MergeSort");
    fill(data);
    merge_sort(data, 0, COUNT - 1);
    shim_region_end("MergeSort");
    SHIM_KEEP(data);
    return paper_check_sorted(data, COUNT);
}
