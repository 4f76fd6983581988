/*
 * stopping.c - decides when a program has been launched often enough: when the cycles of its regions are known to the
 * board's precision, or when the board's maximum of runs count. This is a sequential confidence interval as in Chow and
 * Robbins, Ann. Math. Statist. 36 (1965): stop as soon as the interval is short enough.
 */
#include <math.h>
#include <stdlib.h>

#include "boards/measure/series.h"

struct goal goal_of(const struct board *b)
{
    return (struct goal){b->runs, b->least_runs < b->runs ? b->least_runs : b->runs, b->precision};
}

/* If a region takes hardly longer than reading the counter, a few launches in a row may all give the same reading, and
 * their interval means nothing. */
#define SHORT 0.05

bool precise_enough(const struct goal *g, double value, double half_width, double overhead)
{
    return g->precision > 0 && overhead <= SHORT * value && half_width <= g->precision * value;
}

/* Number of launches that a region still needs if all are good. The interval shrinks with the square root of their
 * number. Too few are noticed the next time, too many are wasted, so at most half as many again are asked for. */
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
