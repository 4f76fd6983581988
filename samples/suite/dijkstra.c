/*
 * dijkstra - shortest paths from one of 128 nodes over a matrix of edge lengths.
 *
 * Work: each of the 128 rounds looks through the 128 nodes for the nearest open one and through 128 edges: 128 * 128 *
 * 2 comparisons, in vectors of at most 16 lanes: 2048.
 */
#include "../sample.h"
#include "lcg.h"

#define NODES 128
#define FAR   1000000

static int length[NODES][NODES];
static int distance[NODES], done[NODES];

static void dijkstra(int source)
{
    int i, round, nearest, through;

    for (i = 0; i < NODES; i++) {
        distance[i] = FAR;
        done[i] = 0;
    }
    distance[source] = 0;
    for (round = 0; round < NODES; round++) {
        nearest = -1;
        for (i = 0; i < NODES; i++)
            if (!done[i] && (nearest < 0 || distance[i] < distance[nearest]))
                nearest = i;
        done[nearest] = 1;
        for (i = 0; i < NODES; i++) {
            through = distance[nearest] + length[nearest][i];
            if (through < distance[i])
                distance[i] = through;
        }
    }
}

/* Bellman and Ford: the distances are right when the source's is 0 and no edge shortens any, and each is reached by
 * one. */
static int check(int source)
{
    int i, j, best;

    for (i = 0; i < NODES; i++) {
        best = i == source ? 0 : FAR;
        for (j = 0; j < NODES; j++)
            if (j != i && distance[j] + length[j][i] < best)
                best = distance[j] + length[j][i];
        if (sample_verdict_int("distance", distance[i], best))
            return 1;
    }
    return 0;
}

int main(void)
{
    uint32_t seed = 7;
    int i, j;

    for (i = 0; i < NODES; i++)
        for (j = 0; j < NODES; j++)
            length[i][j] = lcg_draw(&seed) % 8 == 0 || j == (i + 1) % NODES ? 1 + (int)lcg_draw(&seed) % 100 : FAR;
    SHIM_KEEP(length);
    shim_region_begin("dijkstra");
    dijkstra(0);
    shim_region_end("dijkstra");
    SHIM_KEEP(distance);
    return check(0);
}
