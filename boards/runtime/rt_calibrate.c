/* rt_calibrate.c - raises the core's clock, measures the clocks, and measures the cost of a region with the code that
 * measures programs. */
#include "rt.h"
#include "clock.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t raw_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Runs additions in a chain for `us`, so that the frequency governor sees a busy core. The fastest of many short chains
 * gives the core's cycles per tick. The whole time gives the counter's frequency, if the processor does not state
 * it. */
static void clocks(long us)
{
    enum { STEPS = 16 };
    uint64_t x = 1, best = UINT64_MAX, ns = raw_ns(), start = rt_clock(), t = start, end_ns;
    do {
        for (int i = 0; i < 8; i++) {
            uint64_t before = rt_clock();
            x = rt_chain(STEPS, x);
            t = rt_clock();
            if (t - before < best)
                best = t - before;
        }
        end_ns = raw_ns();
    } while (end_ns - ns < (uint64_t)us * 1000);
    uint64_t none = UINT64_MAX; /* two readings with nothing in between */
    for (int i = 0; i < 32; i++) {
        uint64_t a = rt_clock(), b = rt_clock();
        if (b - a < none)
            none = b - a;
    }
    best -= none < best ? none : 0;
    __asm__ volatile("" : : "r"(x));
    rt.clock_hz = rt_clock_stated_hz();
    if (!rt.clock_hz && end_ns > ns)
        rt.clock_hz = (uint64_t)((double)(t - start) * 1e9 / (double)(end_ns - ns));
    if (RT_CHAIN_KNOWN && best >= 64) /* a slow counter (some have 1 MHz) cannot resolve it */
        rt.core_ppm = (uint64_t)STEPS * RT_CHAIN_ADDS * 1000000u / best;
}

/* How fast is the core at the moment, and how much of it is ours? Additions in a chain give its clock relative to the
 * constant counter. Parallel additions relative to those in a chain give its width, in which the clock cancels out. A
 * busy second hardware thread of the core takes a part of the width and hardly slows the chain. On a virtual machine
 * that may be another guest, which no file shows. The best of three counts, since interrupts only slow things down. */
void rt_probe(struct rt_noise *n)
{
    enum { STEPS = 64, WIDE_STEPS = 48 };
    uint64_t chain = UINT64_MAX, wide = UINT64_MAX, none = UINT64_MAX;
    for (int i = 0; i < 3; i++) {
        uint64_t a = rt_clock();
        uint64_t x = rt_chain(STEPS, a);
        uint64_t b = rt_clock();
        __asm__ volatile("" : : "r"(x));
        rt_wide(WIDE_STEPS);
        uint64_t c = rt_clock(), d = rt_clock();
        chain = b - a < chain ? b - a : chain;
        wide = c - b < wide ? c - b : wide;
        none = d - c < none ? d - c : none;
    }
    n->width = n->clock = 0;
    if (!RT_CHAIN_KNOWN || chain < 1024 || wide < 256 || none > wide) /* the counter is too slow to tell */
        return;
    chain -= none;
    wide -= none;
    n->clock = (uint64_t)STEPS * RT_CHAIN_ADDS * 1000000u / chain;
    n->width = chain * WIDE_STEPS * RT_WIDE_ADDS * 1000u / (wide * STEPS * RT_CHAIN_ADDS);
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

enum { BATCHES = 15, BATCH = 48, SHORT_BATCHES = 3, SHORT_BATCH = 4 };

/* Measures region 0 after rt_regions_reset: `outer` empty regions, one after the other, each with `inner` regions in
 * it. */
static void empty_regions(int outer, int inner)
{
    rt_regions_reset();
    for (int i = 0; i < outer; i++) {
        shim_region_begin(rt_name_empty);
        for (int k = 0; k < inner; k++) {
            shim_region_begin(rt_name_main);
            shim_region_end(rt_name_main);
        }
        shim_region_end(rt_name_empty);
    }
}

static uint64_t values[RT_EVENTS][BATCHES];

/* The mean of a batch resolves less than a tick. The median of the batches is not affected by an interrupt. */
static void medians(int batches, uint64_t *result)
{
    for (size_t i = 0; i < rt.n_events; i++) {
        qsort(values[i], (size_t)batches, sizeof values[i][0], ascending);
        result[i] = values[i][batches / 2];
    }
}

static void measure_inside(int batches, int batch)
{
    for (int b = 0; b < batches; b++) {
        empty_regions(batch, 0);
        for (size_t i = 0; i < rt.n_events; i++)
            values[i][b] = rt.regions[0].total.value[i] * 1000 / (uint64_t)batch;
    }
    medians(batches, rt.overhead.inside);
}

static void measure_pair(void)
{
    for (int b = 0; b < BATCHES; b++) {
        empty_regions(1, BATCH);
        for (size_t i = 0; i < rt.n_events; i++) {
            uint64_t total = rt.regions[0].total.value[i] * 1000;
            total -= rt.overhead.inside[i] < total ? rt.overhead.inside[i] : total;
            values[i][b] = total / BATCH;
        }
    }
    medians(BATCHES, rt.overhead.pair);
}

/* Short form: some 30 readings instead of 3100, enough to see whether an empty region still costs the same. */
void rt_calibrate(long spin_us, int full)
{
    clocks(spin_us);
    rt.full = full;
    rt.state = RT_MEASURING;
    rt.quiet = 1;
    empty_regions(full ? BATCH : SHORT_BATCH, 0);
    if (full)
        empty_regions(1, BATCH);
    measure_inside(full ? BATCHES : SHORT_BATCHES, full ? BATCH : SHORT_BATCH);
    if (full)
        measure_pair();
    rt_regions_reset();
    rt.quiet = 0;
    rt.state = RT_OFF;
}
