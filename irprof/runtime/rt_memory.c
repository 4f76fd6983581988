/* rt_memory.c - caches. Instrumented code calls it if an access is not a hit that changes nothing. */
#include "irprof/runtime/rt.h"
#include "irprof/runtime/rt_events.h"

static void add(uint64_t *counter, uint64_t n, uint32_t flags)
{
    if (!n)
        return;
#if __SIZEOF_POINTER__ >= 8
    if (flags & RT_ATOMIC) {
        __atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
        return;
    }
#endif
    (void)flags;
    *counter += n;
}

static void count(const struct irprof_rt_caches *c, const struct sim_counts *n, uint32_t flags, uint64_t *counters,
                  uint64_t *lines)
{
    bool l2 = c->caches.l2.ways, prefetches = c->caches.prefetcher.kind.streams;
    add(counters++, n->refills, flags);
    if (l2) {
        add(counters++, n->l2, flags);
        add(counters++, n->l2_refills, flags);
    }
    if (prefetches)
        add(counters++, n->prefetched, flags);
    if (prefetches && l2)
        add(counters, n->l2_prefetched, flags);
    if (lines)
        add(lines, flags & RT_ALL_LINES ? n->accesses : n->accesses - 1, flags);
}

static void on_access(struct irprof_rt_caches *c, uintptr_t address, uintptr_t size, uint32_t flags, uint64_t *counters,
                      uint64_t *lines)
{
    if (!(flags & RT_ALL_LINES) && sim_caches_hit(&c->caches, address, size, flags & RT_WRITE))
        return;
    struct sim_counts n = {0};
    sim_caches_access(&c->caches, address, size, flags & RT_WRITE, &n);
    count(c, &n, flags, counters, lines);
}

/* Neighbouring elements are one access; each line is accessed once. */
static void on_masked(struct irprof_rt_caches *c, uintptr_t address, uint64_t mask, uint32_t flags, uint64_t *counters,
                      uint64_t *lines)
{
    struct sim_counts n = {0};
    uintptr_t element = flags / RT_ELEMENT, done = 0; /* lines below this have been accessed */
    unsigned shift = c->caches.l1d.shift;
    for (; mask; mask >>= 1, address += element) {
        uintptr_t last = (address + element - 1) >> shift, first = address >> shift;
        first = first < done ? done : first;
        if (!(mask & 1) || first > last)
            continue;
        sim_caches_access(&c->caches, first << shift, (last - first + 1) << shift, flags & RT_WRITE, &n);
        done = last + 1;
    }
    count(c, &n, flags, counters, lines);
}

static void init(void *state, const void *model)
{
    struct irprof_rt_caches *c = state;
    c->access = on_access;
    c->masked = on_masked;
    sim_caches_init(&c->caches, &((const struct irprof_rt_cache_model *)model)->levels);
}

struct irprof_rt_caches *irprof_rt_caches(const struct irprof_rt_cache_model *model)
{
    static struct irprof_rt_caches nobody;
    size_t size = sizeof nobody - sizeof nobody.caches + sim_caches_size(&model->levels);
    void *state = rt_state(model, &(struct rt_state_kind){sizeof *model, size, model->cold != 0, init});
    return state ? state : &nobody;
}
