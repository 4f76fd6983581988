/*
 * paper_data.h - the 100 or 1000 pseudo-random ints that the three sorts and the filter work on.
 *
 * The programs fill their array with paper_value(), in double, as the paper's programs do. The checks use
 * paper_value_exact(): the same number by integer division. No quotient for x < 1000 lies so close to an integer that
 * rounding could tell them apart, except exact integers, which double represents exactly.
 */
#ifndef PAPER_DATA_H
#define PAPER_DATA_H

#include "../sample.h"

static __attribute__((noinline)) int paper_value(double x)
{
    return (int)((x * x * ((int)x % 13)) / (x * x + 1000) * 100 + x);
}

static inline int paper_value_exact(int x)
{
    long long square = (long long)x * x;

    return (int)(square * (x % 13) * 100 / (square + 1000)) + x;
}

static inline int paper_compare_ints(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;

    return (a > b) - (a < b);
}

/* 0 when data[] holds paper_value_exact(0 .. count-1) in ascending order, by another sort than the one that is
 * measured. */
static inline int paper_check_sorted(const int *data, int count)
{
    int *expected = malloc((size_t)count * sizeof *expected);
    int i, verdict = 0;

    if (expected == NULL) {
#ifndef SHIM_KIT
        fprintf(stderr, "self-check failed: out of memory\n");
#endif
        return 1;
    }
    for (i = 0; i < count; i++)
        expected[i] = paper_value_exact(i);
    qsort(expected, (size_t)count, sizeof *expected, paper_compare_ints);
    for (i = 0; i < count && !verdict; i++)
        verdict = sample_verdict_int("sorted element", data[i], expected[i]);
    free(expected);
    return verdict;
}

#endif
