/* The method compiled: a static profile of code that nobody has counted. */
#include "tests/unit/estimate/compiled/compiled_example.h"

#include "shimgen/estimate/compiled/compiled_guess.h"

static void guess(struct flow *w, size_t n, const struct guess_returns *callees)
{
    machine_connect(&code.function);
    flow_guess(w, &code.function, callees);
    double out = 0;
    for (size_t i = 0; i < n; i++) {
        assert_true(w->nodes[i] >= 0 && w->nodes[i] <= GUESS_MOST);
        out += code.nodes[i].end == NODE_LEAVES ? w->nodes[i] : 0;
    }
    assert_float_equal(out, 1, 0.25); /* what was entered is left; loops that hold on too long may take a part of it */
}

static double moved(const struct flow *w, size_t from, size_t to)
{
    for (size_t i = w->first[from]; i; i = w->moves.at[i - 1].next)
        if (w->moves.at[i - 1].to == to)
            return w->moves.at[i - 1].flow;
    return 0;
}

/* A loop is gone round some times: Wu and Larus have 0.88 for its branch, 8.3 times, and 0.72 for not returning yet
 * joins it. */
static void test_guess_of_a_loop(void **state)
{
    (void)state;
    struct flow w;
    begin(1, (double[]){1});
    put(0, 0, NODE_FALLS, NODE_NONE);
    put(0, 0, NODE_BRANCHES, 1);
    put(0, 0, NODE_LEAVES, NODE_NONE);
    guess(&w, 3, 0);
    assert_float_equal(w.nodes[0], 1, 1e-9);
    assert_in_range((int)w.nodes[1], 4, 10);
    flow_release(&w);
    graph_release(&code.function.graph);
}

/* Five loops in each other: 0.9 for each would be 100000 times. Bounded, and the inner ones not below the outer. */
static void test_guess_of_a_nest(void **state)
{
    (void)state;
    enum { DEEP = 5 };
    struct flow w;
    begin(1, (double[]){1});
    for (size_t i = 0; i < DEEP; i++)
        put(0, 0, NODE_FALLS, NODE_NONE);
    for (size_t i = 0; i < DEEP; i++)
        put(0, 0, NODE_BRANCHES, DEEP - 1 - i);
    put(0, 0, NODE_LEAVES, NODE_NONE);
    machine_connect(&code.function);
    flow_guess(&w, &code.function, 0);
    for (size_t i = 0; i < code.function.n; i++)
        assert_true(w.nodes[i] > 0 && w.nodes[i] <= GUESS_MOST);
    for (size_t i = 1; i < DEEP; i++)
        assert_true(w.nodes[i] >= w.nodes[i - 1]);
    flow_release(&w);
    graph_release(&code.function.graph);
}

/* What ends the program is not on the usual way: the side that calls it is not gone, its other side always. */
static bool comes_back(void *context, uint64_t address)
{
    (void)context;
    return address != 0x1000;
}

static void test_guess_of_an_end(void **state)
{
    (void)state;
    struct guess_returns callees = {comes_back, 0};
    struct flow w;
    begin(1, (double[]){1});
    put(0, 0, NODE_BRANCHES, 2);
    put(0, 0, NODE_LEAVES, NODE_NONE);
    put(0, 0, NODE_CALLS, NODE_NONE);
    put(0, 0, NODE_LEAVES, NODE_NONE); /* follows the call by chance */
    code.nodes[2].callee = 0x1000;
    guess(&w, 4, &callees);
    assert_float_equal(moved(&w, 0, 1), 1, 1e-9);
    assert_float_equal(moved(&w, 0, 2), 0, 1e-9);
    assert_float_equal(w.nodes[3], 0, 1e-9);
    assert_true(guess_comes_back(&code.function, &callees));
    flow_release(&w);
    graph_release(&code.function.graph);
}

/* A side that calls is the rarer one: tests for what is special stand before such. */
static void test_guess_of_a_call(void **state)
{
    (void)state;
    struct flow w;
    begin(1, (double[]){1});
    put(0, 0, NODE_BRANCHES, 3);
    put(0, 0, NODE_FALLS, NODE_NONE);
    put(0, 0, NODE_JUMPS, 4);
    put(0, 0, NODE_CALLS, NODE_NONE);
    put(0, 0, NODE_LEAVES, NODE_NONE);
    code.nodes[3].callee = 0x2000;
    guess(&w, 5, 0);
    assert_true(moved(&w, 0, 3) < 0.25 && moved(&w, 0, 3) > 0.01);
    assert_float_equal(moved(&w, 0, 1) + moved(&w, 0, 3), 1, 1e-9);
    flow_release(&w);
    graph_release(&code.function.graph);
}

/* ---- shares, by Wu and Larus' table and Dempster and Shafer's rule: a b / (a b + (1 - a) (1 - b)) ---- */

static double both(double a, double b)
{
    return a * b / (a * b + (1 - a) * (1 - b));
}

/* Straight ahead 0.70, and into the side that does not call 0.78. */
static void test_share_of_a_call(void **state)
{
    (void)state;
    struct flow w;
    begin(1, (double[]){1});
    put(0, 0, NODE_BRANCHES, 3);
    put(0, 0, NODE_FALLS, NODE_NONE);
    put(0, 0, NODE_JUMPS, 4);
    put(0, 0, NODE_CALLS, NODE_NONE);
    put(0, 0, NODE_LEAVES, NODE_NONE);
    guess(&w, 5, 0);
    assert_float_equal(moved(&w, 0, 1), both(0.70, 0.78), 1e-9);
    assert_float_equal(moved(&w, 0, 3), 1 - both(0.70, 0.78), 1e-9);
    assert_float_equal(w.nodes[3], 1 - both(0.70, 0.78), 1e-9);
    assert_float_equal(w.nodes[4], 1, 1e-9);
    flow_release(&w);
    graph_release(&code.function.graph);
}

/* Straight ahead is a return, which is avoided: 0.72. */
static void test_share_of_a_return(void **state)
{
    (void)state;
    struct flow w;
    begin(1, (double[]){1});
    put(0, 0, NODE_BRANCHES, 2);
    put(0, 0, NODE_LEAVES, NODE_NONE);
    put(0, 0, NODE_FALLS, NODE_NONE);
    put(0, 0, NODE_LEAVES, NODE_NONE);
    guess(&w, 4, 0);
    assert_float_equal(moved(&w, 0, 1), both(0.70, 1 - 0.72), 1e-9);
    flow_release(&w);
    graph_release(&code.function.graph);
}

/* Straight ahead, and into a loop: 0.75. The loop is a branch to itself (0.88), its other side does not return. */
static void test_share_of_a_loop(void **state)
{
    (void)state;
    struct flow w;
    begin(1, (double[]){1});
    put(0, 0, NODE_BRANCHES, 3);
    put(0, 0, NODE_BRANCHES, 1);
    put(0, 0, NODE_JUMPS, 4);
    put(0, 0, NODE_FALLS, NODE_NONE);
    put(0, 0, NODE_LEAVES, NODE_NONE);
    guess(&w, 5, 0);
    assert_float_equal(moved(&w, 0, 1), both(0.70, 0.75), 1e-9);
    assert_float_equal(w.nodes[1], 8 * both(0.70, 0.75), 1e-9); /* 0.88 is more than seven rounds in eight */
    flow_release(&w);
    graph_release(&code.function.graph);
}

/* Leaving a loop in its middle: against staying (0.80) stands that it is straight ahead. */
static void test_share_of_leaving(void **state)
{
    (void)state;
    struct flow w;
    begin(1, (double[]){1});
    put(0, 0, NODE_FALLS, NODE_NONE);
    put(0, 0, NODE_FALLS, NODE_NONE); /* the loop's head */
    put(0, 0, NODE_BRANCHES, 4);
    put(0, 0, NODE_JUMPS, 5);
    put(0, 0, NODE_JUMPS, 1);
    put(0, 0, NODE_LEAVES, NODE_NONE);
    guess(&w, 6, 0);
    double stay = both(0.80, 1 - 0.70);
    assert_float_equal(w.nodes[1], 1 / (1 - stay), 1e-9);
    assert_float_equal(w.nodes[4], stay / (1 - stay), 1e-9);
    assert_float_equal(w.nodes[5], 1, 1e-9);
    flow_release(&w);
    graph_release(&code.function.graph);
}

/* A call that does not come back is the only way: the function does not either. One in a register does, and so does any
 * where nobody says otherwise. */
static void test_comes_back(void **state)
{
    (void)state;
    struct guess_returns callees = {comes_back, 0}, unsaid = {0, 0};
    struct machine_function nothing = {0};
    begin(1, (double[]){1});
    put(0, 0, NODE_CALLS, NODE_NONE);
    put(0, 0, NODE_LEAVES, NODE_NONE);
    machine_connect(&code.function);
    code.nodes[0].callee = 0x1000;
    assert_false(guess_comes_back(&code.function, &callees));
    assert_true(guess_comes_back(&code.function, 0));
    assert_true(guess_comes_back(&code.function, &unsaid));
    code.nodes[0].callee = 0;
    assert_true(guess_comes_back(&code.function, &callees));
    assert_true(guess_comes_back(&nothing, &callees));
    graph_release(&code.function.graph);
    begin(1, (double[]){1});
    put(0, 0, NODE_JUMPS, 0); /* a loop without an end */
    machine_connect(&code.function);
    assert_false(guess_comes_back(&code.function, 0));
    graph_release(&code.function.graph);
    begin(1, (double[]){1});
    put(0, 0, NODE_TAIL, NODE_NONE);
    machine_connect(&code.function);
    assert_true(guess_comes_back(&code.function, 0));
    graph_release(&code.function.graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_guess_of_a_loop), cmocka_unit_test(test_guess_of_a_nest),
                                       cmocka_unit_test(test_guess_of_an_end), cmocka_unit_test(test_guess_of_a_call),
                                       cmocka_unit_test(test_share_of_a_call), cmocka_unit_test(test_share_of_a_return),
                                       cmocka_unit_test(test_share_of_a_loop), cmocka_unit_test(test_share_of_leaving),
                                       cmocka_unit_test(test_comes_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
