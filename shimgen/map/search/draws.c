/* draws.c - evaluates a mapping with cycles drawn from the blocks' intervals. */
#include "shimgen/map/search/draws.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

static double between_0_and_1(struct random *r)
{
    return ((double)(random_next(r) >> 11) + 0.5) * 0x1p-53;
}

/* Box, Muller, A note on the generation of random normal deviates, 1958. */
static double normal(struct random *r)
{
    double u = between_0_and_1(r), v = between_0_and_1(r);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

/* Half the width of the central interval with this probability, in standard deviations. Found by bisection. */
static double deviations(double level)
{
    double low = 0, high = 10;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (erf(middle / sqrt(2)) < level)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* Draws a block's factor. It is log-normal; the median is the interval's middle on a logarithmic scale. */
static double factor(const struct map_block *b, double level, struct random *r)
{
    double low, high;
    if (!(b->high > 0))
        return 1;
    low = log(b->low);
    high = log(b->high);
    return exp((low + high) / 2 + (high - low) / (2 * deviations(level)) * normal(r));
}

static void draw_times(struct map_problem *p, const double *time, double level, struct random *r)
{
    for (size_t b = 0; b < p->n; b++) {
        double f = factor(&p->graph->blocks.at[b], level, r);
        for (size_t c = 0; c < p->n_cores; c++)
            p->time[b * p->n_cores + c] = f * time[b * p->n_cores + c];
    }
    map_problem_tails(p);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void draw_once(struct map_draws *out, double *takes, const struct map_plan *plan, const struct map_problem *p)
{
    const struct map_effort effort = {.seconds = 1, .quick = true};
    struct map_plan same;
    struct map_result best;
    map_plan_init(&same, p);
    map_plan_copy(&same, plan);
    *takes = map_plan_run(&same, p, INFINITY);
    enum status s = map_search(&best, p, &effort, &same, 0);
    if (!s)
        out->near += *takes <= 1.05 * best.plan.makespan;
    map_result_release(&best);
    map_plan_release(&same);
}

void map_draw(struct map_draws *out, const struct map_plan *plan, const struct map_problem *p, size_t n_draws,
              double seconds)
{
    struct map_problem drawn = *p;
    struct map_clock clock = map_clock_start(seconds);
    struct random r = random_start(5);
    double *takes = xcalloc(n_draws + 1, sizeof *takes);
    *out = (struct map_draws){0};
    for (size_t b = 0; b < p->n; b++)
        out->blocks += p->graph->blocks.at[b].high > 0;
    drawn.time = xmemdup(p->time, p->n * p->n_cores * sizeof *p->time);
    drawn.tail = xmemdup(p->tail, p->n * sizeof *p->tail);
    while (out->blocks && p->graph->level > 0 && out->n < n_draws && !map_clock_over(&clock)) {
        draw_times(&drawn, p->time, p->graph->level, &r);
        draw_once(out, &takes[out->n], plan, &drawn);
        out->n++;
    }
    qsort(takes, out->n, sizeof *takes, compare_doubles);
    if (out->n) {
        out->low = takes[out->n / 20];
        out->high = takes[out->n - 1 - out->n / 20];
    }
    free(drawn.time);
    free(drawn.tail);
    free(takes);
}
