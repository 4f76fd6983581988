/* sort.c - the project of one's own in docs/history/ten-tasks.md: an insertion sort in gaps. */
#include "sort.h"

void shell_sort(int *a, int n)
{
    for (int gap = n / 2; gap > 0; gap /= 2)
        for (int i = gap; i < n; i++) {
            int v = a[i], j = i;
            for (; j >= gap && a[j - gap] > v; j -= gap)
                a[j] = a[j - gap];
            a[j] = v;
        }
}
