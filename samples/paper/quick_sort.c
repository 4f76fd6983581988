/*
 * QuickSort - sort 100 ints after Hoare, the middle element as pivot, swapping by a function. Filling the array is part
 * of the run.
 *
 * Work: a pass over n elements compares each with the pivot and leaves two parts of together at least n - 1, so
 * T(n) >= n + T(a) + T(n - 1 - a), smallest for equal halves: T(100) >= (n + 1) log2(n + 1) - 2n > 472 comparisons,
 * each with the load of its element: 944.
 */
#include "paper_data.h"

#define COUNT 100

static void fill(int data[])
{
    int i;

    for (i = 0; i < COUNT; i++)
        data[i] = paper_value(i);
}

static __attribute__((noinline)) void swap(int *left, int *right)
{
    int kept = *left;

    *left = *right;
    *right = kept;
}

/* Sorts data[first .. last], both included. */
static void quick_sort(int data[], int first, int last)
{
    int pivot = data[(first + last) / 2];
    int i = first, j = last;

    for (;;) {
        while (data[i] < pivot)
            i++;
        while (pivot < data[j])
            j--;
        if (i >= j)
            break;
        swap(&data[i], &data[j]);
        i++;
        j--;
    }
    if (first < i - 1)
        quick_sort(data, first, i - 1);
    if (j + 1 < last)
        quick_sort(data, j + 1, last);
}

int main(void)
{
    int data[COUNT];

    SHIM_KEEP(data);
    shim_region_begin("QuickSort");
    fill(data);
    quick_sort(data, 0, COUNT - 1);
    shim_region_end("QuickSort");
    SHIM_KEEP(data);
    return paper_check_sorted(data, COUNT);
}
