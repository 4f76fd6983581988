/* callgrind_loops.c - finds loops in machine code by the backward jumps that callgrind counted. */
#include "shimgen/offload/callgrind_loops.h"

#include <stdlib.h>

/* Code that stands after a function's other code, and jumps back into it, is not a loop: its target is hardly ever
 * repeated, or never entered in another way. */
#define LEAST_REPEATED 0.5

static int by_place(const struct loop_place *a, const struct loop_place *b)
{
    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    return (a->address > b->address) - (a->address < b->address);
}

static int code_by_place(const void *a, const void *b)
{
    return by_place(&((const struct loop_code *)a)->at, &((const struct loop_code *)b)->at);
}

static int jumps_by_place(const void *a, const void *b)
{
    return by_place(&((const struct loop_jump *)a)->to, &((const struct loop_jump *)b)->to);
}

/* All that was executed at a place; NULL: nothing. The code is sorted. */
static const struct loop_code *code_at(const struct callgrind_loops *l, const struct loop_place *at, double *times)
{
    size_t low = 0, high = l->code.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_place(&l->code.at[middle].at, at) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const struct loop_code *first = low < l->code.n && by_place(&l->code.at[low].at, at) == 0 ? &l->code.at[low] : NULL;
    *times = 0;
    for (; low < l->code.n && by_place(&l->code.at[low].at, at) == 0; low++)
        *times += l->code.at[low].times;
    return first;
}

/* Jumps to one place: how often all were taken, and the last address that one comes from. */
struct found {
    struct loop_place first;
    uint64_t last;
    double repeats;
};
typedef VEC(struct found) found_loops;

static found_loops join_jumps(struct callgrind_loops *l)
{
    found_loops all = {0};
    qsort(l->jumps.at, l->jumps.n, sizeof *l->jumps.at, jumps_by_place);
    for (size_t i = 0; i < l->jumps.n; i++) {
        const struct loop_jump *j = &l->jumps.at[i];
        if (!all.n || by_place(&all.at[all.n - 1].first, &j->to) != 0)
            vec_push(&all, (struct found){.first = j->to});
        struct found *f = &all.at[all.n - 1];
        f->repeats += j->taken;
        f->last = j->from > f->last ? j->from : f->last;
    }
    return all;
}

/* Loops are sorted: the loops around one begin before it, in the same function. */
static unsigned depth_of(const found_loops *all, size_t i)
{
    unsigned depth = 1;
    for (size_t k = i; k-- > 0 && all->at[k].first.function == all->at[i].first.function;)
        depth += all->at[k].last >= all->at[i].last;
    return depth;
}

void callgrind_loops_finish(struct callgrind_loops *l, struct offload_table *t)
{
    if (!l->jumps.n || !l->code.n)
        return;
    qsort(l->code.at, l->code.n, sizeof *l->code.at, code_by_place);
    found_loops all = join_jumps(l), loops = {0};
    for (size_t i = 0; i < all.n; i++) {
        double times;
        if (code_at(l, &all.at[i].first, &times) && all.at[i].repeats >= LEAST_REPEATED * times &&
            all.at[i].repeats < times)
            vec_push(&loops, all.at[i]);
    }
    for (size_t i = 0; i < loops.n; i++) {
        struct offload_loop loop = {.depth = depth_of(&loops, i)};
        const struct loop_code *code = code_at(l, &loops.at[i].first, &loop.iterations);
        loop.line = code->line;
        loop.file = xstrdup(l->files.keys[code->file]);
        loop.entered = loop.iterations - loops.at[i].repeats;
        vec_push(&t->functions.at[loops.at[i].first.function].loops, loop);
    }
    vec_release(&all);
    vec_release(&loops);
}

void callgrind_loops_release(struct callgrind_loops *l)
{
    vec_release(&l->code);
    vec_release(&l->jumps);
    map_release(&l->files);
}
