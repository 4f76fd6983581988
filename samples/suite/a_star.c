/*
 * a_star - ways for a vehicle on a grid of 64 by 64 cells with walls, eight directions, costs 10 and 14, for four
 * starts and ends; the open cells in a binary heap of pointers.
 *
 * Hart, Nilsson, Raphael, 1968; the estimate is the octile distance, which never exceeds the cost. The truth: costs by
 * relaxing all cells until nothing changes, outside.
 *
 * Work: a way between opposite borders passes at least 60 cells; each is taken from the heap (3 loads, 1 comparison)
 * and looks at 8 neighbours (load, comparison): 4 * 60 * 20 = 4800.
 */
#include "../sample.h"
#include "lcg.h"

#define SIDE  64
#define CELLS (SIDE * SIDE)
#define TRIPS 4

enum state { UNSEEN, OPEN, CLOSED };

struct cell {
    struct cell *from;
    int32_t cost, estimate; /* so far; with what is left at least */
    int16_t place;          /* in the heap */
    uint8_t wall, state;
};
struct trip {
    int start, end, cost;
};

static struct cell grid[CELLS];
static struct cell *heap[CELLS];
static int waiting;
static struct trip trips[TRIPS];
static const int8_t steps[8][3] = {{1, 0, 10}, {-1, 0, 10}, {0, 1, 10},  {0, -1, 10},
                                   {1, 1, 14}, {-1, 1, 14}, {1, -1, 14}, {-1, -1, 14}};

static void put(int place, struct cell *cell)
{
    heap[place] = cell;
    cell->place = (int16_t)place;
}

static void sift_up(struct cell *cell, int place)
{
    while (place > 0 && heap[(place - 1) / 2]->estimate > cell->estimate) {
        put(place, heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    put(place, cell);
}

static struct cell *take_best(void)
{
    struct cell *best = heap[0], *moved = heap[--waiting];
    int place = 0, child;

    while ((child = 2 * place + 1) < waiting) {
        if (child + 1 < waiting && heap[child + 1]->estimate < heap[child]->estimate)
            child++;
        if (heap[child]->estimate >= moved->estimate)
            break;
        put(place, heap[child]);
        place = child;
    }
    put(place, moved);
    return best;
}

static int distance(int a, int b)
{
    int dx = a % SIDE - b % SIDE, dy = a / SIDE - b / SIDE;

    dx = dx < 0 ? -dx : dx;
    dy = dy < 0 ? -dy : dy;
    return dx < dy ? 10 * dy + 4 * dx : 10 * dx + 4 * dy;
}

static void offer(struct cell *cell, struct cell *from, int cost, int end)
{
    if (cell->state != UNSEEN && cost >= cell->cost)
        return;
    if (cell->state != OPEN)
        cell->place = (int16_t)waiting++;
    cell->state = OPEN;
    cell->from = from;
    cell->cost = cost;
    cell->estimate = cost + distance((int)(cell - grid), end);
    sift_up(cell, cell->place);
}

/* The cost of the cheapest way, or -1. */
static int find_way(int start, int end)
{
    for (int i = 0; i < CELLS; i++)
        grid[i].state = UNSEEN;
    waiting = 0;
    offer(&grid[start], NULL, 0, end);
    while (waiting > 0) {
        struct cell *cell = take_best();
        int at = (int)(cell - grid), x = at % SIDE, y = at / SIDE;

        if (at == end)
            return cell->cost;
        cell->state = CLOSED;
        for (int i = 0; i < 8; i++) {
            int to_x = x + steps[i][0], to_y = y + steps[i][1];
            struct cell *to;

            if (to_x < 0 || to_x >= SIDE || to_y < 0 || to_y >= SIDE)
                continue;
            to = &grid[to_y * SIDE + to_x];
            if (!to->wall)
                offer(to, cell, cell->cost + steps[i][2], end);
        }
    }
    return -1;
}

static int relaxed_cost(int start, int end)
{
    static int cost[CELLS];
    int changed = 1;

    for (int i = 0; i < CELLS; i++)
        cost[i] = i == start ? 0 : 1000000;
    while (changed) {
        changed = 0;
        for (int at = 0; at < CELLS; at++)
            for (int i = 0; i < 8 && !grid[at].wall; i++) {
                int x = at % SIDE + steps[i][0], y = at / SIDE + steps[i][1];

                if (x >= 0 && x < SIDE && y >= 0 && y < SIDE && cost[y * SIDE + x] + steps[i][2] < cost[at]) {
                    cost[at] = cost[y * SIDE + x] + steps[i][2];
                    changed = 1;
                }
            }
    }
    return cost[end] == 1000000 ? -1 : cost[end];
}

int main(void)
{
    uint32_t seed = 62;

    memset(grid, 0, sizeof grid);
    for (int i = 0; i < CELLS; i++) /* walls by lot, and three long ones with a gap */
        grid[i].wall = lcg_draw(&seed) % 5 == 0 || (i % SIDE % 16 == 15 && i / SIDE % 23 != i % SIDE);
    for (int i = 0; i < TRIPS; i++) {
        trips[i] = (struct trip){9 * i * SIDE, (SIDE - 1 - 8 * i) * SIDE - 1, 0};
        grid[trips[i].start].wall = grid[trips[i].end].wall = 0;
    }
    for (int gap = 15; gap < SIDE - 1; gap += 16)
        for (int row = 5; row < SIDE; row += 19)
            grid[row * SIDE + gap].wall = grid[row * SIDE + gap - 1].wall = grid[row * SIDE + gap + 1].wall = 0;
    SHIM_KEEP(grid);
    SHIM_KEEP(trips);
    shim_region_begin("a_star");
    for (int i = 0; i < TRIPS; i++)
        trips[i].cost = find_way(trips[i].start, trips[i].end);
    SHIM_KEEP(trips);
    SHIM_KEEP(grid);
    shim_region_end("a_star");
    for (int i = 0; i < TRIPS; i++)
        if (sample_verdict_int("cost of a way", trips[i].cost, relaxed_cost(trips[i].start, trips[i].end)) ||
            sample_verdict_int("whether there is a way", trips[i].cost >= 600, 1))
            return 1;
    return 0;
}
