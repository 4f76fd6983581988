/*
 * rt_thread.c - counters of threads. Each thread has a block in each module: an array of counters. When the thread
 * ends, the next thread takes the block and counts on in it. In modules that count by thread, a block keeps the counts
 * of its thread.
 */
#include "irprof/runtime/rt.h"

#include <pthread.h>
#include <sys/mman.h>

enum { LINE = 64 }; /* of a cache, in bytes: counters of two threads share no line */

struct rt_thread {
    uint32_t number;
    struct rt_block *blocks;
    struct rt_thread *next;      /* of all threads */
    struct rt_thread *next_free; /* of threads that have ended */
};
static struct rt_thread *threads, *free_threads;
static _Thread_local struct rt_thread *here;
static _Thread_local uint32_t number; /* the calling thread's number; 0: it has none */
static uint32_t n_threads;            /* number of threads that have one */
int rt_by_thread;
static pthread_key_t key; /* its destructor runs when a thread ends */
static int have_key;

/* Size of a block with its counters, in whole lines. */
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

struct rt_block *rt_block_of_none(struct rt_record *r)
{
    struct rt_block *b = r->blocks;
    while (b && b->thread)
        b = b->next;
    return b ? b : new_block(r);
}

static void free_block(struct rt_block *b)
{
    if (b->mine) {
        b->mine->counters = b->record->counters;
        b->mine->asked = 0;
    }
    b->mine = 0;
    if (b->thread)
        return; /* its counts stay those of that thread */
    b->next_here = b->record->free;
    b->record->free = b;
}

/* Takes a block for the thread with this number; 0: for any. */
static struct rt_block *take_block(struct rt_record *r, uint32_t thread)
{
    struct rt_block *b = thread ? 0 : r->free;
    if (b)
        r->free = b->next_here;
    else
        b = new_block(r);
    if (b)
        b->thread = thread;
    return b;
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

/* The thread ends. Destructors of the program's own keys that still run in it get a block again, and then this is
 * called again. Code after the last iteration keeps its block, which is not used again, so its counts are not lost. */
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
    if (!number && n_threads < RT_THREADS)
        number = ++n_threads;
    t->number = number; /* the same as before, if only its destructors are still running */
    return here = t;
}

/* Takes a block without a lock: for a signal handler that has interrupted the runtime, or for the program's own malloc
 * when the runtime has called it. The block stays with the thread for ever. */
static struct rt_block *block_inside(struct rt_record *r)
{
    void *p = mmap(0, block_size(r), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct rt_block *b = p == MAP_FAILED ? 0 : add_block(r, p);
    if (b)
        b->thread = r->by_thread ? number : 0;
    return b;
}

static struct rt_block *block_here(struct rt_record *r, struct irprof_rt_mine *mine)
{
    rt_lock();
    struct rt_thread *t = this_thread();
    struct rt_block *b = t ? take_block(r, r->by_thread ? t->number : 0) : 0;
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
    /* Before the module's constructor no library may be called: this can run in the resolver of an ifunc. */
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

uint32_t rt_threads(void)
{
    return n_threads;
}

void rt_blocks_leave(struct rt_record *r)
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

/* Blocks of threads that do not exist any more become nobody's. */
static void number_again(void)
{
    for (struct rt_record *r = rt_records; r; r = r->next)
        for (struct rt_block *b = r->blocks; b; b = b->next)
            b->thread = 0;
    n_threads = number = here ? 1 : 0;
    if (!here)
        return;
    here->number = number;
    for (struct rt_block *b = here->blocks; b; b = b->next_here)
        b->thread = b->record->by_thread ? number : 0;
}

void rt_threads_restart(void)
{
    number_again();
    for (struct rt_thread *t = threads; t; t = t->next) {
        if (t == here)
            continue;
        for (struct rt_block *b = t->blocks; b; b = b->next_here)
            b->mine = 0; /* it was on a stack that another thread may use now */
        if (t->blocks)
            free_thread(t);
    }
}
