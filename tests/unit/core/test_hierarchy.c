/* Caches, TLBs, prefetcher and store buffer of a made-up core (core_fixture.h): L2 10 cycles beyond L1, memory 100
 * beyond that, a line from memory every 20 cycles. */
#include "tests/unit/core/core_fixture.h"

#include "sim/core/hierarchy.h"

enum { LINE = 64, PAGE = 4096 };

static void test_levels(void **state)
{
    (void)state;
    struct iss_model *model = small_model(NULL, NULL);
    struct iss_memory *m = iss_memory_new(model);
    assert_int_equal(iss_memory_load(m, PAGE, 8, 1000), 110);
    assert_int_equal(iss_memory_load(m, PAGE, 8, 1010), 100); /* it is on its way */
    assert_int_equal(iss_memory_load(m, PAGE + 56, 8, 2000), 0);
    /* 8 sets of 2 ways: the third line of the set pushes the first to L2 */
    assert_int_equal(iss_memory_load(m, PAGE + 8 * LINE, 8, 3000), 110);
    assert_int_equal(iss_memory_load(m, PAGE + 16 * LINE, 8, 4000), 110);
    assert_int_equal(iss_memory_load(m, PAGE, 8, 5000), 10);
    const struct iss_memory_counts *c = iss_memory_counts(m);
    assert_int_equal(c->l1d, 6);
    assert_int_equal(c->l1d_refills, 4);
    assert_int_equal(c->l2, 4);
    assert_int_equal(c->l2_refills, 3);
    iss_memory_flush(m, false);
    assert_int_equal(iss_memory_load(m, PAGE, 8, 6000), 110);
    iss_memory_free(m);
    iss_model_free(model);
}

/* Two lines may be underway at a time; one leaves memory every 20 cycles. */
static void test_outstanding(void **state)
{
    (void)state;
    struct iss_model *model = small_model(NULL, NULL);
    struct iss_memory *m = iss_memory_new(model);
    assert_int_equal(iss_memory_load(m, PAGE, 8, 1000), 110);
    assert_int_equal(iss_memory_load(m, PAGE + LINE, 8, 1000), 130);
    /* the third begins when the first is there, at 1110 */
    assert_int_equal(iss_memory_load(m, PAGE + 2 * LINE, 8, 1000), 220);
    iss_memory_free(m);
    iss_model_free(model);
}

/* L2 delivers a line every 2 cycles. */
static void test_pitch(void **state)
{
    (void)state;
    struct iss_model *model = small_model(NULL, NULL);
    struct iss_memory *m = iss_memory_new(model);
    for (uint64_t i = 0; i < 3; i++) /* the first two lines are pushed out of L1 by four others */
        for (uint64_t k = 0; k < 2; k++)
            iss_memory_load(m, PAGE + (8 * i + k) * LINE, 8, 1000 * (int64_t)(2 * i + k + 1));
    assert_int_equal(iss_memory_load(m, PAGE, 8, 20000), 10);
    assert_int_equal(iss_memory_load(m, PAGE + LINE, 8, 20000), 12);
    iss_memory_free(m);
    iss_model_free(model);
}

/* Lines that are written from end to end, one behind the other: from the third of a run on they are in L2 only. */
static void test_no_allocate(void **state)
{
    (void)state;
    static const struct {
        int step, bytes, lines_in_l1; /* of 6: from line to line, of 64 written */
    } rows[] = {{1, 64, 2}, {-1, 64, 6}, {2, 64, 6}, {1, 56, 6}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct iss_model *model = small_model("no_allocate = 0", "no_allocate = 2");
        model->l1d.geometry.size = 4096;
        struct iss_memory *m = iss_memory_new(model);
        int64_t now = 0;
        int in_l1 = 0;
        uint64_t first = PAGE + 20 * LINE;
        for (int k = 0; k < 6; k++)
            for (int at = 0; at < rows[i].bytes; at += 8)
                iss_memory_store(m, first + (uint64_t)(int64_t)(k * rows[i].step * LINE + at), 8, now += 1000);
        for (int k = 0; k < 6; k++)
            in_l1 += iss_memory_load(m, first + (uint64_t)(int64_t)(k * rows[i].step * LINE), 8, now += 1000) == 0;
        assert_int_equal(in_l1, rows[i].lines_in_l1);
        iss_memory_free(m);
        iss_model_free(model);
    }
}

/* A stream is recognised at its second line; then the lines ahead are on their way when they are wanted. */
static void test_prefetch(void **state)
{
    (void)state;
    struct iss_model *model = small_model("streams = 0\ntrigger = 2\nahead = 0", "streams = 2\ntrigger = 2\nahead = 3");
    struct iss_memory *m = iss_memory_new(model);
    assert_int_equal(iss_memory_load(m, PAGE, 8, 1000), 110);
    assert_int_equal(iss_memory_load(m, PAGE + LINE, 8, 2000), 110);
    for (uint64_t i = 2; i < 5; i++)
        assert_int_equal(iss_memory_load(m, PAGE + i * LINE, 8, 3000 + (int64_t)i * 1000), 0);
    /* two were missed; the second made it fetch three, each of these one more */
    const struct iss_memory_counts *n = iss_memory_counts(m);
    assert_true(n->l1d_refills == 2 && n->l1d_prefetched == 6 && n->l2_refills == 2 && n->l2_prefetched == 6);
    /* lines that are underway are waited for, less long: 10 for L2, 100 for memory */
    assert_int_equal(iss_memory_load(m, PAGE + 5 * LINE, 8, 10000), 0);
    assert_int_equal(iss_memory_load(m, PAGE + 6 * LINE, 8, 10001), 0);
    assert_int_equal(iss_memory_load(m, PAGE + 7 * LINE, 8, 10002), 0);
    int64_t wait = iss_memory_load(m, PAGE + 8 * LINE, 8, 10050);
    assert_true(wait > 0 && wait < 110);
    assert_int_equal(n->l1d_refills, 2);
    /* no further than the page */
    assert_int_equal(iss_memory_load(m, 9 * PAGE - 2 * LINE, 8, 20000), 110);
    assert_int_equal(iss_memory_load(m, 9 * PAGE - LINE, 8, 21000), 110);
    assert_true(n->l1d_refills == 4 && n->l1d_prefetched == 10);
    iss_memory_free(m);
    iss_model_free(model);
}

/* Two stores wait for their lines, the third waits for the first; stores to a line that is wanted already join it. */
static void test_stores(void **state)
{
    (void)state;
    struct iss_model *model = small_model(NULL, NULL);
    struct iss_memory *m = iss_memory_new(model);
    assert_int_equal(iss_memory_store(m, PAGE, 8, 1000), 0);
    assert_int_equal(iss_memory_store(m, PAGE + 8, 8, 1001), 0);
    assert_int_equal(iss_memory_store(m, PAGE + LINE, 8, 1002), 0);
    assert_int_equal(iss_memory_store(m, PAGE + 2 * LINE, 8, 1003), 107); /* until 1110 */
    assert_true(iss_memory_done(m, 1003) >= 1110);
    /* a line that was written and has to go is written to L2 */
    for (uint64_t i = 1; i <= 2; i++)
        iss_memory_load(m, PAGE + i * 8 * LINE, 8, 10000 + (int64_t)i * 1000);
    assert_int_equal(iss_memory_counts(m)->l1d_written_back, 1);
    iss_memory_free(m);
    iss_model_free(model);
}

/* Where pages stand makes no difference: in the order of their first use they are the same pages. */
static void test_places(void **state)
{
    (void)state;
    struct iss_model *model = small_model("micro = 0\nmicro_miss = 0\nentries = 0\nways = 1\nwalk = 0",
                                          "micro = 2\nmicro_miss = 3\nentries = 8\nways = 2\nwalk = 20");
    int64_t sums[2] = {0, 0};
    static const uint64_t bases[] = {0x400000, UINT64_C(0x7f1234567000)};
    for (int k = 0; k < 2; k++) {
        struct iss_memory *m = iss_memory_new(model);
        uint64_t x = 88172645463325252u;
        for (int i = 0; i < 20000; i++) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            uint64_t page = x % 23, stride = k ? 7 : 1; /* scattered in another way */
            sums[k] += iss_memory_load(m, bases[k] + page * stride * PAGE + x / 64 % PAGE / 8 * 8, 8, i * 1000);
        }
        iss_memory_free(m);
    }
    assert_true(sums[0] > 0);
    assert_int_equal(sums[0], sums[1]);
    iss_model_free(model);
}

static void test_tlb(void **state)
{
    (void)state;
    struct iss_model *model = small_model("micro = 0\nmicro_miss = 0\nentries = 0\nways = 1\nwalk = 0",
                                          "micro = 1\nmicro_miss = 3\nentries = 8\nways = 2\nwalk = 20");
    struct iss_memory *m = iss_memory_new(model);
    assert_int_equal(iss_memory_load(m, PAGE, 8, 1000), 133);
    assert_int_equal(iss_memory_load(m, PAGE, 8, 2000), 0);
    assert_int_equal(iss_memory_load(m, 2 * PAGE, 8, 3000), 133);
    assert_int_equal(iss_memory_load(m, PAGE, 8, 4000), 3); /* the main TLB has it, L1 too */
    assert_int_equal(iss_memory_counts(m)->walks, 2);
    iss_memory_flush(m, true);
    assert_int_equal(iss_memory_load(m, PAGE, 8, 5000), 133);
    iss_memory_free(m);
    iss_model_free(model);
}

static void test_instructions(void **state)
{
    (void)state;
    struct iss_model *model = small_model("next_line = 0", "next_line = 30");
    struct iss_memory *m = iss_memory_new(model);
    assert_int_equal(iss_memory_fetch(m, PAGE, 1000), 110);
    assert_int_equal(iss_memory_fetch(m, PAGE + 32, 2000), 0);
    assert_int_equal(iss_memory_fetch(m, PAGE + LINE, 3000), 80); /* the next line: 30 less */
    /* L2 is shared */
    assert_int_equal(iss_memory_load(m, PAGE, 8, 4000), 10);
    iss_memory_free(m);
    iss_model_free(model);
}

/* An access over the end of a line uses both; the later counts. */
static void test_over_two_lines(void **state)
{
    (void)state;
    struct iss_model *model = small_model(NULL, NULL);
    struct iss_memory *m = iss_memory_new(model);
    const struct iss_memory_counts *c = iss_memory_counts(m);
    assert_int_equal(iss_memory_load(m, PAGE + LINE - 8, 8, 1000), 110); /* up to the end */
    assert_int_equal(c->l1d, 1);
    assert_int_equal(iss_memory_load(m, PAGE + LINE - 7, 8, 2000), 110); /* the second is not there */
    assert_true(c->l1d == 3 && c->l1d_refills == 2);
    assert_int_equal(iss_memory_load(m, PAGE + LINE - 1, 2, 3000), 0);
    assert_int_equal(c->l1d, 5);
    assert_int_equal(iss_memory_load(m, PAGE + 3 * LINE, 8, 4000), 110);
    assert_int_equal(iss_memory_load(m, PAGE + 3 * LINE - 4, 8, 5000), 110); /* the first is not */
    /* neither is: the second leaves memory 20 later */
    assert_int_equal(iss_memory_load(m, PAGE + 6 * LINE - 4, 8, 6000), 130);
    assert_int_equal(c->l1d_refills, 6);
    /* stores alike; both lines are written, and have to go to L2 when others want their places */
    assert_int_equal(iss_memory_store(m, PAGE + LINE - 4, 8, 7000), 0);
    assert_int_equal(c->l1d, 12);
    for (uint64_t i = 1; i <= 2; i++)
        for (uint64_t k = 0; k < 2; k++)
            iss_memory_load(m, PAGE + (8 * i + k) * LINE, 8, 8000 + (int64_t)(2 * i + k) * 1000);
    assert_int_equal(c->l1d_written_back, 2);
    iss_memory_free(m);
    iss_model_free(model);
}

/* 32 sets of 4 ways in L2: the fifth line of a set pushes out the first; one that was written goes to memory. */
static void test_written_back_by_l2(void **state)
{
    (void)state;
    for (int written = 0; written < 2; written++) {
        struct iss_model *model = small_model(NULL, NULL);
        struct iss_memory *m = iss_memory_new(model);
        const struct iss_memory_counts *c = iss_memory_counts(m);
        int64_t now = 1000;
        if (written)
            iss_memory_store(m, PAGE, 8, now);
        else
            iss_memory_load(m, PAGE, 8, now);
        for (uint64_t i = 1; i <= 3; i++) /* the second of these pushes the first line out of L1 */
            iss_memory_load(m, PAGE + i * 32 * LINE, 8, now += 1000);
        assert_true(c->l1d_written_back == (unsigned)written && c->l2_written_back == 0);
        assert_int_equal(c->l2, 4 + written);
        /* written back it was used later than the second line, which goes instead */
        for (uint64_t i = 4; i <= 7; i++)
            iss_memory_load(m, PAGE + i * 32 * LINE, 8, now += 1000);
        assert_int_equal(c->l2_written_back, written);
        assert_int_equal(c->l2_refills, 8);
        assert_int_equal(iss_memory_load(m, PAGE, 8, now + 1000), 110);
        iss_memory_free(m);
        iss_model_free(model);
    }
}

/* Two entries, round robin: the third page takes the place of the first that came, used or not. */
static void test_first_tlb(void **state)
{
    (void)state;
    struct iss_model *model = small_model("micro = 0\nmicro_miss = 0\nentries = 0\nways = 1\nwalk = 0",
                                          "micro = 2\nmicro_miss = 3\nentries = 0\nways = 1\nwalk = 20");
    struct iss_memory *m = iss_memory_new(model);
    const struct iss_memory_counts *c = iss_memory_counts(m);
    static const struct {
        uint64_t page;
        uint64_t refills;
    } rows[] = {{1, 1}, {2, 2}, {1, 2}, {3, 3}, {2, 3}, {1, 4}, {3, 4}, {2, 5}, {1, 5}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        iss_memory_load(m, rows[i].page * PAGE, 8, 1000 * (int64_t)(i + 1));
        assert_int_equal(c->l1d_tlb_refills, rows[i].refills);
    }
    assert_int_equal(c->walks, 0); /* there is no second level */
    assert_int_equal(c->l1i_tlb_refills, 0);
    assert_int_equal(iss_memory_fetch(m, 9 * PAGE, 20000), 113); /* that of instructions is another */
    assert_int_equal(iss_memory_fetch(m, 9 * PAGE, 21000), 0);
    assert_true(c->l1i_tlb_refills == 1 && c->l1d_tlb_refills == 5);
    assert_int_equal(iss_memory_store(m, 3 * PAGE, 8, 22000), 3); /* a store waits for it */
    iss_memory_free(m);
    iss_model_free(model);
}

/* 4 sets of 2 ways, the least recently used goes; pages have numbers in the order of their first use. */
static void test_second_tlb(void **state)
{
    (void)state;
    struct iss_model *model = small_model("micro = 0\nmicro_miss = 0\nentries = 0\nways = 1\nwalk = 0",
                                          "micro = 1\nmicro_miss = 3\nentries = 8\nways = 2\nwalk = 20");
    struct iss_memory *m = iss_memory_new(model);
    const struct iss_memory_counts *c = iss_memory_counts(m);
    for (uint64_t page = 0; page < 9; page++) /* 0, 4 and 8 are of one set */
        iss_memory_load(m, (100 + page) * PAGE, 8, 1000 * (int64_t)(page + 1));
    assert_int_equal(c->walks, 9);
    static const struct {
        uint64_t page, walks;
    } rows[] = {{4, 9}, {0, 10}, {4, 10}, {8, 11}, {4, 11}, {0, 12}, {1, 12}, {7, 12}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        iss_memory_load(m, (100 + rows[i].page) * PAGE, 8, 20000 + 1000 * (int64_t)i);
        assert_int_equal(c->walks, rows[i].walks);
    }
    iss_memory_flush(m, false); /* without the TLBs */
    assert_int_equal(iss_memory_load(m, 107 * PAGE, 8, 40000), 110);
    assert_int_equal(iss_memory_load(m, 101 * PAGE, 8, 41000), 113);
    assert_int_equal(c->walks, 12);
    iss_memory_free(m);
    iss_model_free(model);
}

/* More pages than the table has places at first, and some that share a place in the short list: each keeps its own. */
static void test_many_pages(void **state)
{
    (void)state;
    struct iss_model *model = small_model("[l2]\nsize = 8K\nways = 4", "[l2]\nsize = 1M\nways = 16");
    model->l1d.geometry.size = 1 << 20;
    model->l1d.geometry.ways = 16;
    struct iss_memory *m = iss_memory_new(model);
    enum { PAGES = 10000 };
    for (uint64_t i = 0; i < PAGES; i++)
        assert_int_equal(iss_memory_load(m, i * 1024 * PAGE + i % 64 * LINE, 8, 1000 * (int64_t)(i + 1)), 110);
    /* the last ones are there: 16 in each set of lines */
    for (uint64_t i = PAGES - 64 * 16; i < PAGES; i++)
        assert_int_equal(iss_memory_load(m, i * 1024 * PAGE + i % 64 * LINE, 8, 1000 * (int64_t)(PAGES + i)), 0);
    iss_memory_free(m);
    iss_model_free(model);
}

/* All that is underway: a load's line, a store's; nothing later than that. */
static void test_done(void **state)
{
    (void)state;
    struct iss_model *model = small_model(NULL, NULL);
    struct iss_memory *m = iss_memory_new(model);
    assert_int_equal(iss_memory_done(m, 77), 77);
    iss_memory_load(m, PAGE, 8, 1000);
    assert_int_equal(iss_memory_done(m, 1001), 1110);
    assert_int_equal(iss_memory_done(m, 1111), 1111);
    iss_memory_store(m, PAGE + LINE, 8, 2000);
    assert_int_equal(iss_memory_done(m, 2001), 2110);
    iss_memory_flush(m, false);
    assert_int_equal(iss_memory_done(m, 2001), 2001);
    iss_memory_free(m);
    iss_model_free(model);
}

/* A line that follows the last one missed costs less, at most all of it; one further on or before does not. */
static void test_next_line(void **state)
{
    (void)state;
    struct iss_model *model = small_model("next_line = 0", "next_line = 30");
    struct iss_memory *m = iss_memory_new(model);
    static const struct {
        uint64_t line;
        int64_t wait;
    } rows[] = {{0, 110}, {1, 80}, {3, 110}, {2, 110}, {3, 0}, {4, 110}, {5, 80}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(iss_memory_fetch(m, PAGE + rows[i].line * LINE, 1000 * (int64_t)(i + 1)), rows[i].wait);
    const struct iss_memory_counts *c = iss_memory_counts(m);
    assert_true(c->l1i == 7 && c->l1i_refills == 6 && c->l2_refills == 6);
    iss_memory_free(m);
    iss_model_free(model);
    model = small_model("next_line = 0", "next_line = 500");
    m = iss_memory_new(model);
    iss_memory_fetch(m, PAGE, 1000);
    assert_int_equal(iss_memory_fetch(m, PAGE + LINE, 2000), 0);
    iss_memory_free(m);
    iss_model_free(model);
}

int main(void)
{
    fixture_open();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_levels),
                                       cmocka_unit_test(test_outstanding),
                                       cmocka_unit_test(test_pitch),
                                       cmocka_unit_test(test_no_allocate),
                                       cmocka_unit_test(test_prefetch),
                                       cmocka_unit_test(test_stores),
                                       cmocka_unit_test(test_places),
                                       cmocka_unit_test(test_tlb),
                                       cmocka_unit_test(test_instructions),
                                       cmocka_unit_test(test_over_two_lines),
                                       cmocka_unit_test(test_written_back_by_l2),
                                       cmocka_unit_test(test_first_tlb),
                                       cmocka_unit_test(test_second_tlb),
                                       cmocka_unit_test(test_many_pages),
                                       cmocka_unit_test(test_done),
                                       cmocka_unit_test(test_next_line)};
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
