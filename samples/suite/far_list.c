/*
 * far_list - a list of 24576 nodes of 64 bytes, linked in an order drawn by lot, is walked twice: 1.5 MB, so that
 * nearly every step misses a second-level cache of 512 KB.
 *
 * The truth: every node is met once a walk, which the sums of its numbers and the marks left in the nodes show.
 *
 * Work: 2 * 24576 steps, each the load of the next link, a load, an addition and a store: 196608.
 */
#include "../sample.h"
#include "lcg.h"

#define NODES 24576
#define WALKS 2

struct node {
    _Alignas(64) struct node *next; /* a line of the cache for each */
    int64_t value;
    uint32_t visits;
};

static struct node nodes[NODES];
static struct node *first;
static int64_t total;

/* Sattolo's shuffle: one cycle through all. */
static void link_by_lot(uint32_t *seed)
{
    static uint16_t after[NODES];

    for (unsigned i = 0; i < NODES; i++)
        after[i] = (uint16_t)i;
    for (unsigned i = NODES - 1; i > 0; i--) {
        unsigned other = lcg_draw(seed) % i;
        uint16_t kept = after[i];

        after[i] = after[other];
        after[other] = kept;
    }
    for (unsigned i = 0; i < NODES; i++)
        nodes[i].next = after[i] == 0 ? NULL : &nodes[after[i]];
}

static int64_t walk(struct node *at, uint32_t mark)
{
    int64_t sum = 0;

    for (; at != NULL; at = at->next) {
        sum += at->value * (int64_t)mark;
        at->visits += mark;
    }
    return sum;
}

int main(void)
{
    uint32_t seed = 41;
    int64_t expected = 0;

    memset(nodes, 0, sizeof nodes);
    link_by_lot(&seed);
    for (int i = 0; i < NODES; i++) {
        nodes[i].value = (int64_t)lcg_draw(&seed) - 30000;
        expected += nodes[i].value * (1 + 2);
    }
    first = nodes;
    total = 0;
    SHIM_KEEP(nodes);
    SHIM_KEEP(&first);
    SHIM_KEEP(&total);
    shim_region_begin("far_list");
    for (uint32_t mark = 1; mark <= WALKS; mark++)
        total += walk(first, mark);
    SHIM_KEEP(nodes);
    SHIM_KEEP(&total);
    shim_region_end("far_list");
    for (int i = 0; i < NODES; i++)
        if (sample_verdict_int("marks of a node", nodes[i].visits, 1 + 2))
            return 1;
    return sample_verdict_int("sum", total, expected);
}
