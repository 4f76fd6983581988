/*
 * kruskal - the cheapest tree that spans 300 places joined by 1500 roads: roads sorted by cost, joined by union-find.
 *
 * Kruskal, 1956; Tarjan's union by rank, with paths halved; the sort is a quick sort of pointers through a comparison
 * function. The truth: the cost of the tree by Prim's algorithm on a matrix, outside.
 *
 * Work: sorting 1500 roads takes at least log2(1500!) comparisons, more than 13000, each with the load of a pointer and
 * of a cost behind it: 39000; the 299 unions each load two parents and store one: 897. Together 39897.
 */
#include "../sample.h"
#include "lcg.h"

#define PLACES 300
#define ROADS  1500

struct road {
    uint16_t from, to;
    float cost;
};

static struct road roads[ROADS];
static const struct road *order[ROADS];
static uint16_t parent[PLACES];
static uint8_t rank[PLACES];
static double total;
static int joined;

static int by_cost(const struct road *a, const struct road *b)
{
    return (a->cost > b->cost) - (a->cost < b->cost);
}

static void exchange(const struct road **a, const struct road **b)
{
    const struct road *kept = *a;

    *a = *b;
    *b = kept;
}

/* Hoare's; the pivot is the middle one. The shorter side by recursion. */
static void sort(const struct road **first, const struct road **last,
                 int (*compare)(const struct road *, const struct road *))
{
    while (first < last) {
        const struct road **low = first, **high = last, *pivot = first[(last - first) / 2];

        while (low <= high) {
            while (compare(*low, pivot) < 0)
                low++;
            while (compare(*high, pivot) > 0)
                high--;
            if (low <= high)
                exchange(low++, high--);
        }
        if (high - first < last - low) {
            sort(first, high, compare);
            first = low;
        } else {
            sort(low, last, compare);
            last = high;
        }
    }
}

static unsigned root_of(unsigned place)
{
    while (parent[place] != place) {
        parent[place] = parent[parent[place]];
        place = parent[place];
    }
    return place;
}

static int join(unsigned a, unsigned b)
{
    a = root_of(a);
    b = root_of(b);
    if (a == b)
        return 0;
    if (rank[a] < rank[b]) {
        parent[a] = (uint16_t)b;
    } else {
        parent[b] = (uint16_t)a;
        rank[a] += rank[a] == rank[b];
    }
    return 1;
}

static void span(void)
{
    for (int i = 0; i < ROADS; i++)
        order[i] = &roads[i];
    sort(order, order + ROADS - 1, by_cost);
    for (int i = 0; i < ROADS; i++)
        if (join(order[i]->from, order[i]->to)) {
            total += order[i]->cost;
            joined++;
        }
}

static double by_prim(void)
{
    static float cost[PLACES][PLACES];
    float nearest[PLACES];
    int done[PLACES] = {0};
    double sum = 0;

    for (int i = 0; i < PLACES * PLACES; i++)
        cost[i / PLACES][i % PLACES] = 1e9F;
    for (int i = 0; i < ROADS; i++) {
        const struct road *r = &roads[i];

        if (r->cost < cost[r->from][r->to])
            cost[r->from][r->to] = cost[r->to][r->from] = r->cost;
    }
    for (int i = 0; i < PLACES; i++)
        nearest[i] = i ? 1e9F : 0;
    for (int step = 0; step < PLACES; step++) {
        int best = -1;

        for (int i = 0; i < PLACES; i++)
            if (!done[i] && (best < 0 || nearest[i] < nearest[best]))
                best = i;
        done[best] = 1;
        sum += nearest[best];
        for (int i = 0; i < PLACES; i++)
            if (cost[best][i] < nearest[i])
                nearest[i] = cost[best][i];
    }
    return sum;
}

int main(void)
{
    uint32_t seed = 35;

    for (int i = 0; i < ROADS; i++) { /* the first 299 reach all places */
        roads[i].from = (uint16_t)(i < PLACES - 1 ? lcg_draw(&seed) % (unsigned)(i + 1) : lcg_draw(&seed) % PLACES);
        roads[i].to = (uint16_t)(i < PLACES - 1 ? (unsigned)i + 1 : lcg_draw(&seed) % PLACES);
        roads[i].cost = (float)lcg_draw(&seed) / 64 + 1;
    }
    for (int i = 0; i < PLACES; i++) {
        parent[i] = (uint16_t)i;
        rank[i] = 0;
    }
    total = 0;
    joined = 0;
    SHIM_KEEP(roads);
    SHIM_KEEP(parent);
    SHIM_KEEP(rank);
    SHIM_KEEP(&total);
    SHIM_KEEP(&joined);
    shim_region_begin("kruskal");
    span();
    SHIM_KEEP(&total);
    SHIM_KEEP(&joined);
    shim_region_end("kruskal");
    return sample_verdict_int("roads taken", joined, PLACES - 1) | sample_verdict_real("cost", total, by_prim(), 0);
}
