/* rt_stamp_clock.c - the clocks of stamps, and what a stamp costs. */
#include "irprof/runtime/rt_stamp.h"

#include <string.h>
#include <time.h>

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

uint64_t rt_stamp_clock(uint32_t clock)
{
    uint64_t t = 0;
#if defined(__x86_64__) || defined(__i386__)
    unsigned aux;
    t = clock == STAMP_RDTSCP ? __rdtscp(&aux) : __rdtsc();
#elif defined(__aarch64__)
    (void)clock;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(t) : : "memory");
#elif defined(__riscv) && __riscv_xlen == 64
    if (clock == STAMP_RDCYCLE)
        __asm__ volatile("rdcycle %0" : "=r"(t) : : "memory");
    else
        __asm__ volatile("rdtime %0" : "=r"(t) : : "memory");
#elif defined(__clang__)
    (void)clock;
    t = __builtin_readcyclecounter();
#else
    (void)clock;
#endif
    return t;
}

uint64_t rt_stamp_frequency(uint32_t clock)
{
    (void)clock;
#if defined(__aarch64__)
    uint64_t hz;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
    return hz;
#else
    return 0;
#endif
}

struct stamp_moment rt_stamp_now(uint32_t clock)
{
    struct timespec t = {0, 0};
    uint64_t before = rt_stamp_clock(clock);
    clock_gettime(CLOCK_MONOTONIC, &t);
    uint64_t after = rt_stamp_clock(clock);
    return (struct stamp_moment){before + (after - before) / 2, (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec};
}

void rt_stamp_add(struct stamp_thread *t, uint32_t clock, uint32_t point)
{
    uint64_t n = t->count, slot = n < t->limit ? n : t->limit;
    struct stamp_record *r = &t->records[slot];
    r->clock = t->last = rt_stamp_clock(clock);
    r->point = point;
    r->processor = *(const volatile uint32_t *)t->processor;
    __atomic_store_n(&t->count, n + 1, __ATOMIC_RELEASE);
}

/* Takes batches of RT_STAMP_BATCH stamps and returns the median of the batches. The first stamps of a batch go to lines
 * that are in no cache, as in a program. */
uint64_t rt_stamp_cost(uint32_t clock, struct stamp_thread *scratch)
{
    uint64_t batches[RT_STAMP_CALIBRATIONS];
    for (size_t k = 0; k < RT_STAMP_CALIBRATIONS; k++) {
        scratch->count = 0;
        uint64_t before = rt_stamp_clock(clock);
        for (uint32_t i = 0; i < RT_STAMP_BATCH; i++)
            rt_stamp_add(scratch, clock, i);
        uint64_t took = rt_stamp_clock(clock) - before;
        size_t at = k;
        for (; at && batches[at - 1] > took; at--)
            batches[at] = batches[at - 1];
        batches[at] = took;
    }
    return batches[RT_STAMP_CALIBRATIONS / 2] * 1000 / RT_STAMP_BATCH;
}
