/* lanes.c - assigns the work-items of a processor to lanes of its row, so that they do not overlap. */
#include <stdlib.h>

#include "irprof/history/history.h"

/* Largest number of lanes. Further work-items are drawn over others, in the lanes that become free first. */
enum { MOST_SIDE_BY_SIDE = 32 };

struct span {
    uint32_t processor;
    int64_t from, to;
    size_t thread;
};

static int by_processor_and_begin(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    if (x->processor != y->processor)
        return x->processor < y->processor ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

static unsigned levels_of(const struct history *h)
{
    unsigned n = 1;
    for (size_t i = 0; i < h->threads.n; i++)
        for (size_t k = 0; k < h->threads.at[i].intervals.n; k++)
            if (h->threads.at[i].intervals.at[k].depth + 1 > n)
                n = h->threads.at[i].intervals.at[k].depth + 1;
    return n;
}

/* The first free lane; if there is none, the one that becomes free first. */
static size_t place_for(const int64_t *busy_until, size_t n, int64_t from)
{
    size_t best = 0;
    for (size_t i = 0; i < n; i++) {
        if (busy_until[i] <= from)
            return i;
        if (busy_until[i] < busy_until[best])
            best = i;
    }
    return best;
}

void lanes_find(struct history *h)
{
    struct span *all = xcalloc(h->threads.n + 1, sizeof *all);
    int64_t busy_until[MOST_SIDE_BY_SIDE] = {0};
    size_t n = 0, over = 0;
    unsigned levels = levels_of(h);
    for (size_t i = 0; i < h->threads.n; i++) {
        const struct history_thread *t = &h->threads.at[i];
        if (t->intervals.n)
            all[n++] =
                (struct span){t->stamps.at[0].processor, t->stamps.at[0].at, t->stamps.at[t->stamps.n - 1].at, i};
    }
    qsort(all, n, sizeof *all, by_processor_and_begin);
    for (size_t i = 0; i < n; i++) {
        if (!i || all[i].processor != all[i - 1].processor)
            for (size_t p = 0; p < MOST_SIDE_BY_SIDE; p++)
                busy_until[p] = INT64_MIN;
        size_t place = place_for(busy_until, MOST_SIDE_BY_SIDE, all[i].from);
        over += busy_until[place] > all[i].from;
        busy_until[place] = all[i].to > busy_until[place] ? all[i].to : busy_until[place];
        h->threads.at[all[i].thread].lane = (unsigned)place * levels;
    }
    if (over)
        str_addf(&h->said, "%zu work-items are drawn over others: a processor's row has %d side by side\n", over,
                 MOST_SIDE_BY_SIDE);
    free(all);
}
