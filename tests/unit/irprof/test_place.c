/* Counters in a module: which claims of purity must go, what is left in memory, which counter an edge has, where a loop
 * stands in the source. */
#include "tests/unit/irprof/ir.h"

#include "irprof/count/flow.h"
#include "irprof/instrument/instrument.h"

static char *instrumented_by(const char *text, const struct instrument_options *options)
{
    struct error e = ERROR_INIT;
    struct llvm_module m = ir_load(text);
    if (instrument(&m, "test.ll", options, &e))
        fail_msg("%s", e.message);
    char *printed = LLVMPrintModuleToString(m.module), *copy = xstrdup(printed);
    LLVMDisposeMessage(printed);
    llvm_release(&m);
    return copy;
}

static char *instrumented(const char *text)
{
    return instrumented_by(text, &(const struct instrument_options){0});
}

/* What stands from the first `from` to the next `to` behind it; the caller frees. */
static char *piece(const char *text, const char *from, const char *to)
{
    const char *begin = strstr(text, from);
    assert_non_null(begin);
    const char *end = strstr(begin, to);
    assert_non_null(end);
    return xstrndup(begin, (size_t)(end - begin));
}

/* A counted function writes memory, and so does every function that may be one: code generation would drop a call
 * without result. */
static void no_claim_of_purity_is_left(void **state)
{
    (void)state;
    char *text = instrumented("declare i32 @other(i32) memory(none) nosync speculatable willreturn\n"
                              "declare i32 @llvm.ctpop.i32(i32)\n"
                              "declare i32 @personality(...)\n"
                              "define i32 @pure(i32 %x) memory(none) nosync nounwind {\n"
                              " %a = call i32 @other(i32 %x) memory(none) nosync\n"
                              " %b = call i32 @llvm.ctpop.i32(i32 %a)\n"
                              " %c = call i32 asm \"nop\", \"=r\"() memory(none)\n"
                              " %d = add i32 %b, %c\n ret i32 %d\n}\n"
                              "define i32 @thrown(i32 %x) personality ptr @personality {\n"
                              " %a = invoke i32 @other(i32 %x) memory(none) nosync to label %ok unwind label %no\n"
                              "ok:\n ret i32 %a\n"
                              "no:\n %l = landingpad i32 cleanup\n ret i32 %l\n}\n");
    /* Attributes are printed as groups: those of all that is no intrinsic and no assembly. */
    char *group = 0;
    const char *const users[] = {"declare i32 @other(", "define i32 @pure(", "= call i32 @other(",
                                 "invoke i32 @other("};
    for (size_t i = 0; i < sizeof users / sizeof *users; i++) {
        char *line = piece(text, users[i], "\n"), *number = strchr(line, '#');
        if (number) {
            number[strcspn(number, " ,{")] = 0;
            char *start = xasprintf("attributes %s =", number);
            group = piece(text, start, "\n");
            if (strstr(group, "memory(none)") || strstr(group, "nosync") || strstr(group, "speculatable"))
                fail_msg("%s has %s", users[i], group);
            free(group);
            free(start);
        }
        free(line);
    }
    /* What is no call of a counted function keeps its own. */
    char *assembly = piece(text, "call i32 asm", "\n"), *number = strchr(assembly, '#');
    assert_non_null(number);
    char *start = xasprintf("attributes %s =", number);
    group = piece(text, start, "\n");
    assert_non_null(strstr(group, "memory(none)"));
    free(group);
    free(start);
    free(assembly);
    char *intrinsic = piece(text, "declare i32 @llvm.ctpop.i32(", "\n");
    number = strchr(intrinsic, '#');
    assert_non_null(number);
    start = xasprintf("attributes %s =", number);
    group = piece(text, start, "\n");
    assert_non_null(strstr(group, "memory(none)"));
    assert_non_null(strstr(group, "speculatable"));
    free(group);
    free(start);
    free(intrinsic);
    free(text);
}

/* Is a sum added to a counter, and not just 1? */
static bool adds_a_sum(const char *code)
{
    for (const char *at = strstr(code, "= add i64 "); at; at = strstr(at + 1, "= add i64 ")) {
        const char *amount = strstr(at, ", ");
        if (amount && amount[2] == '%')
            return true;
    }
    return false;
}

/* for (i = 0; i != n; i++) if (c) f++: the counter of the branch is a register while the loop runs: 0 when it is entered, and
 * added to the counter when it is left. */
static void counters_of_loops_are_registers(void **state)
{
    (void)state;
    char *text = instrumented("define void @t(i1 %c, i32 %n) {\ne:\n br label %l\n"
                              "l:\n %i = phi i32 [ 0, %e ], [ %j, %k ]\n br i1 %c, label %a, label %k\n"
                              "a:\n br label %k\n"
                              "k:\n %j = add nsw i32 %i, 1\n %d = icmp slt i32 %j, %n\n br i1 %d, label %l, label %x\n"
                              "x:\n ret void\n}\n");
    char *body = piece(text, "define void @t(", "\n}");
    assert_null(strstr(body, "alloca"));
    char *loop = piece(body, "\nl:", "\nx:");
    assert_null(strstr(loop, "store"));
    assert_non_null(strstr(loop, "phi i64 [ 0, %e ]"));
    assert_true(adds_a_sum(strstr(body, "\nx:")));
    free(loop);
    free(body);
    free(text);
}

static const struct plan_edge *edge_of(const struct plan_function *f, size_t from, size_t to)
{
    for (size_t i = 0; i < f->edges.n; i++)
        if (f->edges.at[i].from == from && f->edges.at[i].to == to)
            return &f->edges.at[i];
    fail_msg("no edge from %zu to %zu", from, to);
    return 0;
}

static size_t value_of_edge(const struct plan_function *f, size_t from, size_t to)
{
    return edge_of(f, from, to)->value;
}

/* Plain: a counter a segment; an edge has its own only where its block can also be reached in another way. */
static void a_counter_each(void **state)
{
    (void)state;
    static const struct instrument_options none;
    struct llvm_module m = ir_load("define void @t(i1 %c) {\n br i1 %c, label %a, label %b\n"
                                   "a:\n br label %b\nb:\n ret void\n}\n");
    struct plan plan;
    plan_make(&plan, m.module, &none);
    place_values(&plan, PLACE_PLAIN);
    const struct plan_function *f = &plan.functions.at[0];
    assert_int_equal(f->segments.n, 3);
    assert_int_equal(plan.n_counters, 5);
    assert_int_equal(plan.derived.n, 0);
    assert_int_equal(value_of_edge(f, 0, 1), f->segments.at[1].value);
    assert_int_equal(edge_of(f, 0, 1)->kind, IRPROF_EDGE_TRUE);
    assert_int_equal(edge_of(f, 0, 2)->kind, IRPROF_EDGE_FALSE);
    assert_int_equal(edge_of(f, 1, 2)->kind, IRPROF_EDGE_JUMP);
    bool used[5] = {false};
    const size_t values[] = {f->segments.at[0].value, f->segments.at[1].value, f->segments.at[2].value,
                             value_of_edge(f, 0, 2), value_of_edge(f, 1, 2)};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        assert_true(values[i] < 5);
        assert_false(used[values[i]]);
        used[values[i]] = true;
    }
    plan_release(&plan);
    llvm_release(&m);
}

/* A loop stands where the first instruction of its header stands that has a place. */
static void loops_have_lines(void **state)
{
    (void)state;
    static const struct instrument_options none;
    struct llvm_module m =
        ir_load("define void @t(i32 %n) !dbg !4 {\ne:\n br label %l\n"
                "l:\n %i = phi i32 [ 0, %e ], [ %j, %l ]\n %j = add nsw i32 %i, 1, !dbg !7\n"
                " %d = icmp slt i32 %j, %n, !dbg !8\n br i1 %d, label %l, label %x, !dbg !8\n"
                "x:\n ret void\n}\n"
                "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!2}\n"
                "!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)\n"
                "!1 = !DIFile(filename: \"t.c\", directory: \"/d\")\n!2 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
                "!3 = !DISubroutineType(types: !{null})\n"
                "!4 = distinct !DISubprogram(name: \"t\", file: !1, line: 3, type: !3, unit: !0, "
                "spFlags: DISPFlagDefinition)\n"
                "!7 = !DILocation(line: 5, scope: !4)\n!8 = !DILocation(line: 9, scope: !4)\n");
    struct plan plan;
    plan_make(&plan, m.module, &none);
    place_values(&plan, PLACE_SPARSE);
    const struct plan_function *f = &plan.functions.at[0];
    assert_int_equal(f->loops.n, 1);
    assert_int_equal(f->loops.at[0].line, 5);
    assert_true(f->loops.at[0].file > 0);
    assert_string_equal(plan.files.keys[f->loops.at[0].file - 1], "/d/t.c");
    plan_release(&plan);
    llvm_release(&m);
}

/* Without a spanning tree each of the three segments has a counter, and so have the two edges to the last block, because
 * neither is the only one: five increments. (The edge to the second block is taken as often as that is executed.) */
static void plain_counters_are_all_there(void **state)
{
    (void)state;
    const struct instrument_options plain = {.counters = IRPROF_COUNTERS_PLAIN, .scheme = PLACE_PLAIN};
    char *text = instrumented_by("define void @f(i1 %c) {\n br i1 %c, label %a, label %b\n"
                                 "a:\n br label %b\nb:\n ret void\n}\n",
                                 &plain);
    char *function = piece(text, "define void @f(", "\n}");
    size_t n = 0;
    for (const char *at = strstr(function, "add i64 "); at; at = strstr(at + 1, "add i64 "))
        n++;
    assert_int_equal(n, 5);
    free(function);
    free(text);
}

/* Other threads see each increment, not this one alone. */
static void atomic_counters_are_of_all_threads(void **state)
{
    (void)state;
    const struct instrument_options atomic = {.counters = IRPROF_COUNTERS_ATOMIC};
    char *text = instrumented_by("define void @f() {\n ret void\n}\n", &atomic);
    char *function = piece(text, "define void @f(", "\n}");
    assert_non_null(strstr(function, "atomicrmw add ptr @__irprof_counters, i64 1 monotonic"));
    free(function);
    free(text);
}

/* A thread's counters are asked for by each function that may be its first: one that other modules can call, one whose
 * address is known, one that a function without counters calls. A function that only counted ones call finds them asked
 * for. What resolvers call runs before there are threads. */
static void who_asks_for_counters(void **state)
{
    (void)state;
    static const struct {
        const char *function;
        bool asks, of_thread;
    } rows[] = {
        {"define void @outer(", true, true},
        {"define internal void @inner(", false, true},
        {"define private void @innermost(", false, true},
        {"define internal void @taken(", true, true},
        {"define internal void @handed(", true, true},
        {"define internal void @by_uncounted(", true, true},
        {"define ptr @resolve(", false, false},
        {"define internal void @helps(", false, false},
    };
    char *text = instrumented("@keep = global ptr @taken\n@chosen = ifunc void (), ptr @resolve\n"
                              "define void @outer() {\n call void @inner()\n call void @handed(ptr @handed)\n"
                              " ret void\n}\n"
                              "define internal void @inner() {\n call void @innermost()\n ret void\n}\n"
                              "define private void @innermost() {\n ret void\n}\n"
                              "define internal void @taken() {\n ret void\n}\n"
                              "define internal void @handed(ptr %p) {\n ret void\n}\n"
                              "define void @uncounted() noprofile {\n call void @by_uncounted()\n ret void\n}\n"
                              "define internal void @by_uncounted() {\n ret void\n}\n"
                              "define ptr @resolve() {\n call void @helps(i1 0)\n ret ptr @outer\n}\n"
                              "define internal void @helps(i1 %c) {\n br i1 %c, label %a, label %b\n"
                              "a:\n call void @helps(i1 0)\n br label %b\nb:\n ret void\n}\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *function = piece(text, rows[i].function, "\n}");
        bool asks = strstr(function, "@__irprof_here()"), of_thread = strstr(function, "ptr @__irprof_mine");
        if (asks != rows[i].asks || of_thread != rows[i].of_thread)
            fail_msg("%s", function);
        /* whether they were asked for stands behind their address */
        assert_true(asks == (strstr(function, "{ ptr, i32 }, ptr %1, i32 0, i32 1\n") != 0));
        assert_true(of_thread == !strstr(function, "@__irprof_counters"));
        free(function);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_claim_of_purity_is_left),
                                       cmocka_unit_test(counters_of_loops_are_registers),
                                       cmocka_unit_test(a_counter_each),
                                       cmocka_unit_test(plain_counters_are_all_there),
                                       cmocka_unit_test(who_asks_for_counters),
                                       cmocka_unit_test(atomic_counters_are_of_all_threads),
                                       cmocka_unit_test(loops_have_lines)};
    return cmocka_run_group_tests(tests, 0, 0);
}
