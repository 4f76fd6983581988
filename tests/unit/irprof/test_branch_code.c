/* The branches that small functions get: conditions taken apart by hand; which way round by the layout of blocks, where
 * what comes first in the IR comes first in the code; comparisons of a switch as LLVM's SwitchLowering makes them: three
 * in a row, more than that in a tree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "irprof/codegen/spill.h"
#include "irprof/module/condition.h"
#include "tests/unit/irprof/ir.h"

static const char a53[] = "aarch64-linux-gnu:cortex-a53", riscv[] = "riscv64-linux-gnu";

struct planned {
    struct llvm_module m;
    struct plan plan;
};

static void plan_ir(struct planned *p, const char *text, const char *target)
{
    struct error e = ERROR_INIT;
    struct instrument_options o = {.spills = target, .n_predictors = 1};
    o.predictors[0].kind = (struct sim_predictor_kind){.scheme = SIM_GSHARE, .table_bits = 12, .history_bits = 6};
    p->m = ir_load(text);
    plan_make(&p->plan, p->m.module, &o);
    place_values(&p->plan, PLACE_SPARSE);
    if (spill_plan(&p->plan, p->m.module, target, "x.ll", &e))
        fail_msg("%s", e.message);
}

static void release(struct planned *p)
{
    plan_release(&p->plan);
    llvm_release(&p->m);
}

static void expect_branches(const char *text, const char *target, size_t site, unsigned n, uint32_t inverted)
{
    struct planned p;
    plan_ir(&p, text, target);
    assert_true(site < p.plan.branches.n);
    const struct plan_branches *b = &p.plan.branches.at[site].code;
    if (b->n != n || b->inverted != inverted)
        fail_msg("%u branches, inverted %x; expected %u, %x, for %s of %s", b->n, b->inverted, n, inverted, target,
                 text);
    release(&p);
}

#define TWO_SIDES                                                                                                      \
    "t:\n store volatile i64 1, ptr %p\n br label %x\n"                                                                \
    "e:\n store volatile i64 2, ptr %q\n br label %x\nx:\n ret void\n}\n"

static void code_falls_through_to_the_first_side(void **state)
{
    (void)state;
    static const char text[] = "define void @f(i64 %a, ptr %p, ptr %q) {\n %c = icmp slt i64 %a, 5\n"
                               " br i1 %c, label %t, label %e\n" TWO_SIDES;
    expect_branches(text, a53, 0, 1, 1);
    expect_branches(text, riscv, 0, 1, 1);
}

static void a_loop_is_left_where_its_branch_is_not_taken(void **state)
{
    (void)state;
    static const char text[] = "define void @f(i64 %n, ptr %p) {\n br label %l\nl:\n %i = phi i64 [0, %0], [%j, %l]\n"
                               " store volatile i64 %i, ptr %p\n %j = add i64 %i, 1\n %c = icmp ne i64 %j, %n\n"
                               " br i1 %c, label %l, label %x\nx:\n ret void\n}\n";
    expect_branches(text, a53, 0, 1, 0);
    expect_branches(text, riscv, 0, 1, 0);
}

static void a_choice_of_values_has_no_branch(void **state)
{
    (void)state;
    static const char text[] = "define i64 @f(i64 %a, i64 %b) {\n %c = icmp slt i64 %a, 5\n"
                               " br i1 %c, label %t, label %x\nt:\n %s = add i64 %b, 7\n br label %x\n"
                               "x:\n %r = phi i64 [%b, %0], [%s, %t]\n ret i64 %r\n}\n";
    expect_branches(text, a53, 0, 0, 0);
}

#define COMPARED                                                                                                       \
    "define void @f(i64 %a, i64 %b, ptr %p, ptr %q) {\n %c = icmp slt i64 %a, 5\n %d = icmp slt i64 %b, 9\n"

static void a_condition_of_two_is_two_branches(void **state)
{
    (void)state;
    /* LLVM 17 holds jumps of RISC-V for expensive, and joins the conditions in a register */
    const bool joined = LLVM_VERSION_MAJOR < 18;
    /* both leave for the other side */
    expect_branches(COMPARED " %o = select i1 %c, i1 %d, i1 false\n br i1 %o, label %t, label %e\n" TWO_SIDES, riscv, 0,
                    joined ? 1 : 2, joined ? 1 : 3);
    /* both lead to the first side, which two lead to and which therefore comes last */
    expect_branches(COMPARED " %o = select i1 %c, i1 true, i1 %d\n br i1 %o, label %t, label %e\n" TWO_SIDES, riscv, 0,
                    joined ? 1 : 2, joined ? 1 : 0);
    expect_branches(COMPARED " %o = and i1 %c, %d\n br i1 %o, label %t, label %e\n" TWO_SIDES, a53, 0, 2, 3);
}

/* ---- switches ---- */

/* Calls of several functions: the back end makes a table of values of what differs in nothing else. */
#define CASE(n) "c" #n ":\n call void @g" #n "()\n br label %x\n"
#define SWITCH  "define void @f(i64 %v) {\n switch i64 %v, label %x ["
#define END     "x:\n ret void\n}\n"
#define CALLED                                                                                                         \
    "declare void @g1()\ndeclare void @g2()\ndeclare void @g3()\ndeclare void @g4()\ndeclare void @g5()\ndeclare "     \
    "void @g6()\n"

static const struct plan_switch *switch_of(const struct planned *p)
{
    assert_int_equal(p->plan.switches.n, 1);
    assert_non_null(p->plan.switches.at[0].ways.routes);
    return &p->plan.switches.at[0].ways;
}

static bool taken(const struct plan_route *r, unsigned i)
{
    return r->branches[i] & PLAN_ROUTE_TAKEN;
}

static unsigned number(const struct plan_route *r, unsigned i)
{
    return r->branches[i] & (PLAN_ROUTE_TAKEN - 1u);
}

/* Two ways are together until one of their branches goes the other way. */
static void expect_parting(const struct plan_route *a, const struct plan_route *b, unsigned at)
{
    for (unsigned i = 0; i < at; i++)
        assert_int_equal(a->branches[i], b->branches[i]);
    assert_true(at < a->n && at < b->n);
    assert_int_equal(number(a, at), number(b, at));
    assert_true(taken(a, at) != taken(b, at));
}

static void three_cases_are_compared_one_after_the_other(void **state)
{
    (void)state;
    struct planned p;
    plan_ir(&p, SWITCH "i64 1, label %c1 i64 50, label %c2 i64 900, label %c3]\n" CASE(1) CASE(2) CASE(3) END CALLED,
            a53);
    const struct plan_switch *w = switch_of(&p);
    size_t lengths = 0;
    for (unsigned k = 1; k <= 3; k++)
        lengths += w->routes[k].n;
    assert_int_equal(lengths, 1 + 2 + 3);
    assert_int_equal(w->routes[0].n, 3);
    assert_int_equal(w->others.n, 0);
    for (unsigned k = 1; k <= 3; k++) /* where it is found, it parts from what is not found */
        expect_parting(&w->routes[k], &w->routes[0], w->routes[k].n - 1);
    release(&p);
}

static void six_cases_are_a_tree(void **state)
{
    (void)state;
    struct planned p;
    plan_ir(&p,
            SWITCH "i64 -900, label %c1 i64 50, label %c2 i64 200, label %c3 i64 900, label %c4 i64 4000, label %c5 "
                   "i64 9000, label %c6]\n" CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) END CALLED,
            riscv);
    const struct plan_switch *w = switch_of(&p);
    for (unsigned k = 1; k <= 3; k++) /* the halves part at once */
        expect_parting(&w->routes[k], &w->routes[k + 3], 0);
    assert_int_equal(w->others.n, 2);
    assert_int_equal(w->others.at[1].from, 900);
    expect_parting(&w->others.at[0].route, &w->others.at[1].route, 0);
    expect_parting(&w->others.at[0].route, &w->routes[6], 0);
    expect_parting(&w->others.at[1].route, &w->routes[1], 0);
    assert_int_equal(w->others.at[0].route.n, 1 + 3);
    release(&p);
}

static void dense_cases_are_a_table_behind_one_comparison(void **state)
{
    (void)state;
    struct str text = STR_INIT;
    struct planned p;
    enum { CASES = 20 };
    str_add(&text, SWITCH);
    for (int i = 0; i < CASES; i++)
        str_addf(&text, "i64 %d, label %%c%d ", i, i);
    str_add(&text, "]\n");
    for (int i = 0; i < CASES; i++)
        str_addf(&text, "c%d:\n call void @g%d()\n br label %%x\n", i, i % 6 + 1);
    str_add(&text, END CALLED);
    plan_ir(&p, str_text(&text), a53);
    const struct plan_switch *w = switch_of(&p);
    for (unsigned k = 1; k <= CASES; k++) {
        assert_true(w->routes[k].table);
        assert_int_equal(w->routes[k].n, 1);
        expect_parting(&w->routes[k], &w->routes[0], 0);
    }
    assert_false(w->routes[0].table);
    release(&p);
    str_release(&text);
}

static void the_code_of_no_target_is_not_known(void **state)
{
    (void)state;
    struct planned p;
    struct instrument_options o = {.n_predictors = 1};
    o.predictors[0].kind = (struct sim_predictor_kind){.scheme = SIM_BIMODAL, .table_bits = 12};
    p.m = ir_load("define void @f(i64 %a, ptr %p, ptr %q) {\n %c = icmp slt i64 %a, 5\n br i1 %c, label %t, label "
                  "%e\n" TWO_SIDES);
    plan_make(&p.plan, p.m.module, &o);
    assert_int_equal(p.plan.branches.at[0].code.n, 1);
    assert_int_equal(p.plan.branches.at[0].code.inverted, 0);
    release(&p);
}

/* ---- conditions ---- */

static void expect_leaves(const char *condition, unsigned depth, const char *expected)
{
    struct str text = STR_INIT, got = STR_INIT;
    struct condition c;
    str_addf(&text,
             "define void @f(i1 %%p, i1 %%q, i64 %%v, ptr %%m, i1 %%w) {\n %%a = icmp slt i64 %%v, 1\n %%b = icmp slt "
             "i64 %%v, 2\n"
             " %%c = icmp slt i64 %%v, 3\n%s br i1 %%o, label %%t, label %%e\nt:\n ret void\ne:\n ret void\n}\n",
             condition);
    struct llvm_module m = ir_load(str_text(&text));
    condition_read(&c, LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(LLVMGetNamedFunction(m.module, "f"))), depth);
    for (size_t i = 0; i < c.n; i++) {
        size_t n, to[] = {c.leaves[i].if_true, c.leaves[i].if_not};
        str_addf(&got, "%s%s", i ? " " : "", LLVMGetValueName2(c.leaves[i].value, &n));
        for (unsigned k = 0; k < 2; k++)
            str_addch(&got, to[k] == CONDITION_TRUE ? 'T' : to[k] == CONDITION_FALSE ? 'F' : (char)('0' + to[k]));
    }
    assert_string_equal(str_text(&got), expected);
    llvm_release(&m);
    str_release(&text);
    str_release(&got);
}

static void conditions_are_taken_apart(void **state)
{
    (void)state;
    expect_leaves(" %o = icmp eq i64 %v, 7\n", 6, "oTF");
    expect_leaves(" %o = and i1 %a, %b\n", 6, "a1F bTF");
    expect_leaves(" %o = or i1 %a, %b\n", 6, "aT1 bTF");
    expect_leaves(" %o = select i1 %a, i1 %b, i1 false\n", 6, "a1F bTF");
    expect_leaves(" %o = select i1 %a, i1 true, i1 %b\n", 6, "aT1 bTF");
    expect_leaves(" %o = select i1 %a, i1 %b, i1 %c\n", 6, "oTF");
    expect_leaves(" %n = or i1 %b, %c\n %o = and i1 %a, %n\n", 6, "a1F bT2 cTF");
    expect_leaves(" %n = or i1 %b, %c\n %o = and i1 %a, %n\n", 1, "a1F nTF");
    expect_leaves(" %n = or i1 %b, %c\n %o = and i1 %n, %a\n", 6, "b21 c2F aTF");
    expect_leaves(" %n = xor i1 %a, true\n %o = and i1 %n, %b\n", 6, "aF1 bTF");
    expect_leaves(" %n = and i1 %a, %b\n %o = xor i1 %n, true\n", 6, "a1T bFT");
    expect_leaves(" %n = and i1 %a, %b\n %o = xor i1 %n, %c\n", 6, "oTF");
    /* what something else uses is computed anyhow */
    expect_leaves(" %n = and i1 %a, %b\n store i1 %n, ptr %m\n %o = or i1 %n, %c\n", 6, "nT1 cTF");
    expect_leaves(" %o = and i1 %a, %b\n", 0, "oTF");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_falls_through_to_the_first_side),
        cmocka_unit_test(a_loop_is_left_where_its_branch_is_not_taken),
        cmocka_unit_test(a_choice_of_values_has_no_branch),
        cmocka_unit_test(a_condition_of_two_is_two_branches),
        cmocka_unit_test(three_cases_are_compared_one_after_the_other),
        cmocka_unit_test(six_cases_are_a_tree),
        cmocka_unit_test(dense_cases_are_a_table_behind_one_comparison),
        cmocka_unit_test(the_code_of_no_target_is_not_known),
        cmocka_unit_test(conditions_are_taken_apart),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
