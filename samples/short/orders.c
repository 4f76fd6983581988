/*
 * orders - all orders of four jobs, by recursion, for the one with the least sum of times until each job ends.
 *
 * Truth: the shortest job first (Smith's rule): 1, 3, 4, 7 end at 1, 4, 8 and 15, in all 28.
 * Work: 24 orders are compared by their sum: 24.
 */
#include "../sample.h"

enum { N = 4 };
static int duration[N], order[N], best, tried;

static void permute(int place, int clock, int sum)
{
    if (place == N) {
        tried++;
        best = sum < best ? sum : best;
        return;
    }
    for (int i = place; i < N; i++) {
        int job = order[i], end = clock + duration[job];

        order[i] = order[place];
        order[place] = job;
        permute(place + 1, end, sum + end);
        order[place] = order[i];
        order[i] = job;
    }
}

int main(void)
{
    static const int times[N] = {4, 1, 7, 3};

    memcpy(duration, times, sizeof duration);
    for (int i = 0; i < N; i++)
        order[i] = i;
    best = 1000;
    tried = 0;
    SHIM_KEEP(duration);
    SHIM_KEEP(order);
    SHIM_KEEP(&best);
    SHIM_KEEP(&tried);
    shim_region_begin("orders");
    permute(0, 0, 0);
    SHIM_KEEP(&best);
    SHIM_KEEP(&tried);
    shim_region_end("orders");
    return sample_verdict_int("orders", tried, 24) | sample_verdict_int("least sum", best, 28);
}
