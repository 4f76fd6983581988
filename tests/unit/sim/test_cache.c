/* The cache model against sequences worked out by hand, against properties that every cache has, and against a
 * simulator that is slow and obvious. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sim/cache/cache.h"

static struct sim_caches *caches(const struct sim_cache_levels *levels)
{
    assert_null(sim_cache_levels_check(levels));
    void *memory = aligned_alloc(16, (sim_caches_size(levels) + 15) & ~(size_t)15);
    memset(memory, 0xa5, sim_caches_size(levels));
    return sim_caches_init(memory, levels);
}

/* One set of `ways` lines of 64 bytes. */
static struct sim_cache_levels one_set(uint32_t ways, enum sim_replacement replacement)
{
    return (struct sim_cache_levels){.l1d = {UINT64_C(64) * ways, ways, 64, replacement}};
}

/* "ABCA" reads these lines; the answer has 'h' for a hit, 'm' for a miss. A small letter writes. */
static void expect(const struct sim_cache_levels *levels, const char *lines, const char *answer)
{
    struct sim_caches *c = caches(levels);
    for (size_t i = 0; lines[i]; i++) {
        struct sim_counts counts = {0};
        bool write = lines[i] >= 'a';
        sim_caches_access(c, (uintptr_t)((lines[i] | 32) - 'a') * levels->l1d.line + i % 7, 4, write, &counts);
        if (counts.accesses != 1 || counts.refills != (answer[i] == 'm'))
            fail_msg("%s: access %zu is not a %s", lines, i + 1, answer[i] == 'm' ? "miss" : "hit");
    }
    free(c);
}

static void lru_by_hand(void **state)
{
    (void)state;
    struct sim_cache_levels two = one_set(2, SIM_LRU), four = one_set(4, SIM_LRU);
    /* A and B are there; A is used again, so C takes B's place; B takes A's. */
    expect(&two, "ABACABC", "mmhmhmm");
    /* Five lines round and round in four ways: each has just gone when it comes again. */
    expect(&four, "ABCDEABCDE", "mmmmmmmmmm");
    expect(&four, "ABCDABCDDCBA", "mmmmhhhhhhhh");
    expect(&four, "aBCdAEDaFB", "mmmmhmhhmm"); /* after "aBCdA" B is the oldest: E takes its place, F that of C */
}

static void fifo_by_hand(void **state)
{
    (void)state;
    struct sim_cache_levels two = one_set(2, SIM_FIFO), three = one_set(3, SIM_FIFO), four = one_set(4, SIM_FIFO);
    /* A came first and goes first, however often it is used: Belady's anomaly (1969) is his own example, 9 misses with
     * three ways, 10 with four. */
    expect(&two, "ABAACA", "mmhhmm");
    expect(&three, "ABCDABEABCDE", "mmmmmmmhhmmh");
    expect(&four, "ABCDABEABCDE", "mmmmhhmmmmmm");
}

static void plru_by_hand(void **state)
{
    (void)state;
    struct sim_cache_levels two = one_set(2, SIM_PLRU), four = one_set(4, SIM_PLRU);
    expect(&two, "ABACABC", "mmhmhmm"); /* two ways: the same as LRU */
    /* Ways 0 1 2 3 hold A B C D; after D the root points to A B, and there to A. E takes A's way, the root points to
     * C D, there to C. */
    expect(&four, "ABCDEA", "mmmmmm");
    expect(&four, "ABCDEC", "mmmmmh");
    /* A is used: the root points to C D, and there to C, although B is the oldest under LRU. */
    expect(&four, "ABCDAEBC", "mmmmhmhm");
}

static void random_is_plausible(void **state)
{
    (void)state;
    /* 9 lines round and round in 8 ways: one is always missing. When its turn comes, it takes the place of any of the
     * other 8, whose turns come after 1, 2 ... 8 accesses: 4.5 on the average. So 2 of 9 accesses miss; under LRU
     * all would. The spread of the average of 40000 misses is 2.3 / 200. */
    struct sim_cache_levels levels = one_set(8, SIM_RANDOM);
    struct sim_caches *c = caches(&levels);
    struct sim_counts counts = {0};
    unsigned victims[8] = {0};
    for (uintptr_t i = 0; i < 180000; i++) {
        uint64_t before = counts.refills;
        sim_caches_access(c, i % 9 * 64, 1, false, &counts);
        for (unsigned way = 0; way < 8 && counts.refills > before; way++)
            victims[way] += c->l1d.lines[way] >> 1 == i % 9;
    }
    assert_true(counts.refills > 39600 && counts.refills < 40400);
    for (unsigned way = 0; way < 8; way++) /* 5000 each; the spread is 66 */
        assert_true(victims[way] > 4650 && victims[way] < 5350);
    free(c);
}

static void the_same_twice(void **state)
{
    (void)state;
    for (enum sim_replacement r = 0; r < SIM_REPLACEMENT_N; r++) {
        struct sim_cache_levels levels = {.l1d = {4096, 4, 64, r}, .l2 = {16384, 8, 64, r}};
        struct sim_caches *c = caches(&levels);
        struct sim_counts counts[2] = {{0}, {0}};
        for (int round = 0; round < 2; round++) {
            sim_caches_flush(c);
            uint32_t x = 1;
            for (int i = 0; i < 20000; i++) {
                x = x * 1664525 + 1013904223;
                sim_caches_access(c, x >> 16, 8, x & 1, &counts[round]);
            }
        }
        assert_memory_equal(&counts[0], &counts[1], sizeof counts[0]);
        assert_true(counts[0].refills > 0 && counts[0].refills < counts[0].accesses);
        free(c);
    }
}

static void streams(void **state)
{
    (void)state;
    struct sim_cache_levels levels = {.l1d = {32768, 4, 64, SIM_LRU}, .l2 = {524288, 16, 64, SIM_LRU}};
    struct sim_caches *c = caches(&levels);
    struct sim_counts counts = {0};
    /* 1 MiB read once in steps of 4: 262144 accesses, a miss for each of 16384 lines, nothing written back. */
    for (uintptr_t a = 0; a < 1 << 20; a += 4)
        sim_caches_access(c, a, 4, false, &counts);
    assert_true(counts.accesses == 262144 && counts.refills == 16384 && counts.l2 == 16384);
    assert_true(counts.l2_refills == 16384);
    /* Written: the last 512 lines stay in the first level, the others are written back to the second. */
    sim_caches_flush(c);
    counts = (struct sim_counts){0};
    for (uintptr_t a = 0; a < 1 << 20; a += 4)
        sim_caches_access(c, a, 4, true, &counts);
    assert_true(counts.refills == 16384 && counts.l2 == 16384 + 16384 - 512 && counts.l2_refills == 16384);
    /* What fits stays: 32 KiB again and again misses once for each line. */
    sim_caches_flush(c);
    counts = (struct sim_counts){0};
    for (int round = 0; round < 10; round++)
        for (uintptr_t a = 0; a < 32768; a += 8)
            sim_caches_access(c, a, 8, false, &counts);
    assert_true(counts.accesses == 40960 && counts.refills == 512 && counts.l2_refills == 512);
    /* 64 KiB does not fit in the first level (LRU: nothing survives), but in the second. */
    sim_caches_flush(c);
    counts = (struct sim_counts){0};
    for (int round = 0; round < 10; round++)
        for (uintptr_t a = 0; a < 65536; a += 64)
            sim_caches_access(c, a, 8, false, &counts);
    assert_true(counts.refills == 10240 && counts.l2 == 10240 && counts.l2_refills == 1024);
    free(c);
}

/* A column of a matrix whose rows are 4096 bytes apart: 64 sets of 128 are never used, and only 2 x 4 lines of the 64
 * rows fit in the first level. */
static void strides(void **state)
{
    (void)state;
    struct sim_cache_levels levels = {.l1d = {32768, 4, 64, SIM_LRU}, .l2 = {0}};
    struct sim_caches *c = caches(&levels);
    struct sim_counts counts = {0};
    for (uintptr_t column = 0; column < 16; column++)
        for (uintptr_t row = 0; row < 64; row++)
            sim_caches_access(c, row * 4096 + column * 4, 4, false, &counts);
    assert_true(counts.accesses == 1024 && counts.refills == 1024); /* 64 rows in 2 sets of 4 ways: none survives */
    sim_caches_flush(c);
    counts = (struct sim_counts){0};
    for (uintptr_t column = 0; column < 16; column++)
        for (uintptr_t row = 0; row < 64; row++)
            sim_caches_access(c, row * 4160 + column * 4, 4, false, &counts); /* padded by a line: 64 sets */
    assert_true(counts.accesses == 1024 && counts.refills == 64);
    assert_true(counts.l2 == 0 && counts.l2_refills == 0);
    free(c);
}

static void lines_are_split(void **state)
{
    (void)state;
    struct sim_cache_levels levels = {.l1d = {4096, 4, 64, SIM_LRU}, .l2 = {0}};
    struct sim_caches *c = caches(&levels);
    struct sim_counts counts = {0};
    sim_caches_access(c, 60, 8, false, &counts); /* bytes 60 ... 67: two lines */
    assert_true(counts.accesses == 2 && counts.refills == 2);
    sim_caches_access(c, 0, 64, false, &counts);
    sim_caches_access(c, 127, 1, true, &counts);
    assert_true(counts.accesses == 4 && counts.refills == 2);
    sim_caches_access(c, 63, 130, false, &counts); /* 63 ... 192: lines 0 1 2 3 */
    assert_true(counts.accesses == 8 && counts.refills == 4);
    sim_caches_access(c, 5, 0, true, &counts);
    assert_true(counts.accesses == 8);
    sim_caches_access(c, UINTPTR_MAX - 3, 100, true, &counts); /* the rest lies beyond the end of the address space */
    assert_true(counts.accesses == 9 && counts.refills == 5);
    free(c);
}

static void second_level(void **state)
{
    (void)state;
    /* One line above, two below. A written and pushed out by B is written back: an access below that hits. Then C:
     * B goes unchanged, C takes A's or B's place below: A was used last (written back), so B's. */
    struct sim_cache_levels levels = {.l1d = {64, 1, 64, SIM_LRU}, .l2 = {128, 2, 64, SIM_LRU}};
    struct sim_caches *c = caches(&levels);
    struct sim_counts counts = {0};
    sim_caches_access(c, 0, 4, true, &counts);
    assert_true(counts.l2 == 1 && counts.l2_refills == 1);
    sim_caches_access(c, 64, 4, false, &counts);
    assert_true(counts.l2 == 3 && counts.l2_refills == 2);
    sim_caches_access(c, 128, 4, false, &counts);
    assert_true(counts.l2 == 4 && counts.l2_refills == 3);
    sim_caches_access(c, 0, 4, false, &counts);
    assert_true(counts.l2 == 5 && counts.l2_refills == 3);
    free(c);
    /* Lines of 128 bytes below: the second half of one is found there. */
    levels = (struct sim_cache_levels){.l1d = {64, 1, 64, SIM_LRU}, .l2 = {1024, 2, 128, SIM_LRU}};
    c = caches(&levels);
    counts = (struct sim_counts){0};
    sim_caches_access(c, 0, 4, false, &counts);
    sim_caches_access(c, 64, 4, false, &counts);
    assert_true(counts.refills == 2 && counts.l2 == 2 && counts.l2_refills == 1);
    free(c);
}

/* ---- properties ---- */

static uint32_t next(uint32_t *x)
{
    *x = *x * 1664525 + 1013904223;
    return *x >> 8;
}

/* Addresses as programs have them: a few streams, a few hot places, some chance. */
static uintptr_t address(uint32_t *x, uintptr_t cursors[4])
{
    uint32_t kind = next(x) % 8;
    if (kind < 4)
        return cursors[kind] += 4 + 60 * kind;
    if (kind < 7)
        return 0x100000 + next(x) % 2048 * 8;
    return next(x) % 0x40000;
}

/* Mattson, Gecsei, Slutz, Traiger, "Evaluation techniques for storage hierarchies", IBM Systems Journal 9(2), 1970:
 * what a fully associative LRU cache holds, a larger one holds too. */
static void inclusion(void **state)
{
    (void)state;
    uint64_t before = UINT64_MAX;
    for (uint32_t ways = 1; ways <= 1024; ways += ways < 8 ? 1 : ways / 2) {
        uint32_t lines = ways;
        struct sim_cache_levels levels = one_set(lines, SIM_LRU);
        struct sim_caches *c = caches(&levels);
        struct sim_counts counts = {0};
        uint32_t x = 7;
        uintptr_t cursors[4] = {0, 0x10000, 0x20000, 0x30000};
        for (int i = 0; i < 30000; i++)
            sim_caches_access(c, address(&x, cursors), 1, false, &counts);
        assert_true(counts.accesses == 30000 && counts.refills <= before && counts.refills > 0);
        before = counts.refills;
        free(c);
    }
}

/* A simulator that only remembers when each line of a set came and when it was used last. */
struct slow {
    struct sim_cache g;
    uintptr_t line[4096];
    uint64_t used[4096], came[4096]; /* 0: empty */
    bool dirty[4096];
    uint64_t now;
};

/* Is it there? It is afterwards; `*back` is what had to be written back, or all ones. */
static bool slow_use(struct slow *s, uintptr_t line, bool write, uintptr_t *back)
{
    size_t sets = (size_t)(s->g.size / s->g.ways / s->g.line), first = line % sets * s->g.ways, victim = first;
    *back = UINTPTR_MAX;
    s->now++;
    for (size_t i = first; i < first + s->g.ways; i++) {
        if (s->came[i] && s->line[i] == line) {
            s->used[i] = s->now;
            s->dirty[i] |= write;
            return true;
        }
        const uint64_t *age = s->g.replacement == SIM_FIFO ? s->came : s->used;
        if (age[i] < age[victim])
            victim = i;
    }
    if (s->came[victim] && s->dirty[victim])
        *back = s->line[victim];
    s->line[victim] = line;
    s->used[victim] = s->came[victim] = s->now;
    s->dirty[victim] = write;
    return false;
}

static void slow_access(struct slow *l1, struct slow *l2, uintptr_t a, size_t size, bool write, struct sim_counts *add)
{
    for (uintptr_t line = a / l1->g.line; line <= (a + size - 1) / l1->g.line; line++) {
        uintptr_t back, ignored;
        add->accesses++;
        if (slow_use(l1, line, write, &back))
            continue;
        add->refills++;
        if (!l2->g.size)
            continue;
        add->l2++;
        add->l2_refills += !slow_use(l2, line * l1->g.line / l2->g.line, false, &ignored);
        if (back == UINTPTR_MAX)
            continue;
        add->l2++;
        bool there = slow_use(l2, back * l1->g.line / l2->g.line, true, &ignored);
        add->l2_refills += !there && l2->g.line > l1->g.line;
    }
}

static void as_the_slow_one(void **state)
{
    (void)state;
    static const struct sim_cache_levels geometries[] = {
        {.l1d = {64, 1, 64, SIM_LRU}, .l2 = {0}},
        {.l1d = {1024, 2, 16, SIM_LRU}, .l2 = {0}},
        {.l1d = {32768, 4, 64, SIM_LRU}, .l2 = {65536, 16, 64, SIM_LRU}},
        {.l1d = {16384, 2, 32, SIM_LRU}, .l2 = {131072, 8, 64, SIM_LRU}},
        {.l1d = {98304, 3, 32, SIM_LRU}, .l2 = {0}}, /* 1024 sets: more than `recent` has places */
        {.l1d = {4096, 4, 64, SIM_FIFO}, .l2 = {32768, 8, 64, SIM_FIFO}},
        {.l1d = {8192, 32, 8, SIM_FIFO}, .l2 = {32768, 8, 128, SIM_LRU}},
        {.l1d = {8192, 128, 64, SIM_LRU}, .l2 = {8192, 1, 64, SIM_FIFO}},
        {.l1d = {1792, 7, 64, SIM_LRU},
         .l2 = {3840, 15, 64, SIM_FIFO}}, /* numbers of ways that have no code of their own */
        {.l1d = {2304, 9, 64, SIM_FIFO}, .l2 = {4352, 17, 64, SIM_LRU}},
        {.l1d = {1280, 5, 64, SIM_FIFO}, .l2 = {3840, 15, 64, SIM_LRU}},
    };
    for (size_t g = 0; g < sizeof geometries / sizeof *geometries; g++) {
        struct slow *l1 = calloc(1, sizeof *l1), *l2 = calloc(1, sizeof *l2);
        struct sim_caches *c = caches(&geometries[g]);
        l1->g = geometries[g].l1d;
        l2->g = geometries[g].l2;
        uint32_t x = (uint32_t)g + 1;
        uintptr_t cursors[4] = {0, 0x10000, 0x20000, 0x30000};
        struct sim_counts fast = {0}, slow = {0};
        for (int i = 0; i < 60000; i++) {
            uintptr_t a = address(&x, cursors);
            size_t size = (size_t)1 << next(&x) % 5;
            bool write = next(&x) % 3 == 0;
            sim_caches_access(c, a, size, write, &fast);
            slow_access(l1, l2, a, size, write, &slow);
            if (memcmp(&fast, &slow, sizeof fast) != 0)
                fail_msg("geometry %zu: access %d differs", g, i);
        }
        assert_true(fast.refills > 100 && fast.refills < fast.accesses);
        free(c);
        free(l1);
        free(l2);
    }
}

/* Hits by themselves: the same as in the course of all accesses, and no misses are taken for hits. */
static void hits_are_right(void **state)
{
    (void)state;
    for (enum sim_replacement r = 0; r < SIM_REPLACEMENT_N; r++) {
        struct sim_cache_levels levels = {.l1d = {8192, 8, 64, r}, .l2 = {65536, 16, 64, r}};
        struct sim_caches *all = caches(&levels), *some = caches(&levels);
        uint32_t x = 5;
        uintptr_t cursors[4] = {0, 0x10000, 0x20000, 0x30000};
        struct sim_counts a = {0}, b = {0};
        uint64_t hits = 0;
        for (int i = 0; i < 60000; i++) {
            uintptr_t at = address(&x, cursors);
            size_t size = next(&x) % 9;
            bool write = next(&x) % 3 == 0;
            struct sim_counts before = a;
            sim_caches_access(all, at, size, write, &a);
            bool hit = sim_caches_hit(some, at, size, write);
            assert_int_equal(hit, a.accesses == before.accesses + 1 && a.refills == before.refills);
            hits += hit;
            if (!hit)
                sim_caches_access(some, at, size, write, &b);
        }
        assert_int_equal(a.accesses, b.accesses + hits);
        assert_true(hits > 1000);
        assert_true(a.refills == b.refills && a.l2 == b.l2 && a.l2_refills == b.l2_refills);
        assert_false(sim_caches_hit(some, UINTPTR_MAX, 2, false));
        free(all);
        free(some);
    }
}

/* Leaving out what `recent` says may be left out changes nothing. */
static void recent_is_right(void **state)
{
    (void)state;
    for (enum sim_replacement r = 0; r < SIM_REPLACEMENT_N; r++) {
        for (uint64_t sets = 1; sets <= 1024; sets *= 4) {
            struct sim_cache_levels levels = {.l1d = {sets * 4 * 64, 4, 64, r}, .l2 = {sets * 8 * 64, 8, 64, r}};
            struct sim_caches *all = caches(&levels), *some = caches(&levels);
            unsigned shift = sim_caches_shift(&levels), mask = sim_caches_mask(&levels);
            uint32_t x = 3;
            uintptr_t cursors[4] = {0, 0x10000, 0x20000, 0x30000};
            struct sim_counts a = {0}, b = {0};
            uint64_t left_out = 0;
            for (int i = 0; i < 30000; i++) {
                uintptr_t at = address(&x, cursors) & ~(uintptr_t)7, line = at >> shift;
                bool write = next(&x) % 3 == 0;
                sim_caches_access(all, at, 8, write, &a);
                if ((write ? some->recent.written : some->recent.read)[line & mask] == line)
                    left_out++;
                else
                    sim_caches_access(some, at, 8, write, &b);
            }
            assert_true(a.accesses == b.accesses + left_out && left_out > 0);
            assert_true(a.refills == b.refills && a.l2 == b.l2 && a.l2_refills == b.l2_refills);
            free(all);
            free(some);
        }
    }
}

/* A word for each line, in blocks of 16 bytes. */
static void memory_is_what_lines_need(void **state)
{
    (void)state;
    struct sim_cache_levels four = one_set(4, SIM_LRU), seven = one_set(7, SIM_LRU), eight = one_set(8, SIM_LRU);
    assert_int_equal(sim_caches_size(&eight) - sim_caches_size(&four), 4 * sizeof(uintptr_t));
    assert_int_equal(sim_caches_size(&eight) - sim_caches_size(&seven), 0);
    /* One alone: a line's tag each, and for tree-PLRU a tree for each of two sets. */
    const struct sim_cache lru = {512, 4, 64, SIM_LRU}, plru = {512, 4, 64, SIM_PLRU};
    assert_int_equal(sim_level_size(&lru), 8 * sizeof(uintptr_t));
    assert_int_equal(sim_level_size(&plru), 8 * sizeof(uintptr_t) + 2 * sizeof(uint64_t));
}

/* 4 sets of 2 ways: a level has the last two lines that were used of each set, and no others. */
static void has_what_was_used(void **state)
{
    (void)state;
    static const struct sim_cache geometry = {8 * 64, 2, 64, SIM_LRU};
    struct sim_level v;
    void *memory = aligned_alloc(64, (sim_level_size(&geometry) + 63) / 64 * 64);
    assert_non_null(memory);
    sim_level_init(&v, &geometry, memory);
    for (uintptr_t line = 1; line <= 12; line++)
        assert_false(sim_level_has(&v, line));
    for (uintptr_t line = 1; line <= 12; line++)
        assert_false(sim_level_use(&v, line, line % 2).hit);
    for (uintptr_t line = 1; line <= 16; line++)
        assert_int_equal(sim_level_has(&v, line), line >= 5 && line <= 12);
    assert_true(sim_level_use(&v, 5, false).hit);
    assert_false(sim_level_use(&v, 13, false).hit); /* takes the place of 9 */
    assert_true(sim_level_has(&v, 5) && sim_level_has(&v, 13) && !sim_level_has(&v, 9));
    sim_level_flush(&v);
    assert_false(sim_level_has(&v, 13));
    free(memory);
}

static void geometries(void **state)
{
    (void)state;
    static const struct {
        struct sim_cache_levels levels;
        const char *wrong; /* a part of it; NULL: right */
    } rows[] = {
        {{.l1d = {32768, 4, 64, SIM_RANDOM}, .l2 = {524288, 16, 64, SIM_LRU}}, 0},
        {{.l1d = {32768, 4, 64, SIM_LRU}, .l2 = {0}}, 0},
        {{.l1d = {64, 1, 64, SIM_PLRU}, .l2 = {0}}, 0},
        {{.l1d = {49152, 12, 64, SIM_LRU}, .l2 = {1310720, 10, 64, SIM_LRU}}, 0},
        {{.l1d = {0, 0, 0, SIM_LRU}, .l2 = {0}}, "l1d: the line"},
        {{.l1d = {32768, 4, 48, SIM_LRU}, .l2 = {0}}, "l1d: the line"},
        {{.l1d = {32768, 4, 4, SIM_LRU}, .l2 = {0}}, "l1d: the line"},
        {{.l1d = {32768, 4, 8192, SIM_LRU}, .l2 = {0}}, "l1d: the line"},
        {{.l1d = {32768, 0, 64, SIM_LRU}, .l2 = {0}}, "l1d: there must be"},
        {{.l1d = {32768, 5000, 64, SIM_LRU}, .l2 = {0}}, "l1d: there must be"},
        {{.l1d = {32768, 3, 64, SIM_LRU}, .l2 = {0}}, "l1d: the size"},
        {{.l1d = {24576, 4, 64, SIM_LRU}, .l2 = {0}}, "l1d: the size"},
        {{.l1d = {100, 4, 64, SIM_LRU}, .l2 = {0}}, "l1d: the size"},
        {{.l1d = {32768, 4, 64, SIM_LRU}, .l2 = {UINT64_C(1) << 40, 16, 64, SIM_LRU}}, "l2: it must not"},
        {{.l1d = {49152, 12, 64, SIM_PLRU}, .l2 = {0}}, "l1d: plru"},
        {{.l1d = {8192, 128, 64, SIM_PLRU}, .l2 = {0}}, "l1d: plru"},
        {{.l1d = {32768, 4, 64, SIM_LRU}, .l2 = {524288, 16, 32, SIM_LRU}}, "l2: its lines"},
        {{.l1d = {32768, 4, 64, SIM_LRU}, .l2 = {524288, 7, 64, SIM_LRU}}, "l2: the size"},
        /* the last value that each bound allows, and the first that it does not */
        {{.l1d = {8, 1, 8, SIM_LRU}, .l2 = {4096, 1, 4096, SIM_LRU}}, 0},
        {{.l1d = {8 * 4096, 4096, 8, SIM_LRU}, .l2 = {0}}, 0},
        {{.l1d = {8 * 4097, 4097, 8, SIM_LRU}, .l2 = {0}}, "l1d: there must be"},
        {{.l1d = {8, 1, 8, SIM_LRU}, .l2 = {8 * 4097, 4097, 8, SIM_LRU}}, "l2: there must be"},
        {{.l1d = {UINT64_C(8) << 20, 1, 8, SIM_LRU}, .l2 = {0}}, 0},
        {{.l1d = {UINT64_C(8) << 21, 1, 8, SIM_LRU}, .l2 = {0}}, "l1d: it must not"},
        {{.l1d = {8 * 64, 64, 8, SIM_PLRU}, .l2 = {0}}, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *said = sim_cache_levels_check(&rows[i].levels);
        if (!said != !rows[i].wrong || (said && !strstr(said, rows[i].wrong)))
            fail_msg("row %zu: %s", i, said ? said : "accepted");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lru_by_hand),     cmocka_unit_test(fifo_by_hand),
        cmocka_unit_test(plru_by_hand),    cmocka_unit_test(random_is_plausible),
        cmocka_unit_test(the_same_twice),  cmocka_unit_test(streams),
        cmocka_unit_test(strides),         cmocka_unit_test(lines_are_split),
        cmocka_unit_test(second_level),    cmocka_unit_test(inclusion),
        cmocka_unit_test(as_the_slow_one), cmocka_unit_test(hits_are_right),
        cmocka_unit_test(recent_is_right), cmocka_unit_test(has_what_was_used),
        cmocka_unit_test(geometries),      cmocka_unit_test(memory_is_what_lines_need),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
