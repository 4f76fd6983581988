/*
 * Random functions, random walks through them: what is derived from the counted edges
 * is how often each segment was entered and each edge taken. The walks know nothing of
 * the tree.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "irprof/count/flow.h"
#include "tests/unit/irprof/ir.h"

static uint64_t state_ = 88172645463325252u;

/* xorshift64 (Marsaglia 2003), below n */
static size_t draw(size_t n)
{
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return (size_t)(state_ % n);
}

/* Blocks with none to two calls that may not return, which end in any way there is. */
static char *random_function(size_t n_blocks)
{
    struct str s = STR_INIT;
    str_add(&s, "declare void @may()\ndefine void @t(i1 %c, i32 %n) {\n");
    for (size_t i = 0; i < n_blocks; i++) {
        str_addf(&s, "b%zu:\n", i);
        for (size_t calls = draw(8); calls > 5; calls--)
            str_add(&s, " call void @may()\n");
        size_t a = 1 + draw(n_blocks - 1), b = 1 + draw(n_blocks - 1), c = 1 + draw(n_blocks - 1);
        switch (draw(10)) {
        case 0:
            str_add(&s, " ret void\n");
            break;
        case 1:
            str_add(&s, " unreachable\n");
            break;
        case 2:
        case 3:
            str_addf(&s, " br label %%b%zu\n", a);
            break;
        case 4:
            str_addf(&s,
                     " switch i32 %%n, label %%b%zu [ i32 1, label %%b%zu i32 2, label %%b%zu i32 3, label %%b%zu ]\n",
                     a, b, c, b);
            break;
        default:
            str_addf(&s, " br i1 %%c, label %%b%zu, label %%b%zu\n", a, b);
            break;
        }
    }
    str_add(&s, "}\n");
    return str_detach(&s);
}

/* One call: from outside along edges until outside again. A walk that would stay for ever ends at the first leak. */
static void walk(const struct flow *flow, uint64_t *taken)
{
    size_t node = 0;
    for (size_t steps = 0; node || !steps; steps++) {
        size_t ways = 0, chosen = CFG_NONE;
        for (size_t i = 0; i < flow->edges.n; i++) {
            const struct flow_edge *e = &flow->edges.at[i];
            if (e->from != node)
                continue;
            ways++;
            if (draw(ways) == 0 || (steps > 200 && (e->kind == FLOW_LEAK || e->kind == FLOW_LEAVE)))
                chosen = i;
        }
        if (chosen == CFG_NONE)
            return; /* unreachable: cannot happen in a program; undone by the caller */
        taken[chosen]++;
        node = flow->edges.at[chosen].to;
    }
}

/* Walks that end in a block that ends in `unreachable` do not count. */
static bool walked(const struct flow *flow, uint64_t *taken)
{
    uint64_t *before = xmemdup(taken, flow->edges.n * sizeof *taken), in = 0, out = 0;
    walk(flow, taken);
    for (size_t i = 0; i < flow->edges.n; i++) {
        in += flow->edges.at[i].from == 0 ? taken[i] - before[i] : 0;
        out += flow->edges.at[i].to == 0 ? taken[i] - before[i] : 0;
    }
    if (in != out)
        memcpy(taken, before, flow->edges.n * sizeof *taken);
    free(before);
    return in == out;
}

static int64_t *solve(const struct plan *plan, const struct flow *flow, const uint64_t *taken)
{
    int64_t *values = xcalloc(plan->n_counters + plan->derived.n, sizeof *values);
    for (size_t i = 0; i < flow->edges.n; i++)
        if (flow->edges.at[i].counter != CFG_NONE)
            values[flow->edges.at[i].counter] = (int64_t)taken[i];
    for (size_t i = 0; i < plan->derived.n; i++)
        for (size_t k = 0; k < plan->derived.at[i].terms.n; k++) {
            const struct plan_term *t = &plan->derived.at[i].terms.at[k];
            assert_true(t->value < plan->n_counters + i);
            values[plan->n_counters + i] += t->sign * values[t->value];
        }
    return values;
}

static void compare(const struct plan_function *f, const uint64_t *taken, const int64_t *values)
{
    const struct flow *flow = f->flow;
    int64_t *entered = xcalloc(flow->n_nodes, sizeof *entered);
    size_t n_jumps = 0;
    for (size_t i = 0; i < flow->edges.n; i++) {
        entered[flow->edges.at[i].to] += (int64_t)taken[i];
        if (flow->edges.at[i].kind == FLOW_JUMP)
            assert_int_equal(values[f->edges.at[n_jumps++].value], taken[i]);
    }
    assert_int_equal(n_jumps, f->edges.n);
    for (size_t i = 0; i < f->segments.n; i++)
        assert_int_equal(values[f->segments.at[i].value], entered[i + 1]);
    free(entered);
}

/* Of E edges that can be counted and N nodes that hang together, E - N + 1 + leaks need a counter. */
static void check_number(const struct plan *plan, const struct flow *flow)
{
    size_t *group = xcalloc(flow->n_nodes, sizeof *group), groups = 0;
    for (size_t i = 0; i < flow->n_nodes; i++)
        group[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < flow->edges.n; i++) {
            size_t a = group[flow->edges.at[i].from], b = group[flow->edges.at[i].to];
            if (a != b) {
                group[flow->edges.at[i].from] = group[flow->edges.at[i].to] = a < b ? a : b;
                changed = true;
            }
        }
    }
    for (size_t i = 0; i < flow->n_nodes; i++)
        groups += group[i] == i;
    assert_int_equal(plan->n_counters, flow->edges.n + groups - flow->n_nodes);
    free(group);
}

static void derived_values_are_true(void **state)
{
    (void)state;
    static const struct instrument_options none;
    size_t counted_walks = 0;
    for (int round = 0; round < 300; round++) {
        char *text = random_function(2 + draw(round < 200 ? 10 : 60));
        struct llvm_module m = ir_load(text);
        struct plan plan;
        plan_make(&plan, m.module, &none);
        place_values(&plan, PLACE_SPARSE);
        const struct plan_function *f = &plan.functions.at[0];
        uint64_t *taken = xcalloc(f->flow->edges.n, sizeof *taken);
        for (int i = 0; i < 20; i++)
            counted_walks += walked(f->flow, taken);
        int64_t *values = solve(&plan, f->flow, taken);
        compare(f, taken, values);
        check_number(&plan, f->flow);
        free(values);
        free(taken);
        plan_release(&plan);
        llvm_release(&m);
        free(text);
    }
    assert_true(counted_walks > 1000);
}

/* What is dear is not counted: of the ways round a loop, the one that is taken less. */
static void counters_are_where_it_is_quiet(void **state)
{
    (void)state;
    static const struct instrument_options none;
    struct llvm_module m = ir_load("declare void @may()\ndefine void @t(i1 %c) {\nb0: br label %b1\n"
                                   "b1: br i1 %c, label %b2, label %b3, !prof !0\n"
                                   "b2: call void @may() willreturn nounwind\n br label %b3\n"
                                   "b3: br i1 %c, label %b1, label %b4\nb4: ret void\n}\n"
                                   "!0 = !{!\"branch_weights\", i32 1, i32 1000}\n");
    struct plan plan;
    plan_make(&plan, m.module, &none);
    place_values(&plan, PLACE_SPARSE);
    const struct flow *flow = plan.functions.at[0].flow;
    bool often = false;
    for (size_t i = 0; i < flow->edges.n; i++) {
        const struct flow_edge *e = &flow->edges.at[i];
        often |= e->kind == FLOW_JUMP && e->from_block == 1 && e->to_block == 3 && e->counter != CFG_NONE;
    }
    assert_false(often);
    plan_release(&plan);
    llvm_release(&m);
}

static double cost_between(const struct flow *flow, size_t from, size_t to)
{
    for (size_t i = 0; i < flow->edges.n; i++) {
        const struct flow_edge *e = &flow->edges.at[i];
        if (e->kind == FLOW_JUMP && e->from_block == from && e->to_block == to)
            return e->cost;
    }
    fail_msg("no edge from %zu to %zu", from, to);
    return 0;
}

/* Entry e goes to a or b, a to b or x, b to x: the same chance each. A counter on an edge from a block with several
 * ways out to one with several ways in needs a block of its own, which costs a quarter more. */
static void edges_that_need_a_block_are_dearer(void **state)
{
    (void)state;
    static const struct instrument_options none;
    static const struct {
        size_t from, to;
        double cost; /* of that from e to a */
    } expected[] = {{0, 1, 1}, {0, 2, 1.25}, {1, 2, 0.625}, {1, 3, 0.625}, {2, 3, 1.5}};
    struct llvm_module m = ir_load("define void @t(i1 %c) {\ne: br i1 %c, label %a, label %b\n"
                                   "a: br i1 %c, label %b, label %x\nb: br label %x\nx: ret void\n}\n");
    struct plan plan;
    plan_make(&plan, m.module, &none);
    place_values(&plan, PLACE_SPARSE);
    const struct flow *flow = plan.functions.at[0].flow;
    double unit = cost_between(flow, 0, 1);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        double cost = cost_between(flow, expected[i].from, expected[i].to) / unit;
        if (!(cost > 0.99 * expected[i].cost && cost < 1.01 * expected[i].cost))
            fail_msg("from %zu to %zu: %g, expected %g", expected[i].from, expected[i].to, cost, expected[i].cost);
    }
    plan_release(&plan);
    llvm_release(&m);
}

/* What counting an edge is expected to cost a call: its executions, a fifth of that in a register, a quarter more where it
 * needs a block of its own. A loop goes round ten times, so nine in ten of its ways on lead back; a way that ends the
 * program is one in a thousand beside the others. */
static void costs_by_hand(void **state)
{
    (void)state;
    static const struct instrument_options none;
    static const char may[] = "define void @t(i1 %c, i32 %n) {\ne:\n br label %l\nl:\n br i1 %c, label %l, label "
                              "%x\nx:\n ret void\n}\n",
                      must[] = "define void @t(i1 %c, i32 %n) {\ne:\n br label %l\nl:\n br i1 %c, label %l, label %x, "
                               "!llvm.loop !0\nx:\n ret void\n}\n!0 = distinct !{!0, !1}\n"
                               "!1 = !{!\"llvm.loop.mustprogress\"}\n",
                      kept[] = "define void @t(i1 %c, i32 %n) noinline optnone {\ne:\n br label %l\nl:\n br i1 %c, "
                               "label %l, label %x, !llvm.loop !0\nx:\n ret void\n}\n!0 = distinct !{!0, !1}\n"
                               "!1 = !{!\"llvm.loop.mustprogress\"}\n",
                      counts[] =
                          "define void @t(i1 %c, i32 %n) {\ne:\n br label %l\nl:\n %i = phi i32 [ 0, %e ], [ %j, "
                          "%l ]\n %j = add i32 %i, 1\n %d = icmp ne i32 %j, %n\n br i1 %d, label %l, label "
                          "%x\nx:\n ret void\n}\n",
                      nest[] = "define void @t(i1 %c, i32 %n) {\ne:\n br label %o\no:\n br label %l\nl:\n br i1 %c, "
                               "label %l, label %k\nk:\n br i1 %c, label %o, label %x\nx:\n ret void\n}\n",
                      ends[] = "declare void @exit() noreturn\ndefine void @t(i1 %c, i32 %n) {\ne:\n br i1 %c, label "
                               "%u, label %x\nu:\n call void @exit()\n unreachable\nx:\n ret void\n}\n",
                      likely[] =
                          "define void @t(i1 %c, i32 %n) {\ne:\n br i1 %c, label %a, label %b, !prof !0\na:\n ret "
                          "void\nb:\n ret void\n}\n!0 = !{!\"branch_weights\", i32 3, i32 1}\n",
                      several[] =
                          "define void @t(i1 %c, i32 %n) {\ne:\n switch i32 %n, label %a [ i32 1, label %b i32 2, "
                          "label %b i32 3, label %d ]\na:\n ret void\nb:\n ret void\nd:\n ret void\n}\n";
    static const struct {
        const char *text;
        size_t from, to;
        double cost;
    } rows[] = {
        {may, 0, 1, 1},
        {may, 1, 1, 9 * 1.25},
        {may, 1, 2, 1}, /* one that may last is counted in memory */
        {must, 0, 1, 1},
        {must, 1, 1, 9 * 1.25 * 0.2},
        {must, 1, 2, 1}, /* one that ends, in a register */
        {kept, 1, 1, 11.25},
        {counts, 1, 1, 0.9},
        {counts, 1, 2, 1}, /* not at -O0; once for all rounds */
        {nest, 0, 1, 1},
        {nest, 1, 2, 10},
        {nest, 2, 2, 90 * 1.25},
        {nest, 2, 3, 10},
        {nest, 3, 1, 9 * 1.25},
        {nest, 3, 4, 1},
        {ends, 0, 1, 0.001 / 1.001},
        {ends, 0, 2, 1 / 1.001},
        {likely, 0, 1, 0.751 / 1.002},
        {likely, 0, 2, 0.251 / 1.002},
        {several, 0, 1, 1.0 / 3},
        {several, 0, 2, 1.0 / 3},
        {several, 0, 3, 1.0 / 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct llvm_module m = ir_load(rows[i].text);
        struct plan plan;
        plan_make(&plan, m.module, &none);
        place_values(&plan, PLACE_SPARSE);
        double cost = cost_between(plan.functions.at[0].flow, rows[i].from, rows[i].to);
        if (!(cost > rows[i].cost * (1 - 1e-9) && cost < rows[i].cost * (1 + 1e-9)))
            fail_msg("row %zu, %zu to %zu: %g, expected %g", i, rows[i].from, rows[i].to, cost, rows[i].cost);
        plan_release(&plan);
        llvm_release(&m);
    }
}

static bool any_trip(const struct flow *flow)
{
    for (size_t i = 0; i < flow->edges.n; i++)
        if (flow->edges.at[i].loop == 0 && flow_is_trip(flow, &flow->edges.at[i]))
            return true;
    return false;
}

/* for (i = 0; i < n; i++) around blocks of many kinds: is the loop sure to end, and may its counters be in registers?
 */
static void what_may_last(void **state)
{
    (void)state;
    static const struct instrument_options none;
    static const struct {
        int line;
        const char *inside; /* from %l to %k */
        bool finite, promotable;
    } rows[] = {
        {__LINE__, "br label %k", true, true},
        /* a cycle with two ways in: nobody knows whether it ends */
        {__LINE__, "br i1 %c, label %a, label %b\na:\n br label %b\nb:\n br i1 %c, label %a, label %k", false, false},
        /* an inner loop that may run for ever: a signal may end it, and the counts of the outer one must be in memory
         */
        {__LINE__, "br label %a\na:\n br i1 %c, label %a, label %k", true, false},
        /* one that must end, since nobody could see it go round */
        {__LINE__, "br label %a\na:\n br i1 %c, label %a, label %k, !llvm.loop !0", true, true},
        /* with two ways back, both must say so */
        {__LINE__,
         "br label %a\na:\n br i1 %c, label %b, label %k\nb:\n br i1 %c, label %a, label %g, !llvm.loop !0\n"
         "g:\n br label %a, !llvm.loop !0",
         true, true},
        {__LINE__,
         "br label %a\na:\n br i1 %c, label %b, label %k\nb:\n br i1 %c, label %a, label %g, !llvm.loop !0\n"
         "g:\n br label %a",
         true, false},
        {__LINE__,
         "br label %a\na:\n br i1 %c, label %b, label %k\nb:\n br i1 %c, label %a, label %g\n"
         "g:\n br label %a, !llvm.loop !0",
         true, false},
        /* others can see it, if it reads what is volatile or atomic, or writes it */
        {__LINE__, "br label %a\na:\n %v = load i32, ptr %p\n br i1 %c, label %a, label %k, !llvm.loop !0", true, true},
        {__LINE__, "br label %a\na:\n %v = load volatile i32, ptr %p\n br i1 %c, label %a, label %k, !llvm.loop !0",
         true, false},
        {__LINE__,
         "br label %a\na:\n %v = load atomic i32, ptr %p monotonic, align 4\n br i1 %c, label %a, label %k, !llvm.loop "
         "!0",
         true, false},
        {__LINE__, "br label %a\na:\n store volatile i32 1, ptr %p\n br i1 %c, label %a, label %k, !llvm.loop !0", true,
         false},
        {__LINE__, "br label %a\na:\n fence seq_cst\n br i1 %c, label %a, label %k, !llvm.loop !0", true, false},
        /* a call that may not return */
        {__LINE__, "call void @may()\n br label %k", true, false},
        {__LINE__, "call void @may() willreturn nounwind\n br label %k", true, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str text = STR_INIT;
        str_addf(&text,
                 "declare void @may()\ndefine void @t(i1 %%c, i32 %%n, ptr %%p) {\ne:\n br label %%l\n"
                 "l:\n %%i = phi i32 [ 0, %%e ], [ %%j, %%k ]\n %s\n"
                 "k:\n %%j = add nsw i32 %%i, 1\n %%d = icmp slt i32 %%j, %%n\n br i1 %%d, label %%l, label %%x\n"
                 "x:\n ret void\n}\n!0 = distinct !{!0, !1}\n!1 = !{!\"llvm.loop.mustprogress\"}\n",
                 rows[i].inside);
        struct llvm_module m = ir_load(text.s);
        struct plan plan;
        plan_make(&plan, m.module, &none);
        place_values(&plan, PLACE_SPARSE);
        const struct flow_loop *outer = &plan.functions.at[0].flow->loops[0];
        if (outer->finite != rows[i].finite || outer->promotable != rows[i].promotable)
            fail_msg("line %d: finite %d, promotable %d", rows[i].line, outer->finite, outer->promotable);
        /* all of them count: what may not last in a register may not be added at the entry either */
        assert_int_equal(any_trip(plan.functions.at[0].flow), rows[i].promotable);
        plan_release(&plan);
        llvm_release(&m);
        str_release(&text);
    }
}

/* Blocks that are entered otherwise than by an ordinary jump: by unwinding, also where no call is left that unwinds
 * there, and by computed jumps. */
static void exceptional_blocks(void **state)
{
    (void)state;
    static const struct instrument_options none;
    static const bool expected[] = {false, false, true, true, true, false, true, false};
    struct llvm_module m = ir_load("declare void @may()\ndeclare i32 @personality(...)\n"
                                   "define void @t(ptr %p, i1 %c) personality ptr @personality {\n"
                                   " invoke void @may() to label %b1 unwind label %b2\n"
                                   "b1:\n indirectbr ptr %p, [label %b3, label %b4]\n"
                                   "b2:\n %l = landingpad i32 cleanup\n resume i32 %l\n"
                                   "b3:\n ret void\n"
                                   "b4:\n br i1 %c, label %b5, label %b7\n"
                                   "b5:\n br label %b7\n"
                                   "b6:\n %k = landingpad i32 cleanup\n resume i32 %k\n"
                                   "b7:\n ret void\n}\n");
    struct plan plan;
    plan_make(&plan, m.module, &none);
    for (size_t f = 0; f < plan.functions.n; f++) {
        if (plan.functions.at[f].not_counted || !plan.functions.at[f].segments.n)
            continue;
        struct flow *flow = flow_new(&plan.functions.at[f]);
        assert_int_equal(flow->cfg.graph.n, sizeof expected / sizeof *expected);
        for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
            if (flow->exceptional[i] != expected[i])
                fail_msg("block %zu", i);
        flow_free(flow);
    }
    plan_release(&plan);
    llvm_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(derived_values_are_true),
                                       cmocka_unit_test(counters_are_where_it_is_quiet),
                                       cmocka_unit_test(edges_that_need_a_block_are_dearer),
                                       cmocka_unit_test(costs_by_hand),
                                       cmocka_unit_test(what_may_last),
                                       cmocka_unit_test(exceptional_blocks)};
    return cmocka_run_group_tests(tests, 0, 0);
}
