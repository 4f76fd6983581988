/*
 * knapsack - which of 40 parcels of 1 to 60 kilograms are worth most in a car that carries 500: a table of values and,
 * by bits, which parcels were taken.
 *
 * Bellman's dynamic programming, 1957. The truth: branch and bound on the same parcels, outside; and the weight and
 * value of the parcels named.
 *
 * Work: each of 40 rows updates at least 440 sums: a load, a sum, a comparison and a store, at most 16 in a vector:
 * 40 * 440 * 4 / 16 = 4400.
 */
#include "../sample.h"
#include "lcg.h"

#define PARCELS  40
#define CAPACITY 500

struct parcel {
    int32_t weight, value;
};

static struct parcel parcels[PARCELS];
static int32_t best[CAPACITY + 1];
static uint8_t taken[PARCELS][CAPACITY + 1];
static uint8_t chosen[PARCELS];

static void pack(void)
{
    int left = CAPACITY;

    for (int i = 0; i <= CAPACITY; i++)
        best[i] = 0;
    for (int p = 0; p < PARCELS; p++)
        for (int room = CAPACITY; room >= 0; room--) {
            int32_t with = room >= parcels[p].weight ? best[room - parcels[p].weight] + parcels[p].value : 0;

            taken[p][room] = with > best[room];
            if (with > best[room])
                best[room] = with;
        }
    for (int p = PARCELS - 1; p >= 0; p--) {
        chosen[p] = taken[p][left];
        if (chosen[p])
            left -= parcels[p].weight;
    }
}

/* Parcels in the order of value for weight; a bound by filling up with a part of the next. */
static int32_t bounded(const struct parcel *p, const struct parcel *end, int room, int32_t value, int32_t least)
{
    double bound = value;
    int left = room;

    for (const struct parcel *q = p; q < end && left > 0; q++) {
        bound += q->weight <= left ? q->value : (double)q->value * left / q->weight;
        left -= q->weight <= left ? q->weight : left;
    }
    if (bound <= least)
        return least;
    if (p == end)
        return value;
    if (p->weight <= room)
        least = bounded(p + 1, end, room - p->weight, value + p->value, least);
    return bounded(p + 1, end, room, value, least);
}

static int by_density(const void *left, const void *right)
{
    const struct parcel *a = left, *b = right;
    int32_t first = a->value * b->weight, second = b->value * a->weight;

    return (first < second) - (first > second);
}

int main(void)
{
    int32_t weight = 0, value = 0;
    uint32_t seed = 66;

    for (int i = 0; i < PARCELS; i++) {
        parcels[i].weight = (int32_t)(1 + lcg_draw(&seed) % 60);
        parcels[i].value = parcels[i].weight * 10 + (int32_t)(lcg_draw(&seed) % 200);
    }
    SHIM_KEEP(parcels);
    shim_region_begin("knapsack");
    pack();
    SHIM_KEEP(best);
    SHIM_KEEP(chosen);
    shim_region_end("knapsack");
    for (int i = 0; i < PARCELS; i++) {
        weight += chosen[i] ? parcels[i].weight : 0;
        value += chosen[i] ? parcels[i].value : 0;
    }
    qsort(parcels, PARCELS, sizeof parcels[0], by_density);
    return sample_verdict_int("whether it can be carried", weight <= CAPACITY, 1) |
           sample_verdict_int("value of the parcels", value, best[CAPACITY]) |
           sample_verdict_int("greatest value", best[CAPACITY], bounded(parcels, parcels + PARCELS, CAPACITY, 0, 0));
}
