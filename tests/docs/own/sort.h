/* sort.h - sorts the n numbers of a. */
#ifndef SORT_H
#define SORT_H

void shell_sort(int *a, int n);

#endif
