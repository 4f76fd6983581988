/*
 * merge_sort - 1500 numbers of 64 bits by merging from the bottom up, and the inversions counted on the way.
 *
 * The truth: qsort's result, and the inversions by comparing all pairs, outside.
 *
 * Work: merging 1500 numbers in runs that double takes 11 passes, each of which loads and stores each number once:
 * where runs are copied as a whole, in vectors of 8, but the most are merged one by one. At least half: 11 * 750 * 3 =
 * 24750.
 */
#include "../sample.h"
#include "lcg.h"

#define COUNT 1500

static int64_t numbers[COUNT], original[COUNT], room[COUNT];
static uint64_t inversions;

static uint64_t merge(const int64_t *from, int left, int middle, int end, int64_t *to)
{
    uint64_t skipped = 0;
    int right = middle;

    for (int i = left; i < end; i++) {
        if (right < end && (left == middle || from[right] < from[left])) {
            skipped += (uint64_t)(middle - left);
            to[i] = from[right++];
        } else {
            to[i] = from[left++];
        }
    }
    return skipped;
}

static uint64_t sort(int64_t *a, int count, int64_t *spare)
{
    int64_t *from = a, *to = spare;
    uint64_t skipped = 0;

    for (int width = 1; width < count; width *= 2) {
        int64_t *kept = from;

        for (int start = 0; start < count; start += 2 * width) {
            int middle = start + width < count ? start + width : count;
            int end = middle + width < count ? middle + width : count;

            skipped += merge(from, start, middle, end, to);
        }
        from = to;
        to = kept;
    }
    if (from != a)
        for (int i = 0; i < count; i++)
            a[i] = from[i];
    return skipped;
}

static int compare(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    return (a > b) - (a < b);
}

int main(void)
{
    uint32_t seed = 56;
    uint64_t expected = 0;

    for (int i = 0; i < COUNT; i++)
        numbers[i] = original[i] = ((int64_t)lcg_draw(&seed) - 32768) * 4294967311 + lcg_draw(&seed);
    for (int i = 0; i < COUNT; i++)
        for (int k = i + 1; k < COUNT; k++)
            expected += original[k] < original[i];
    inversions = 0;
    SHIM_KEEP(numbers);
    SHIM_KEEP(&inversions);
    shim_region_begin("merge_sort");
    inversions = sort(numbers, COUNT, room);
    SHIM_KEEP(numbers);
    SHIM_KEEP(&inversions);
    shim_region_end("merge_sort");
    qsort(original, COUNT, sizeof original[0], compare);
    return sample_verdict_int("difference from qsort's result", memcmp(numbers, original, sizeof numbers) != 0, 0) |
           sample_verdict_int("inversions", (long long)inversions, (long long)expected);
}
