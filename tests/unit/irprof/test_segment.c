/* Where blocks are cut, and what is in the pieces: read off the IR by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "irprof/module/plan.h"
#include "tests/unit/irprof/ir.h"

static const char preamble[] = "declare void @may()\n"
                               "declare void @sure() willreturn nounwind\n"
                               "declare void @throws() willreturn\n"
                               "declare i32 @twice(ptr) returns_twice willreturn nounwind\n"
                               "declare void @never() noreturn\n"
                               "declare void @shim_region_begin(ptr) willreturn nounwind\n"
                               "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
                               "declare void @llvm.trap()\n";

static const struct instrument_options none;

/* The body of a function of one block, and the number of instructions counted in each of its segments. */
static const struct row {
    int line;
    const char *code, *sizes;
} rows[] = {
    {__LINE__, "ret void", "1"},
    {__LINE__, "fence seq_cst \n fence seq_cst \n ret void", "3"},
    {__LINE__, "call void @may() \n fence seq_cst \n ret void", "1 2"},
    {__LINE__, "call void @sure() \n fence seq_cst \n ret void", "3"},
    {__LINE__, "call void @may() willreturn nounwind \n ret void", "2"},
    {__LINE__, "call void @throws() \n ret void", "1 1"},
    {__LINE__, "call void @throws() nounwind \n ret void", "2"},
    {__LINE__, "%r = call i32 @twice(ptr %p) \n ret void", "1 1"},
    {__LINE__, "call void @never() \n unreachable", "1"},
    {__LINE__, "call void @never() \n fence seq_cst \n unreachable", "1 1"},
    {__LINE__, "fence seq_cst \n call void @shim_region_begin(ptr %p) \n ret void", "1 1"},
    /* nothing is counted in the first, but it says how often the block was entered */
    {__LINE__, "call void @shim_region_begin(ptr %p) \n ret void", "0 1"},
    {__LINE__,
     "fence seq_cst \n call void @shim_region_begin(ptr %p) \n call void @shim_region_begin(ptr %p) \n ret void",
     "1 0 1"},
    {__LINE__, "call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false) \n ret void", "2"},
    {__LINE__, "call void @llvm.trap() \n ret void", "1 1"},
    {__LINE__, "call void asm sideeffect \"nop\", \"\"() \n ret void", "1 1"},
    {__LINE__, "call void asm sideeffect \"\", \"~{memory}\"() \n ret void", "2"},
    {__LINE__, "musttail call void @t(ptr %p) \n ret void", "2"},
    {__LINE__, "tail call void @t(ptr %p) \n ret void", "1 1"},
    {__LINE__, "call void %p() \n call void %p() \n ret void", "1 1 1"},
};

static char *sizes_of(const struct plan_function *f)
{
    struct str text = STR_INIT;
    for (size_t i = 0; i < f->segments.n; i++) {
        size_t n = 0;
        const struct plan_segment *s = &f->segments.at[i];
        for (size_t k = 0; k < s->parts.n; k++)
            for (size_t j = 0; j < s->parts.at[k].items.n; j++)
                n += s->parts.at[k].items.at[j].times;
        str_addf(&text, "%s%zu", i ? " " : "", n);
    }
    return str_detach(&text);
}

static void every_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str text = STR_INIT;
        str_addf(&text, "%sdefine void @t(ptr %%p) {\n%s\n}\n", preamble, rows[i].code);
        struct llvm_module m = ir_load(text.s);
        struct plan plan;
        plan_make(&plan, m.module, &none);
        assert_int_equal(plan.functions.n, 1);
        char *sizes = sizes_of(&plan.functions.at[0]);
        if (strcmp(sizes, rows[i].sizes) != 0)
            fail_msg("line %d: expected '%s', got '%s'", rows[i].line, rows[i].sizes, sizes);
        place_values(&plan, PLACE_PLAIN);
        assert_int_equal(plan.n_counters, plan.functions.at[0].segments.n);
        free(sizes);
        plan_release(&plan);
        llvm_release(&m);
        str_release(&text);
    }
}

/* What happens in every execution is one number for each event of a part; what does not has one counter, beside it. */
static void events_of_every_execution(void **state)
{
    (void)state;
    struct llvm_module m = ir_load("define void @t(ptr %p) {\n ret void \n}\n");
    struct plan plan;
    plan_make(&plan, m.module, &none);
    struct plan_part *part = &plan.functions.at[0].segments.at[0].parts.at[0];
    plan_event_times(&plan, part, "A", 1);
    plan_event_times(&plan, part, "B", 7);
    plan_event_times(&plan, part, "A", 2);
    size_t counter = plan_event_counter(&plan, part, "A");
    assert_int_equal(plan_event_counter(&plan, part, "A"), counter);
    plan_event_times(&plan, part, "A", 4);
    assert_int_equal(part->events.n, 3); /* A, B, and what a counter counts of A */
    assert_int_equal(part->events.at[0].times, 7);
    assert_int_equal(part->events.at[1].times, 7);
    assert_true(part->events.at[0].value == PLAN_SEGMENT && part->events.at[2].value == counter);
    assert_int_equal(part->events.at[2].times, 1);
    plan_release(&plan);
    llvm_release(&m);
}

/* Where nothing but `unreachable` follows a call that does not return, control stays in the segment of the call; elsewhere
 * what follows is a segment of its own. */
static void what_does_not_return_stays(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        size_t segments;
        bool stays;
    } cases[] = {{"call void @never() \n unreachable", 1, true},
                 {"call void @never() \n fence seq_cst \n unreachable", 2, false},
                 {"call void @may() \n ret void", 2, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = xasprintf("%sdefine void @t() {\n%s\n}\n", preamble, cases[i].code);
        struct llvm_module m = ir_load(text);
        struct plan plan;
        plan_make(&plan, m.module, &none);
        assert_int_equal(plan.functions.at[0].segments.n, cases[i].segments);
        assert_true(plan.functions.at[0].segments.at[0].stays == cases[i].stays);
        plan_release(&plan);
        llvm_release(&m);
        free(text);
    }
}

/* Calls: of a function, of an alias, which is the function that it stands for, of an ifunc, through a pointer, which has no
 * name. Intrinsics and assembly are none. */
static void calls_by_name(void **state)
{
    (void)state;
    static const char *const expected[] = {"may", "t", "chosen", 0, "may"};
    struct llvm_module m = ir_load("declare void @may()\ndeclare void @llvm.trap()\n"
                                   "@again = alias void (ptr), ptr @t\n"
                                   "@chosen = ifunc void (), ptr @choose\n"
                                   "define ptr @choose() noprofile {\n ret ptr @may\n}\n"
                                   "define void @t(ptr %p) {\n call void @may()\n call void @again(ptr %p)\n"
                                   " call void @chosen()\n call void %p()\n call void asm sideeffect \"nop\", \"\"()\n"
                                   " call void @llvm.trap()\n call void @may()\n ret void\n}\n");
    struct plan plan;
    plan_make(&plan, m.module, &none);
    const struct plan_function *f = &plan.functions.at[plan.functions.n - 1];
    size_t found = 0;
    for (size_t i = 0; i < f->segments.n; i++) {
        for (size_t k = 0; k < f->segments.at[i].calls.n; k++, found++) {
            size_t callee = f->segments.at[i].calls.at[k].callee;
            assert_true(found < sizeof expected / sizeof *expected);
            if (expected[found])
                assert_string_equal(plan.callees.keys[callee - 1], expected[found]);
            else
                assert_int_equal(callee, 0);
        }
    }
    assert_int_equal(found, sizeof expected / sizeof *expected);
    plan_release(&plan);
    llvm_release(&m);
}

static void functions_that_cannot_be_counted(void **state)
{
    (void)state;
    struct llvm_module m = ir_load("define void @bare() naked { \n unreachable \n}\n"
                                   "define void @told() noprofile { \n ret void \n}\n"
                                   "define available_externally void @elsewhere() { \n ret void \n}\n"
                                   "define weak void @shim_region_begin(ptr %p) { \n ret void \n}\n"
                                   "define void @fine() { \n ret void \n}\n");
    struct plan plan;
    plan_make(&plan, m.module, &none);
    assert_int_equal(plan.functions.n, 3);
    assert_non_null(plan.functions.at[0].not_counted);
    assert_int_equal(plan.functions.at[0].segments.n, 0);
    assert_non_null(plan.functions.at[1].not_counted);
    assert_null(plan.functions.at[2].not_counted);
    assert_int_equal(plan.functions.at[2].segments.n, 1);
    plan_release(&plan);
    llvm_release(&m);
}

static void lines_of_inlined_code_are_where_it_was_written(void **state)
{
    (void)state;
    struct llvm_module m = ir_load(
        "define void @t() !dbg !4 { \n fence seq_cst, !dbg !6 \n fence seq_cst, !dbg !7 \n fence seq_cst \n"
        " ret void, !dbg !6 \n}\n"
        "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!3}\n"
        "!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)\n"
        "!1 = !DIFile(filename: \"a.c\", directory: \"/src\")\n"
        "!2 = !DIFile(filename: \"/usr/include/b.h\", directory: \"/src\")\n"
        "!3 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
        "!4 = distinct !DISubprogram(name: \"t\", file: !1, line: 9, type: !8, unit: !0, spFlags: DISPFlagDefinition)\n"
        "!5 = distinct !DISubprogram(name: \"u\", file: !2, line: 2, type: !8, unit: !0, spFlags: DISPFlagDefinition)\n"
        "!6 = !DILocation(line: 10, scope: !4)\n"
        "!7 = !DILocation(line: 3, scope: !5, inlinedAt: !6)\n"
        "!8 = !DISubroutineType(types: !9)\n!9 = !{null}\n");
    struct plan plan;
    plan_make(&plan, m.module, &none);
    const struct plan_function *f = &plan.functions.at[0];
    assert_string_equal(plan.files.keys[f->file - 1], "/src/a.c");
    assert_int_equal(f->line, 9);
    assert_int_equal(f->segments.n, 1);
    const struct plan_segment *s = &f->segments.at[0];
    assert_int_equal(s->parts.n, 3);
    assert_string_equal(plan.files.keys[s->parts.at[0].file - 1], "/src/a.c");
    assert_int_equal(s->parts.at[0].line, 10);
    assert_int_equal(s->parts.at[0].items.n, 2); /* fence and ret */
    assert_string_equal(plan.files.keys[s->parts.at[1].file - 1], "/usr/include/b.h");
    assert_int_equal(s->parts.at[1].line, 3);
    assert_int_equal(s->parts.at[2].file, 0);
    plan_release(&plan);
    llvm_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(events_of_every_execution),
                                       cmocka_unit_test(every_row),
                                       cmocka_unit_test(functions_that_cannot_be_counted),
                                       cmocka_unit_test(calls_by_name),
                                       cmocka_unit_test(what_does_not_return_stays),
                                       cmocka_unit_test(lines_of_inlined_code_are_where_it_was_written)};
    return cmocka_run_group_tests(tests, 0, 0);
}
