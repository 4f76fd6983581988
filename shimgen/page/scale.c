/* scale.c - linear and logarithmic axes: range, position, ticks. */
#include "shimgen/page/svg.h"

#include <math.h>

/* fraction of a logarithmic axis that is reserved for zero */
#define ZERO_SLOT 0.06

/* The largest of 1, 2, 5 × 10^k that is at most `x` (x > 0), with a tolerance for rounding. */
static double step_below(double x)
{
    double decade = pow(10, floor(log10(x) + 1e-9));
    double m = x / decade * (1 + 1e-9);
    return decade * (m >= 5 ? 5 : m >= 2 ? 2 : 1);
}

static double step_above(double x)
{
    double below = step_below(x);
    if (x <= below * (1 + 1e-9))
        return below;
    double m = below / pow(10, floor(log10(below) + 1e-9));
    return below * (m > 1.5 && m < 2.5 ? 2.5 : 2);
}

struct scale scale_linear(double lo, double hi)
{
    struct scale s = {.lo = 0, .hi = 1};
    if (!isfinite(lo) || !isfinite(hi) || lo > hi)
        return s;
    if (lo == hi) {
        double around = lo == 0 ? 1 : fabs(lo) / 2;
        lo -= around;
        hi += around;
    }
    double step = step_above((hi - lo) / 8);
    s.lo = floor(lo / step + 1e-9) * step;
    s.hi = ceil(hi / step - 1e-9) * step;
    return s;
}

struct scale scale_log(double lo, double hi, bool zero_slot)
{
    struct scale s = {.log = true, .zero_slot = zero_slot, .lo = 0.1, .hi = 10};
    if (!isfinite(hi) || !(hi > 0))
        return s;
    if (!isfinite(lo) || !(lo > 0) || lo > hi)
        lo = hi / 10;
    s.lo = step_below(lo);
    s.hi = step_above(hi);
    while (s.hi / s.lo < 10 * (1 - 1e-9)) {
        s.lo = step_below(s.lo / 1.5);
        s.hi = step_above(s.hi * 1.5);
    }
    return s;
}

bool scale_holds(const struct scale *s, double value)
{
    if (s->log && s->zero_slot && value <= 0)
        return value == 0;
    double slack = s->log ? 0 : 1e-9 * (s->hi - s->lo);
    return value >= s->lo * (s->log ? 1 - 1e-9 : 1) - slack && value <= s->hi * (s->log ? 1 + 1e-9 : 1) + slack;
}

double scale_at(const struct scale *s, double value)
{
    double place;
    double slot = s->log && s->zero_slot ? ZERO_SLOT : 0;
    if (!s->log)
        place = (value - s->lo) / (s->hi - s->lo);
    else if (value <= 0)
        return 0;
    else
        place = slot + (1 - slot) * fmax(0, log(value / s->lo) / log(s->hi / s->lo));
    return place < 0 ? 0 : place > 1 ? 1 : place;
}

static size_t ticks_linear(const struct scale *s, int wanted, struct tick *ticks)
{
    double step = step_above((s->hi - s->lo) / wanted);
    size_t n = 0;
    for (double i = ceil(s->lo / step - 1e-9); i * step <= s->hi + step * 1e-9 && n < TICKS_MAX; i++)
        ticks[n++] = (struct tick){i == 0 ? 0 : i * step, true};
    return n;
}

/* The multiples in each decade: lines for all nine, labels at 1, at 1 2 5, or at every few decades, depending on the
 * room. */
static size_t ticks_log(const struct scale *s, int wanted, struct tick *ticks)
{
    double decades = log10(s->hi / s->lo);
    int every = decades > wanted ? (int)ceil(decades / wanted) : 1;
    bool one_two_five = decades * 3 <= wanted;
    size_t n = 0;
    if (s->zero_slot)
        ticks[n++] = (struct tick){0, true};
    for (int k = (int)floor(log10(s->lo) + 1e-9); n < TICKS_MAX && pow(10, k) <= s->hi * (1 + 1e-9); k++)
        for (int m = 1; m <= 9 && n < TICKS_MAX; m++) {
            double value = m * pow(10, k);
            if (value < s->lo * (1 - 1e-9) || value > s->hi * (1 + 1e-9) || (m > 1 && decades > 5))
                continue;
            bool labelled = one_two_five ? m == 1 || m == 2 || m == 5 : m == 1 && k % every == 0;
            labelled = labelled && !(s->zero_slot && value < 1.5 * s->lo); /* too close to the label of zero */
            ticks[n++] = (struct tick){value, labelled};
        }
    return n;
}

size_t scale_ticks(const struct scale *s, int wanted, struct tick ticks[TICKS_MAX])
{
    return s->log ? ticks_log(s, wanted, ticks) : ticks_linear(s, wanted, ticks);
}
