/* stopping.c - when a program has been launched often enough: its regions' cycles are known to the precision that the
 * board asks for, or as many runs count as it asks for at most. A sequential confidence interval of Chow and Robbins'
 * kind (Ann. Math. Statist. 36, 1965): one stops as soon as the interval is short enough. */
#include <math.h>
#include <stdlib.h>

#include "boards/measure/series.h"

struct goal goal_of(const struct board *b)
{
    return (struct goal){b->runs, b->least_runs < b->runs ? b->least_runs : b->runs, b->precision};
}

/* Of a region that takes hardly longer than reading the counter, few launches in a row all fall on one line of the
 * counter's grid, and their interval says nothing. */
#define SHORT 0.05

bool precise_enough(const struct goal *g, double value, double half_width, double overhead)
{
    return g->precision > 0 && overhead <= SHORT * value && half_width <= g->precision * value;
}

/* Launches that a region lacks, if all were good. The width falls with the root of their number; what is too few is
 * seen the next time, what is too many is wasted: so at most half as many again. */
static size_t missing(const struct campaign *c, const struct series *s, const struct goal *g)
{
    size_t good = 0;
    for (size_t i = 0; i < s->runs.n; i++)
        good += s->runs.at[i].verdict == COUNTS;
    size_t upto = g->precision > 0 ? g->least : g->runs;
    if (good < upto)
        return upto - good;
    if (good >= g->runs || g->precision <= 0)
        return 0;
    enum { AT_ONCE = 4 };
    struct estimate now = series_estimate(c, s, g->runs);
    if (precise_enough(g, now.value, now.half_width, now.overhead))
        return 0;
    double wanted = g->precision * fabs(now.value), ratio = wanted > 0 ? now.half_width / wanted : INFINITY;
    double more = fmin((double)good * (ratio * ratio - 1), (double)good / 2);
    size_t n = more > AT_ONCE ? (size_t)ceil(more) : AT_ONCE;
    return n < g->runs - good ? n : g->runs - good;
}

size_t campaign_missing(struct campaign *c, const struct goal *g)
{
    size_t most = 0;
    campaign_judge(c, g->runs, c->launches >= g->runs);
    for (size_t i = 0; i < c->regions.n; i++) {
        size_t n = missing(c, &c->regions.at[i], g);
        most = n > most ? n : most;
    }
    return most;
}
