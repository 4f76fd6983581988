/* When instructions issue: the cycles of each instruction of small blocks, derived cycle by cycle from the values in
 * schedule_example.h (two a cycle; additions Latency 1, loads Pitch 1 and Latency 3, mul 1 and 4, sdiv 8 and 10, call 6
 * and 20) and the rules in docs/method/estimating.md. "l 0" is: l issues at cycle 0. */
#include "tests/unit/estimate/schedule_example.h"

/* add 0, and 0.5, or 1, xor 1.5: each keeps the next from issuing for half a cycle. */
static void two_a_cycle(void **state)
{
    (void)state;
    begin();
    block(0, 0, NO, 10);
    put("add.i32", NO, NO);
    put("and.i32", NO, NO);
    put("or.i32", NO, NO);
    put("xor.i32", NO, NO);
    IN_ORDER_ARE(0, 10, 0.5, 0.5, 0.5, 0.5);
}

/* The least Pitch of an addition's kind is the issue pitch, here 0.25; each kind has its own Pitch besides: add 0, add
 * 0.5 (0.25 for what it occupies, 0.25 waited), xor 0.75, xor 1. */
static void the_least_pitch_is_the_issues(void **state)
{
    (void)state;
    struct costs c = {.core = xstrdup("Core")};
    value(&c, "xor", 0.25, 0.5);
    value(&c, "add", 0.5, 0.5);
    begin();
    block(0, 0, NO, 1);
    put("add.i32", NO, NO);
    put("add.i32", NO, NO);
    put("xor.i32", NO, NO);
    put("xor.i32", NO, NO);
    struct estimate *est = estimated(&c);
    CYCLES_ARE(est, 0, 1, 0.25, 0.5, 0.25, 0.25);
    estimate_free(est);
    costs_release(&c);
}

/* l 0, its user 3 (2.5 waited), what is after 3.5, the branch 4: not optimised, so the order is that of the code. */
static void nothing_overtakes(void **state)
{
    (void)state;
    begin();
    block(0, 0, NO, 1);
    uint32_t l = put("load.i32", NO, NO);
    put("add.i32", l, NO);
    put("and.i32", NO, NO);
    put("br.cond", NO, NO);
    keeps_variables(0);
    IN_ORDER_ARE(0, 1, 0.5, 3.0, 0.5, 0.5);
}

/* A branch is predicted, and needs what it tests an addition's Latency later than an addition would: compared 3, the branch
 * 3.5 though the comparison's result is there at 4; without a comparison at 2. Nothing else comes earlier for it. */
static void branches_wait_less(void **state)
{
    (void)state;
    for (int compares = 0; compares < 2; compares++) {
        begin();
        block(0, 0, NO, 10);
        uint32_t l = put("load.i32", NO, NO);
        if (compares) {
            uint32_t c = put_constant("icmp.i32", l, NO, IRPROF_CONSTANT);
            put("br.cond", c, NO);
            IN_ORDER_ARE(0, 10, 0.5, 3, 0.5);
        } else {
            put("br.cond", l, NO);
            IN_ORDER_ARE(0, 10, 0.5, 2);
        }
    }
}

/* Of two operands the later one counts, whichever stands first: l 0, m 1 (a load each cycle), so that l is there at 3
 * and m at 4. */
static void the_later_operand_counts(void **state)
{
    (void)state;
    for (int swapped = 0; swapped < 2; swapped++) {
        begin();
        block(0, 0, NO, 1);
        uint32_t l = put("load.i32", NO, NO), m = put("load.i32", NO, NO);
        put("add.i32", swapped ? m : l, swapped ? l : m);
        keeps_variables(0);
        IN_ORDER_ARE(0, 1, 0.5, 1.0, 3.0);
    }
}

/* l 0; the extension is what the load does, freeze is a name: no cycle, and what they hand on is there at 3. */
static void waits_go_through_what_makes_no_code(void **state)
{
    (void)state;
    begin();
    block(0, 0, NO, 1);
    uint32_t l = put("load.i32", NO, NO), wide = put("zext.i64", l, NO), name = put("freeze.i64", wide, NO);
    put("add.i64", name, NO);
    keeps_variables(0);
    IN_ORDER_ARE(0, 1, 0.5, 0, 0, 3.0);
}

/* sdiv 0, sdiv 8 (7.5 waited): the divider takes one in 8 cycles. Another kind does not wait for it: udiv 8.5. */
static void units_take_one_a_pitch(void **state)
{
    (void)state;
    begin();
    block(0, 0, NO, 1);
    put("sdiv.i32", NO, NO);
    put("sdiv.i32", NO, NO);
    put("udiv.i32", NO, NO);
    IN_ORDER_ARE(0, 1, 0.5, 8.0, 0.5);
}

/* Nothing leads from one to the other: the divider is free, both times. */
static void functions_do_not_wait_for_each_other(void **state)
{
    (void)state;
    begin();
    for (uint32_t f = 0; f < 2; f++) {
        block(f, 0, NO, 7);
        put("sdiv.i32", NO, NO);
        put("br.cond", NO, NO);
    }
    IN_ORDER_ARE(0, 7, 0.5, 0.5, 0.5, 0.5);
}

/* Block 0: l 0, d 0.5, br 1, up to 1.5. After it: l's user 3 (1.5 waited), up to 3.5; sdiv when d's unit is free, at
 * 8.5 (5 waited), up to 9; br 9. Without an edge between them nothing waits. */
static void behind_the_block_before(void **state)
{
    (void)state;
    for (int taken = 0; taken < 2; taken++) {
        begin();
        block(0, 0, NO, 10);
        uint32_t l = put("load.i32", NO, NO);
        put("sdiv.i32", NO, NO);
        put("br.cond", NO, NO);
        block(0, 1, NO, 10);
        put("add.i32", l, NO);
        put("sdiv.i32", NO, NO);
        put("br.cond", NO, NO);
        edge(0, 0, 1, IRPROF_EDGE_JUMP, taken ? 10 : 0);
        if (taken)
            IN_ORDER_ARE(0, 10, 0.5, 0.5, 0.5, 2.0, 5.5, 0.5);
        else
            IN_ORDER_ARE(0, 10, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5);
    }
}

/* Two ways lead to the last block's division: after block 0 it waits for that one's (0, br 0.5, up to 1; at 8: 7
 * waited), after block 1 for nothing. The way that was taken oftener counts; of two alike, the first. */
static void behind_the_block_that_leads_there_most_often(void **state)
{
    (void)state;
    static const uint64_t taken[][2] = {{10, 20}, {20, 10}, {15, 15}};
    static const double waits[] = {0.5, 7.5, 7.5};
    for (size_t k = 0; k < 3; k++) {
        begin();
        block(0, 0, NO, taken[k][0]);
        put("sdiv.i32", NO, NO);
        put("br.cond", NO, NO);
        block(0, 1, NO, taken[k][1]);
        put("and.i32", NO, NO);
        put("br.cond", NO, NO);
        block(0, 2, NO, 30);
        put("sdiv.i32", NO, NO);
        put("br.cond", NO, NO);
        edge(0, 0, 2, IRPROF_EDGE_JUMP, taken[k][0]);
        edge(0, 1, 2, IRPROF_EDGE_JUMP, taken[k][1]);
        edge(0, 5, 2, IRPROF_EDGE_JUMP, 50); /* from where nothing is counted: nobody knows what was underway */
        edge(0, 2, 6, IRPROF_EDGE_JUMP, 50);
        IN_ORDER_ARE(4, 30, waits[k], 0.5);
    }
}

/* Three blocks before count: block 0 begins a division at 0, the blocks after it take a cycle each, and the last one's
 * division waits until the divider is free at 8. Of a block four before nothing is underway, nor of another function. */
static void three_blocks_before_count(void **state)
{
    (void)state;
    for (uint32_t before = 1; before <= 4; before++) {
        begin();
        for (uint32_t b = 0; b <= before; b++) {
            block(0, b, NO, 10);
            put(b == 0 || b == before ? "sdiv.i32" : "and.i32", NO, NO);
            put("br.cond", NO, NO);
        }
        for (uint32_t b = 0; b < before; b++)
            edge(0, b, b + 1, IRPROF_EDGE_JUMP, 10);
        IN_ORDER_ARE(2 * before, 10, before <= 3 ? 8 - before + 0.5 : 0.5, 0.5);
    }
}

/* A loop of A, B and C, of which B is left out now and then: C divides what its last division left, B multiplies it. For
 * B: C (sdiv 1, there at 11), A up to 3, then mul 11: 8 waited. For C: C (sdiv 0, there at 10), A up to 2, B (mul 10) up
 * to 11, then sdiv 11. So an iteration takes 11 cycles: 10 for the division, and 1 until C begins the next one. */
static void chains_go_through_the_blocks_of_an_iteration(void **state)
{
    (void)state;
    begin();
    uint32_t l = loop(0, NO, 100, 99);
    block(0, 0, l, 100);
    put("phi.i32", 5, NO);
    put("and.i32", NO, NO);
    put("br.cond", NO, NO);
    block(0, 1, l, 90);
    put("mul.i32", 0, NO);
    put("br.cond", NO, NO);
    block(0, 2, l, 100);
    put("sdiv.i32", 0, NO);
    put("br.cond", NO, NO);
    edge(0, 0, 1, IRPROF_EDGE_TRUE, 90);
    edge(0, 0, 2, IRPROF_EDGE_FALSE, 10);
    edge(0, 1, 2, IRPROF_EDGE_JUMP, 90);
    edge(0, 2, 0, IRPROF_EDGE_JUMP, 99);
    IN_ORDER_ARE(0, 100, 0, 0.5, 0.5);
    IN_ORDER_ARE(3, 90, 8.5, 0.5);
    IN_ORDER_ARE(5, 100, 0.5, 0.5);
}

/* Each iteration multiplies what the one before did: mul 0, br 0.5; mul 4, br 4.5, up to 5; then mul 8: 3 waited. */
static void loops_wait_for_the_iteration_before(void **state)
{
    (void)state;
    begin();
    uint32_t l = loop(0, NO, 100, 99);
    block(0, 0, l, 100);
    put("phi.i32", 1, NO);
    put("mul.i32", 0, NO);
    put("br.cond", NO, NO);
    edge(0, 0, 0, IRPROF_EDGE_TRUE, 99);
    IN_ORDER_ARE(0, 100, 0, 3.5, 0.5);
}

/* Each iteration multiplies what the one before the last did, so that two products are underway: mul 0, 1 (a
 * multiplication each cycle), 4 and 5, which is what the iteration after three others is: 0.5 up to the branch at 5.5.
 * With the product of the iteration before it would wait until 12. Whichever phi stands first: both take what was there
 * when the iteration began. */
static void loops_wait_for_the_iteration_before_the_last(void **state)
{
    (void)state;
    for (uint32_t old = 0; old < 2; old++) {
        begin();
        uint32_t l = loop(0, NO, 100, 99);
        block(0, 0, l, 100);
        put("phi.i32", old == 0 ? 1 : 2, NO);
        put("phi.i32", old == 0 ? 2 : 0, NO);
        put("mul.i32", old, NO);
        put("br.cond", NO, NO);
        edge(0, 0, 0, IRPROF_EDGE_TRUE, 99);
        IN_ORDER_ARE(0, 100, 0, 0, 0.5, 0.5);
    }
}

/* A loop of two blocks, A and B; A's multiplication takes A's last one. For A: B up to 1 (and 0, br 0.5), A: mul 1, br
 * 1.5, B: up to 3, then A: mul 5, 2 waited. For B (after A, B, A): nothing waits. */
static void loops_of_two_blocks_go_round_both(void **state)
{
    (void)state;
    begin();
    uint32_t l = loop(0, NO, 100, 99);
    block(0, 0, l, 100);
    put("phi.i32", 1, NO);
    put("mul.i32", 0, NO);
    put("br.cond", NO, NO);
    block(0, 1, l, 100);
    put("and.i32", NO, NO);
    put("br.cond", NO, NO);
    edge(0, 0, 1, IRPROF_EDGE_TRUE, 100);
    edge(0, 1, 0, IRPROF_EDGE_JUMP, 99);
    IN_ORDER_ARE(0, 100, 0, 2.5, 0.5, 0.5, 0.5);
}

/* A's multiplication takes the quotient that B made two iterations ago. For A: B (sdiv 0, there at 10), A (mul 1), B
 * (sdiv 8, when the divider is free, up to 9), then mul 10, 1 waited. For B: A, B (sdiv 1), A up to 3, then sdiv 9, 6
 * waited. */
static void loops_of_two_blocks_remember_two_rounds(void **state)
{
    (void)state;
    begin();
    uint32_t l = loop(0, NO, 100, 99);
    block(0, 0, l, 100);
    put("phi.i32", 1, NO);
    put("phi.i32", 4, NO);
    put("mul.i32", 0, NO);
    put("br.cond", NO, NO);
    block(0, 1, l, 100);
    put("sdiv.i32", NO, NO);
    put("br.cond", NO, NO);
    edge(0, 0, 1, IRPROF_EDGE_TRUE, 100);
    edge(0, 1, 0, IRPROF_EDGE_JUMP, 99);
    IN_ORDER_ARE(0, 100, 0, 0, 1.5, 0.5, 6.5, 0.5);
}

/* A division by a constant: three instructions; its result is there when a multiplication and a shift are done: 4 + 1.
 * sdiv 0, up to 1.5; its user 5. */
static void divisions_by_constants_are_multiplications(void **state)
{
    (void)state;
    begin();
    block(0, 0, NO, 1);
    uint32_t d = put_constant("sdiv.i32", NO, NO, IRPROF_CONSTANT);
    put("add.i32", d, NO);
    IN_ORDER_ARE(0, 1, 2, 4.5); /* a multiplication of 4, a shift, an addition */
}

/* AArch64 has no remainder: a product is subtracted when the quotient is there. The remainder is there at 14, so the
 * quotient, without the product's 4 cycles, at 10: the division at 0, the subtraction at 10, then the addition 10.5. On
 * RISC-V, which has one, and on a core that executes out of order, the addition is the next instruction. */
static void remainders_hold_up_what_follows(void **state)
{
    (void)state;
    static const char *const targets[] = {"aarch64-linux-gnu", "riscv64-linux-gnu", ""};
    for (int ahead = 0; ahead < 2; ahead++)
        for (size_t k = 0; k < 3; k++) {
            struct costs c = some_costs(ahead);
            value(&c, "urem", 8, 14);
            begin();
            x.module.target = (char *)targets[k];
            block(0, 0, NO, 1);
            uint32_t r = put("urem.i32", NO, NO);
            put("add.i32", NO, NO);
            put("and.i32", r, NO);
            put("br.cond", NO, NO);
            keeps_variables(0);
            struct estimate *est = estimated(&c);
            if (!ahead && k == 0) {
                CYCLES_ARE(est, 0, 1, 10.5, 0.5, 3.5, 0.5);
                assert_true(est->causes[0].at[CAUSE_ISSUE] == 1);
                assert_true(est->causes[0].at[CAUSE_INTEGER] == 9.5);
            } else if (!ahead) {
                CYCLES_ARE(est, 0, 1, 0.5, 0.5, 13.5, 0.5);
            } else {
                assert_true(est->total.typical == 8);
            }
            estimate_free(est);
            costs_release(&c);
        }
}

/* Nothing is held up by a remainder of vectors, nor by that of 128 bits, which is a call. */
static void only_remainders_of_registers_hold(void **state)
{
    (void)state;
    static const char *const keys[] = {"urem.v4i32", "urem.i128", "udiv.i32"};
    for (size_t k = 0; k < 3; k++) {
        struct costs c = some_costs(false);
        struct schedule s;
        value(&c, "urem", 8, 14);
        value(&c, "udiv", 8, 14);
        begin();
        x.module.target = (char *)"aarch64-linux-gnu";
        block(0, 0, NO, 1);
        put(keys[k], NO, NO);
        open_schedule(&s, &c);
        schedule_code(&s, BOUND_TYPICAL);
        assert_true(s.code[0].holds == 0);
        close_schedule(&s);
        costs_release(&c);
    }
}

/* A return of a function that calls saves two registers at least, each at half a store's and half a load's Pitch, here
 * 2 and 3; where the file has neither, at the issue pitch. */
static void returns_save_registers(void **state)
{
    (void)state;
    for (int known = 0; known < 2; known++) {
        struct costs c = {.core = xstrdup("Core")};
        value(&c, "add", 0.5, 1);
        value(&c, "call", 6, 6);
        value(&c, "ret", 0.5, 1);
        if (known) {
            value(&c, "store", 2, 5);
            value(&c, "load", 3, 3);
        }
        begin();
        block(0, 0, NO, 1);
        put("call.direct", NO, NO);
        put("ret", NO, NO);
        struct estimate *est = estimated(&c);
        CYCLES_ARE(est, 0, 1, 6, known ? 0.5 + 5 : 0.5 + 1);
        estimate_free(est);
        costs_release(&c);
    }
}

/* On AArch64 an addition shifts an operand by a constant on its way, half a shift's Latency later: l 0, the addition
 * 3.5. */
static void shifts_on_the_way_take_time(void **state)
{
    (void)state;
    begin();
    x.module.target = (char *)"aarch64-linux-gnu";
    block(0, 0, NO, 1);
    uint32_t l = put("load.i32", NO, NO), shift = put_constant("shl.i32", l, NO, IRPROF_CONSTANT);
    put("add.i32", shift, NO);
    put("br.cond", NO, NO);
    IN_ORDER_ARE(0, 1, 0.5, 0, 3.5, 0.5);
}

/* d 0, the call 0.5 up to 6.5. After it nothing is underway: the result of d, its unit and the call's own result (at
 * 20.5) are not waited for. */
static void calls_forget_what_is_underway(void **state)
{
    (void)state;
    begin();
    block(0, 0, NO, 1);
    uint32_t d = put("sdiv.i32", NO, NO), call = put("call.direct", NO, NO);
    put("add.i32", d, call);
    put("sdiv.i32", NO, NO);
    put("br.cond", NO, NO);
    IN_ORDER_ARE(0, 1, 0.5, 6.0, 0.5, 0.5, 0.5);
}

/* l 0, the call when its argument is there, 3, up to 9: what waits is the call's. */
static void calls_wait_for_their_arguments(void **state)
{
    (void)state;
    begin();
    block(0, 0, NO, 1);
    uint32_t l = put("load.i32", NO, NO);
    put("call.direct", l, NO);
    put("br.cond", NO, NO);
    IN_ORDER_ARE(0, 1, 0.5, 8.5, 0.5);
}

/* A call whose Pitch is less than the issue pitch is an instruction all the same. */
static void calls_are_instructions(void **state)
{
    (void)state;
    struct costs c = {.core = xstrdup("Core")};
    value(&c, "add", 0.5, 1);
    value(&c, "call", 0.25, 0.25);
    begin();
    block(0, 0, NO, 1);
    put("call.direct", NO, NO);
    put("call.direct", NO, NO);
    struct estimate *est = estimated(&c);
    CYCLES_ARE(est, 0, 1, 0.5, 0.5);
    estimate_free(est);
    costs_release(&c);
}

/* Two ways, of which the load's is longer by its typical Latency, so the load is first at best, too, where it is
 * shorter: typical: l 0, m 0.5, m's user 2.5, l's user 3, br 3.5, up to 4. Best (load 1): l 0, m 0.5, m's user 2.5, l's
 * user 3, up to 4. Worst (load 6): l's user 6, m's user at 2.5, br 6.5, up to 7. */
static void best_and_worst_go_in_the_typical_order(void **state)
{
    (void)state;
    struct costs c = {.core = xstrdup("Core")};
    value(&c, "add", 0.5, 1);
    value(&c, "br", 0.5, 1);
    value(&c, "mul", 1, 2);
    costs_add(&c, "load", (struct cycles){1, 1, 1}, (struct cycles){1, 3, 6});
    begin();
    block(0, 0, NO, 10);
    uint32_t m = put("mul.i32", NO, NO), l = put("load.i32", NO, NO);
    put("add.i32", m, NO);
    put("sub.i32", l, NO);
    put("br.cond", NO, NO);
    struct estimate *est = estimated(&c);
    assert_true(est->total.typical == 10 * 4.0);
    assert_true(est->total.best == 10 * 4.0);
    assert_true(est->total.worst == 10 * 7.0);
    CYCLES_ARE(est, 0, 10, 0.5, 0.5, 2.0, 0.5, 0.5);
    assert_true(est->parts[3].best == 10 * 0.5 && est->parts[3].worst == 10 * 3.5);
    estimate_free(est);
    costs_release(&c);
}

/* Optimised: l 0, what does not wait 0.5, l's user 3 (2 waited), br 3.5. A region that begins after the load, or ends
 * there, has of this what it executes. */
static void regions_begin_and_end_within_blocks(void **state)
{
    (void)state;
    static const uint64_t times[][2] = {{10, 10}, {10, 0}, {0, 10}, {10, 4}};
    for (size_t k = 0; k < 4; k++) {
        begin();
        block(0, 0, NO, times[k][0]);
        uint32_t l = put("load.i32", NO, NO);
        half(times[k][1]);
        put("add.i32", l, NO);
        put("and.i32", NO, NO);
        put("br.cond", NO, NO);
        IN_ORDER_ARE(0, (double)times[k][0], 0.5);
        IN_ORDER_ARE(1, (double)times[k][1], 2.5, 0.5, 0.5);
    }
}

/* Numbers of blocks have gaps, and begin again in each function. */
static void blocks_are_found_by_their_number(void **state)
{
    (void)state;
    static const uint32_t places[][2] = {{0, 0}, {0, 2}, {0, 5}, {2, 1}, {2, 3}};
    static const uint32_t nowhere[][2] = {{0, 1}, {0, 3}, {0, 6}, {1, 0}, {1, 9}, {2, 0}, {2, 2}, {2, 4}};
    struct costs c = some_costs(false);
    struct schedule s;
    begin();
    for (size_t i = 0; i < 5; i++) {
        block(places[i][0], places[i][1], NO, 1);
        put("add.i32", NO, NO);
    }
    open_schedule(&s, &c);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(schedule_find_block(&s, places[i][0], places[i][1]), i);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(schedule_find_block(&s, nowhere[i][0], nowhere[i][1]), IRPROF_NONE);
    close_schedule(&s);
    costs_release(&c);
    struct block none[1] = {0};
    const struct schedule without = {.p = s.p, .blocks = none}; /* nothing was counted */
    assert_int_equal(schedule_find_block(&without, 0, 0), IRPROF_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_a_cycle),
        cmocka_unit_test(branches_wait_less),
        cmocka_unit_test(the_least_pitch_is_the_issues),
        cmocka_unit_test(nothing_overtakes),
        cmocka_unit_test(the_later_operand_counts),
        cmocka_unit_test(waits_go_through_what_makes_no_code),
        cmocka_unit_test(units_take_one_a_pitch),
        cmocka_unit_test(functions_do_not_wait_for_each_other),
        cmocka_unit_test(behind_the_block_before),
        cmocka_unit_test(behind_the_block_that_leads_there_most_often),
        cmocka_unit_test(three_blocks_before_count),
        cmocka_unit_test(chains_go_through_the_blocks_of_an_iteration),
        cmocka_unit_test(loops_wait_for_the_iteration_before),
        cmocka_unit_test(loops_wait_for_the_iteration_before_the_last),
        cmocka_unit_test(loops_of_two_blocks_go_round_both),
        cmocka_unit_test(loops_of_two_blocks_remember_two_rounds),
        cmocka_unit_test(divisions_by_constants_are_multiplications),
        cmocka_unit_test(remainders_hold_up_what_follows),
        cmocka_unit_test(only_remainders_of_registers_hold),
        cmocka_unit_test(returns_save_registers),
        cmocka_unit_test(shifts_on_the_way_take_time),
        cmocka_unit_test(calls_forget_what_is_underway),
        cmocka_unit_test(calls_wait_for_their_arguments),
        cmocka_unit_test(calls_are_instructions),
        cmocka_unit_test(best_and_worst_go_in_the_typical_order),
        cmocka_unit_test(regions_begin_and_end_within_blocks),
        cmocka_unit_test(blocks_are_found_by_their_number),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
