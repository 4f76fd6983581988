/* The predictors against sequences worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sim/branch/branch.h"

static struct sim_predictor *predictor(struct sim_predictor_kind kind)
{
    assert_null(sim_predictor_check(&kind));
    void *memory = aligned_alloc(16, (sim_predictor_size(&kind) + 15) & ~(size_t)15);
    memset(memory, 0xa5, sim_predictor_size(&kind));
    return sim_predictor_init(memory, &kind);
}

/* One branch takes the directions of `taken` (T, N); the answer has 'x' where it is mispredicted, '.' where not. */
static void expect(struct sim_predictor *p, uint32_t number, const char *taken, const char *answer)
{
    for (size_t i = 0; taken[i]; i++)
        if (sim_predictor_branch(p, number, taken[i] == 'T') != (answer[i] == 'x'))
            fail_msg("%s: branch %zu is%s mispredicted", taken, i + 1, answer[i] == 'x' ? " not" : "");
}

static void two_bits_by_hand(void **state)
{
    (void)state;
    struct sim_predictor *p = predictor((struct sim_predictor_kind){SIM_BIMODAL, 4, 0, 0, 0});
    /* 2: T 3, T 3, N 2 wrong, T 3, N 2 wrong, N 1 wrong, N 0, N 0, T 1 wrong, T 2 wrong, T 3. */
    expect(p, 5, "TTNTNNNNTTT", "..x.xx..xx.");
    /* A loop of five iterations, again and again: only its end is wrong. */
    expect(p, 6, "TTTTNTTTTNTTTTN", "....x....x....x");
    /* Numbers that differ above the table's bits share a counter: now 2, as the loop left it. */
    expect(p, 6 + 16, "NT", "xx");
    expect(p, 6, "N", "x");
    /* Another counter is as it was at first. */
    expect(p, 7, "TN", ".x");
    sim_predictor_reset(p);
    expect(p, 5, "TTNTNNNNTTT", "..x.xx..xx.");
    free(p);
}

static void history_by_hand(void **state)
{
    (void)state;
    /* One bit of history, two counters, one branch (number 0): index = what it did last.
     * T: counter 0, 2 -> 3, history 1. N: counter 1, 2 -> 1 wrong, history 0. T: counter 0, right. N: counter 1, 1 ->
     * 0. From then on the alternation is known. */
    struct sim_predictor *p = predictor((struct sim_predictor_kind){SIM_GSHARE, 1, 1, 0, 0});
    expect(p, 0, "TNTNTNTNTN", ".x........");
    free(p);
    /* Bimodal never learns it: 2 -> 3 -> 2 -> 3 ... each N is wrong. */
    p = predictor((struct sim_predictor_kind){SIM_BIMODAL, 1, 0, 0, 0});
    expect(p, 0, "TNTNTNTNTN", ".x.x.x.x.x");
    free(p);
    /* The number is xored with the history: with history 1, number 1 has counter 0. */
    p = predictor((struct sim_predictor_kind){SIM_GSHARE, 1, 1, 0, 0});
    expect(p, 0, "T", ".");   /* counter 0: 2 -> 3 */
    expect(p, 1, "N", "x");   /* counter 1 xor 1 = 0: 3 -> 2 */
    expect(p, 0, "NN", "x."); /* counter 0: 2 -> 1 -> 0 */
    expect(p, 1, "T", ".");   /* history 0, counter 1: still 2, -> 3 */
    expect(p, 1, "T", "x");   /* history 1, counter 0 */
    free(p);
}

/* A branch that goes as another did right before it: gshare learns it, bimodal cannot. */
static void correlation(void **state)
{
    (void)state;
    struct sim_predictor *g = predictor((struct sim_predictor_kind){SIM_GSHARE, 12, 4, 0, 0});
    struct sim_predictor *b = predictor((struct sim_predictor_kind){SIM_BIMODAL, 12, 0, 0, 0});
    uint32_t x = 1;
    unsigned by_g = 0, by_b = 0;
    for (int i = 0; i < 10000; i++) {
        x = x * 1664525 + 1013904223;
        bool taken = x >> 31;
        sim_predictor_branch(g, 100, taken);
        sim_predictor_branch(b, 100, taken);
        by_g += sim_predictor_branch(g, 2000, taken);
        by_b += sim_predictor_branch(b, 2000, taken);
    }
    assert_true(by_g < 100);
    assert_true(by_b > 4000 && by_b < 6000);
    free(g);
    free(b);
}

/* What branch.h says that other code may do for itself. */
static void by_itself(void **state)
{
    (void)state;
    struct sim_predictor_kind kinds[] = {{SIM_BIMODAL, 6, 0, 0, 0}, {SIM_GSHARE, 6, 6, 0, 0}, {SIM_GSHARE, 8, 3, 0, 0}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct sim_predictor *all = predictor(kinds[k]), *some = predictor(kinds[k]);
        uint32_t x = 1;
        unsigned by_all = 0, by_some = 0, calls = 0;
        for (int n = 0; n < 50000; n++) {
            x = x * 1664525 + 1013904223;
            uint32_t number = x >> 20;
            bool taken = number % 3 ? (x >> 10 & 7) != 0 : n % 2;
            by_all += sim_predictor_branch(all, number, taken);
            uint32_t i = (number ^ some->history) & some->table_mask;
            some->history = (2 * some->history + taken) & some->history_mask;
            if (some->counters[i] == (taken ? SIM_COUNTER_MAX : 0))
                continue;
            calls++;
            by_some += sim_predictor_learn(some, i, taken);
        }
        assert_int_equal(by_all, by_some);
        assert_true(by_all > 0 && by_all <= calls && calls < 50000);
        assert_memory_equal(all, some, sim_predictor_size(&kinds[k]));
        free(all);
        free(some);
    }
}

static void kinds(void **state)
{
    (void)state;
    assert_null(sim_predictor_check(&(struct sim_predictor_kind){SIM_BIMODAL, 20, 0, 0, 0}));
    assert_null(sim_predictor_check(&(struct sim_predictor_kind){SIM_GSHARE, 12, 12, 0, 0}));
    assert_non_null(sim_predictor_check(&(struct sim_predictor_kind){SIM_BIMODAL, 0, 0, 0, 0}));
    assert_non_null(sim_predictor_check(&(struct sim_predictor_kind){SIM_BIMODAL, 21, 0, 0, 0}));
    assert_non_null(sim_predictor_check(&(struct sim_predictor_kind){SIM_BIMODAL, 12, 3, 0, 0}));
    assert_non_null(sim_predictor_check(&(struct sim_predictor_kind){SIM_GSHARE, 12, 0, 0, 0}));
    assert_non_null(sim_predictor_check(&(struct sim_predictor_kind){SIM_GSHARE, 12, 13, 0, 0}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_bits_by_hand), cmocka_unit_test(history_by_hand), cmocka_unit_test(correlation),
        cmocka_unit_test(by_itself),        cmocka_unit_test(kinds),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
