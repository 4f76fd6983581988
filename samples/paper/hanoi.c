/*
 * hanoi - the towers of Hanoi with 3 discs, moves counted in a global.
 *
 * Work: 2^3 - 1 = 7 moves, each an addition to the counter and at least one of its two calls: 14.
 */
#include "../sample.h"

static int moves;

static __attribute__((noinline)) void hanoi(int discs, int from, int to, int by)
{
    if (discs == 0)
        return;
    hanoi(discs - 1, from, by, to);
    moves++;
    hanoi(discs - 1, by, to, from);
}

int main(void)
{
    int discs = 3;

    moves = 0;
    SHIM_KEEP(&moves);
    SHIM_KEEP(&discs);
    shim_region_begin("hanoi");
    hanoi(discs, 1, 3, 2);
    shim_region_end("hanoi");
    SHIM_KEEP(&moves);
    return sample_verdict_int("moves for 3 discs", moves, 7);
}
