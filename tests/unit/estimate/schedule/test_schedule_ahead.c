/* Cores that execute out of order: cycles derived by hand. The core begins four instructions a cycle (values:
 * schedule_example.h); mul Pitch 1 and Latency 4, sdiv 8 and 10, additions 0.25 and 1. A block takes what its issue or
 * its busiest unit takes, each instruction its share of that by what it occupies; a loop at least its chain of each
 * iteration. */
#include "tests/unit/estimate/schedule_example.h"

static void ahead_are(size_t first, const double *each, size_t n, double times)
{
    struct costs c = some_costs(true);
    struct estimate *est = estimated(&c);
    cycles_are(est, first, each, n, times);
    estimate_free(est);
    costs_release(&c);
}
#define AHEAD_ARE(first, times, ...)                                                                                   \
    ahead_are(first, (const double[]){__VA_ARGS__}, sizeof(double[]){__VA_ARGS__} / sizeof(double), times)

/* Three additions begin in the time that one takes: it is such a core; two and a half: it is not. */
static void three_at_a_time_go_ahead(void **state)
{
    (void)state;
    struct costs three = {.core = xstrdup("Core")}, fewer = {.core = xstrdup("Core")};
    value(&three, "add", 0.5, 1.5);
    value(&fewer, "add", 0.5, 1.25);
    assert_true(costs_out_of_order(&three));
    assert_false(costs_out_of_order(&fewer));
    costs_release(&three);
    costs_release(&fewer);
}

/* Each needs the one before, and none waits: 4 x 0.25. */
static void nothing_waits_in_a_block(void **state)
{
    (void)state;
    begin();
    block(0, 0, NO, 10);
    uint32_t a = put("add.i32", NO, NO);
    a = put("and.i32", a, NO);
    a = put("or.i32", a, NO);
    put("xor.i32", a, NO);
    AHEAD_ARE(0, 10, 0.25, 0.25, 0.25, 0.25);
}

/* Three multiplications take 3 cycles; with the branch there are four instructions in these: 0.75 each. The next block
 * begins again: its one takes 1 cycle, half for either. */
static void the_busiest_unit_counts(void **state)
{
    (void)state;
    begin();
    block(0, 0, NO, 10);
    put("mul.i32", NO, NO);
    put("mul.i32", NO, NO);
    put("mul.i32", NO, NO);
    put("br.cond", NO, NO);
    block(0, 1, NO, 10);
    put("mul.i32", NO, NO);
    put("br.cond", NO, NO);
    AHEAD_ARE(0, 10, 0.75, 0.75, 0.75, 0.75, 0.5, 0.5);
}

/* Two units at a time: the loads take 2 cycles, the multiplication 1 of these; what makes no code takes nothing. */
static void units_are_busy_at_a_time(void **state)
{
    (void)state;
    begin();
    block(0, 0, NO, 10);
    put("load.i32", NO, NO);
    put("freeze.i32", 0, NO);
    put("load.i32", NO, NO);
    put("mul.i32", NO, NO);
    put("br.cond", NO, NO);
    AHEAD_ARE(0, 10, 0.5, 0, 0.5, 0.5, 0.5);
}

/* A block of names alone. */
static void nothing_costs_nothing(void **state)
{
    (void)state;
    begin();
    block(0, 0, NO, 10);
    put("freeze.i32", NO, NO);
    AHEAD_ARE(0, 10, 0);
}

/* 100 iterations, entered 10 times: 90 hand something on. Two instructions of 0.25 and a mul: max(0.5, 1) = 1 cycle,
 * half for either. A chain of 4 waits 3 more, 90 times: all of it the multiplication's. */
static void loops_take_at_least_their_chain(void **state)
{
    (void)state;
    begin();
    uint32_t l = loop(0, NO, 100, 90);
    block(0, 0, l, 100);
    put("phi.i32", 1, NO);
    put("mul.i32", 0, NO);
    put("br.cond", NO, NO);
    AHEAD_ARE(0, 1, 0, 100 * 0.5 + 90 * 3, 100 * 0.5);
}

/* The chain mul, add: 5 long; the block takes 1; the 4 that are waited are theirs in proportion, 4 to 1. */
static void waits_are_shared_along_the_chain(void **state)
{
    (void)state;
    begin();
    uint32_t l = loop(0, NO, 100, 100);
    block(0, 0, l, 100);
    put("phi.i32", 2, NO);
    put("mul.i32", 0, NO);
    put("add.i32", 1, NO);
    put("br.cond", NO, NO);
    double each = 1.0 / 3;
    struct costs c = some_costs(true);
    struct estimate *est = estimated(&c);
    static const double waited[] = {0, 3.2, 0.8, 0};
    for (size_t i = 0; i < 4; i++)
        assert_true(fabs(est->parts[i].typical - 100 * ((i ? each : 0) + waited[i])) < 0.01);
    estimate_free(est);
    costs_release(&c);
}

/* A chain that is shorter than the block takes: eight instructions, 2 cycles, against an addition. */
static void short_chains_do_not_matter(void **state)
{
    (void)state;
    begin();
    uint32_t l = loop(0, NO, 100, 99);
    block(0, 0, l, 100);
    put("phi.i32", 1, NO);
    put("add.i32", 0, NO);
    for (int i = 0; i < 7; i++)
        put(i % 2 ? "and.i32" : "or.i32", NO, NO);
    AHEAD_ARE(0, 100, 0, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25);
}

/* The multiplication is executed in 50 of 100 iterations, so the chain (it, and an addition each time) is 4 / 2 + 1 = 3
 * long. The iteration's blocks take 0.5, 1 in half of the iterations, and 0.5: 1.5. 1.5 more are waited, 100 times, by
 * the shares 2 and 1 of 3. */
static void what_is_not_executed_each_time_counts_by_its_share(void **state)
{
    (void)state;
    begin();
    uint32_t l = loop(0, NO, 100, 100);
    block(0, 0, l, 100);
    put("phi.i32", 5, NO);
    put("and.i32", NO, NO);
    put("br.cond", NO, NO);
    block(0, 1, l, 50);
    put("mul.i32", 0, NO);
    block(0, 2, l, 100);
    put("phi.i32", 3, NO);
    put("add.i32", 4, NO);
    put("br.cond", NO, NO);
    AHEAD_ARE(0, 100, 0, 0.25, 0.25);
    AHEAD_ARE(3, 1, 50 * 1 + 100 * 1.0, 0, 100 * (0.25 + 0.5), 100 * 0.25);
}

/* A block that is said to be executed oftener than the iterations of its loop has no more than its Latency. */
static void no_share_is_more_than_the_whole(void **state)
{
    (void)state;
    begin();
    uint32_t l = loop(0, NO, 50, 50);
    block(0, 0, l, 100);
    put("phi.i32", 1, NO);
    put("mul.i32", 0, NO);
    put("br.cond", NO, NO);
    /* 100 executions of 1 cycle: 2 for each of 50; the chain of 4 waits 2 more */
    AHEAD_ARE(0, 1, 0, 100 * 0.5 + 50 * 2, 100 * 0.5);
}

/* The outer loop hands a quotient on: 10 long. An iteration of it takes its own sdiv, 8, and what the inner loop takes,
 * 0.5 each time: with 2 of these 9, so that 1 is waited, with 4 of these 10, and nothing is. */
static void inner_loops_take_time_of_outer_ones(void **state)
{
    (void)state;
    for (uint64_t inner = 2; inner <= 4; inner += 2) {
        begin();
        uint32_t outer = loop(0, NO, 100, 100), within = loop(1, outer, 100 * inner, 100 * (inner - 1));
        block(0, 0, outer, 100);
        put("phi.i32", 1, NO);
        put("sdiv.i32", 0, NO);
        put("br.cond", NO, NO);
        block(0, 1, within, 100 * inner);
        put("and.i32", NO, NO);
        put("br.cond", NO, NO);
        AHEAD_ARE(0, 100, 0, inner == 2 ? 4 + 1 : 4, 4);
        AHEAD_ARE(3, 100.0 * (double)inner, 0.25, 0.25);
    }
}

/* Two loops, each with a chain of its own: 4 and 10 long, in blocks that take 1 and 8. A block in the second that is
 * never executed takes no time. */
static void each_loop_has_its_chain(void **state)
{
    (void)state;
    begin();
    uint32_t one = loop(0, NO, 100, 100), two = loop(1, NO, 50, 50);
    block(0, 0, one, 100);
    put("phi.i32", 1, NO);
    put("mul.i32", 0, NO);
    block(0, 1, two, 50);
    put("phi.i32", 3, NO);
    put("sdiv.i32", 2, NO);
    block(0, 2, two, 0);
    put("sdiv.i32", NO, NO);
    AHEAD_ARE(0, 100, 0, 4);
    AHEAD_ARE(2, 50, 0, 10, 0);
}

/* A loop that is never entered. */
static void loops_that_are_not_entered(void **state)
{
    (void)state;
    begin();
    uint32_t l = loop(0, NO, 0, 0);
    block(0, 0, l, 0);
    put("phi.i32", 1, NO);
    put("mul.i32", 0, NO);
    block(0, 1, NO, 10);
    put("add.i32", NO, NO);
    AHEAD_ARE(0, 1, 0, 0, 2.5);
}

/* Best and worst have chains of their own: of sdiv 9, 10 and 14, each 8 in its unit. */
static void chains_of_best_and_worst(void **state)
{
    (void)state;
    struct costs c = {.core = xstrdup("Core")};
    value(&c, "add", 0.25, 1);
    value(&c, "br", 0.25, 1);
    costs_add(&c, "sdiv", (struct cycles){8, 8, 8}, (struct cycles){9, 10, 14});
    begin();
    uint32_t l = loop(0, NO, 100, 100);
    block(0, 0, l, 100);
    put("phi.i32", 1, NO);
    put("sdiv.i32", 0, NO);
    struct estimate *est = estimated(&c);
    assert_true(est->parts[1].best == 900 && est->parts[1].typical == 1000 && est->parts[1].worst == 1400);
    estimate_free(est);
    costs_release(&c);
}

/* A variable in memory: each iteration takes its store, 5 until the load has it, and the addition; three instructions
 * and the branch take 1. The load has no part in it. */
static void variables_go_round_by_their_store(void **state)
{
    (void)state;
    begin();
    block(0, 0, NO, 1);
    uint32_t variable = put("alloca.ptr", NO, NO);
    uint32_t l = loop(1, NO, 100, 100);
    block(0, 1, l, 100);
    uint32_t loaded = put("load.i32", ADDRESS | variable, NO), sum = put("add.i32", loaded, NO);
    put("store.i32", sum, ADDRESS | variable);
    put("br.cond", NO, NO);
    struct costs c = some_costs(true);
    struct estimate *est = estimated(&c);
    static const double each[] = {0.25, 0.25 + 5.0 / 6, 0.25 + 5 * 5.0 / 6, 0.25};
    for (size_t i = 0; i < 4; i++)
        assert_true(fabs(est->parts[1 + i].typical - 100 * each[i]) < 0.01);
    estimate_free(est);
    costs_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_at_a_time_go_ahead),
        cmocka_unit_test(nothing_waits_in_a_block),
        cmocka_unit_test(the_busiest_unit_counts),
        cmocka_unit_test(units_are_busy_at_a_time),
        cmocka_unit_test(nothing_costs_nothing),
        cmocka_unit_test(loops_take_at_least_their_chain),
        cmocka_unit_test(waits_are_shared_along_the_chain),
        cmocka_unit_test(short_chains_do_not_matter),
        cmocka_unit_test(what_is_not_executed_each_time_counts_by_its_share),
        cmocka_unit_test(no_share_is_more_than_the_whole),
        cmocka_unit_test(inner_loops_take_time_of_outer_ones),
        cmocka_unit_test(each_loop_has_its_chain),
        cmocka_unit_test(loops_that_are_not_entered),
        cmocka_unit_test(chains_of_best_and_worst),
        cmocka_unit_test(variables_go_round_by_their_store),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
