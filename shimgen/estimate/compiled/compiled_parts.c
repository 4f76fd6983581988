/* compiled_parts.c - attributes cycles of machine instructions to parts of the profile. */
#include "shimgen/estimate/compiled/compiled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "shimgen/estimate/compiled/compiled_miss.h"

static size_t part_of(const struct compiled *w, const struct counted *c, uint32_t segment, uint32_t part)
{
    const struct irprof_segment *s = &w->profile->segments[c->first + segment];
    return part < s->n_parts && w->region->executions[c->first + segment] ? s->first_part + part : SIZE_MAX;
}

/* An executed part, in the block if there is one; SIZE_MAX: none. */
static size_t part_near(const struct compiled *w, const struct counted *c, uint32_t block)
{
    size_t any = SIZE_MAX;
    for (uint32_t i = 0; i < c->labels->n_segments; i++) {
        size_t part = part_of(w, c, i, 0);
        if (part != SIZE_MAX && c->labels->segments[i].block == block)
            return part;
        any = any == SIZE_MAX ? part : any;
    }
    return any;
}

static size_t part_of_step(const struct compiled *w, const struct counted *c, const struct node *n, size_t i)
{
    const struct irprof_spot *s = n->of[i] && n->of[i] < c->labels->n_spots ? &c->labels->spots[n->of[i]] : 0;
    return s && s->segment != IRPROF_NONE && s->part != IRPROF_NONE ? part_of(w, c, s->segment, s->part) : SIZE_MAX;
}

/* For each part and each of the three cases: cycles of the code alone, those added by mispredictions, those added by
 * misses. For the typical case also main memory's share of the misses, and what the code's cycles are spent on. */
struct sums {
    double *plain[BOUNDS], *mispredicted[BOUNDS], *missed[BOUNDS], *memory;
    struct causes *causes;
    struct miss_accesses *accesses;
};

/* The costs with a case's quotients. */
static const enum iss_quotient quotients[BOUNDS] = {
    [BOUND_BEST] = ISS_QUOTIENT_SHORT, [BOUND_TYPICAL] = ISS_QUOTIENT_MEAN, [BOUND_WORST] = ISS_QUOTIENT_LONG};

static const struct step_costs *costs_of(const struct compiled *w, enum bound bound, size_t function)
{
    const struct step_costs *c = w->costs[quotients[bound]];
    return c ? &c[function] : &w->costs[ISS_QUOTIENT_MEAN][function];
}

/* How much of a step's cycles are those with short, mean and long quotients: where the profile has the part's length,
 * what lies between the two nearest, in each case; else the case's own. */
static void mix_of(double mix[ISS_QUOTIENTS], const struct compiled *w, size_t part, enum bound bound)
{
    double at = w->lengths ? w->lengths[part] : NAN; /* 0: short, 1: mean, 2: long */
    memset(mix, 0, ISS_QUOTIENTS * sizeof *mix);
    if (!w->costs[ISS_QUOTIENT_LONG]) {
        mix[ISS_QUOTIENT_MEAN] = 1;
    } else if (isnan(at)) {
        mix[quotients[bound]] = 1;
    } else {
        mix[ISS_QUOTIENT_MEAN] = 1 - fabs(at - 1);
        mix[at < 1 ? ISS_QUOTIENT_SHORT : ISS_QUOTIENT_LONG] = fabs(at - 1);
    }
}

static const enum estimate_cause causes[ISS_WAITS] = {
    [ISS_WAIT_ISSUE] = CAUSE_ISSUE, [ISS_WAIT_FETCH] = CAUSE_FETCH,           [ISS_WAIT_INTEGER] = CAUSE_INTEGER,
    [ISS_WAIT_FP] = CAUSE_FP,       [ISS_WAIT_LOAD_STORE] = CAUSE_LOAD_STORE, [ISS_WAIT_UNIT] = CAUSE_UNITS};

static void add_access(struct miss_accesses *a, const struct step_costs *c, size_t i, const struct iss_op *op)
{
    if (op->memory & ISS_WRITE_MEMORY) {
        a->stores += c->near[i] + c->far[i];
    } else {
        a->near_loads += c->near[i];
        a->far_loads += c->far[i];
        a->far_bytes += c->far[i] * op->bytes;
        a->waits += c->far[i] > 0 ? c->waits[i] : 0;
    }
}

static void add_step(const struct compiled *w, struct sums *to, size_t part, size_t function, size_t i,
                     const struct iss_op *op)
{
    for (enum bound b = BOUND_BEST; b < BOUNDS; b++) {
        double mix[ISS_QUOTIENTS];
        mix_of(mix, w, part, b);
        for (int q = 0; q < ISS_QUOTIENTS; q++) {
            const struct step_costs *c = mix[q] > 0 ? &w->costs[q][function] : 0;
            to->plain[b][part] += c ? mix[q] * c->cycles[i] : 0;
            for (int k = 0; c && b == BOUND_TYPICAL && k < ISS_WAITS; k++)
                to->causes[part].at[causes[k]] += mix[q] * c->spent[i][k];
        }
    }
    to->mispredicted[BOUND_TYPICAL][part] += costs_of(w, BOUND_TYPICAL, function)->mispredicted[i];
    to->mispredicted[BOUND_WORST][part] += costs_of(w, BOUND_WORST, function)->doubtful[i];
    add_access(&to->accesses[part], costs_of(w, BOUND_TYPICAL, function), i, op);
}

static void add_library(const struct compiled *w, struct sums *to, size_t part, const struct node *n, double times)
{
    if (!node_calls(n) || !n->callee || times <= 0)
        return;
    struct cycles each = library_call(w->library, n->callee).cycles;
    for (enum bound b = BOUND_BEST; b < BOUNDS && each.typical > 0; b++)
        to->plain[b][part] += cycles_pick(&each, b) * times;
    to->causes[part].at[CAUSE_CALLS] += each.typical > 0 ? each.typical * times : 0;
}

/* The part of the next step in the node that has one; SIZE_MAX: none. */
static size_t part_after(const struct compiled *w, const struct counted *c, const struct node *n, size_t i)
{
    size_t part = SIZE_MAX;
    for (; part == SIZE_MAX && i < n->n; i++)
        part = part_of_step(w, c, n, i);
    return part;
}

/* A step that belongs to no instruction usually makes a constant for a later one. So it goes to the part of the next
 * step that has one, at the node's end to the previous one. The same holds for parts that the region did not
 * execute. */
static void add_node(const struct compiled *w, struct sums *to, size_t function, size_t node)
{
    const struct counted *c = &w->counted[function];
    const struct machine_function *f = &w->machine.functions[function];
    const struct node *n = &f->nodes[node];
    size_t first = (size_t)(n->steps - f->code->steps), before = part_near(w, c, n->number);
    for (size_t i = 0; i < n->n; i++) {
        size_t own = part_after(w, c, n, i);
        before = own != SIZE_MAX ? own : before;
        if (before != SIZE_MAX)
            add_step(w, to, before, function, first + i, &n->steps[i].op);
    }
    if (before != SIZE_MAX)
        add_library(w, to, before, n, w->flows[function].nodes[node]);
}

static void add_misses(struct compiled *w, struct sums *to)
{
    w->has_misses = miss_costs(to->missed[BOUND_TYPICAL], to->memory, w->profile, w->region, to->accesses,
                               to->plain[BOUND_TYPICAL], w->model, w->warm ? MISS_WARM : MISS_COLD);
    if (w->has_misses)
        miss_costs(to->missed[BOUND_WORST], 0, w->profile, w->region, to->accesses, to->plain[BOUND_WORST], w->model,
                   MISS_WORST);
}

/* Shorter divisions may lead to worse timing. So best is limited to at most typical, worst to at least typical. */
static struct cycles cycles_of(const struct sums *s, size_t part)
{
    double sum[BOUNDS];
    for (enum bound b = BOUND_BEST; b < BOUNDS; b++)
        sum[b] = s->plain[b][part] + s->mispredicted[b][part] + s->missed[b][part];
    return (struct cycles){fmin(sum[BOUND_BEST], sum[BOUND_TYPICAL]), sum[BOUND_TYPICAL],
                           fmax(sum[BOUND_WORST], sum[BOUND_TYPICAL])};
}

static struct causes causes_of(const struct sums *s, size_t part)
{
    struct causes c = s->causes[part];
    c.at[CAUSE_MISPREDICTIONS] = s->mispredicted[BOUND_TYPICAL][part];
    c.at[CAUSE_L2] = s->missed[BOUND_TYPICAL][part] - s->memory[part];
    c.at[CAUSE_MEMORY] = s->memory[part];
    return c;
}

/* The causes that the estimate distinguishes: those of the code, and those of events in the profile. */
static unsigned known_causes(const struct compiled *w)
{
    const struct irprof_profile *p = w->profile;
    unsigned known = 1u << CAUSE_CALLS;
    for (int k = 0; k < ISS_WAITS; k++)
        known |= 1u << causes[k];
    if (w->has_misses)
        known |= 1u << CAUSE_L2;
    if (w->has_misses && irprof_event(p, "L2D_CACHE_REFILL") < p->n_events)
        known |= 1u << CAUSE_MEMORY;
    /* the directions of branches that the code generator made are assumed, so there are mispredictions without the
     * event */
    return known | 1u << CAUSE_MISPREDICTIONS;
}

void compiled_parts(struct compiled *w)
{
    size_t n = w->profile->n_parts;
    struct sums s = {.accesses = xcalloc(n, sizeof *s.accesses),
                     .memory = xcalloc(n, sizeof *s.memory),
                     .causes = xcalloc(n, sizeof *s.causes)};
    for (enum bound b = BOUND_BEST; b < BOUNDS; b++) {
        s.plain[b] = xcalloc(n, sizeof(double));
        s.mispredicted[b] = xcalloc(n, sizeof(double));
        s.missed[b] = xcalloc(n, sizeof(double));
    }
    for (size_t i = 0; i < w->machine.n; i++)
        for (size_t k = 0; k < w->machine.functions[i].n; k++)
            add_node(w, &s, i, k);
    add_misses(w, &s);
    for (size_t i = 0; i < n; i++) {
        w->out->parts[i] = cycles_of(&s, i);
        w->out->causes[i] = causes_of(&s, i);
    }
    w->out->known_causes = known_causes(w);
    for (enum bound b = BOUND_BEST; b < BOUNDS; b++) {
        free(s.plain[b]);
        free(s.mispredicted[b]);
        free(s.missed[b]);
    }
    free(s.accesses);
    free(s.memory);
    free(s.causes);
}
