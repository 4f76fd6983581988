/*
 * string_sort - 600 names, reached through pointers, sorted twice: by three-way quick sort on letters, and by insertion
 * into runs that are merged, through a comparison function that ignores case.
 *
 * Bentley and Sedgewick, "Fast Algorithms for Sorting and Searching Strings", 1997. The truth: the order by strcmp,
 * outside, of names in small letters.
 *
 * Work: each way needs log2(600!) comparisons at least, more than 4700 letters or names, each two loads of letters
 * behind pointers and a comparison: 2 * 4700 * 3 = 28200.
 */
#include "../sample.h"
#include "lcg.h"

#define NAMES  600
#define LENGTH 16
#define RUN    12

typedef int (*comparison)(const char *, const char *);

static char names[NAMES][LENGTH], mixed[NAMES][LENGTH];
static const char *by_letters[NAMES], *by_runs[NAMES], *room[NAMES];

static void exchange(const char **a, const char **b)
{
    const char *kept = *a;

    *a = *b;
    *b = kept;
}

static void sort_letters(const char **list, int count, int depth)
{
    while (count > 1) {
        int less = 0, greater = count, at = 0;
        char pivot = list[count / 2][depth];

        while (at < greater) {
            char c = list[at][depth];

            if (c < pivot)
                exchange(&list[less++], &list[at++]);
            else if (c > pivot)
                exchange(&list[at], &list[--greater]);
            else
                at++;
        }
        sort_letters(list, less, depth);
        if (pivot != 0)
            sort_letters(list + less, greater - less, depth + 1);
        list += greater;
        count -= greater;
    }
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

static int compare_names(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return lower(*a) - lower(*b);
}

static void insert_sort(const char **list, int count, comparison compare)
{
    for (int i = 1; i < count; i++) {
        const char *moved = list[i];
        int at = i;

        for (; at > 0 && compare(moved, list[at - 1]) < 0; at--)
            list[at] = list[at - 1];
        list[at] = moved;
    }
}

static void merge(const char **from, int left, int middle, int end, const char **to, comparison compare)
{
    int right = middle;

    for (int i = left; i < end; i++) {
        if (right == end || (left < middle && compare(from[left], from[right]) <= 0))
            to[i] = from[left++];
        else
            to[i] = from[right++];
    }
}

static void sort_runs(const char **list, int count, comparison compare)
{
    const char **from = list, **to = room;

    for (int start = 0; start < count; start += RUN)
        insert_sort(list + start, count - start < RUN ? count - start : RUN, compare);
    for (int width = RUN; width < count; width *= 2) {
        const char **kept = from;

        for (int start = 0; start < count; start += 2 * width) {
            int middle = start + width < count ? start + width : count;
            int end = start + 2 * width < count ? start + 2 * width : count;

            merge(from, start, middle, end, to, compare);
        }
        from = to;
        to = kept;
    }
    if (from != list)
        for (int i = 0; i < count; i++)
            list[i] = from[i];
}

static int compare(const void *left, const void *right)
{
    return strcmp(left, right);
}

int main(void)
{
    comparison chosen = compare_names;
    uint32_t seed = 55;

    memset(names, 0, sizeof names);
    memset(mixed, 0, sizeof mixed);
    for (int i = 0; i < NAMES; i++) {
        int length = 2 + (int)(lcg_draw(&seed) % (LENGTH - 4));

        for (int k = 0; k < length; k++) {
            names[i][k] = (char)('a' + lcg_draw(&seed) % (k < 3 ? 3 : 26));
            mixed[i][k] = (char)(names[i][k] - (lcg_draw(&seed) % 4 ? 0 : 'a' - 'A'));
        }
        by_letters[i] = names[i];
        by_runs[i] = mixed[i];
    }
    SHIM_KEEP(names);
    SHIM_KEEP(mixed);
    SHIM_KEEP(by_letters);
    SHIM_KEEP(by_runs);
    SHIM_KEEP(&chosen);
    shim_region_begin("string_sort");
    sort_letters(by_letters, NAMES, 0);
    SHIM_KEEP(by_letters);
    sort_runs(by_runs, NAMES, chosen);
    SHIM_KEEP(by_runs);
    shim_region_end("string_sort");
    for (int i = 1; i < NAMES; i++) /* both lists name all: no name is lost where pointers differ */
        if (sample_verdict_int("whether letters ascend", strcmp(by_letters[i - 1], by_letters[i]) <= 0, 1) ||
            sample_verdict_int("whether pointers differ", by_letters[i - 1] != by_letters[i], 1))
            return 1;
    for (int i = 0; i < NAMES; i++) {
        const char *twin = names[(by_runs[i] - mixed[0]) / LENGTH];

        if (sample_verdict_int("difference of the two orders", strcmp(twin, by_letters[i]), 0))
            return 1;
    }
    qsort(names, NAMES, LENGTH, compare);
    for (int i = 0; i < NAMES; i++)
        if (sample_verdict_int("difference from the order by qsort", compare_names(names[i], by_runs[i]), 0))
            return 1;
    return 0;
}
