/* The method compiled: how often machine code is executed, from what the IR has. The counts follow by hand. */
#include "tests/unit/estimate/compiled/compiled_example.h"

static void check_flow(const struct flow_edge *edges, size_t n, const double *expected)
{
    struct flow_ir ir = {.n_blocks = code.labels.n_blocks,
                         .edges = edges,
                         .n_edges = n,
                         .labels = &code.labels,
                         .executions = code.executions,
                         .mispredicted = code.mispredicted};
    struct flow w;
    machine_connect(&code.function);
    flow_make(&w, &code.function, &ir);
    for (size_t i = 0; i < code.function.n; i++)
        assert_float_equal(w.nodes[i], expected[i], 0.01);
    assert_float_equal(w.lost, 0, 0);
    flow_release(&w);
    graph_release(&code.function.graph);
}

static void test_loop(void **state)
{
    (void)state;
    begin(3, (double[]){1, 10, 1});
    put(0, 0, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_BRANCHES, 1);
    put(2, 2, NODE_LEAVES, NODE_NONE);
    check_flow((struct flow_edge[]){{0, 1, 1}, {1, 1, 9}, {1, 2, 1}}, 3, (double[]){1, 10, 1});
}

/* What is done once before a loop bears the loop's name too. */
static void test_loop_with_a_part_before_it(void **state)
{
    (void)state;
    begin(3, (double[]){1, 10, 1});
    put(0, 0, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_BRANCHES, 2);
    put(2, 2, NODE_LEAVES, NODE_NONE);
    check_flow((struct flow_edge[]){{0, 1, 1}, {1, 1, 9}, {1, 2, 1}}, 3, (double[]){1, 1, 10, 1});
}

/* Code on an edge: for the false side of block 0 alone. */
static void test_edge(void **state)
{
    (void)state;
    begin(3, (double[]){8, 3, 8});
    put(0, 0, NODE_BRANCHES, 2);
    put(1, 1, NODE_JUMPS, 3);
    put(ELF_NO_BLOCK, 0, NODE_FALLS, NODE_NONE);
    put(2, 2, NODE_LEAVES, NODE_NONE);
    check_flow((struct flow_edge[]){{0, 1, 3}, {0, 2, 5}, {1, 2, 3}}, 3, (double[]){8, 3, 5, 8});
}

/* Block 3, the return, was copied into block 1: its own node is left with what comes from block 2. */
static void test_copied_end(void **state)
{
    (void)state;
    begin(4, (double[]){10, 4, 6, 10});
    put(0, 0, NODE_BRANCHES, 2);
    put(1, 3, NODE_LEAVES, NODE_NONE);
    put(2, 2, NODE_FALLS, NODE_NONE);
    put(3, 3, NODE_LEAVES, NODE_NONE);
    check_flow((struct flow_edge[]){{0, 1, 4}, {0, 2, 6}, {1, 3, 4}, {2, 3, 6}}, 4, (double[]){10, 4, 6, 6});
}

/* A select became a branch over one node: half of the times. */
static void test_select(void **state)
{
    (void)state;
    begin(2, (double[]){10, 10});
    put(0, 0, NODE_BRANCHES, 2);
    put(ELF_NO_BLOCK, 0, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_LEAVES, NODE_NONE);
    check_flow((struct flow_edge[]){{0, 1, 10}}, 1, (double[]){10, 5, 10});
}

/* ---- mispredictions ---- */

/* Of a move, to a hundredth. */
static void check_move(const struct flow *w, size_t from, size_t to, double flow, double mispredicted, double doubtful)
{
    for (size_t i = 0; i < w->moves.n; i++) {
        const struct flow_move *m = &w->moves.at[i];
        if (m->from != from || m->to != to)
            continue;
        assert_float_equal(m->flow, flow, 0.01);
        assert_float_equal(m->mispredicted, mispredicted, 0.01);
        assert_float_equal(m->doubtful, doubtful, 0.01);
        return;
    }
    fail_msg("no move from %zu to %zu", from, to);
}

static struct flow made(const struct flow_edge *edges, size_t n)
{
    struct flow_ir ir = {.n_blocks = code.labels.n_blocks,
                         .edges = edges,
                         .n_edges = n,
                         .labels = &code.labels,
                         .executions = code.executions,
                         .mispredicted = code.mispredicted};
    struct flow w;
    machine_connect(&code.function);
    flow_make(&w, &code.function, &ir);
    return w;
}

static void done(struct flow *w)
{
    flow_release(w);
    graph_release(&code.function.graph);
}

static struct flow made_loop(double mispredicted)
{
    begin(3, (double[]){1, 10, 1});
    put(0, 0, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_BRANCHES, 1);
    put(2, 2, NODE_LEAVES, NODE_NONE);
    code.mispredicted[1] = mispredicted;
    return made((struct flow_edge[]){{0, 1, 1}, {1, 1, 9}, {1, 2, 1}}, 3);
}

/* A branch's mispredictions are of both sides alike, but never more than that a side was gone: the other side has the
 * rest. */
static void test_mispredicted_branch(void **state)
{
    (void)state;
    struct flow w = made_loop(1);
    check_move(&w, 0, 1, 1, 0, 0);
    check_move(&w, 1, 1, 9, 0.5, 0.5);
    check_move(&w, 1, 2, 1, 0.5, 0.5);
    done(&w);
    w = made_loop(4);
    check_move(&w, 1, 1, 9, 3, 3);
    check_move(&w, 1, 2, 1, 1, 1);
    done(&w);
    w = made_loop(12); /* more than it was executed: as many as can be */
    check_move(&w, 1, 1, 9, 9, 9);
    check_move(&w, 1, 2, 1, 1, 1);
    done(&w);
}

/* A predictor that looks at history alone also mispredicts a branch that always goes one way. */
static void test_mispredicted_branch_of_one_side(void **state)
{
    (void)state;
    begin(3, (double[]){8, 0, 8});
    put(0, 0, NODE_BRANCHES, 2);
    put(1, 1, NODE_FALLS, NODE_NONE);
    put(2, 2, NODE_LEAVES, NODE_NONE);
    code.mispredicted[0] = 3;
    struct flow w = made((struct flow_edge[]){{0, 1, 0}, {0, 2, 8}, {1, 2, 0}}, 3);
    check_move(&w, 0, 2, 8, 3, 3);
    done(&w);
}

/* Block 0 has no branch of its own: the code decides both conditions by the one of block 1. */
static void test_mispredicted_branch_that_comes_later(void **state)
{
    (void)state;
    begin(4, (double[]){10, 6, 3, 10});
    put(0, 0, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_BRANCHES, 3);
    put(2, 2, NODE_FALLS, NODE_NONE);
    put(3, 3, NODE_LEAVES, NODE_NONE);
    code.mispredicted[0] = 2;
    struct flow w = made((struct flow_edge[]){{0, 1, 6}, {0, 3, 4}, {1, 2, 3}, {1, 3, 3}, {2, 3, 3}}, 5);
    double sum = 0;
    for (size_t k = w.first[1]; k; k = w.moves.at[k - 1].next)
        sum += w.moves.at[k - 1].mispredicted;
    assert_float_equal(sum, 2, 0.01);
    done(&w);
}

/* No predictor was simulated: the rarer side is mispredicted, at most each. */
static void test_guessed_branch(void **state)
{
    (void)state;
    struct flow w = made_loop(-1);
    check_move(&w, 0, 1, 1, 0, 0);
    check_move(&w, 1, 1, 9, 0, 9);
    check_move(&w, 1, 2, 1, 1, 1);
    done(&w);
}

/* Both sides alike: half of each. */
static void test_guessed_even_branch(void **state)
{
    (void)state;
    begin(3, (double[]){8, 4, 8});
    put(0, 0, NODE_BRANCHES, 2);
    put(1, 1, NODE_FALLS, NODE_NONE);
    put(2, 2, NODE_LEAVES, NODE_NONE);
    code.mispredicted[0] = -1;
    struct flow w = made((struct flow_edge[]){{0, 1, 4}, {0, 2, 4}, {1, 2, 4}}, 3);
    check_move(&w, 0, 1, 4, 2, 4);
    check_move(&w, 0, 2, 4, 2, 4);
    done(&w);
}

static struct flow made_switch(double mispredicted)
{
    static size_t tables[] = {1, 2, 3};
    begin(5, (double[]){10, 5, 3, 2, 10});
    put(0, 0, NODE_SWITCHES, NODE_NONE);
    put(1, 1, NODE_JUMPS, 4);
    put(2, 2, NODE_JUMPS, 4);
    put(3, 3, NODE_FALLS, NODE_NONE);
    put(4, 4, NODE_LEAVES, NODE_NONE);
    code.function.tables = tables;
    code.function.n_tables = 3;
    code.mispredicted[0] = mispredicted;
    return made((struct flow_edge[]){{0, 1, 5}, {0, 2, 3}, {0, 3, 2}, {1, 4, 5}, {2, 4, 3}, {3, 4, 2}}, 6);
}

/* Targets in no order: p (1 - p) of each, so 25, 21 and 16 of 62. Where nobody counted, all that follow another. */
static void test_mispredicted_switch(void **state)
{
    (void)state;
    struct flow w = made_switch(6.2);
    check_move(&w, 0, 1, 5, 2.5, 2.5);
    check_move(&w, 0, 2, 3, 2.1, 2.1);
    check_move(&w, 0, 3, 2, 1.6, 1.6);
    check_move(&w, 1, 4, 5, 0, 0);
    done(&w);
    w = made_switch(-1);
    check_move(&w, 0, 1, 5, 2.5, 5);
    check_move(&w, 0, 2, 3, 2.1, 3);
    check_move(&w, 0, 3, 2, 1.6, 2);
    done(&w);
}

/* What a select became: the rarer side is an eighth of each way on the average, at most each. */
static void test_mispredicted_select(void **state)
{
    (void)state;
    begin(2, (double[]){16, 16});
    put(0, 0, NODE_BRANCHES, 2);
    put(ELF_NO_BLOCK, 0, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_LEAVES, NODE_NONE);
    struct flow w = made((struct flow_edge[]){{0, 1, 16}}, 1);
    check_move(&w, 0, 1, 8, 2, 8);
    check_move(&w, 0, 2, 8, 2, 8);
    check_move(&w, 1, 2, 8, 0, 0);
    done(&w);
}

/* A side that is another block, or that does not come back to where the branch goes, is no half of a select. */
static void test_branch_that_is_no_select(void **state)
{
    (void)state;
    for (int comes_back = 0; comes_back < 2; comes_back++) {
        begin(3, (double[]){10, 10, 0});
        put(0, 0, NODE_BRANCHES, 2);
        put(comes_back ? 2 : ELF_NO_BLOCK, comes_back ? 2 : 0, comes_back ? NODE_FALLS : NODE_LEAVES, NODE_NONE);
        put(1, 1, NODE_LEAVES, NODE_NONE);
        struct flow w = made((struct flow_edge[]){{0, 1, 10}}, 1);
        assert_float_equal(w.nodes[1], 0, 0.01);
        check_move(&w, 0, 2, 10, 0, 0);
        done(&w);
    }
}

/* Three of ten calls do not come back (longjmp): what follows in the block has its own count. */
static void test_call_that_does_not_come_back(void **state)
{
    (void)state;
    begin(2, (double[]){10, 0});
    code.segments[1] = (struct irprof_label_segment){0, 1, 1}; /* of block 0, behind the call */
    code.spots[2] = (struct irprof_spot){0, 1, 0};
    code.labels.n_blocks = 1;
    code.executions[1] = 7;
    put(0, 0, NODE_CALLS, NODE_NONE);
    put(0, 1, NODE_LEAVES, NODE_NONE);
    code.nodes[1].labelled = false;
    struct flow w = made(0, 0);
    assert_float_equal(w.nodes[0], 10, 0.01);
    assert_float_equal(w.nodes[1], 7, 0.01);
    check_move(&w, 0, 1, 7, 0, 0);
    done(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_loop),
                                       cmocka_unit_test(test_loop_with_a_part_before_it),
                                       cmocka_unit_test(test_edge),
                                       cmocka_unit_test(test_copied_end),
                                       cmocka_unit_test(test_select),
                                       cmocka_unit_test(test_mispredicted_branch),
                                       cmocka_unit_test(test_mispredicted_branch_of_one_side),
                                       cmocka_unit_test(test_mispredicted_branch_that_comes_later),
                                       cmocka_unit_test(test_guessed_branch),
                                       cmocka_unit_test(test_guessed_even_branch),
                                       cmocka_unit_test(test_mispredicted_switch),
                                       cmocka_unit_test(test_mispredicted_select),
                                       cmocka_unit_test(test_branch_that_is_no_select),
                                       cmocka_unit_test(test_call_that_does_not_come_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
