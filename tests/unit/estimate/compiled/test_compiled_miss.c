/* The method compiled: what simulated misses cost. All cycles are derived by hand from compiled_miss.h, on a board of
 * round figures: a line from L2 takes 10 cycles and comes in every 4, one from memory takes 100 more and 20 more; lines
 * of 64 bytes, L1 of 16 of them, L2 of 128. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "shimgen/estimate/compiled/compiled_miss.h"

enum { PARTS = 3, EVENTS = 5 };
enum { L1, AHEAD1, L2_ACCESSES, L2, AHEAD2 }; /* as they are sorted */

static struct iss_model model;
static struct {
    struct irprof_profile profile;
    struct irprof_region region;
    char *events[EVENTS];
    struct irprof_event_site sites[PARTS * EVENTS];
    uint64_t counts[PARTS * EVENTS];
    struct irprof_part parts[PARTS];
    struct irprof_segment segments[PARTS];
    struct miss_accesses accesses[PARTS];
    double plain[PARTS], cycles[PARTS], memory[PARTS]; /* memory: of cycles */
} it;

/* Each part is a segment of its own, all in loop 0 and on lines 1, 2, 3. No event has happened. Without `ahead` no
 * prefetcher was simulated. */
static void begin(bool ahead)
{
    static char *const names[] = {"L1D_CACHE_REFILL", "L1D_CACHE_REFILL_HWPRF", "L2D_CACHE", "L2D_CACHE_REFILL",
                                  "L2D_CACHE_REFILL_HWPRF"};
    memset(&it, 0, sizeof it);
    for (size_t i = 0; i < EVENTS; i++)
        it.events[i] = ahead || (i != AHEAD1 && i != AHEAD2) ? names[i] : "NOTHING";
    for (uint32_t i = 0; i < PARTS; i++) {
        it.parts[i] = (struct irprof_part){.line = i + 1, .first_event_site = EVENTS * i, .n_event_sites = EVENTS};
        it.segments[i] = (struct irprof_segment){.loop = 0, .first_part = i, .n_parts = 1};
        for (uint32_t k = 0; k < EVENTS; k++)
            it.sites[EVENTS * i + k].event = k;
    }
    it.region.event_counts = it.counts;
    it.profile = (struct irprof_profile){.events = it.events,
                                         .n_events = EVENTS,
                                         .parts = it.parts,
                                         .n_parts = PARTS,
                                         .segments = it.segments,
                                         .n_segments = PARTS,
                                         .event_sites = it.sites,
                                         .n_event_sites = PARTS * EVENTS,
                                         .n_functions = 2,
                                         .n_loops = 2};
    model.l2.latency = 10;
    model.l2.pitch = 4;
    model.memory_latency = 100;
    model.memory_pitch = 20;
    model.l1d.geometry.line = model.l2.geometry.line = 64;
    model.l1d.geometry.size = 1024;
    model.l2.geometry.size = 8192;
    model.data.prefetch.streams = 4;
    model.data.prefetch.trigger = 2;
}

static void happened(size_t part, size_t event, uint64_t times)
{
    it.counts[EVENTS * part + event] = times;
}

/* 5 lines came into L1, of which 2 from memory: 50 + 200 cycles of waiting, 20 + 40 of transfer. */
static void five_misses(bool ahead)
{
    begin(ahead);
    happened(0, L1, 5);
    happened(0, L2, 2);
}

static void check(enum miss_case which, double first, double second, double third)
{
    assert_true(miss_costs(it.cycles, it.memory, &it.profile, &it.region, it.accesses, it.plain, &model, which));
    assert_float_equal(it.cycles[0], first, 1e-9);
    assert_float_equal(it.cycles[1], second, 1e-9);
    assert_float_equal(it.cycles[2], third, 1e-9);
}

static void test_not_recorded(void **state)
{
    (void)state;
    five_misses(false);
    it.events[L1] = "OTHER";
    it.cycles[0] = 7;
    assert_false(miss_costs(it.cycles, it.memory, &it.profile, &it.region, it.accesses, it.plain, &model, MISS_COLD));
    assert_float_equal(it.cycles[0], 7, 0);
}

/* Everything is waited for, whatever the accesses are; what is there already is added to. */
static void test_worst(void **state)
{
    (void)state;
    five_misses(false);
    it.accesses[0].stores = 5;
    it.cycles[0] = 1000;
    it.plain[0] = 10;
    check(MISS_WORST, 1250, 0, 0);
    assert_float_equal(it.memory[0], 200, 1e-9);
}

/* A stream waits for the first 2 of the 64 lines of each page: 250 / 32 cycles. Its lines take 60 cycles to come in: what
 * the loop's own cycles do not cover of these is waited for. */
static void test_stream(void **state)
{
    (void)state;
    five_misses(false);
    it.accesses[0].near_loads = 10;
    it.plain[0] = 10;
    check(MISS_COLD, 50, 0, 0);
    /* by hand: of the waits 200 / 32, of the other 50 - 250 / 32 that the lines take 40 of 60 */
    assert_float_equal(it.memory[0], 200.0 / 32 + (50 - 250.0 / 32) * 40 / 60, 1e-9);
    five_misses(false);
    it.accesses[0].near_loads = 10;
    it.plain[0] = 100;
    check(MISS_COLD, 250.0 / 32, 0, 0);
}

/* No access was found: a library makes them, from one end to the other. */
static void test_library(void **state)
{
    (void)state;
    five_misses(false);
    it.plain[0] = 100;
    check(MISS_COLD, 250.0 / 32, 0, 0);
}

static void test_no_prefetcher(void **state)
{
    (void)state;
    five_misses(false);
    it.accesses[0].near_loads = 10;
    model.data.prefetch.streams = 0;
    check(MISS_COLD, 250, 0, 0);
}

/* Half of the 10 loads miss: alone, each waits; where others always hide them, a miss in two does. */
static void test_anywhere(void **state)
{
    (void)state;
    five_misses(false);
    it.accesses[0] = (struct miss_accesses){.far_loads = 10, .far_bytes = 80, .waits = 10};
    check(MISS_COLD, 250, 0, 0);
    five_misses(false);
    it.accesses[0] = (struct miss_accesses){.far_loads = 10, .far_bytes = 80, .waits = 0};
    check(MISS_COLD, 125, 0, 0);
    five_misses(false); /* as often as a load misses and more: each of them did */
    it.accesses[0] = (struct miss_accesses){.far_loads = 2, .far_bytes = 16, .waits = 0.5};
    check(MISS_COLD, 62.5, 0, 0);
}

/* 5 misses of 5 lines' bytes are a stream; of 8 lines' bytes, or of 4, they are not. */
static void test_hidden_stream(void **state)
{
    (void)state;
    static const struct {
        double lines, cycles;
    } cases[] = {{5, 250.0 / 32}, {7, 250.0 / 32}, {4.6, 250.0 / 32}, {8, 250}, {4, 250}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        five_misses(false);
        it.accesses[0] = (struct miss_accesses){.far_loads = 40, .far_bytes = 64 * cases[i].lines, .waits = 40};
        it.plain[0] = 100;
        check(MISS_COLD, cases[i].cycles, 0, 0);
    }
}

/* A quarter near, three quarters anywhere and none hidden: 40 cycles in L2 become 30 and 10 / 32. */
static void test_both(void **state)
{
    (void)state;
    begin(false);
    happened(0, L1, 4);
    it.accesses[0] = (struct miss_accesses){.near_loads = 5, .far_loads = 15, .far_bytes = 640, .waits = 15};
    it.plain[0] = 100;
    check(MISS_COLD, 30 + 10.0 / 32, 0, 0);
    begin(false); /* 4 lines at 4 cycles, a quarter of which is of the stream */
    happened(0, L1, 4);
    it.accesses[0] = (struct miss_accesses){.near_loads = 5, .far_loads = 15, .far_bytes = 640, .waits = 0};
    it.plain[0] = 0;
    check(MISS_COLD, 40 * (0.75 * (1 - 4.0 / 15) + 0.25 / 32), 0, 0);
}

/* Stores wait in their buffer: of loads and stores, only the loads' share waits. */
static void test_stores(void **state)
{
    (void)state;
    begin(false);
    happened(0, L1, 4);
    it.accesses[0] = (struct miss_accesses){.far_loads = 5, .stores = 15, .far_bytes = 640, .waits = 5};
    it.plain[0] = 100;
    check(MISS_COLD, 10, 0, 0);
}

/* A simulated prefetcher: 2 lines are missed, by 4 loads and 4 stores; half of 20 cycles, of which a quarter is not hidden.
 * 10 more lines and the stores' half of 2 come in at 4 cycles each: 44, of which the loop's 20 and 2.5 cover a part. */
static void test_simulated_prefetcher(void **state)
{
    (void)state;
    begin(true);
    happened(0, L1, 2);
    happened(0, AHEAD1, 10);
    it.accesses[0] =
        (struct miss_accesses){.near_loads = 3, .far_loads = 1, .stores = 4, .far_bytes = 8, .waits = 0.25};
    it.plain[0] = 20;
    check(MISS_COLD, 24, 0, 0);
    happened(0, L2_ACCESSES, 24); /* twice as many lines move as come in: as many are written back */
    it.cycles[0] = 0;
    check(MISS_COLD, 88 - 20, 0, 0);
    happened(0, L2_ACCESSES, 6); /* not fewer than come in */
    it.cycles[0] = 0;
    check(MISS_COLD, 24, 0, 0);
}

static void test_lines_from_memory_ahead(void **state)
{
    (void)state;
    begin(true);
    happened(0, AHEAD1, 10);
    happened(0, AHEAD2, 3);
    check(MISS_COLD, 10 * 4 + 3 * 20, 0, 0);
}

/* The parts of a loop hide each other's transfers; those of other loops, and of a function outside of loops, do not. */
static void test_loops(void **state)
{
    (void)state;
    for (int case_ = 0; case_ < 3; case_++) {
        five_misses(false);
        it.accesses[0].near_loads = 10;
        it.plain[0] = 10;
        it.plain[1] = 30;
        it.plain[2] = 1000;
        it.segments[2].loop = 1;
        if (case_ == 1)
            it.segments[1].loop = 1;
        if (case_ == 2) {
            it.segments[0].loop = it.segments[1].loop = IRPROF_NONE;
            it.segments[1].function = 1;
        }
        check(MISS_COLD, case_ ? 50 : 20, 0, 0);
    }
}

/* Two parts share what is not covered, by what comes in for each: 40 and 20 of 60. */
static void test_shares(void **state)
{
    (void)state;
    begin(true);
    happened(0, AHEAD1, 10);
    happened(1, AHEAD1, 5);
    it.plain[2] = 30;
    check(MISS_COLD, 20, 10, 0);
}

/* Parts of one line in one loop are taken together: the misses of one are of the other's loads. */
static void test_one_line(void **state)
{
    (void)state;
    for (int together = 0; together < 2; together++) {
        five_misses(false);
        it.parts[1].line = together ? 1 : 2;
        it.accesses[1] = (struct miss_accesses){.far_loads = 10, .far_bytes = 80, .waits = 10};
        it.plain[0] = 100;
        check(MISS_COLD, together ? 250 : 250.0 / 32, 0, 0);
    }
}

/* A region that was executed before: what fits into a cache is in it. */
static void test_warm(void **state)
{
    (void)state;
    static const struct {
        uint64_t l1, l2;
        double cycles;
    } cases[] = {{5, 2, 0},
                 {16, 16, 0},  /* as many as there is room for */
                 {17, 2, 170}, /* too many for L1 alone */
                 {17, 128, 170},
                 {200, 129, 2000 + 12900} /* for both */};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin(false);
        happened(0, L1, cases[i].l1);
        happened(0, L2, cases[i].l2);
        it.accesses[0] = (struct miss_accesses){.far_loads = 1000, .far_bytes = 8000, .waits = 1000};
        it.accesses[0].far_bytes = 1e6; /* no stream */
        check(MISS_WARM, cases[i].cycles, 0, 0);
    }
    begin(true); /* lines that a prefetcher brought are lines too */
    happened(0, L1, 10);
    happened(0, AHEAD1, 7);
    it.accesses[0] = (struct miss_accesses){.near_loads = 1};
    it.plain[0] = 1000;
    check(MISS_WARM, 100, 0, 0);
    happened(0, AHEAD1, 6);
    it.cycles[0] = it.plain[0] = 0;
    check(MISS_WARM, 0, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_not_recorded),
                                       cmocka_unit_test(test_worst),
                                       cmocka_unit_test(test_stream),
                                       cmocka_unit_test(test_library),
                                       cmocka_unit_test(test_no_prefetcher),
                                       cmocka_unit_test(test_anywhere),
                                       cmocka_unit_test(test_hidden_stream),
                                       cmocka_unit_test(test_both),
                                       cmocka_unit_test(test_stores),
                                       cmocka_unit_test(test_simulated_prefetcher),
                                       cmocka_unit_test(test_lines_from_memory_ahead),
                                       cmocka_unit_test(test_loops),
                                       cmocka_unit_test(test_shares),
                                       cmocka_unit_test(test_one_line),
                                       cmocka_unit_test(test_warm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
