/*
 * strong_components - which of 400 functions call each other in circles: Tarjan's recursion over lists of 1000 edges in
 * compressed rows, then an order of the circles.
 *
 * Tarjan, "Depth-First Search and Linear Graph Algorithms", 1972. The truth: two are together when each reaches the other,
 * found for every node by a walk; no edge leads to a later circle.
 *
 * Work: 400 nodes are entered and 1000 edges looked at, each with four loads: 1400 * 5 = 7000.
 */
#include "judge.h"

#define NODES 400
#define EDGES 1000

static uint16_t first[NODES + 1], to[EDGES], number[NODES], low[NODES], stack[NODES], circle[NODES];
static uint8_t on_stack[NODES];
static unsigned n_numbers, n_stack, n_circles;

static void visit(unsigned v)
{
    number[v] = low[v] = (uint16_t)++n_numbers;
    stack[n_stack++] = (uint16_t)v;
    on_stack[v] = 1;
    for (unsigned e = first[v]; e < first[v + 1]; e++) {
        unsigned w = to[e];

        if (!number[w]) {
            visit(w);
            if (low[w] < low[v])
                low[v] = low[w];
        } else if (on_stack[w] && number[w] < low[v])
            low[v] = number[w];
    }
    if (low[v] != number[v])
        return;
    for (unsigned w = NODES; w != v;) {
        w = stack[--n_stack];
        on_stack[w] = 0;
        circle[w] = (uint16_t)n_circles;
    }
    n_circles++;
}

static void reach(unsigned v, uint8_t *seen)
{
    uint16_t todo[NODES];
    unsigned n = 0;

    todo[n++] = (uint16_t)v;
    seen[v] = 1;
    while (n) {
        unsigned u = todo[--n];
        for (unsigned e = first[u]; e < first[u + 1]; e++)
            if (!seen[to[e]]) {
                seen[to[e]] = 1;
                todo[n++] = to[e];
            }
    }
}

int main(void)
{
    static uint8_t seen[NODES][NODES];
    uint64_t seed = 47;
    long wrong = 0;

    for (unsigned v = 0, e = 0; v <= NODES; v++) {
        first[v] = (uint16_t)e;
        for (; v < NODES && e < (v + 1) * EDGES / NODES; e++) /* mostly near, seldom back */
            to[e] = (uint16_t)(draw_below(&seed, 5) ? (v + (unsigned)draw_below(&seed, 40)) % NODES
                                                    : v - (unsigned)draw_below(&seed, (int)(v < 30 ? v + 1 : 30)));
    }
    for (unsigned e = 0; e < EDGES; e++)
        if (e % 10 && to[e] < 40 && e > 900)
            to[e] = NODES - 1;
    memset(number, 0, sizeof number);
    memset(on_stack, 0, sizeof on_stack);
    n_numbers = n_stack = n_circles = 0;
    SHIM_KEEP(first);
    SHIM_KEEP(to);
    SHIM_KEEP(number);
    shim_region_begin("strong_components");
    for (unsigned v = 0; v < NODES; v++)
        if (!number[v])
            visit(v);
    SHIM_KEEP(circle);
    SHIM_KEEP(&n_circles);
    shim_region_end("strong_components");
    memset(seen, 0, sizeof seen);
    for (unsigned v = 0; v < NODES; v++)
        reach(v, seen[v]);
    for (unsigned v = 0; v < NODES; v++) {
        for (unsigned w = 0; w < NODES; w++)
            wrong += (circle[v] == circle[w]) != (seen[v][w] && seen[w][v]);
        for (unsigned e = first[v]; e < first[v + 1]; e++)
            wrong += circle[to[e]] > circle[v];
    }
    return sample_verdict_int("wrong", wrong, 0) | sample_verdict_int("whether there are several", n_circles > 3, 1);
}
