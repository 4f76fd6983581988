/*
 * rt_region.c - regions. While a region is open, its sums hold minus the values of the counters at its begin; its end
 * adds their values then. Unsigned arithmetic wraps, so the order does not matter. If several threads are in one
 * region, it is open from the first begin to the last end. Counters are the whole process's, so a region counts what
 * all threads have executed meanwhile.
 */
#include "irprof/runtime/rt.h"

#include <string.h>

enum { DEPTH = 64 };

struct rt_region *rt_regions;
static struct rt_region *last_region;

/* The regions that this thread has open, the innermost last. */
static _Thread_local struct rt_region *open_here[DEPTH];
static _Thread_local unsigned long depth; /* may exceed DEPTH: regions beyond it are not checked for nesting */

struct rt_region *rt_region_find(const char *name)
{
    for (struct rt_region *r = rt_regions; r; r = r->next)
        if (strcmp(r->name, name) == 0)
            return r;
    size_t size = strlen(name);
    struct rt_region *r = rt_memory(sizeof *r);
    char *copy = rt_memory(size + 1);
    if (!r || !copy)
        return 0;
    memcpy(copy, name, size + 1);
    r->name = copy;
    r->name_size = size;
    if (last_region)
        last_region->next = r;
    else
        rt_regions = r;
    last_region = r;
    return r;
}

static void flaw(struct rt_region *r, uint32_t what, const char *text)
{
    r->flaws |= what;
    if (!r->said)
        rt_say("region '", r->name, text);
    r->said = 1;
}

/* Adds room for another module to the region's sums. */
static struct rt_sum *add_sum(struct rt_region *region, const struct rt_record *r)
{
    struct rt_sum *sum = rt_memory(sizeof *sum);
    uint64_t *counts = rt_memory((size_t)r->n_counters * sizeof *counts);
    if (!sum || !counts) {
        flaw(region, RT_FLAW_MEMORY, "': no memory to count it");
        return 0;
    }
    sum->record = r;
    sum->counts = counts;
    if (region->last)
        region->last->next = sum;
    else
        region->sums = sum;
    region->last = sum;
    return sum;
}

void rt_region_add(struct rt_region *region, int sign)
{
    struct rt_sum *sum = region->sums;
    for (const struct rt_record *r = rt_records; r; r = r->next) {
        if (!sum && !(sum = add_sum(region, r)))
            return;
        rt_add(r, 0, r->n_counters, sign, sum->counts);
        sum = sum->next;
    }
}

void rt_region_join(struct rt_region *to, const struct rt_region *from)
{
    struct rt_sum *sum = to->sums;
    for (const struct rt_sum *s = from->sums; s; s = s->next) {
        if (!sum && !(sum = add_sum(to, s->record)))
            return;
        for (uint64_t i = 0; i < s->record->n_counters; i++)
            sum->counts[i] += s->counts[i];
        sum = sum->next;
    }
}

void shim_region_begin(const char *name);
void shim_region_end(const char *name);

/* A signal handler that has interrupted the runtime cannot wait for it, so its call is refused. */
static int refused(const char *name)
{
    static const char why[] = "': begun or ended in the middle of another begin or end: it is not counted";
    if (!rt_inside())
        return 0;
    struct rt_region *r = rt_regions;
    while (r && strcmp(r->name, name) != 0)
        r = r->next;
    if (r)
        flaw(r, RT_FLAW_CROSSED, why);
    else
        rt_say("region '", name, why);
    return 1;
}

void shim_region_begin(const char *name)
{
    rt_start();
    if (refused(name))
        return;
    rt_lock();
    struct rt_region *r = rt_region_find(name);
    if (depth < DEPTH)
        open_here[depth] = r;
    depth++;
    if (r && r->active++ == 0) {
        if (r->entries == 0 && depth == 1)
            rt_states_cold();
        r->entries++;
        rt_region_add(r, -1);
        if (rt_is_step(r))
            rt_step_begin(r);
    }
    if (!r)
        rt_say("no memory for region '", name, "'");
    rt_unlock();
}

/* Removes the region from this thread's open ones. It must be the innermost. */
static void leave(struct rt_region *r)
{
    if (depth > DEPTH) {
        depth--;
        return;
    }
    if (depth && open_here[depth - 1] == r) {
        depth--;
        return;
    }
    unsigned long at = depth;
    while (at && open_here[at - 1] != r)
        at--;
    if (!at)
        return; /* it was begun by another thread, which is allowed: regions are the process's */
    for (unsigned long i = at - 1; i < depth; i++)
        if (open_here[i])
            flaw(open_here[i], RT_FLAW_CROSSED,
                 "': begin and end do not nest with another region's: it is not counted");
    memmove(&open_here[at - 1], &open_here[at], (depth - at) * sizeof *open_here);
    depth--;
}

void shim_region_end(const char *name)
{
    rt_start();
    if (refused(name))
        return;
    rt_lock();
    struct rt_region *r = rt_region_find(name);
    if (!r) {
        rt_unlock();
        return;
    }
    if (r->active == 0) {
        flaw(r, RT_FLAW_END_ALONE, "' is ended but was not begun: it is not counted");
    } else {
        leave(r);
        if (r->active == 1) {
            if (rt_is_step(r))
                rt_step_end(r);
            rt_region_add(r, 1);
        }
        r->active--;
    }
    rt_unlock();
}

void rt_regions_restart(void)
{
    for (struct rt_region *r = rt_regions; r; r = r->next) {
        r->entries = r->active ? 1 : 0;
        for (struct rt_sum *s = r->sums; s; s = s->next)
            memset(s->counts, 0, (size_t)s->record->n_counters * sizeof *s->counts);
    }
}
