/* rt_module.c - modules that are loaded and unloaded, and the sums of their counters. */
#include "irprof/runtime/rt.h"

#include <string.h>

#include "irprof/profile/format.h"

struct rt_record *rt_records;
static struct rt_record *last_record;
static unsigned long n_unloaded; /* records whose module is not loaded */

static uint64_t read_counter(const uint64_t *counter)
{
#if __SIZEOF_POINTER__ >= 8
    return __atomic_load_n(counter, __ATOMIC_RELAXED);
#else
    return *(const volatile uint64_t *)counter; /* in two halves if need be: a 64-bit atomic would need a library */
#endif
}

static void add_array(const uint64_t *counters, uint64_t n, int sign, uint64_t *into)
{
    for (uint64_t i = 0; i < n; i++)
        into[i] += sign > 0 ? read_counter(&counters[i]) : 0 - read_counter(&counters[i]);
}

void rt_add(const struct rt_record *r, uint64_t first, uint64_t n, int sign, uint64_t *into)
{
    if (r->counters)
        add_array(r->counters + first, n, sign, into);
    for (const struct rt_block *b = __atomic_load_n(&r->blocks, __ATOMIC_ACQUIRE); b; b = b->next)
        add_array(b->counters + first, n, sign, into);
}

void rt_add_thread(const struct rt_record *r, uint32_t thread, uint64_t first, uint64_t n, uint64_t *into)
{
    if (r->counters && !thread)
        add_array(r->counters + first, n, 1, into);
    for (const struct rt_block *b = __atomic_load_n(&r->blocks, __ATOMIC_ACQUIRE); b; b = b->next)
        if (b->thread == thread)
            add_array(b->counters + first, n, 1, into);
}

/* Does not write to pages that were never written. */
static void clear(uint64_t *counters, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (counters[i])
            counters[i] = 0;
}

void rt_counters_restart(void)
{
    for (struct rt_record *r = rt_records; r; r = r->next) {
        if (r->counters)
            clear(r->counters, r->n_counters);
        for (struct rt_block *b = r->blocks; b; b = b->next)
            clear(b->counters, r->n_counters);
    }
}

/* ---- modules ---- */

/* The record of the same module from before it was unloaded. */
static struct rt_record *unloaded(const struct irprof_rt_module *m)
{
    for (struct rt_record *r = n_unloaded ? rt_records : 0; r; r = r->next)
        if (!r->counters && r->build_id == m->build_id && r->n_counters == m->n_counters &&
            r->description_size == m->description_size &&
            memcmp(r->description, m->description, (size_t)m->description_size) == 0)
            return r;
    return 0;
}

static struct rt_record *new_record(const struct irprof_rt_module *m)
{
    struct rt_record *r = rt_memory(sizeof *r);
    if (!r)
        return 0;
    r->build_id = m->build_id;
    r->description_size = m->description_size;
    r->n_counters = m->n_counters;
    r->simulated = m->simulated;
    r->by_thread = m->by_thread;
    rt_by_thread |= m->by_thread;
    r->description = m->description;
    if (last_record)
        last_record->next = r;
    else
        rt_records = r;
    last_record = r;
    return r;
}

void irprof_rt_register(struct irprof_rt_module *m)
{
    rt_start();
    if (m->abi != FORMAT_ABI) {
        rt_say("a module was instrumented by another version of irprof: it is not in the profile", "", "");
        return;
    }
    rt_lock();
    struct rt_record *r = unloaded(m);
    if (r)
        n_unloaded--;
    else
        r = new_record(m);
    if (r)
        r->counters = m->counters;
    else
        rt_say("no memory: a module is not in the profile", "", "");
    m->record = r;
    rt_unlock();
}

/* dlclose is about to unmap the module. Its counters are kept, and continue if it is loaded again. */
static void keep(struct rt_record *r, const struct irprof_rt_module *m)
{
    struct rt_block *b = rt_block_of_none(r);
    if (r->description == m->description) { /* otherwise it is already a copy */
        unsigned char *copy = rt_memory((size_t)r->description_size);
        if (copy)
            memcpy(copy, r->description, (size_t)r->description_size);
        r->description = copy;
    }
    if (b && r->description) {
        add_array(r->counters, r->n_counters, 1, b->counters);
    } else {
        rt_say("no memory: the counts of an unloaded module are lost", "", "");
        r->n_counters = 0;
        r->description_size = 0;
    }
    r->counters = 0;
    n_unloaded++;
    rt_blocks_leave(r);
}

void irprof_rt_unregister(struct irprof_rt_module *m)
{
    struct rt_record *r = m->record;
    if (!r)
        return;
    rt_lock();
    if (!rt_finish_again()) { /* otherwise the program exits, and nothing is unmapped any more */
        keep(r, m);
        m->record = 0;
    }
    rt_unlock();
}
