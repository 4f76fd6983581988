/*
 * rt_step.c - steps. A region whose name ends in '#' is split by the path that each step takes. The counts between its
 * begin and its end are compared with those of earlier steps. Steps with equal counts are one region, "NAME#1",
 * "NAME#2" ..., whose entries tell how many there were. When there are too many, the rest goes to "NAME#more". The
 * region "NAME#" itself has them all.
 */
#include "irprof/runtime/rt.h"
#include "irprof/runtime/rt_traffic.h"

#include <string.h>

#include "irprof/profile/format.h"

enum { KINDS = 1000, TABLE = 2048, MEMORY = 64 << 20 };

struct kind {
    uint64_t hash;
    struct rt_region *region;
};
struct rt_steps {
    struct rt_region now; /* between begin and end: minus the counters' values; its sums are reused */
    struct kind table[TABLE];
    unsigned long n;
    size_t memory;
    struct rt_region *more;
};

int rt_is_step(const struct rt_region *r)
{
    return r->name_size > 1 && r->name[r->name_size - 1] == FORMAT_STEPS;
}

static void clear(struct rt_region *r)
{
    for (struct rt_sum *s = r->sums; s; s = s->next)
        memset(s->counts, 0, (size_t)s->record->n_counters * sizeof *s->counts);
}

void rt_step_begin(struct rt_region *r)
{
    rt_traffic_begin();
    if (!r->steps)
        r->steps = rt_memory(sizeof *r->steps);
    if (!r->steps)
        return;
    r->steps->now.name = r->name;
    clear(&r->steps->now);
    rt_region_add(&r->steps->now, -1);
}

static uint64_t hash_counts(const struct rt_region *r, size_t *size)
{
    uint64_t h = 0xcbf29ce484222325;
    *size = 0;
    for (const struct rt_sum *s = r->sums; s; s = s->next) {
        for (uint64_t i = 0; i < s->record->n_counters; i++) {
            h = (h ^ s->counts[i]) * 0x9e3779b97f4a7c15;
            h ^= h >> 29;
        }
        *size += (size_t)s->record->n_counters * sizeof *s->counts;
    }
    return h;
}

/* Are the counts of this step those of the kind's? Modules that were loaded later have counted nothing in it. */
static int is_alike(const struct rt_region *kind, const struct rt_region *now)
{
    const struct rt_sum *a = kind->sums;
    for (const struct rt_sum *b = now->sums; b; b = b->next) {
        for (uint64_t i = 0; i < b->record->n_counters; i++)
            if ((a ? a->counts[i] : 0) != b->counts[i] * kind->entries)
                return 0;
        a = a ? a->next : 0;
    }
    return kind->entries > 0;
}

static struct rt_region *new_kind(const struct rt_region *r, const char *what)
{
    char *name = rt_memory(r->name_size + strlen(what) + 1);
    if (!name)
        return 0;
    memcpy(name, r->name, r->name_size);
    memcpy(name + r->name_size, what, strlen(what) + 1);
    return rt_region_find(name);
}

/* The kind of a step with these counts: an earlier one, a new one, or the rest. */
static struct rt_region *kind_of(struct rt_region *r)
{
    struct rt_steps *s = r->steps;
    char digits[RT_DIGITS];
    size_t size;
    uint64_t hash = hash_counts(&s->now, &size);
    unsigned long at = (unsigned long)(hash % TABLE);
    for (; s->table[at].region; at = (at + 1) % TABLE)
        if (s->table[at].hash == hash && is_alike(s->table[at].region, &s->now))
            return s->table[at].region;
    if (s->n < KINDS && s->memory + size <= MEMORY) {
        s->table[at].region = new_kind(r, rt_decimal(digits, s->n + 1));
        s->table[at].hash = hash;
        s->n += s->table[at].region != 0;
        s->memory += size;
        return s->table[at].region;
    }
    if (!s->more)
        s->more = new_kind(r, FORMAT_STEPS_MORE);
    return s->more;
}

void rt_step_end(struct rt_region *r)
{
    rt_traffic_end();
    if (!r->steps)
        return;
    rt_region_add(&r->steps->now, 1);
    struct rt_region *kind = kind_of(r);
    if (!kind)
        return;
    kind->entries++;
    kind->flaws |= r->steps->now.flaws;
    rt_region_join(kind, &r->steps->now);
}
