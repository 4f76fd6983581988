/*
 * heap_sort - sort 2000 ints by a binary heap.
 *
 * Work: each of the 1999 extractions takes the root and the last leaf, compares at least once, and writes both:
 * 1999 * 5 = 9995. Sifting depends on what it just read; none of it can be widened.
 */
#include "../sample.h"
#include "lcg.h"

#define COUNT 2000

static int data[COUNT], original[COUNT];

static void sift_down(int heap[], int root, int count)
{
    int child, value = heap[root];

    while ((child = 2 * root + 1) < count) {
        if (child + 1 < count && heap[child + 1] > heap[child])
            child++;
        if (value >= heap[child])
            break;
        heap[root] = heap[child];
        root = child;
    }
    heap[root] = value;
}

static void heap_sort(int heap[], int count)
{
    int i, last;

    for (i = count / 2 - 1; i >= 0; i--)
        sift_down(heap, i, count);
    for (i = count - 1; i > 0; i--) {
        last = heap[i];
        heap[i] = heap[0];
        heap[0] = last;
        sift_down(heap, 0, i);
    }
}

static int compare(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;

    return (a > b) - (a < b);
}

int main(void)
{
    uint32_t seed = 1;
    int i;

    for (i = 0; i < COUNT; i++)
        data[i] = original[i] = (int)lcg_draw(&seed) - 32768;
    SHIM_KEEP(data);
    shim_region_begin("heap_sort");
    heap_sort(data, COUNT);
    shim_region_end("heap_sort");
    SHIM_KEEP(data);
    qsort(original, COUNT, sizeof original[0], compare);
    return sample_verdict_int("memcmp with qsort's result", memcmp(data, original, sizeof data), 0);
}
