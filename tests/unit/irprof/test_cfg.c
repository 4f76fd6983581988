/* Dominators and loops of small graphs, read off a drawing; loops that count, by what their text says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/str.h"
#include "irprof/count/cfg.h"
#include "irprof/count/trips.h"
#include "tests/unit/irprof/ir.h"

/* 0 -> 1 (loop 1..5, inner loop 2..3) -> 6;  2 -> 3 -> 2, 3 -> 4, 4 -> 5 | 6, 5 -> 1 */
static const char nested[] = "define void @t(i1 %c) {\n"
                             "b0: br label %b1\n"
                             "b1: br label %b2\n"
                             "b2: br label %b3\n"
                             "b3: br i1 %c, label %b2, label %b4\n"
                             "b4: br i1 %c, label %b5, label %b6\n"
                             "b5: br label %b1\n"
                             "b6: ret void\n"
                             "dead: br label %b3\n}\n";

static void loops_nest(void **state)
{
    (void)state;
    struct llvm_module m = ir_load(nested);
    struct cfg g;
    cfg_make(&g, LLVMGetNamedFunction(m.module, "t"));
    assert_int_equal(g.graph.n, 8);
    assert_int_equal(g.graph.loops.n, 2);
    assert_int_equal(g.graph.loops.at[0].header, 1);
    assert_int_equal(g.graph.loops.at[0].nodes.n, 5);
    assert_int_equal(g.graph.loops.at[0].depth, 1);
    assert_true(g.graph.loops.at[0].parent == CFG_NONE);
    assert_int_equal(g.graph.loops.at[1].header, 2);
    assert_int_equal(g.graph.loops.at[1].nodes.n, 2);
    assert_int_equal(g.graph.loops.at[1].parent, 0);
    assert_int_equal(g.graph.loops.at[1].depth, 2);
    assert_int_equal(g.graph.loop[3], 1);
    assert_int_equal(g.graph.loop[4], 0);
    assert_true(g.graph.loop[6] == CFG_NONE);
    assert_true(g.graph.place[7] == CFG_NONE);
    assert_true(graph_dominates(&g.graph, 1, 6));
    assert_true(graph_dominates(&g.graph, 4, 4));
    assert_false(graph_dominates(&g.graph, 5, 6));
    assert_false(graph_dominates(&g.graph, 7, 3));
    assert_int_equal(graph_common_loop(&g.graph, 3, 5), 0);
    assert_true(graph_common_loop(&g.graph, 3, 6) == CFG_NONE);
    for (size_t i = 0; i < g.graph.n; i++)
        assert_false(g.graph.irreducible[i]);
    cfg_release(&g);
    llvm_release(&m);
}

static void a_cycle_with_two_ways_in_is_irreducible(void **state)
{
    (void)state;
    struct llvm_module m = ir_load("define void @t(i1 %c) {\n"
                                   "b0: br i1 %c, label %b1, label %b2\n"
                                   "b1: br label %b2\n"
                                   "b2: br i1 %c, label %b1, label %b3\n"
                                   "b3: ret void\n}\n");
    struct cfg g;
    cfg_make(&g, LLVMGetNamedFunction(m.module, "t"));
    assert_int_equal(g.graph.loops.n, 0);
    assert_true(g.graph.irreducible[1]);
    assert_true(g.graph.irreducible[2]);
    cfg_release(&g);
    llvm_release(&m);
}

enum { UNKNOWN, ENDS, COUNTS };

/* A loop of one block: the step, the test, the way on; and what is known of it. */
static const struct row {
    int line;
    const char *code, *stays;
    int known;
} rows[] = {
    /* for (i = a; i != n; i++) meets every number */
    {__LINE__, "%j = add i32 %i, 1\n %c = icmp ne i32 %j, %n", "i1 %c, label %l, label %x", COUNTS},
    {__LINE__, "%j = add i32 %i, 1\n %c = icmp eq i32 %j, %n", "i1 %c, label %x, label %l", COUNTS},
    {__LINE__, "%j = add i32 %i, -1\n %c = icmp ne i32 %j, %n", "i1 %c, label %l, label %x", COUNTS},
    {__LINE__, "%j = add i32 %i, 1\n %c = icmp ne i32 %i, %n", "i1 %c, label %l, label %x", COUNTS},
    {__LINE__, "%j = add i32 %i, 1\n %c = icmp ne i32 %n, %j", "i1 %c, label %l, label %x", COUNTS},
    /* steps of two may miss it, unless wrapping is excluded */
    {__LINE__, "%j = add i32 %i, 2\n %c = icmp ne i32 %j, %n", "i1 %c, label %l, label %x", UNKNOWN},
    {__LINE__, "%j = add nsw i32 %i, 2\n %c = icmp ne i32 %j, %n", "i1 %c, label %l, label %x", COUNTS},
    {__LINE__, "%j = add i32 %i, 4\n %c = icmp ne i32 %j, %m4", "i1 %c, label %l, label %x", UNKNOWN}, /* from %a */
    /* i < n: must not wrap before it passes n */
    {__LINE__, "%j = add nsw i32 %i, 3\n %c = icmp slt i32 %j, %n", "i1 %c, label %l, label %x", COUNTS},
    {__LINE__, "%j = add nuw i32 %i, 3\n %c = icmp slt i32 %j, %n", "i1 %c, label %l, label %x", UNKNOWN},
    {__LINE__, "%j = add nuw i32 %i, 3\n %c = icmp ult i32 %j, %n", "i1 %c, label %l, label %x", COUNTS},
    {__LINE__, "%j = add nsw i32 %i, -3\n %c = icmp sgt i32 %j, %n", "i1 %c, label %l, label %x", COUNTS},
    {__LINE__, "%j = add nsw i32 %i, -3\n %c = icmp sle i32 %j, %n", "i1 %c, label %x, label %l", COUNTS},
    {__LINE__, "%j = add nsw i32 %i, -3\n %c = icmp slt i32 %j, %n", "i1 %c, label %l, label %x", UNKNOWN},
    {__LINE__, "%j = add nsw i32 %i, 3\n %c = icmp sgt i32 %n, %j", "i1 %c, label %l, label %x", COUNTS},
    /* no constant step, or a bound that moves, or another variable */
    {__LINE__, "%j = add nsw i32 %i, %n\n %c = icmp slt i32 %j, 9", "i1 %c, label %l, label %x", UNKNOWN},
    {__LINE__, "%j = add nsw i32 %i, 1\n %b = load i32, ptr %p\n %c = icmp slt i32 %j, %b", "i1 %c, label %l, label %x",
     UNKNOWN},
    {__LINE__, "%j = lshr i32 %i, 1\n %c = icmp ne i32 %j, 0", "i1 %c, label %l, label %x", UNKNOWN},
    {__LINE__, "%j = add nsw i32 %i, 0\n %c = icmp slt i32 %j, %n", "i1 %c, label %l, label %x", UNKNOWN},
};

static int known(const struct trip *t)
{
    return t->computable ? COUNTS : t->ends ? ENDS : UNKNOWN;
}

/* What is found of the only loop of function t. Its values are gone. */
static struct trip trip_of(const char *text)
{
    struct llvm_module m = ir_load(text);
    struct cfg g;
    cfg_make(&g, LLVMGetNamedFunction(m.module, "t"));
    assert_int_equal(g.graph.loops.n, 1);
    struct trip t = trip_find(&g, 0);
    cfg_release(&g);
    llvm_release(&m);
    return t;
}

static void loops_that_count(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str text = STR_INIT;
        str_addf(&text,
                 "define void @t(i32 %%a, i32 %%n, ptr %%p) {\ne:\n %%m4 = and i32 %%n, -4\n br label %%l\n"
                 "l:\n %%i = phi i32 [ %%a, %%e ], [ %%j, %%l ]\n %s\n br %s\nx:\n ret void\n}\n",
                 rows[i].code, rows[i].stays);
        struct trip t = trip_of(text.s);
        if (known(&t) != rows[i].known)
            fail_msg("line %d: expected %d, got %d", rows[i].line, rows[i].known, known(&t));
        str_release(&text);
    }
}

/* A second way out: it ends, but nobody knows when. A test that not every iteration meets proves nothing. */
static void loops_with_more_ways(void **state)
{
    (void)state;
    struct trip t = trip_of("define void @t(i32 %n, i1 %d) {\ne:\n br label %l\n"
                            "l:\n %i = phi i32 [ 0, %e ], [ %j, %k ]\n br i1 %d, label %k, label %x\n"
                            "k:\n %j = add nsw i32 %i, 1\n %c = icmp slt i32 %j, %n\n"
                            " br i1 %c, label %l, label %x\nx:\n ret void\n}\n");
    assert_int_equal(known(&t), ENDS);
    t = trip_of("define void @t(i32 %n, i1 %d) {\ne:\n br label %l\n"
                "l:\n %i = phi i32 [ 0, %e ], [ %j, %k ]\n %j = add nsw i32 %i, 1\n br i1 %d, label %h, label %k\n"
                "h:\n %c = icmp slt i32 %j, %n\n br i1 %c, label %k, label %x\n"
                "k:\n br label %l\nx:\n ret void\n}\n");
    assert_int_equal(known(&t), UNKNOWN);
}

static void pointers_count_too(void **state)
{
    (void)state;
    struct trip t = trip_of("define void @t(ptr %a, ptr %z) {\ne:\n br label %l\n"
                            "l:\n %i = phi ptr [ %a, %e ], [ %j, %l ]\n"
                            " %j = getelementptr inbounds i32, ptr %i, i64 1\n"
                            " %c = icmp eq ptr %j, %z\n br i1 %c, label %x, label %l\nx:\n ret void\n}\n");
    assert_int_equal(known(&t), COUNTS);
    assert_int_equal(t.step, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_nest),         cmocka_unit_test(a_cycle_with_two_ways_in_is_irreducible),
        cmocka_unit_test(loops_that_count),   cmocka_unit_test(loops_with_more_ways),
        cmocka_unit_test(pointers_count_too),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
