/* The method compiled: cycles of each instruction. All of them derived by hand, on a core of round figures that issues
 * one instruction a cycle: a product is there after 4 cycles, an address is needed 2 cycles early, 10 cycles lie between a
 * mispredicted branch and what follows it, a line from memory takes 110 cycles; lines of 64 bytes. */
#include "tests/unit/estimate/compiled/cost_example.h"

#include <math.h>

static void check_array(const char *what, const double *got, const double *expected, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (got[i] > expected[i] + 1e-9 || got[i] < expected[i] - 1e-9)
            fail_msg("%s of instruction %zu: %g, not %g", what, i, got[i], expected[i]);
}
#define CHECK(what, function, ...)                                                                                     \
    check_array(#what, it.costs[function].what, (const double[]){__VA_ARGS__},                                         \
                sizeof(double[]){__VA_ARGS__} / sizeof(double))

static void check_spent(size_t function, size_t i, const double *expected)
{
    for (int k = 0; k < ISS_WAITS; k++)
        if (fabs(it.costs[function].spent[i][k] - expected[k]) > 1e-9)
            fail_msg("instruction %zu: %g cycles of wait %d, not %g", i, it.costs[function].spent[i][k], k,
                     expected[k]);
}
#define SPENT(function, i, ...) check_spent(function, i, (const double[ISS_WAITS]){__VA_ARGS__})

/* A node, a loop of `rounds` rounds and a return: of the words that were given, the first, those between, the last. */
static void loop(size_t n, double rounds)
{
    add_node_of(1, NODE_FALLS, 1);
    add_node_of(n - 2, NODE_BRANCHES, rounds);
    add_node_of(1, NODE_LEAVES, 1);
    add_move(0, 1, 1);
    add_move(1, 1, rounds - 1);
    add_move(1, 2, 1);
}

/* The product waits for the one of the round before: 4 cycles a round, of which the branch is one. In the first round it
 * comes right behind the instruction before the loop. */
static void test_loop(void **state)
{
    (void)state;
    begin_program();
    FUNCTION(ADDI(12, 12, 1), MUL(12, 12, 12), BNE(5, 6, 4), RET);
    loop(4, 10);
    find_costs(ISS_QUOTIENT_MEAN);
    assert_float_equal(it.costs[0].cycles[1], 1 + 9 * 3, 1e-9);
    assert_float_equal(it.costs[0].cycles[2], 10, 1e-9);
    assert_float_equal(it.costs[0].cycles[3], 1, 1e-9);
    /* a cycle for each to issue; the two others are waited for the product */
    SPENT(0, 1, [ISS_WAIT_ISSUE] = 10, [ISS_WAIT_INTEGER] = 9 * 2);
    SPENT(0, 2, [ISS_WAIT_ISSUE] = 10);
    CHECK(mispredicted, 0, 0, 0, 0, 0);
    CHECK(doubtful, 0, 0, 0, 0, 0);
    CHECK(near, 0, 0, 0, 0, 0);
    CHECK(far, 0, 0, 0, 0, 0);
    end_program();
}

/* What a misprediction adds is what is not waited for the product anyhow: 10 - 3. */
static void test_mispredictions(void **state)
{
    (void)state;
    begin_program();
    FUNCTION(ADDI(12, 12, 1), MUL(12, 12, 12), BNE(5, 6, 4), RET);
    loop(4, 10);
    struct flow_move *m = add_move(1, 1, 9);
    m->mispredicted = 2;
    m->doubtful = 5;
    add_move(1, 2, 1)->doubtful = 1;
    find_costs(ISS_QUOTIENT_MEAN);
    assert_float_equal(it.costs[0].cycles[1], 1 + 9 * 3, 1e-9);
    CHECK(mispredicted, 0, 0, 2 * 7, 0, 0);
    CHECK(doubtful, 0, 0, 5 * 7, 0, 1 * 9);
    end_program();
}

/* The product is waited for two nodes behind the branch: at 4 in any case, at 12 where the branch is mispredicted. In the
 * node behind the branch alone it would be 11 for 2. */
static void test_misprediction_of_a_later_wait(void **state)
{
    (void)state;
    begin_program();
    FUNCTION(MUL(12, 12, 12), BNE(5, 6, 12), ADDI(7, 7, 1), ADDI(12, 12, 1), RET);
    add_node_of(2, NODE_BRANCHES, 1);
    add_node_of(1, NODE_FALLS, 1);
    add_node_of(2, NODE_LEAVES, 1);
    add_move(0, 1, 1)->mispredicted = 1;
    add_move(1, 2, 1);
    find_costs(ISS_QUOTIENT_MEAN);
    CHECK(mispredicted, 0, 0, 0, 12 - 4, 0, 0);
    end_program();
}

/* In the first round nothing is known of the address before; then it goes on by 8 of a line's 64 bytes, forwards or
 * backwards; by 128 each access is of another line. */
static void test_strides(void **state)
{
    (void)state;
    static const struct {
        uint32_t load, step;
        double near, far;
    } rows[] = {
        {LD(5, 10, 0), ADDI(10, 10, 8), 9.0 / 8, 1},
        {LD(5, 10, 0), ADDI(10, 10, 0xff8), 9.0 / 8, 1},
        {SD(5, 10), ADDI(10, 10, 8), 9.0 / 8, 1},
        {LD(5, 10, 0), ADDI(10, 10, 64), 9, 1},
        {LD(5, 10, 0), ADDI(10, 10, 128), 0, 10},
        {LD(5, 10, 0), ADDI(10, 10, 0xf80), 0, 10},
        {LD(5, 10, 0), ADDI(11, 11, 1), 0, 1},
        {LD(10, 10, 0), ADDI(11, 11, 1), 0, 10}, /* from memory: anywhere */
        {LD(5, 2, 16), ADDI(2, 2, 8), 0, 0},     /* on the stack */
        {MUL(5, 10, 10), ADDI(10, 10, 8), 0, 0}, /* none */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin_program();
        FUNCTION(ADDI(7, 7, 1), rows[i].load, rows[i].step, BNE(5, 6, 8), RET);
        loop(5, 10);
        find_costs(ISS_QUOTIENT_MEAN);
        CHECK(near, 0, 0, rows[i].near, 0, 0, 0);
        CHECK(far, 0, 0, rows[i].far, 0, 0, 0);
        end_program();
    }
}

/* Which share of its latency is waited for, when each load that may be from anywhere misses. */
static void test_waits(void **state)
{
    (void)state;
    static const struct {
        uint32_t words[3];
        double first, second;
    } rows[] = {
        /* Each address is the value before: all of it, in the first round too, which waits for nothing itself. */
        {{LD(10, 10, 0), ADDI(12, 10, 0), ADDI(13, 13, 1)}, 10, 0},
        {{LD(5, 10, 0), ADDI(10, 10, 128), ADDI(13, 5, 1)}, 10, 0},
        /* Nobody takes the value. */
        {{LD(5, 10, 0), ADDI(10, 10, 128), ADDI(13, 13, 1)}, 0, 0},
        /* Two at a time: the second comes right behind the first, half of both is waited for. */
        {{LD(5, 10, 0), LD(6, 10, 8), ADDI(10, 6, 0)}, 5, 5},
        /* A store waits for nothing. */
        {{SD(5, 10), ADDI(10, 10, 128), ADDI(13, 5, 1)}, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin_program();
        FUNCTION(ADDI(7, 7, 1), rows[i].words[0], rows[i].words[1], rows[i].words[2], BNE(15, 16, 12), RET);
        loop(6, 10);
        find_costs(ISS_QUOTIENT_MEAN);
        assert_float_equal(it.costs[0].waits[1], rows[i].first, 0.05 * rows[i].first);
        assert_float_equal(it.costs[0].waits[2], rows[i].second, 0.05 * rows[i].second);
        CHECK(waits, 0, 0, it.costs[0].waits[1], it.costs[0].waits[2], 0, 0, 0);
        end_program();
    }
}

/* No load is waited for longer than it takes: what the node before has loaded is not this one's. */
static void test_waits_for_others(void **state)
{
    (void)state;
    begin_program();
    FUNCTION(ADDI(7, 7, 1), LD(6, 6, 0), ADDI(12, 6, 0), LD(5, 5, 0), ADDI(13, 5, 0), BNE(15, 16, 16), RET);
    add_node_of(1, NODE_FALLS, 1);
    add_node_of(1, NODE_FALLS, 10);
    add_node_of(4, NODE_BRANCHES, 10);
    add_node_of(1, NODE_LEAVES, 1);
    add_move(0, 1, 1);
    add_move(1, 2, 10);
    add_move(2, 1, 9);
    add_move(2, 3, 1);
    find_costs(ISS_QUOTIENT_MEAN);
    CHECK(waits, 0, 0, 0, 0, 10, 0, 0, 0);
    end_program();
}

/* Divisions of unknown operands of 32 bits: 3 cycles and one for 2 bits of the quotient, 12 at most. It has 32 / 6 bits on
 * the average, none or all at the ends. */
static void test_quotients(void **state)
{
    (void)state;
    static const double rounds[] = {[ISS_QUOTIENT_SHORT] = 3, [ISS_QUOTIENT_MEAN] = 3 + 3, [ISS_QUOTIENT_LONG] = 12};
    for (int q = ISS_QUOTIENT_MEAN; q <= ISS_QUOTIENT_LONG; q++) {
        begin_program();
        FUNCTION(ADDI(7, 7, 1), DIVUW(5, 5, 6), BNE(15, 16, 4), RET);
        loop(4, 11);
        find_costs((enum iss_quotient)q);
        assert_float_equal((it.costs[0].cycles[1] - 1) / 10 + 1, rounds[q], 1e-9);
        end_program();
    }
}

/* ---- calls ---- */

/* f: executed once, a call of the next function `calls` times, and an addition of what that leaves in x1. */
static void caller(double calls)
{
    FUNCTION(CALL(FUNCTION_BYTES), ADDI(3, 12, 1), RET);
    add_node_of(1, NODE_CALLS, calls);
    add_node_of(2, NODE_LEAVES, calls);
    add_move(0, 1, calls);
    it.nodes[0][0].callee = address_of(1);
}

/* Behind a call comes what the called function ends with: the product is there 4 cycles after its issue, and the return
 * has taken one. */
static void test_call(void **state)
{
    (void)state;
    begin_program();
    caller(10);
    FUNCTION(MUL(12, 1, 5), RET);
    add_node_of(2, NODE_LEAVES, 10);
    find_costs(ISS_QUOTIENT_MEAN);
    assert_float_equal(it.costs[0].cycles[1], 10 * 3, 1e-9);
    assert_float_equal(it.costs[0].cycles[2], 10, 1e-9);
    assert_float_equal(it.costs[1].cycles[1], 10, 1e-9);
    end_program();
}

/* The called function is left by two ways: the one that is gone most often stands for it; so does a jump to a third
 * function, which is left in its own way. */
static void test_ways_out(void **state)
{
    (void)state;
    static const double shares[][2] = {{3, 7}, {7, 3}};
    for (size_t i = 0; i < 2; i++) {
        begin_program();
        caller(10);
        FUNCTION(BNE(5, 6, 4), RET, MUL(12, 1, 5), RET);
        add_node_of(1, NODE_BRANCHES, 10);
        add_node_of(1, NODE_LEAVES, shares[i][0]);
        add_node_of(2, NODE_LEAVES, shares[i][1]);
        add_move(0, 1, shares[i][0]);
        add_move(0, 2, shares[i][1]);
        find_costs(ISS_QUOTIENT_MEAN);
        assert_float_equal(it.costs[0].cycles[1], i ? 10 : 10 * 3, 1e-9);
        end_program();
    }
    begin_program();
    caller(10);
    FUNCTION(MUL(12, 1, 5), JUMP(FUNCTION_BYTES - 4));
    add_node_of(2, NODE_TAIL, 10);
    it.nodes[1][0].callee = address_of(2);
    FUNCTION(ADDI(4, 4, 1), RET);
    add_node_of(2, NODE_LEAVES, 10);
    find_costs(ISS_QUOTIENT_MEAN);
    /* jump, addition, return: the product is there with the instruction after */
    assert_float_equal(it.costs[0].cycles[1], 10, 1e-9);
    assert_float_equal(it.costs[2].cycles[0], 10, 1e-9);
    end_program();
}

/* Jumps for good are followed five functions deep. The last one there ends with a product, or the one behind it. */
static void test_depth_of_jumps(void **state)
{
    (void)state;
    for (size_t last = 6; last <= 7; last++) {
        begin_program();
        caller(10);
        for (size_t i = 1; i < last; i++) {
            FUNCTION(ADDI(4, 4, 1), JUMP(FUNCTION_BYTES - 4));
            add_node_of(2, NODE_TAIL, 10);
            it.nodes[i][0].callee = address_of(i + 1);
        }
        FUNCTION(MUL(12, 1, 5), RET);
        add_node_of(2, NODE_LEAVES, 10);
        find_costs(ISS_QUOTIENT_MEAN);
        assert_float_equal(it.costs[0].cycles[1], last == 6 ? 10 * 3 : 10, 1e-9);
        end_program();
    }
}

/* A function is entered no more often than it was counted, however often it is said to be called. */
static void test_more_calls_than_entries(void **state)
{
    (void)state;
    begin_program();
    caller(10);
    FUNCTION(ADDI(12, 1, 5), RET);
    add_node_of(2, NODE_LEAVES, 4);
    find_costs(ISS_QUOTIENT_MEAN);
    assert_float_equal(it.costs[1].cycles[0], 4, 1e-9);
    assert_float_equal(it.costs[1].cycles[1], 4, 1e-9);
    end_program();
}

/* Calls through a register enter what nobody calls by name, in the shares of their entries; so also the caller, once.
 * Among four and more they are mispredicted as often as another one came before; among fewer never. */
static void test_register_calls(void **state)
{
    (void)state;
    for (size_t n = 3; n <= 4; n++) {
        begin_program();
        FUNCTION(ADDI(7, 7, 1), CALL_REG(5), BNE(15, 16, 4), RET);
        add_node_of(1, NODE_FALLS, 1);
        add_node_of(1, NODE_CALLS, 13);
        add_node_of(1, NODE_BRANCHES, 13);
        add_node_of(1, NODE_LEAVES, 1);
        add_move(0, 1, 1);
        add_move(1, 2, 13);
        add_move(2, 1, 12);
        add_move(2, 3, 1);
        double entered = 12.0 / (double)n;
        for (size_t i = 0; i < n; i++) {
            FUNCTION(ADDI(4, 4, 1), RET);
            add_node_of(2, NODE_LEAVES, entered);
        }
        find_costs(ISS_QUOTIENT_MEAN);
        for (size_t i = 1; i <= n; i++) {
            assert_float_equal(it.costs[i].cycles[0], entered, 1e-9);
            assert_float_equal(it.costs[i].mispredicted[0], n < 4 ? 0 : entered * (1 - entered / 13) * 9, 1e-9);
            assert_float_equal(it.costs[i].doubtful[0], entered * 9, 1e-9);
        }
        end_program();
    }
}

int main(void)
{
    fixture_open();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_mispredictions),
        cmocka_unit_test(test_misprediction_of_a_later_wait),
        cmocka_unit_test(test_strides),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_waits_for_others),
        cmocka_unit_test(test_quotients),
        cmocka_unit_test(test_call),
        cmocka_unit_test(test_ways_out),
        cmocka_unit_test(test_more_calls_than_entries),
        cmocka_unit_test(test_register_calls),
        cmocka_unit_test(test_depth_of_jumps),
    };
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
