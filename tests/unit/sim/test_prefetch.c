/* The prefetcher against streams worked out by hand, and caches with one against caches without. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sim/cache/cache.h"

static const struct sim_prefetch_kind a53 = {.streams = 2, .trigger = 2, .ahead = 5, .stride = 4};

static struct sim_prefetcher prefetcher(struct sim_prefetch_kind kind)
{
    struct sim_prefetcher p;
    memset(&p, 0xa5, sizeof p);
    assert_null(sim_prefetch_check(&kind));
    sim_prefetcher_init(&p, &kind, 6);
    return p;
}

/* `line` is missed, or used: n lines from `first` on in steps of `step` are asked for. */
static void expect(struct sim_prefetcher *p, uintptr_t line, bool missed, uint32_t n, uintptr_t first, intptr_t step)
{
    struct sim_fetch f = sim_prefetcher_see(p, line, missed);
    assert_int_equal(f.n, n);
    if (n) {
        assert_int_equal(f.line, first);
        assert_true(f.step == step);
    }
}

static void ascending(void **state)
{
    (void)state;
    struct sim_prefetcher p = prefetcher(a53);
    expect(&p, 100, true, 0, 0, 0);
    expect(&p, 101, true, 5, 102, 1); /* two lines in a row: 102 to 106 */
    expect(&p, 101, false, 0, 0, 0);  /* it is used again: nothing new */
    expect(&p, 300, false, 0, 0, 0);  /* so it is where something else hits */
    assert_true(sim_prefetcher_expects(&p, 102) && !sim_prefetcher_expects(&p, 103));
    expect(&p, 102, false, 1, 107, 1); /* each line that is used asks for one more */
    expect(&p, 103, false, 1, 108, 1);
    expect(&p, 104, true, 1, 109, 1); /* it had been evicted before it was used */
    sim_prefetcher_reset(&p);
    expect(&p, 105, true, 0, 0, 0);
}

static void descending_and_strided(void **state)
{
    (void)state;
    struct sim_prefetcher p = prefetcher(a53);
    expect(&p, 120, true, 0, 0, 0);
    expect(&p, 119, true, 0, 0, 0); /* downwards: is it a stream? */
    expect(&p, 118, true, 5, 117, -1);
    expect(&p, 117, false, 1, 112, -1);
    expect(&p, 200, true, 0, 0, 0);
    expect(&p, 204, true, 0, 0, 0);
    expect(&p, 208, true, 5, 212, 4); /* 212 216 220 224 228, all in the page of 192 to 255 */
    expect(&p, 212, false, 1, 232, 4);
    expect(&p, 116, false, 1, 111, -1); /* the other stream has not been disturbed */
    expect(&p, 400, true, 0, 0, 0);
    expect(&p, 405, true, 0, 0, 0); /* five lines away: too far */
}

static void pages(void **state)
{
    (void)state;
    struct sim_prefetcher p = prefetcher(a53);
    expect(&p, 60, true, 0, 0, 0);
    expect(&p, 61, true, 2, 62, 1); /* lines 0 to 63 are a page */
    expect(&p, 62, false, 0, 0, 0);
    expect(&p, 63, false, 0, 0, 0);
    expect(&p, 64, true, 5, 65, 1); /* the next page happens to follow: the stream goes on there */
    p = prefetcher(a53);
    expect(&p, 1, true, 0, 0, 0);
    expect(&p, 0, true, 0, 0, 0); /* nothing below the first page */
    expect(&p, UINTPTR_MAX >> 6, true, 0, 0, 0);
}

static void many_streams(void **state)
{
    (void)state;
    /* Three arrays side by side: two streams never see two misses of the same one; three do. */
    struct sim_prefetch_kind three = a53;
    three.streams = 3;
    struct sim_prefetcher few = prefetcher(a53), enough = prefetcher(three);
    unsigned asked[2] = {0};
    for (uintptr_t i = 0; i < 20; i++)
        for (uintptr_t array = 1; array <= 3; array++) {
            asked[0] += sim_prefetcher_see(&few, array * 1024 + i, true).n;
            asked[1] += sim_prefetcher_see(&enough, array * 1024 + i, true).n;
        }
    assert_int_equal(asked[0], 0);
    assert_int_equal(asked[1], 3 * (5 + 18));
}

static void other_kinds(void **state)
{
    (void)state;
    struct sim_prefetcher p = prefetcher((struct sim_prefetch_kind){1, 1, 1, 1});
    expect(&p, 7, true, 1, 8, 1); /* the next line, always */
    expect(&p, 20, true, 1, 21, 1);
    p = prefetcher((struct sim_prefetch_kind){1, 3, 2, 1});
    expect(&p, 7, true, 0, 0, 0);
    expect(&p, 8, true, 0, 0, 0);
    expect(&p, 9, true, 2, 10, 1);
    p = prefetcher((struct sim_prefetch_kind){0});
    expect(&p, 7, true, 0, 0, 0);
    expect(&p, 8, true, 0, 0, 0);
}

static void faults(void **state)
{
    (void)state;
    assert_string_equal(sim_prefetch_check(&(struct sim_prefetch_kind){33, 2, 5, 1}), "there must be 1 to 32 streams");
    assert_string_equal(sim_prefetch_check(&(struct sim_prefetch_kind){2, 0, 5, 1}),
                        "1 to 16 lines can start a stream");
    assert_string_equal(sim_prefetch_check(&(struct sim_prefetch_kind){2, 2, 0, 1}), "it can be 1 to 64 lines ahead");
    assert_string_equal(sim_prefetch_check(&(struct sim_prefetch_kind){2, 2, 65, 1}), "it can be 1 to 64 lines ahead");
    assert_string_equal(sim_prefetch_check(&(struct sim_prefetch_kind){2, 2, 5, 0}), "the stride can be 1 to 64 lines");
    struct sim_cache_levels levels = {.l1d = {32768, 4, 64, SIM_LRU}, .prefetch = {2, 17, 5, 1}};
    assert_string_equal(sim_cache_levels_check(&levels), "1 to 16 lines can start a stream");
}

/* ---- with caches ---- */

static struct sim_caches *caches(const struct sim_cache_levels *levels)
{
    assert_null(sim_cache_levels_check(levels));
    void *memory = aligned_alloc(16, (sim_caches_size(levels) + 15) & ~(size_t)15);
    memset(memory, 0xa5, sim_caches_size(levels));
    return sim_caches_init(memory, levels);
}

static const enum sim_replacement policies[] = {SIM_LRU, SIM_FIFO, SIM_RANDOM, SIM_PLRU};

/* A megabyte read from one end to the other: of the 64 lines of a page two are missed in the first, one in each of the
 * others, since the stream goes on; all others are there when they are asked for. */
static void a_stream_in_caches(void **state)
{
    (void)state;
    for (size_t r = 0; r < SIM_REPLACEMENT_N; r++) {
        struct sim_cache_levels levels = {{32768, 4, 64, policies[r]}, {524288, 16, 64, policies[r]}, a53};
        struct sim_caches *c = caches(&levels);
        struct sim_counts n = {0};
        for (uintptr_t a = 0; a < 1 << 20; a += 8)
            sim_caches_access(c, a, 8, false, &n);
        assert_int_equal(n.accesses, 1 << 17);
        assert_int_equal(n.refills, 257);
        assert_int_equal(n.prefetched, 16384 - 257);
        assert_true(n.l2 == 16384 && n.l2_refills == 257 && n.l2_prefetched == 16384 - 257);
        free(c);
    }
}

/* What is too far apart, or by chance, is missed as without a prefetcher. */
static void no_stream_in_caches(void **state)
{
    (void)state;
    struct sim_cache_levels plain = {.l1d = {32768, 4, 64, SIM_LRU}, .l2 = {524288, 16, 64, SIM_LRU}};
    struct sim_cache_levels with = plain;
    with.prefetch = a53;
    struct sim_caches *c[2] = {caches(&plain), caches(&with)};
    struct sim_counts n[2] = {{0}, {0}};
    for (uintptr_t a = 0; a < 1 << 24; a += 4096)
        for (int k = 0; k < 2; k++)
            sim_caches_access(c[k], a, 8, a & 4096, &n[k]);
    assert_memory_equal(&n[0], &n[1], sizeof n[0]);
    free(c[0]);
    free(c[1]);
}

/* Addresses as programs have them: streams up and down, a hot place, some chance. */
static uintptr_t next_address(uint32_t *x, uintptr_t at[4])
{
    *x = *x * 1664525 + 1013904223;
    switch (*x >> 28) {
    case 0:
    case 1:
        return *x >> 8 & 0xfffff;
    case 2:
    case 3:
    case 4:
        return at[0] += 8;
    case 5:
    case 6:
        return at[1] -= 16;
    case 7:
        return at[2] += 192;
    default:
        return 0x40000 + (*x >> 12 & 0x7ff);
    }
}

/* Code that looks for hits by itself (struct sim_recent), or by sim_caches_hit, finds what calls alone find. */
static void short_cuts_change_nothing(void **state)
{
    (void)state;
    for (size_t r = 0; r < SIM_REPLACEMENT_N; r++) {
        struct sim_cache_levels levels = {{2048, 4, 64, policies[r]}, {16384, 8, 64, policies[r]}, a53};
        levels.prefetch.streams = 4;
        struct sim_caches *slow = caches(&levels), *fast = caches(&levels);
        struct sim_counts n[2] = {{0}, {0}};
        uintptr_t at[4] = {0x100000, 0x200000, 0x300000, 0};
        uint32_t x = 1;
        for (int i = 0; i < 200000; i++) {
            uintptr_t a = next_address(&x, at), line = a >> 6;
            bool write = x & 1 << 9;
            for (size_t k = 0; k < SIM_RECENT; k++) /* nothing is recent */
                slow->recent.read[k] = slow->recent.written[k] = SIM_NO_LINE;
            sim_caches_access(slow, a, 1, write, &n[0]);
            n[1].accesses++;
            if ((write ? fast->recent.written : fast->recent.read)[line & fast->mask] == line)
                continue;
            if (i & 1 && sim_caches_hit(fast, a, 1, write))
                continue;
            n[1].accesses--;
            sim_caches_access(fast, a, 1, write, &n[1]);
        }
        assert_memory_equal(&n[0], &n[1], sizeof n[0]);
        assert_true(n[0].prefetched > 1000 && n[0].l2_prefetched > 100);
        free(slow);
        free(fast);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ascending),
        cmocka_unit_test(descending_and_strided),
        cmocka_unit_test(pages),
        cmocka_unit_test(many_streams),
        cmocka_unit_test(other_kinds),
        cmocka_unit_test(faults),
        cmocka_unit_test(a_stream_in_caches),
        cmocka_unit_test(no_stream_in_caches),
        cmocka_unit_test(short_cuts_change_nothing),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
