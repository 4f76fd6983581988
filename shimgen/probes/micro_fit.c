/* micro_fit.c - fits a line through the cycles of loops with different numbers of copies. */
#include "shimgen/probes/micro_fit.h"

#include <math.h>

#define FLOOR 1e-3 /* of the longest pass: the best accuracy that a centre is trusted to have */

/* Student's t, one-sided 95 %, from any table of the distribution. */
double micro_t(size_t degrees)
{
    static const double table[] = {1.645, 6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812};
    enum { N = sizeof table / sizeof *table };
    return degrees < N ? table[degrees] : table[0] + 1.6 / (double)degrees;
}

static bool usable(const struct micro_point *p)
{
    return isfinite(p->copies) && isfinite(p->cycles) && isfinite(p->stddev) && p->copies >= 0 && p->stddev >= 0;
}

/* Number of different numbers of copies that are at least `least`. */
static size_t different(const struct micro_point *p, size_t n, double least)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        bool again = p[i].copies < least;
        for (size_t k = 0; k < i && !again; k++)
            again = p[k].copies == p[i].copies;
        found += !again;
    }
    return found;
}

static double longest(const struct micro_point *p, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(p[i].cycles));
    return most;
}

static double variance(const struct micro_point *p, double floor)
{
    return p->stddev * p->stddev / (p->runs ? p->runs : 1) + floor * floor;
}

struct sums {
    double w, x, y, xx, xy; /* sum of weights; weighted means; weighted sums of squares about them */
    size_t n;
};

static struct sums sums_of(const struct micro_point *p, size_t n, double least, double floor)
{
    struct sums s = {0, 0, 0, 0, 0, 0};
    for (size_t i = 0; i < n; i++) {
        if (p[i].copies < least)
            continue;
        double w = 1 / variance(&p[i], floor);
        s.w += w;
        s.x += w * p[i].copies;
        s.y += w * p[i].cycles;
        s.n++;
    }
    s.x /= s.w;
    s.y /= s.w;
    for (size_t i = 0; i < n; i++) {
        if (p[i].copies < least)
            continue;
        double w = 1 / variance(&p[i], floor), dx = p[i].copies - s.x;
        s.xx += w * dx * dx;
        s.xy += w * dx * (p[i].cycles - s.y);
    }
    return s;
}

static void scatter(struct micro_slope *out, const struct micro_point *p, size_t n, double least, double floor,
                    const struct sums *s)
{
    double weighted = 0, plain = 0;
    out->hidden = NAN;
    for (size_t i = 0; i < n; i++) {
        double distance = p[i].cycles - (out->loop + out->value * p[i].copies);
        if (p[i].copies == 0)
            out->hidden = -distance;
        if (p[i].copies < least)
            continue;
        weighted += distance * distance / variance(&p[i], floor);
        plain += distance * distance;
    }
    size_t degrees = s->n - 2;
    /* 1: as expected from the spread of the runs and the floor */
    double excess = degrees ? weighted / (double)degrees : 0;
    double error = sqrt(fmax(excess, 1) / s->xx) * micro_t(excess > 1 ? degrees : 0);
    out->low = out->value - error;
    out->high = out->value + error;
    out->scatter = sqrt(plain / (double)s->n);
}

bool micro_fit(struct micro_slope *out, const struct micro_point *points, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!usable(&points[i]))
            return false;
    double tiny = 1e-9; /* more than no copy */
    double least = different(points, n, tiny) >= 3 ? tiny : 0, most = longest(points, n);
    if (different(points, n, least) < 2)
        return false;
    double floor = most > 0 ? FLOOR * most : 1;
    struct sums s = sums_of(points, n, least, floor);
    *out = (struct micro_slope){.value = s.xy / s.xx, .points = s.n};
    out->loop = s.y - out->value * s.x;
    scatter(out, points, n, least, floor, &s);
    return true;
}
