/*
 * quick_sort - 700 readings, structures of 32 bytes moved as a whole, sorted three times by comparison functions chosen
 * at run time: by a double, by an integer of 64 bits, and by unit and then time.
 *
 * Hoare, "Quicksort", 1962; the pivot is the median of three, short pieces are sorted by insertion. The truth: qsort
 * with the same keys, outside; the last of them orders all strictly.
 *
 * Work: each sort takes at least log2(700!) comparisons, more than 5600, each a call by pointer with two loads and a
 * comparison: 3 * 5600 * 4 = 67200.
 */
#include "../sample.h"
#include "lcg.h"

#define COUNT  700
#define ORDERS 3
#define SHORT  10

struct reading {
    double value;
    int64_t time;
    uint16_t unit;
    int8_t state;
    char name[13];
};

typedef int (*comparison)(const struct reading *, const struct reading *);

static struct reading original[COUNT], sorted[ORDERS][COUNT];
static comparison orders[ORDERS];

static int by_value(const struct reading *a, const struct reading *b)
{
    return (a->value > b->value) - (a->value < b->value);
}

static int by_time(const struct reading *a, const struct reading *b)
{
    return (a->time > b->time) - (a->time < b->time);
}

static int by_unit(const struct reading *a, const struct reading *b)
{
    return a->unit != b->unit ? (int)a->unit - (int)b->unit : by_time(a, b);
}

static void exchange(struct reading *a, struct reading *b)
{
    struct reading kept = *a;

    *a = *b;
    *b = kept;
}

static void insert_sort(struct reading *a, int count, comparison compare)
{
    for (int i = 1; i < count; i++) {
        struct reading moved = a[i];
        int at = i;

        for (; at > 0 && compare(&moved, &a[at - 1]) < 0; at--)
            a[at] = a[at - 1];
        a[at] = moved;
    }
}

/* The median of the first, middle and last goes first. */
static void choose_pivot(struct reading *a, int count, comparison compare)
{
    struct reading *middle = &a[count / 2], *last = &a[count - 1];

    if (compare(middle, last) > 0)
        exchange(middle, last);
    if (compare(a, last) > 0)
        exchange(a, last);
    if (compare(middle, a) > 0)
        exchange(middle, a);
}

static void sort(struct reading *a, int count, comparison compare)
{
    while (count > SHORT) {
        int low = 0, high = count;

        choose_pivot(a, count, compare);
        for (;;) {
            while (compare(&a[++low], a) < 0 && low < count - 1)
                ;
            while (compare(a, &a[--high]) < 0)
                ;
            if (low >= high)
                break;
            exchange(&a[low], &a[high]);
        }
        exchange(a, &a[high]);
        sort(a, high, compare);
        a += high + 1;
        count -= high + 1;
    }
    insert_sort(a, count, compare);
}

static int q_value(const void *a, const void *b)
{
    return by_value(a, b);
}

static int q_time(const void *a, const void *b)
{
    return by_time(a, b);
}

static int q_unit(const void *a, const void *b)
{
    return by_unit(a, b);
}

int main(void)
{
    static int (*const q_orders[ORDERS])(const void *, const void *) = {q_value, q_time, q_unit};
    uint32_t seed = 57;

    memset(original, 0, sizeof original);
    for (int i = 0; i < COUNT; i++) { /* no two values, no two times alike */
        original[i].value = ((double)lcg_draw(&seed) - 32768) * 1024 + i;
        original[i].time = (int64_t)lcg_draw(&seed) * 4294967296 + i;
        original[i].unit = (uint16_t)(lcg_draw(&seed) % 20);
        original[i].state = (int8_t)(i % 200 - 100);
        snprintf(original[i].name, sizeof original[i].name, "sensor %d", i);
    }
    for (int i = 0; i < ORDERS; i++)
        memcpy(sorted[i], original, sizeof original);
    orders[0] = by_value;
    orders[1] = by_time;
    orders[2] = by_unit;
    SHIM_KEEP(sorted);
    SHIM_KEEP(orders);
    shim_region_begin("quick_sort");
    for (int i = 0; i < ORDERS; i++)
        sort(sorted[i], COUNT, orders[i]);
    SHIM_KEEP(sorted);
    shim_region_end("quick_sort");
    for (int i = 0; i < ORDERS; i++) {
        qsort(original, COUNT, sizeof original[0], q_orders[i]);
        for (int k = 0; k < COUNT; k++)
            if (sample_verdict_int("difference from qsort's order", strcmp(sorted[i][k].name, original[k].name), 0) ||
                sample_verdict_int("state", sorted[i][k].state, original[k].state))
                return 1;
    }
    return 0;
}
