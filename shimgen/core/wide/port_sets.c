/* port_sets.c - searches the sets of ports that explain pairs: each kind tries all sets of its size, in turns. */
#include "shimgen/core/wide/port_sets.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { MOST_BUSY = 24, MOST_PORTS = 8, SWEEPS = 8, ATTEMPTS = 8, MOST_COPIES = 48 };
#define NEAR      0.06 /* of a stream: the same as a whole number of ports */
#define NEAR_MOST 0.12 /* cycles, likewise */
#define HELD_BACK 0.08 /* ports: chains of one cycle do not fill the last one */
#define TOLD      0.04 /* of a pair's cycles: as exact as they are known */
#define LOST      0.2  /* of a pair's cycles */
#define DOUBT     0.1  /* how much that counts */
#define SAME      0.95 /* of the cycles of kinds on the same ports: those that take as long are */
#define WORST     5.0  /* a pair that nothing explains decides nothing */
#define USUAL     0.01 /* what a port costs that is shared or not against what is usual */

void port_kind_of(struct port_kind *k, double stream, int slower)
{
    for (k->busy = 1; k->busy < MOST_BUSY; k->busy++) {
        double ports = k->busy / stream, whole = slower ? ceil(ports - HELD_BACK) : round(ports);
        k->ports = whole < 1 ? 1 : whole > MOST_PORTS ? MOST_PORTS : (unsigned)whole;
        if (fabs((double)k->busy / k->ports - stream) < (slower ? 4 : 1) * fmin(NEAR * stream, NEAR_MOST))
            return;
    }
    k->busy = stream > 1 ? (unsigned)lround(stream) : 1;
    k->ports = 1;
}

static unsigned copies(double cycles, double stream)
{
    long n = lround(cycles / stream);
    return n < 1 ? 1 : n > MOST_COPIES ? MOST_COPIES : (unsigned)n;
}

void port_pair_counts(double stream_a, double stream_b, unsigned *na, unsigned *nb)
{
    double cycles = fmax(1, fmax(stream_a, stream_b));
    *na = copies(cycles, stream_a);
    *nb = copies(cycles, stream_b);
}

static int size(uint32_t set)
{
    return __builtin_popcount(set);
}

/* What needs the ports of `set` and cannot use others, in cycles. */
static double load_of(uint32_t set, const struct port_kind *a, double na, const struct port_kind *b, double nb)
{
    double load = (a->set & ~set ? 0 : na * a->busy) + (b->set & ~set ? 0 : nb * b->busy);
    return load / size(set);
}

void port_sets_cycles(const struct port_sets *p, const struct port_pair *pair, double *least, double *most)
{
    const struct port_kind *a = &p->kinds[pair->a], *b = &p->kinds[pair->b];
    double na = pair->na, nb = pair->nb;
    double ports = fmax(load_of(a->set, a, na, b, nb), load_of(b->set, a, na, b, nb));
    ports = fmax(ports, load_of(a->set | b->set, a, na, b, nb));
    double slots = na * a->slots + nb * b->slots, chains = na * a->chained + nb * b->chained;
    *least = fmax(ports, slots / p->width);
    *most = fmax(fmax(ports, slots / p->seen), chains);
}

/* How far a pair is from what was measured. Zero between both ends. Cores lose up to a fifth of the cycles, because operations
 * are given a port before it is known which will be free: that much counts for little. */
static double error_of(const struct port_sets *p, const struct port_pair *pair)
{
    double least, most;
    if (!isfinite(pair->cycles))
        return 0;
    port_sets_cycles(p, pair, &least, &most);
    double off = fmax(least - pair->cycles, pair->cycles - most) / pair->cycles;
    double lost = off > 0 && pair->cycles > most ? fmin(off, LOST) : 0;
    off = (off - lost * (1 - DOUBT)) / TOLD;
    return off < 0 ? 0 : off > WORST ? WORST : off;
}

/* Where nothing tells: kinds of a unit share their ports, kinds of two do not. */
static double unusual(const struct port_kind *a, const struct port_kind *b)
{
    int shared = size(a->set & b->set), less = size(a->set) < size(b->set) ? size(a->set) : size(b->set);
    return USUAL * (strcmp(a->unit, b->unit) == 0 ? less - shared : shared);
}

/* Of pairs with a kind of the group, all that have a set. Any number above `most` if it is more. */
static double cost_of(const struct port_sets *p, size_t group, double most)
{
    double sum = 0;
    for (size_t i = 0; i < p->n_pairs && sum <= most; i++) {
        const struct port_pair *pair = &p->pairs[i];
        const struct port_kind *a = &p->kinds[pair->a], *b = &p->kinds[pair->b];
        if ((a->group == group || b->group == group) && a->set && b->set)
            sum += error_of(p, pair) + unusual(a, b);
    }
    return sum;
}

static uint32_t used_by_others(const struct port_sets *p, size_t group)
{
    uint32_t used = 0;
    for (size_t i = 0; i < p->n; i++)
        used |= p->kinds[i].group == group ? 0 : p->kinds[i].set;
    return used;
}

static void put(const struct port_sets *p, size_t group, uint32_t set)
{
    for (size_t i = group; i < p->n; i++)
        if (p->kinds[i].group == group)
            p->kinds[i].set = set;
}

/* The next greater number with as many bits (Gosper). */
static uint32_t next_set(uint32_t set)
{
    uint32_t low = set & -set, sum = set + low;
    return (((sum ^ set) >> 2) / low) | sum;
}

/* Ports that a group may have: those in use, and as many others as it has; these are alike. Returns how many. */
static unsigned candidates(uint32_t used, unsigned fresh, uint32_t ports[PORT_SETS_PORTS])
{
    unsigned n = 0;
    for (unsigned i = 0; i < PORT_SETS_PORTS; i++)
        if (used >> i & 1)
            ports[n++] = UINT32_C(1) << i;
    for (unsigned i = 0; i < PORT_SETS_PORTS && fresh; i++)
        if (!(used >> i & 1)) {
            ports[n++] = UINT32_C(1) << i;
            fresh--;
        }
    return n;
}

/* Gives a group the best set of its size. Returns whether that is another one. */
static bool improve(const struct port_sets *p, size_t group)
{
    uint32_t ports[PORT_SETS_PORTS], before = p->kinds[group].set, best = before;
    unsigned size_of = p->kinds[group].ports, n = candidates(used_by_others(p, group), size_of, ports);
    double least = best ? cost_of(p, group, INFINITY) : INFINITY;
    for (uint32_t chosen = (UINT32_C(1) << size_of) - 1; chosen < UINT32_C(1) << n; chosen = next_set(chosen)) {
        uint32_t set = 0;
        for (uint32_t left = chosen; left; left &= left - 1)
            set |= ports[__builtin_ctz(left)];
        put(p, group, set);
        double here = cost_of(p, group, least);
        if (here < least - 1e-9) {
            least = here;
            best = set;
        }
    }
    put(p, group, best);
    return best != before;
}

/* Kinds with as many ports, that take as long side by side as if all ports were the same. */
static void find_groups(const struct port_sets *p)
{
    for (size_t i = 0; i < p->n; i++)
        p->kinds[i].group = i;
    for (size_t i = 0; i < p->n_pairs; i++) {
        const struct port_pair *pair = &p->pairs[i];
        struct port_kind *a = &p->kinds[pair->a], *b = &p->kinds[pair->b];
        double same = (double)(pair->na * a->busy + pair->nb * b->busy) / a->ports;
        double others =
            fmax((pair->na * a->slots + pair->nb * b->slots) / p->seen, pair->na * a->chained + pair->nb * b->chained);
        if (a->ports == b->ports && pair->cycles > SAME * same && same > others)
            b->group = b->group == pair->b ? a->group : b->group;
    }
}

static unsigned below(uint64_t *random, unsigned n)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*random >> 33) % n;
}

/* The first of all attempts begins with those that have most ports, the second with those that have fewest, others at
 * random. Returns how many groups there are. */
static size_t arrange(const struct port_sets *p, unsigned attempt, size_t *order)
{
    uint64_t random = attempt;
    size_t n = 0;
    for (unsigned step = 0; step < MOST_PORTS; step++)
        for (size_t i = 0; i < p->n; i++)
            if (p->kinds[i].group == i && p->kinds[i].ports == (attempt == 0 ? MOST_PORTS - step : step + 1))
                order[n++] = i;
    for (size_t i = n; attempt > 1 && i > 1; i--) {
        size_t other = below(&random, (unsigned)i), one = order[i - 1];
        order[i - 1] = order[other];
        order[other] = one;
    }
    return n;
}

/* Each group in turns until nothing gets better. Returns the cost. */
static double attempt_in(const struct port_sets *p, const size_t *order, size_t n)
{
    double cost = 0;
    bool better = true;
    for (size_t i = 0; i < p->n; i++)
        p->kinds[i].set = 0;
    for (int sweep = 0; better && sweep < SWEEPS; sweep++) {
        better = false;
        for (size_t i = 0; i < n; i++)
            better |= improve(p, order[i]);
    }
    for (size_t i = 0; i < p->n_pairs; i++)
        cost += error_of(p, &p->pairs[i]) + unusual(&p->kinds[p->pairs[i].a], &p->kinds[p->pairs[i].b]);
    return cost;
}

void port_sets_find(const struct port_sets *p)
{
    size_t *order = xcalloc(p->n + 1, sizeof *order);
    uint32_t *best = xcalloc(p->n + 1, sizeof *best);
    double least = INFINITY;
    find_groups(p);
    for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
        size_t n = arrange(p, attempt, order);
        double cost = attempt_in(p, order, n);
        for (size_t i = 0; cost < least && i < p->n; i++)
            best[i] = p->kinds[i].set;
        least = fmin(least, cost);
    }
    for (size_t i = 0; i < p->n; i++)
        p->kinds[i].set = best[i];
    free(best);
    free(order);
}
