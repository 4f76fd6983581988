/*
 * segment_tree - 256 readings: 150 times a range is raised, 150 times the greatest of a range is asked, in a tree with
 * what is still to be handed down; beside it sums of beginnings in Fenwick's tree.
 *
 * Fenwick, "A New Data Structure for Cumulative Frequency Tables", 1994. The truth: the array itself, changed and searched.
 *
 * Work: 300 walks of at least four nodes with comparisons of borders, and 300 of Fenwick's: 300 * 4 * 4 = 4800.
 */
#include "judge.h"

#define SIZE 256
#define ASKS 150

static struct {
    int64_t most, later;
} tree[2 * SIZE];
static int64_t fenwick[SIZE + 1], most[ASKS], sums[ASKS];
static struct ask {
    uint16_t low, high, from, to;
    int32_t by;
} asks[ASKS];

static void raise(unsigned n, unsigned from, unsigned to, unsigned low, unsigned high, int64_t by)
{
    unsigned middle = (from + to) / 2;
    int64_t a, b;

    if (low >= to || high <= from)
        return;
    if (low <= from && to <= high) {
        tree[n].most += by;
        tree[n].later += by;
        return;
    }
    raise(2 * n, from, middle, low, high, by);
    raise(2 * n + 1, middle, to, low, high, by);
    a = tree[2 * n].most;
    b = tree[2 * n + 1].most;
    tree[n].most = (a > b ? a : b) + tree[n].later;
}
static int64_t greatest(unsigned n, unsigned from, unsigned to, unsigned low, unsigned high)
{
    unsigned middle = (from + to) / 2;
    int64_t a, b;

    if (low >= to || high <= from)
        return INT64_MIN / 2;
    if (low <= from && to <= high)
        return tree[n].most;
    a = greatest(2 * n, from, middle, low, high);
    b = greatest(2 * n + 1, middle, to, low, high);
    return (a > b ? a : b) + tree[n].later;
}
static void add(unsigned at, int64_t by)
{
    for (at++; at <= SIZE; at += at & (0 - at))
        fenwick[at] += by;
}
static int64_t sum_below(unsigned at)
{
    int64_t sum = 0;

    for (; at; at &= at - 1)
        sum += fenwick[at];
    return sum;
}

int main(void)
{
    uint64_t seed = 42;
    int64_t values[SIZE] = {0}, steps[SIZE] = {0};

    for (int i = 0; i < ASKS; i++) {
        unsigned a = (unsigned)draw_below(&seed, SIZE), b = (unsigned)draw_below(&seed, SIZE);
        unsigned c = (unsigned)draw_below(&seed, SIZE), d = (unsigned)draw_below(&seed, SIZE);

        asks[i] = (struct ask){(uint16_t)(a < b ? a : b), (uint16_t)((a < b ? b : a) + 1), (uint16_t)(c < d ? c : d),
                               (uint16_t)((c < d ? d : c) + 1), draw_below(&seed, 2001) - 1000};
    }
    memset(tree, 0, sizeof tree);
    memset(fenwick, 0, sizeof fenwick);
    SHIM_KEEP(asks);
    SHIM_KEEP(tree);
    SHIM_KEEP(fenwick);
    shim_region_begin("segment_tree");
    for (int i = 0; i < ASKS; i++) {
        const struct ask *k = &asks[i];

        raise(1, 0, SIZE, k->low, k->high, k->by);
        most[i] = greatest(1, 0, SIZE, k->from, k->to);
        add(k->low, k->by);
        sums[i] = sum_below(k->to) - sum_below(k->from);
    }
    SHIM_KEEP(most);
    SHIM_KEEP(sums);
    shim_region_end("segment_tree");
    for (int i = 0; i < ASKS; i++) {
        int64_t best = INT64_MIN, sum = 0;

        for (int k = asks[i].low; k < asks[i].high; k++)
            values[k] += asks[i].by;
        steps[asks[i].low] += asks[i].by;
        for (int k = asks[i].from; k < asks[i].to; k++) {
            best = values[k] > best ? values[k] : best;
            sum += steps[k];
        }
        if (sample_verdict_int("greatest", most[i], best) | sample_verdict_int("sum", sums[i], sum))
            return 1;
    }
    return 0;
}
