/* Modules come and go, and threads with them. */
#include "irprof/runtime/rt.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "irprof/profile/format.h"

enum { LINE = 64 }; /* of a cache, in bytes: counters of two threads share none */

struct rt_record *rt_records;
static struct rt_record *last_record;
static unsigned long n_unloaded; /* records whose module is not there */

static uint64_t read_counter(const uint64_t *counter)
{
#if __SIZEOF_POINTER__ >= 8
    return __atomic_load_n(counter, __ATOMIC_RELAXED);
#else
    return *(const volatile uint64_t *)counter; /* in two halves: a 64-bit atomic would need a library */
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

/* Pages that were never written stay so. */
static void clear(uint64_t *counters, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (counters[i])
            counters[i] = 0;
}

/* ---- threads ---- */

struct rt_thread {
    struct rt_block *blocks;
    struct rt_thread *next;      /* of all */
    struct rt_thread *next_free; /* of those that have ended */
};
static struct rt_thread *threads, *free_threads;
static _Thread_local struct rt_thread *here;
static pthread_key_t key; /* its destructor runs when a thread ends */
static int have_key;

/* Size of what holds a block with its counters, of which these are whole lines. */
static size_t block_size(const struct rt_record *r)
{
    return sizeof(struct rt_block) + (size_t)r->n_counters * sizeof(uint64_t) + 2 * LINE;
}

static struct rt_block *add_block(struct rt_record *r, void *memory)
{
    struct rt_block *b = memory;
    if (!b)
        return 0;
    b->counters = (uint64_t *)(((uintptr_t)(b + 1) + LINE - 1) / LINE * LINE);
    b->record = r;
    b->next = __atomic_load_n(&r->blocks, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&r->blocks, &b->next, b, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        ;
    return b;
}

static struct rt_block *new_block(struct rt_record *r)
{
    return add_block(r, rt_memory(block_size(r)));
}

static void free_block(struct rt_block *b)
{
    if (b->mine) {
        b->mine->counters = b->record->counters;
        b->mine->asked = 0;
    }
    b->mine = 0;
    b->next_here = b->record->free;
    b->record->free = b;
}

static struct rt_block *take_block(struct rt_record *r)
{
    struct rt_block *b = r->free;
    if (b)
        r->free = b->next_here;
    return b ? b : new_block(r);
}

static void free_thread(struct rt_thread *t)
{
    for (struct rt_block *b = t->blocks, *next; b; b = next) {
        next = b->next_here;
        free_block(b);
    }
    t->blocks = 0;
    t->next_free = free_threads;
    free_threads = t;
}

/* The thread ends. What runs in it still, destructors of the program's own keys, is given a block again, and then this
 * comes again. What runs after the last iteration keeps its block: it is not used again, and its counts are not
 * lost. */
static void on_thread_end(void *thread)
{
    rt_lock();
    here = 0;
    free_thread(thread);
    rt_unlock();
}

static struct rt_thread *this_thread(void)
{
    if (here)
        return here;
    struct rt_thread *t = free_threads;
    if (t) {
        free_threads = t->next_free;
    } else {
        t = rt_memory(sizeof *t);
        if (!t)
            return 0;
        t->next = threads;
        threads = t;
    }
    if (have_key)
        pthread_setspecific(key, t);
    return here = t;
}

/* For a signal handler that has interrupted the runtime, or the program's own malloc that the runtime has called: needs
 * no lock. The block stays the thread's for ever. */
static struct rt_block *block_inside(struct rt_record *r)
{
    void *p = mmap(0, block_size(r), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? 0 : add_block(r, p);
}

static struct rt_block *block_here(struct rt_record *r, struct irprof_rt_mine *mine)
{
    rt_lock();
    struct rt_thread *t = this_thread();
    struct rt_block *b = t ? take_block(r) : 0;
    if (b) {
        b->next_here = t->blocks;
        t->blocks = b;
        b->mine = mine;
    }
    rt_unlock();
    return b;
}

uint64_t *irprof_rt_thread(struct irprof_rt_module *m, struct irprof_rt_mine *mine)
{
    /* Before the module's constructor no library may be called: this can be the resolver of an ifunc. */
    struct rt_record *r = m->record;
    struct rt_block *b = !r ? 0 : rt_inside() ? block_inside(r) : block_here(r, mine);
    if (!b)
        return m->counters;
    mine->counters = b->counters;
    mine->asked = 1;
    return b->counters;
}

void rt_threads_start(void)
{
    have_key = pthread_key_create(&key, on_thread_end) == 0;
}

void rt_counters_restart(void)
{
    for (struct rt_thread *t = threads; t; t = t->next) {
        if (t == here)
            continue;
        for (struct rt_block *b = t->blocks; b; b = b->next_here)
            b->mine = 0; /* was on a stack that may be another's now */
        if (t->blocks)
            free_thread(t);
    }
    for (struct rt_record *r = rt_records; r; r = r->next) {
        if (r->counters)
            clear(r->counters, r->n_counters);
        for (struct rt_block *b = r->blocks; b; b = b->next)
            clear(b->counters, r->n_counters);
    }
}

/* ---- modules ---- */

/* The record of the same module that was unloaded. */
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

/* Takes all blocks of the module from the threads that have them: they will not come into it again. */
static void free_blocks(struct rt_record *r)
{
    for (struct rt_thread *t = threads; t; t = t->next) {
        for (struct rt_block **at = &t->blocks; *at;) {
            if ((*at)->record == r)
                *at = (*at)->next_here;
            else
                at = &(*at)->next_here;
        }
    }
    r->free = 0;
    for (struct rt_block *b = r->blocks; b; b = b->next) {
        b->mine = 0;
        free_block(b);
    }
}

/* dlclose is about to unmap the module: keep what it has. If it is loaded again, it goes on from there. */
static void keep(struct rt_record *r, const struct irprof_rt_module *m)
{
    struct rt_block *b = r->blocks ? r->blocks : new_block(r);
    if (r->description == m->description) { /* otherwise it is a copy, from the last time */
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
    free_blocks(r);
}

void irprof_rt_unregister(struct irprof_rt_module *m)
{
    struct rt_record *r = m->record;
    if (!r)
        return;
    rt_lock();
    if (!rt_finish_again()) { /* otherwise this is the exit, and nothing is unmapped any more */
        keep(r, m);
        m->record = 0;
    }
    rt_unlock();
}
