/* compiled_miss.c - estimates the cycles that simulated cache misses cost on a board's model. */
#include "shimgen/estimate/compiled/compiled_miss.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"

enum { PAGE = 4096 };

struct costing {
    const struct irprof_profile *p;
    const struct irprof_region *region;
    const struct iss_model *model;
    size_t l1, l2; /* events: missed lines */
    /* lines that a simulated prefetcher brought; n_events: no prefetcher was simulated */
    size_t ahead1, ahead2;
    bool all_wait; /* every miss is waited for */
    /* the region's lines fit, so its first misses would be hits if it had been executed before */
    bool fits_l1, fits_l2;
    struct miss_accesses *accesses;         /* [n_parts] of the part's loop and line */
    double moved;                           /* lines transferred per missed line: those written back count too */
    double *waits, *transfer;               /* [n_parts] cycles that are waited for; cycles of transferring lines */
    double *memory_waits, *memory_transfer; /* [n_parts] those that are main memory's, not the second level's */
    /* [n_parts] the innermost loop around it; n_loops + function: outside all loops */
    uint32_t *loop;
};

static double event_counts(const struct costing *c, const struct irprof_part *part, size_t event)
{
    if (((event == c->l1 || event == c->ahead1) && c->fits_l1) ||
        ((event == c->l2 || event == c->ahead2) && c->fits_l2))
        return 0;
    for (uint32_t k = 0; k < part->n_event_sites; k++)
        if (c->p->event_sites[part->first_event_site + k].event == event)
            return (double)c->region->event_counts[part->first_event_site + k];
    return 0;
}

/* Are there as many misses as lines in the bytes read? */
static bool is_stream(const struct miss_accesses *a, double misses, double line)
{
    double lines = a->far_bytes / line;
    return misses > 0.7 * lines && misses < 1.1 * lines;
}

/* The share of a miss that is waited for: all if other misses are rare, less if others come at the same time. */
static double exposed(const struct miss_accesses *a)
{
    double missed = a->far_loads > 0 ? a->misses / a->far_loads : 0,
           alone = a->far_loads > 0 ? a->waits / a->far_loads : 1;
    return 1 - (missed < 1 ? missed : 1) * (1 - (alone < 1 ? alone : 1));
}

/* Cycles of arriving lines, and those of them that main memory takes. */
struct lines {
    double all, memory;
};

static void add_waits(struct costing *c, size_t i, struct lines latency, double share, double exposed)
{
    c->waits[i] += latency.all * share * exposed;
    c->memory_waits[i] += latency.memory * share * exposed;
}

static void add_transfer(struct costing *c, size_t i, struct lines transfer, double share)
{
    c->transfer[i] += transfer.all * c->moved * share;
    c->memory_transfer[i] += transfer.memory * c->moved * share;
}

/* If a prefetcher was simulated, missed lines belong to no stream that it recognised: loads wait, stores do not. */
static void add_seen(struct costing *c, size_t i, const struct miss_accesses *a, struct lines latency,
                     struct lines transfer)
{
    double loads = a->near_loads + a->far_loads, all = loads + a->stores;
    double waiting = all > 0 ? loads / all : 0;
    add_waits(c, i, latency, waiting, exposed(a));
    add_transfer(c, i, transfer, 1 - waiting);
}

static void add_unseen(struct costing *c, size_t i, const struct miss_accesses *a, struct lines latency,
                       struct lines transfer)
{
    const struct iss_model *m = c->model;
    double all = a->near_loads + a->far_loads + a->stores, line = m->l1d.geometry.line;
    /* if no access was found, a library makes them, sequentially */
    double far = all > 0 ? a->far_loads / all : 0, near = all > 0 ? a->near_loads / all : 1;
    if (is_stream(a, a->misses * far, line)) {
        near += far;
        far = 0;
    }
    /* a stream restarts on each page, and is only recognised after some lines */
    double begins = m->data.prefetch.streams ? (double)m->data.prefetch.trigger * line / PAGE : 1;
    add_waits(c, i, latency, far * exposed(a) + near * (begins < 1 ? begins : 1), 1);
    add_transfer(c, i, transfer, 1 - far);
}

static struct lines lines_of(double l1, int64_t second_level, double l2, int64_t memory)
{
    return (struct lines){l1 * (double)second_level + l2 * (double)memory, l2 * (double)memory};
}

static struct lines transfer_of(const struct costing *c, double l1, double l2)
{
    return lines_of(l1, c->model->l2.pitch, l2, c->model->memory_pitch);
}

static void add_part(struct costing *c, size_t i, const struct miss_accesses *a)
{
    const struct irprof_part *part = &c->p->parts[i];
    double l1 = event_counts(c, part, c->l1), l2 = event_counts(c, part, c->l2);
    struct lines latency = lines_of(l1, c->model->l2.latency, l2, c->model->memory_latency);
    if (c->all_wait)
        add_waits(c, i, latency, 1, 1);
    else if (c->ahead1 < c->p->n_events)
        add_seen(c, i, a, latency, transfer_of(c, l1, l2));
    else if (l1 > 0)
        add_unseen(c, i, a, latency, transfer_of(c, l1, l2));
    add_transfer(c, i, transfer_of(c, event_counts(c, part, c->ahead1), event_counts(c, part, c->ahead2)), 1);
}

/* Transfers overlap with the rest of a loop, so only the cycles beyond the loop's own are waited for. */
static void overlap(struct costing *c, double *cycles, double *memory, const double *plain)
{
    size_t n = c->p->n_loops + c->p->n_functions;
    double *busy = xcalloc(n, sizeof *busy), *transfer = xcalloc(n, sizeof *transfer);
    for (size_t i = 0; i < c->p->n_parts; i++) {
        busy[c->loop[i]] += plain[i] + c->waits[i];
        transfer[c->loop[i]] += c->transfer[i];
    }
    for (size_t i = 0; i < c->p->n_parts; i++) {
        double all = transfer[c->loop[i]], more = all - busy[c->loop[i]];
        cycles[i] += c->waits[i] + (more > 0 ? more * c->transfer[i] / all : 0);
        if (memory)
            memory[i] += c->memory_waits[i] + (more > 0 ? more * c->memory_transfer[i] / all : 0);
    }
    free(busy);
    free(transfer);
}

static double written_back(const struct costing *c)
{
    size_t l2 = irprof_event(c->p, "L2D_CACHE");
    double refills = 0, accesses = 0;
    for (size_t i = 0; i < c->p->n_parts; i++) {
        refills += event_counts(c, &c->p->parts[i], c->l1) + event_counts(c, &c->p->parts[i], c->ahead1);
        accesses += event_counts(c, &c->p->parts[i], l2);
    }
    return refills > 0 && accesses > refills ? accesses / refills : 1;
}

static double happened_in_all(const struct costing *c, size_t event)
{
    double sum = 0;
    for (size_t i = 0; i < c->p->n_parts; i++)
        sum += event_counts(c, &c->p->parts[i], event);
    return sum;
}

/* Drops first misses if the lines fit: then each probably was missed once. */
static void drop_first_misses(struct costing *c)
{
    const struct iss_model *m = c->model;
    double l1 = happened_in_all(c, c->l1) + happened_in_all(c, c->ahead1);
    double l2 = happened_in_all(c, c->l2) + happened_in_all(c, c->ahead2);
    c->fits_l2 = l2 <= (double)m->l2.geometry.size / m->l2.geometry.line;
    c->fits_l1 = l1 <= (double)m->l1d.geometry.size / m->l1d.geometry.line;
}

/* Accesses that were combined into one instruction are all attributed to one of them. So parts of one line in one loop
 * are pooled. */
static struct miss_accesses *pool(const struct costing *c, const struct miss_accesses *own)
{
    struct map places = {0};
    struct miss_accesses *sums = xcalloc(c->p->n_parts, sizeof *sums), *all = xcalloc(c->p->n_parts, sizeof *all);
    size_t *place = xcalloc(c->p->n_parts, sizeof *place);
    for (size_t i = 0; i < c->p->n_parts; i++) {
        const struct irprof_part *part = &c->p->parts[i];
        char *key = xasprintf("%u %u %u", c->loop[i], part->file, part->line);
        place[i] = map_number(&places, key);
        free(key);
        struct miss_accesses *to = &sums[place[i]];
        to->near_loads += own[i].near_loads;
        to->far_loads += own[i].far_loads;
        to->far_bytes += own[i].far_bytes;
        to->waits += own[i].waits;
        to->stores += own[i].stores;
        to->misses += event_counts(c, part, c->l1);
    }
    for (size_t i = 0; i < c->p->n_parts; i++)
        all[i] = sums[place[i]];
    map_release(&places);
    free(sums);
    free(place);
    return all;
}

bool miss_costs(double *cycles, double *memory, const struct irprof_profile *p, const struct irprof_region *region,
                const struct miss_accesses *accesses, const double *plain, const struct iss_model *model,
                enum miss_case which)
{
    struct costing c = {.p = p, .region = region, .model = model, .all_wait = which == MISS_WORST};
    c.l1 = irprof_event(p, "L1D_CACHE_REFILL");
    c.l2 = irprof_event(p, "L2D_CACHE_REFILL");
    if (c.l1 == p->n_events)
        return false;
    c.ahead1 = irprof_event(p, "L1D_CACHE_REFILL_HWPRF");
    c.ahead2 = irprof_event(p, "L2D_CACHE_REFILL_HWPRF");
    c.waits = xcalloc(p->n_parts, sizeof *c.waits);
    c.transfer = xcalloc(p->n_parts, sizeof *c.transfer);
    c.memory_waits = xcalloc(p->n_parts, sizeof *c.memory_waits);
    c.memory_transfer = xcalloc(p->n_parts, sizeof *c.memory_transfer);
    c.loop = xcalloc(p->n_parts, sizeof *c.loop);
    for (size_t i = 0; i < p->n_segments; i++) {
        const struct irprof_segment *s = &p->segments[i];
        for (uint32_t k = 0; k < s->n_parts; k++)
            c.loop[s->first_part + k] = s->loop == IRPROF_NONE ? (uint32_t)p->n_loops + s->function : s->loop;
    }
    c.moved = written_back(&c);
    if (which == MISS_WARM)
        drop_first_misses(&c);
    c.accesses = pool(&c, accesses);
    for (size_t i = 0; i < p->n_parts; i++)
        add_part(&c, i, &c.accesses[i]);
    overlap(&c, cycles, memory, plain);
    free(c.waits);
    free(c.transfer);
    free(c.memory_waits);
    free(c.memory_transfer);
    free(c.loop);
    free(c.accesses);
    return true;
}
