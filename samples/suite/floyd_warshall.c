/*
 * floyd_warshall - all shortest ways between 40 places and the next place on each, with whole-numbered costs of 32
 * bits, and which place can be reached from which, as rows of bits.
 *
 * Floyd, 1962; Warshall, 1962. The truth: Bellman and Ford's relaxation from every place, outside, and each way walked.
 *
 * Work: 40 * 40 * 40 sums and comparisons, 16 at most in a vector, with a load: 64000 * 3 / 16 = 12000.
 */
#include "../sample.h"
#include "lcg.h"

#define PLACES 40
#define FAR    1000000

static int32_t direct[PLACES][PLACES], cost[PLACES][PLACES];
static uint8_t next[PLACES][PLACES];
static uint64_t reached[PLACES];

static void shortest(void)
{
    for (int k = 0; k < PLACES; k++)
        for (int i = 0; i < PLACES; i++)
            for (int j = 0; j < PLACES; j++) {
                int32_t through = cost[i][k] + cost[k][j];

                if (through < cost[i][j]) {
                    cost[i][j] = through;
                    next[i][j] = next[i][k];
                }
            }
    for (int k = 0; k < PLACES; k++)
        for (int i = 0; i < PLACES; i++)
            if (reached[i] >> k & 1)
                reached[i] |= reached[k];
}

static void relax_from(int from, int32_t distance[PLACES])
{
    for (int i = 0; i < PLACES; i++)
        distance[i] = i == from ? 0 : FAR;
    for (int round = 0; round < PLACES; round++)
        for (int i = 0; i < PLACES; i++)
            for (int j = 0; j < PLACES; j++)
                if (distance[i] < FAR && direct[i][j] < FAR && distance[i] + direct[i][j] < distance[j])
                    distance[j] = distance[i] + direct[i][j];
}

/* The cost along `next`. */
static int32_t walked(int from, int to)
{
    int32_t sum = 0;
    int steps = 0;

    while (from != to && steps++ < PLACES) {
        sum += direct[from][next[from][to]];
        from = next[from][to];
    }
    return sum;
}

static int check(void)
{
    for (int i = 0; i < PLACES; i++) {
        int32_t distance[PLACES];

        relax_from(i, distance);
        for (int j = 0; j < PLACES; j++) {
            int there = distance[j] < FAR / 2;

            if (sample_verdict_int("whether there is a way", cost[i][j] < FAR / 2, there) ||
                sample_verdict_int("bit of it", (int)(reached[i] >> j & 1), there) ||
                (there && (sample_verdict_int("cost of a way", cost[i][j], distance[j]) ||
                           sample_verdict_int("cost of the way walked", walked(i, j), distance[j]))))
                return 1;
        }
    }
    return 0;
}

int main(void)
{
    uint32_t seed = 61;

    for (int i = 0; i < PLACES; i++) {
        reached[i] = UINT64_C(1) << i;
        for (int j = 0; j < PLACES; j++) {
            int lies_ahead = j > i - 6; /* few ways back: not every place can be reached */

            direct[i][j] = i == j                                    ? 0
                           : lcg_draw(&seed) % 12 == 0 && lies_ahead ? (int32_t)(lcg_draw(&seed) % 900 + 1)
                                                                     : FAR;
            cost[i][j] = direct[i][j];
            next[i][j] = (uint8_t)j;
            if (direct[i][j] < FAR)
                reached[i] |= UINT64_C(1) << j;
        }
    }
    SHIM_KEEP(cost);
    SHIM_KEEP(next);
    SHIM_KEEP(reached);
    shim_region_begin("floyd_warshall");
    shortest();
    SHIM_KEEP(cost);
    SHIM_KEEP(next);
    SHIM_KEEP(reached);
    shim_region_end("floyd_warshall");
    return check();
}
