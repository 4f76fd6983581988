/* main.c - sorts 4000 numbers, prints the least and the greatest. */
#include <stdio.h>

#include "sort.h"

#define N 4000

int main(void)
{
    static int a[N];
    unsigned x = 1;
    for (int i = 0; i < N; i++)
        a[i] = (int)((x = x * 1664525u + 1013904223u) >> 8);
    shell_sort(a, N);
    printf("%d %d\n", a[0], a[N - 1]);
    return a[0] > a[N - 1];
}
