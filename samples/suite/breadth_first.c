/*
 * breadth_first - distances from a corner of a 64 x 64 grid whose odd-odd cells are pillars, with a queue.
 *
 * Work: each of the 64 * 64 - 32 * 32 = 3072 free cells is written to the queue, read from it, and looks at two or more
 * neighbours: 3072 * (2 + 2 * 2) = 18432.
 */
#include "../sample.h"

#define SIZE 64

static unsigned char pillar[SIZE * SIZE];
static int distance[SIZE * SIZE];
static int queue[SIZE * SIZE];

static void breadth_first(int start)
{
    static const int step_x[4] = {1, -1, 0, 0}, step_y[4] = {0, 0, 1, -1};
    int head = 0, tail = 0, cell, next, x, y, i;

    for (cell = 0; cell < SIZE * SIZE; cell++)
        distance[cell] = -1;
    distance[start] = 0;
    queue[tail++] = start;
    while (head < tail) {
        cell = queue[head++];
        for (i = 0; i < 4; i++) {
            x = cell % SIZE + step_x[i];
            y = cell / SIZE + step_y[i];
            if (x < 0 || x >= SIZE || y < 0 || y >= SIZE)
                continue;
            next = y * SIZE + x;
            if (pillar[next] || distance[next] >= 0)
                continue;
            distance[next] = distance[cell] + 1;
            queue[tail++] = next;
        }
    }
}

int main(void)
{
    int x, y;

    for (y = 0; y < SIZE; y++)
        for (x = 0; x < SIZE; x++)
            pillar[y * SIZE + x] = x % 2 == 1 && y % 2 == 1;
    SHIM_KEEP(pillar);
    shim_region_begin("breadth_first");
    breadth_first(0);
    shim_region_end("breadth_first");
    SHIM_KEEP(distance);
    /* Even rows and columns have no pillars, so that every free cell has a path without a detour. */
    for (y = 0; y < SIZE; y++)
        for (x = 0; x < SIZE; x++)
            if (sample_verdict_int("distance", distance[y * SIZE + x], x % 2 && y % 2 ? -1 : x + y))
                return 1;
    return 0;
}
