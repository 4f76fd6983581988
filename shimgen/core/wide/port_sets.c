/* port_sets.c - searches the sets of ports that explain pairs: each kind tries all sets of its size, in turns. */
#include "shimgen/core/wide/port_sets.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { MOST_BUSY = 24, MOST_PORTS = 8, SWEEPS = 8, ATTEMPTS = 8, MOST_COPIES = 48, MOST_MORE = 6 };
#define NEAR        0.06 /* of a stream: the same as a whole number of ports */
#define NEAR_MOST   0.12 /* cycles, likewise */
#define HELD_BACK   0.08 /* ports: chains of one cycle do not fill the last one */
#define TOLD        0.04 /* of a pair's cycles: as exact as they are known */
#define LOST        0.2  /* of a pair's cycles */
#define DOUBT       0.1  /* how much that counts */
#define SAME        0.95 /* of the cycles of kinds on the same ports: those that take as long are */
#define ALONE       4.0  /* pairs: what a stream counts */
#define WORST       5.0  /* a pair that nothing explains decides nothing */
#define MORE_COSTS  2.0  /* a further operation */
#define OTHER_COSTS 0.5  /* another number of ports */
#define LEAST_GAIN  0.1
#define USUAL       0.01 /* what a port costs that is shared or not against what is usual */

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

/* ---- cycles by sets ---- */

enum { MOST_USES = 2 * (1 + PORT_SETS_MORE) };
/* Operations of a number of instructions. */
struct loads {
    uint32_t set[MOST_USES];
    double load[MOST_USES];
    unsigned n;
};

static void add_load(struct loads *l, uint32_t set, double load)
{
    for (unsigned i = 0; i < l->n; i++)
        if (l->set[i] == set) {
            l->load[i] += load;
            return;
        }
    l->set[l->n] = set;
    l->load[l->n++] = load;
}

static void add_loads(struct loads *l, const struct port_kind *k, double n)
{
    if (n > 0)
        add_load(l, k->set, n * k->busy);
    for (unsigned i = 0; n > 0 && i < k->n_more; i++)
        add_load(l, k->more[i].set, n * k->more[i].busy);
}

/* Of the worst union of sets: all that can use no other ports must share these. */
static double worst_union(const struct loads *l)
{
    double worst = 0;
    for (unsigned chosen = 1; chosen < 1u << l->n; chosen++) {
        uint32_t set = 0;
        double load = 0;
        for (unsigned i = 0; i < l->n; i++)
            set |= chosen >> i & 1 ? l->set[i] : 0;
        for (unsigned i = 0; i < l->n; i++)
            load += l->set[i] & ~set ? 0 : l->load[i];
        worst = fmax(worst, load / size(set));
    }
    return worst;
}

void port_sets_cycles(const struct port_sets *p, const struct port_pair *pair, double *least, double *most)
{
    const struct port_kind *a = &p->kinds[pair->a], *b = &p->kinds[pair->b];
    double na = pair->na, nb = pair->nb;
    struct loads l = {.n = 0};
    add_loads(&l, a, na);
    add_loads(&l, b, nb);
    double ports = worst_union(&l), slots = na * a->slots + nb * b->slots, chains = na * a->chained + nb * b->chained;
    *least = fmax(ports, slots / p->width);
    *most = fmax(fmax(ports, slots / p->seen), chains);
}

/* ---- the cost of sets ---- */

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

/* How far a stream of the kind is from what was measured. */
static double error_alone(const struct port_sets *p, size_t kind)
{
    const struct port_pair alone = {.a = kind, .b = kind, .na = 1, .cycles = p->kinds[kind].stream};
    return alone.cycles > 0 ? ALONE * error_of(p, &alone) : 0;
}

/* Of pairs with a kind of the group, all that have a set. Any number above `most` if it is more. */
static double cost_of(const struct port_sets *p, size_t group, double most)
{
    double sum = 0;
    for (size_t i = group; i < p->n; i++)
        sum += p->kinds[i].group == group ? error_alone(p, i) : 0;
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

/* Kinds with as many ports and slots, that take as long side by side as if all ports were the same. */
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
        if (a->ports == b->ports && fabs(a->slots - b->slots) < 0.5 && pair->cycles > SAME * same && same > others)
            b->group = b->group == pair->b ? a->group : b->group;
    }
}

/* ---- several operations ---- */

/* A group as it is, and what its sets cost with it. */
struct choice {
    struct port_kind kind;
    double cost;
};

/* Simple is what a stream shows by itself: each further operation, and more ports kept for longer, must pay. */
static double price(const struct port_kind *k, const struct port_kind *plain)
{
    return k->n_more * MORE_COSTS + (k->ports == plain->ports ? 0 : OTHER_COSTS);
}

/* Kinds of a group may keep a port for longer than others of it. */
static unsigned busy_on(const struct port_kind *plain, unsigned ports, unsigned busy)
{
    if (ports == plain->ports)
        return plain->busy;
    double exact = plain->stream * ports;
    return exact < busy ? busy : (unsigned)lround(exact);
}

/* plain: all kinds as streams show them. */
static void put_kind(const struct port_sets *p, size_t group, const struct port_kind *like,
                     const struct port_kind *plain)
{
    for (size_t i = group; i < p->n; i++)
        if (p->kinds[i].group == group) {
            p->kinds[i].ports = like->ports;
            p->kinds[i].busy = i == group ? like->busy : busy_on(&plain[i], like->ports, like->busy);
            p->kinds[i].set = like->set;
            p->kinds[i].n_more = like->n_more;
            memcpy(p->kinds[i].more, like->more, sizeof like->more);
        }
}

static void consider(const struct port_sets *p, size_t group, const struct port_kind *kind,
                     const struct port_kind *plain, struct choice *best)
{
    double costs = price(kind, &plain[group]);
    put_kind(p, group, kind, plain);
    costs += cost_of(p, group, best->cost - costs);
    if (costs < best->cost - 1e-9)
        *best = (struct choice){*kind, costs};
}

/* All sets of so many ports for the first operation. */
static void consider_sets(const struct port_sets *p, size_t group, struct port_kind kind, const struct port_kind *plain,
                          struct choice *best)
{
    uint32_t from[PORT_SETS_PORTS];
    unsigned n = candidates(used_by_others(p, group), kind.ports, from);
    for (uint32_t chosen = (UINT32_C(1) << kind.ports) - 1; chosen < UINT32_C(1) << n; chosen = next_set(chosen)) {
        kind.set = 0;
        for (uint32_t left = chosen; left; left &= left - 1)
            kind.set |= from[__builtin_ctz(left)];
        consider(p, group, &kind, plain, best);
    }
}

/* Sets that other kinds have, and single ports: what a further operation is likely to use. */
static void consider_more(const struct port_sets *p, size_t group, struct port_kind kind, const struct port_kind *plain,
                          struct choice *best)
{
    unsigned at = kind.n_more++;
    uint32_t done[64];
    size_t n = 0;
    for (size_t i = 0; i < p->n + PORT_SETS_PORTS; i++) {
        uint32_t set = i < p->n ? p->kinds[i].set : used_by_others(p, group) & UINT32_C(1) << (i - p->n);
        bool known = !set || (i < p->n && p->kinds[i].group == group) || n == sizeof done / sizeof *done;
        for (size_t k = 0; k < n && !known; k++)
            known = done[k] == set;
        if (known)
            continue;
        done[n++] = set;
        for (unsigned busy = 1; busy <= MOST_MORE && busy <= (unsigned)(kind.stream * size(set) + 0.1); busy++) {
            kind.more[at] = (struct port_use){set, busy};
            consider(p, group, &kind, plain, best);
        }
    }
}

/* More ports that an operation keeps for longer take as long in a stream. Where slots limit a stream, so do more ports. */
static void consider_ports(const struct port_sets *p, size_t group, const struct port_kind *now,
                           const struct port_kind *plain, struct choice *best)
{
    for (unsigned ports = 1; ports <= MOST_PORTS; ports++) {
        struct port_kind kind = *now;
        double exact = kind.stream * ports;
        bool slots = kind.slots / p->seen > (1 - NEAR) * kind.stream;
        kind.ports = ports;
        kind.busy = exact < 1 ? 1 : (unsigned)lround(exact);
        if ((fabs(exact - kind.busy) < NEAR * exact || (slots && exact > 1)) && kind.busy <= MOST_MORE)
            consider_sets(p, group, kind, plain, best);
        kind.busy = 1;
        if (slots && exact > 1)
            consider_sets(p, group, kind, plain, best);
    }
}

/* The operations that explain a group's pairs best, and how much better that is. */
static double refined(const struct port_sets *p, size_t group, const struct port_kind *plain, struct choice *best)
{
    const struct port_kind now = p->kinds[group];
    const double before = price(&now, &plain[group]) + cost_of(p, group, INFINITY);
    *best = (struct choice){now, before};
    if (!now.stream || before < MORE_COSTS / 2)
        return 0;
    consider_ports(p, group, &now, plain, best);
    for (unsigned i = 0; i < now.n_more; i++) { /* one less */
        struct port_kind less = now;
        less.more[i] = less.more[--less.n_more];
        consider(p, group, &less, plain, best);
    }
    if (now.n_more < PORT_SETS_MORE)
        consider_more(p, group, now, plain, best);
    put_kind(p, group, &now, plain);
    return before - best->cost;
}

/* Each set again, now that another one has changed. */
static void settle(const struct port_sets *p)
{
    bool better = true;
    for (int sweep = 0; better && sweep < SWEEPS; sweep++) {
        better = false;
        for (size_t i = 0; i < p->n; i++)
            better |= p->kinds[i].group == i && improve(p, i);
    }
}

/* Takes a kind out of its group, which may have another operation than the others. Returns whether there were others. */
static bool part(const struct port_sets *p, size_t kind)
{
    size_t group = p->kinds[kind].group, first = p->n;
    for (size_t i = p->n; i-- > 0;)
        if (i != kind && p->kinds[i].group == group)
            first = i;
    for (size_t i = 0; i < p->n; i++)
        if (i != kind && p->kinds[i].group == group)
            p->kinds[i].group = first;
    p->kinds[kind].group = kind;
    return first < p->n;
}

/* The best change so far. */
struct change {
    struct choice choice;
    size_t kind; /* of which, and of its group unless it is alone */
    bool alone;
    double gain;
};

static void try_change(const struct port_sets *p, size_t kind, bool alone, const struct port_kind *plain,
                       struct change *best)
{
    struct choice one;
    double gain = refined(p, kind, plain, &one);
    if (gain > best->gain)
        *best = (struct change){one, kind, alone, gain};
}

/* Of each group, and of each kind of a group alone. */
static struct change best_change(const struct port_sets *p, const struct port_kind *plain, size_t *groups)
{
    struct change best = {.gain = LEAST_GAIN, .kind = p->n};
    for (size_t i = 0; i < p->n; i++)
        groups[i] = p->kinds[i].group;
    for (size_t i = 0; i < p->n; i++) {
        if (groups[i] == i)
            try_change(p, i, false, plain, &best);
        if (part(p, i))
            try_change(p, i, true, plain, &best);
        for (size_t k = 0; k < p->n; k++)
            p->kinds[k].group = groups[k];
    }
    return best;
}

/* What gains most comes first: what others seem to need may be its fault. */
static void refine_all(const struct port_sets *p, const struct port_kind *plain)
{
    size_t *groups = xcalloc(p->n + 1, sizeof *groups);
    for (size_t step = 0; step < 2 * p->n; step++) {
        struct change change = best_change(p, plain, groups);
        if (change.kind == p->n)
            break;
        if (change.alone)
            part(p, change.kind);
        put_kind(p, change.kind, &change.choice.kind, plain);
        settle(p);
    }
    free(groups);
}

/* ---- the search ---- */

static unsigned below(uint64_t *random, unsigned n)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*random >> 33) % n;
}

/* Takes one slot, so it is one operation, as far as can be seen. */
static bool is_simple(const struct port_kind *k)
{
    return k->slots < 1.5;
}

/* Groups that are simple or not. The first of all attempts begins with those that have most ports, the second with those
 * that have fewest, others at random. Returns how many groups there are. */
static size_t arrange(const struct port_sets *p, unsigned attempt, bool simple, size_t *order)
{
    uint64_t random = attempt;
    size_t n = 0;
    for (unsigned step = 0; step < MOST_PORTS; step++)
        for (size_t i = 0; i < p->n; i++)
            if (p->kinds[i].group == i && is_simple(&p->kinds[i]) == simple &&
                p->kinds[i].ports == (attempt == 0 ? MOST_PORTS - step : step + 1))
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
    for (size_t i = 0; i < p->n_pairs; i++) {
        const struct port_kind *a = &p->kinds[p->pairs[i].a], *b = &p->kinds[p->pairs[i].b];
        cost += a->set && b->set ? error_of(p, &p->pairs[i]) + unusual(a, b) : 0;
    }
    return cost;
}

/* The sets of kinds that are one operation, by pairs of these alone. */
static void find_simple(const struct port_sets *p, size_t *order)
{
    uint32_t *best = xcalloc(p->n + 1, sizeof *best);
    double least = INFINITY;
    for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
        size_t n = arrange(p, attempt, true, order);
        double cost = attempt_in(p, order, n);
        for (size_t i = 0; cost < least && i < p->n; i++)
            best[i] = p->kinds[i].set;
        least = fmin(least, cost);
    }
    for (size_t i = 0; i < p->n; i++)
        p->kinds[i].set = best[i];
    free(best);
}

void port_sets_find(const struct port_sets *p)
{
    size_t *order = xcalloc(p->n + 1, sizeof *order);
    find_groups(p);
    struct port_kind *plain = xmemdup(p->kinds, p->n * sizeof *plain);
    find_simple(p, order);
    for (size_t i = 0, n = arrange(p, 0, false, order); i < n; i++) {
        struct choice one;
        improve(p, order[i]);
        if (refined(p, order[i], plain, &one) > 0)
            put_kind(p, order[i], &one.kind, plain);
    }
    settle(p);
    refine_all(p, plain);
    free(plain);
    free(order);
}
