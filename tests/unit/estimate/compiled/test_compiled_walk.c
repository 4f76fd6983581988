/* The method compiled on a core that issues out of order: costs over windows of the executed order. By hand, on a core
 * that dispatches four instructions a cycle, with four ports for everything; a product is there after 4 cycles, 10 lie
 * between a mispredicted branch and what follows it. */
#include "tests/unit/estimate/compiled/cost_example.h"

/* begin_program, on such a core. */
static void begin_wide(void)
{
    begin_program();
    it.model->width = 4;
    it.model->window.reorder = it.model->window.scheduler = 128;
    it.model->window.loads = it.model->window.stores = 64;
    it.model->window.retire = 8;
    it.model->fetch.queue = 64;
    it.model->fetch.taken = it.model->fetch.same_taken = 0;
    for (int i = 0; i < ISS_CLASS_N; i++) {
        struct iss_timing *t = &it.model->timing[i];
        t->n_uses = 1;
        t->use[0] = (struct iss_use){.ports = 15, .busy = 1};
        it.model->timing32[i] = *t;
    }
}

/* A node of one instruction, a loop, a return. */
static void loop(size_t n, double rounds)
{
    add_node_of(1, NODE_FALLS, 1);
    add_node_of(n - 2, NODE_BRANCHES, rounds);
    add_node_of(1, NODE_LEAVES, 1);
    add_move(0, 1, 1);
    add_move(1, 1, rounds - 1);
    add_move(1, 2, 1);
}

static double cycles_of(size_t function, size_t from, size_t n)
{
    double sum = 0;
    for (size_t i = from; i < from + n; i++)
        sum += it.costs[function].cycles[i];
    return sum;
}

static void test_chain(void **state)
{
    (void)state;
    begin_wide();
    FUNCTION(ADDI(12, 12, 1), MUL(12, 12, 12), BNE(5, 6, 4), RET);
    loop(4, 1000);
    find_costs(ISS_QUOTIENT_MEAN);
    assert_float_equal(cycles_of(0, 1, 2), 1000 * 4, 8);
    end_program();
}

/* Eleven instructions are two cycles and three quarters, not two or three. */
static void test_parts_of_cycles(void **state)
{
    (void)state;
    begin_wide();
    FUNCTION(ADDI(5, 0, 1), ADDI(10, 0, 1), ADDI(11, 0, 1), ADDI(12, 0, 1), ADDI(13, 0, 1), ADDI(14, 0, 1),
             ADDI(15, 0, 1), ADDI(16, 0, 1), ADDI(17, 0, 1), ADDI(18, 0, 1), ADDI(19, 0, 1), BNE(5, 6, 40), RET);
    loop(13, 1000);
    find_costs(ISS_QUOTIENT_MEAN);
    assert_float_equal(cycles_of(0, 1, 11), 1000 * 2.75, 40);
    end_program();
}

/* A chain of products goes on while the branch, which does not wait for it, is corrected: with 128 instructions underway
 * nothing is lost. Without a chain all is: 10 cycles, one from dispatch to issue, and what of the cycle's places is left. */
static void test_mispredictions(void **state)
{
    (void)state;
    begin_wide();
    FUNCTION(ADDI(12, 12, 1), MUL(12, 12, 12), BNE(5, 6, 4), RET);
    loop(4, 1000);
    add_move(1, 1, 999)->mispredicted = 10;
    find_costs(ISS_QUOTIENT_MEAN);
    double hidden = it.costs[0].mispredicted[1];
    end_program();
    begin_wide();
    FUNCTION(ADDI(12, 12, 1), ADDI(12, 0, 1), BNE(5, 6, 4), RET);
    loop(4, 1000);
    add_move(1, 1, 999)->mispredicted = 10;
    find_costs(ISS_QUOTIENT_MEAN);
    double seen = it.costs[0].mispredicted[1];
    end_program();
    if (hidden > 1e-9)
        fail_msg("hidden %g", hidden);
    if (seen < 10 * 10 || seen > 10 * 13)
        fail_msg("%g", seen);
}

/* A loop of three rounds in one of hundred: each edge counts as often as it was taken, whatever the walk's windows are. */
static void test_rounds(void **state)
{
    (void)state;
    begin_wide();
    FUNCTION(ADDI(12, 12, 1), MUL(12, 12, 12), BNE(5, 6, 4), MUL(12, 12, 12), BNE(5, 7, 12), RET);
    add_node_of(1, NODE_FALLS, 1);
    add_node_of(2, NODE_BRANCHES, 300);
    add_node_of(2, NODE_BRANCHES, 100);
    add_node_of(1, NODE_LEAVES, 1);
    add_move(0, 1, 1);
    add_move(1, 1, 200);
    add_move(1, 2, 100);
    add_move(2, 1, 99);
    add_move(2, 3, 1);
    find_costs(ISS_QUOTIENT_MEAN);
    assert_float_equal(cycles_of(0, 1, 4), 400 * 4, 16); /* one chain through all products */
    assert_float_equal(cycles_of(0, 1, 2), 300 * 4, 60);
    end_program();
}

/* Two loops call the same function. With the one its product is in a chain of 4 cycles a round; the other one sets its operand anew, so
 * that a round takes the places of five instructions. A walk that comes back to the wrong loop breaks the chain. */
static void test_calls(void **state)
{
    (void)state;
    begin_wide();
    FUNCTION(ADDI(12, 12, 1), CALL(2 * FUNCTION_BYTES - 4), BNE(5, 6, 4), RET);
    add_node_of(1, NODE_FALLS, 1);
    add_node_of(1, NODE_CALLS, 1000);
    add_node_of(1, NODE_BRANCHES, 1000);
    add_node_of(1, NODE_LEAVES, 1);
    add_move(0, 1, 1);
    add_move(1, 2, 1000);
    add_move(2, 1, 999);
    add_move(2, 3, 1);
    it.nodes[0][1].callee = address_of(2);
    FUNCTION(ADDI(12, 12, 1), CALL(FUNCTION_BYTES - 4), ADDI(12, 0, 1), BNE(5, 6, 8), RET);
    add_node_of(1, NODE_FALLS, 1);
    add_node_of(1, NODE_CALLS, 1000);
    add_node_of(2, NODE_BRANCHES, 1000);
    add_node_of(1, NODE_LEAVES, 1);
    add_move(0, 1, 1);
    add_move(1, 2, 1000);
    add_move(2, 1, 999);
    add_move(2, 3, 1);
    it.nodes[1][1].callee = address_of(2);
    FUNCTION(MUL(12, 12, 12), RET);
    add_node_of(2, NODE_LEAVES, 2000);
    find_costs(ISS_QUOTIENT_MEAN);
    assert_float_equal(cycles_of(0, 1, 2) + cycles_of(1, 1, 3) + cycles_of(2, 0, 2), 1000 * 4 + 1000 * 1.25, 260);
    end_program();
}

int main(void)
{
    fixture_open();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chain), cmocka_unit_test(test_parts_of_cycles),
                                       cmocka_unit_test(test_mispredictions), cmocka_unit_test(test_rounds),
                                       cmocka_unit_test(test_calls)};
    return fixture_close(cmocka_run_group_tests(tests, 0, 0));
}
