/* The events that small functions get, for targets whose calling conventions say what must be saved: Arm's "Procedure
 * Call Standard for the Arm 64-bit Architecture" (8 registers for arguments; x19-x29 belong to the caller, x30 holds
 * the return address), the System V ABI for x86-64 (6; rbx, rbp, r12-r15; the return address is on the stack and the
 * stack 16-byte aligned at calls), the RISC-V calling convention (8; s0-s11; ra). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "irprof/codegen/spill.h"
#include "tests/unit/irprof/ir.h"

static const char a53[] = "aarch64-linux-gnu:cortex-a53", x86[] = "x86_64-linux-gnu", riscv[] = "riscv64-linux-gnu";
static const char riscv32[] = "riscv32-unknown-elf";

static const char preamble[] = "declare i64 @g(i64)\n"
                               "declare i64 @sure(i64) willreturn nounwind\n"
                               "declare void @ten(i64, i64, i64, i64, i64, i64, i64, i64, i64, i64)\n"
                               "declare <2 x i64> @llvm.x86.sse2.psad.bw(<16 x i8>, <16 x i8>)\n"
                               "@far = external global i64\n@near = external dso_local global i64\n";

struct planned {
    struct llvm_module m;
    struct plan plan;
};

static enum status plan_ir(struct planned *p, const char *text, const char *target, struct error *e)
{
    struct str all = STR_INIT;
    str_addf(&all, "%s%s", preamble, text);
    p->m = ir_load(all.s);
    str_release(&all);
    struct instrument_options none = {.spills = target};
    plan_make(&p->plan, p->m.module, &none);
    place_values(&p->plan, PLACE_SPARSE);
    return spill_plan(&p->plan, p->m.module, target, "x.ll", e);
}

static void release(struct planned *p)
{
    plan_release(&p->plan);
    llvm_release(&p->m);
}

/* How often the event happens, by the plan, when the part is executed once. */
static size_t times_of(const struct plan *plan, const struct plan_part *part, const char *event)
{
    size_t number, n = 0;
    assert_true(map_get(&plan->events, event, &number));
    for (size_t i = 0; i < part->events.n; i++)
        n += part->events.at[i].event == number ? part->events.at[i].times : 0;
    return n;
}

/* Appends "<load> <store> <constant>" of a segment. */
static void add_counts(struct str *text, const struct plan *plan, const struct plan_segment *s)
{
    static const char *const names[] = {"SPILL_LOAD", "SPILL_STORE", "CONSTANT_LOAD"};
    for (size_t i = 0; i < 3; i++) {
        size_t n = 0;
        for (size_t k = 0; k < s->parts.n; k++)
            n += times_of(plan, &s->parts.at[k], names[i]);
        str_addf(text, "%s%zu", i ? " " : "", n);
    }
}

/* The functions' code, and loads, stores and constants of each of the first function's segments. */
static const struct row {
    int line;
    const char *target, *code, *counts;
} rows[] = {
    /* all in registers */
    {__LINE__, a53, "define i64 @f(i64 %a, i64 %b) nounwind { %c = add i64 %a, %b \n ret i64 %c }", "0 0 0"},
    {__LINE__, x86, "define i64 @f(i64 %a, i64 %b) nounwind { %c = add i64 %a, %b \n ret i64 %c }", "0 0 0"},
    /* the IR's own load and store, and a place on the stack that the IR itself asks for */
    {__LINE__, a53,
     "define void @f(ptr %p) nounwind { %v = alloca i64 \n store volatile i64 1, ptr %v \n %x = load i64, ptr %p \n"
     "store i64 %x, ptr %p \n ret void }",
     "0 0 0"},
    {__LINE__, a53,
     "define void @f() nounwind noinline optnone { %1 = alloca i64, align 8 \n store i64 1, ptr %1, align 8 \n"
     "%2 = load i64, ptr %1, align 8 \n store i64 %2, ptr %1, align 8 \n ret void }",
     "0 0 0"},
    /* %b lives across the call, so it needs a register that the callee keeps, whose own value must be kept: x19 (rbx,
     * s0); and the return address: x30 (on the stack already, ra). Restored after the call, in the last segment */
    {__LINE__, a53,
     "define i64 @f(i64 %a, i64 %b) nounwind { %r = call i64 @g(i64 %a) \n %s = add i64 %r, %b \n ret i64 %s }",
     "0 2 0, 2 0 0"},
    {__LINE__, x86,
     "define i64 @f(i64 %a, i64 %b) nounwind { %r = call i64 @g(i64 %a) \n %s = add i64 %r, %b \n ret i64 %s }",
     "0 1 0, 1 0 0"},
    {__LINE__, riscv,
     "define i64 @f(i64 %a, i64 %b) nounwind { %r = call i64 @g(i64 %a) \n %s = add i64 %r, %b \n ret i64 %s }",
     "0 2 0, 2 0 0"},
    /* with registers of 32 bits %b is in two, which two others are kept for; and the return address */
    {__LINE__, riscv32,
     "define i64 @f(i64 %a, i64 %b) nounwind { %r = call i64 @g(i64 %a) \n %s = add i64 %r, %b \n ret i64 %s }",
     "0 3 0, 3 0 0"},
    /* a call that returns for sure does not end its segment */
    {__LINE__, a53,
     "define i64 @f(i64 %a, i64 %b) nounwind { %r = call i64 @sure(i64 %a) \n %s = add i64 %r, %b \n ret i64 %s }",
     "2 2 0"},
    /* between two calls nothing is moved */
    {__LINE__, a53,
     "define i64 @f(i64 %a, i64 %b) nounwind { %r = call i64 @g(i64 %a) \n %t = call i64 @g(i64 %r) \n"
     "%s = add i64 %t, %b \n ret i64 %s }",
     "0 2 0, 0 0 0, 2 0 0"},
    /* a sibling call leaves nothing to come back to */
    {__LINE__, a53, "define i64 @f(i64 %a) nounwind { %r = tail call i64 @g(i64 %a) \n ret i64 %r }", "0 0 0, 0 0 0"},
    /* ten arguments: the ninth and tenth on the stack, and the return address */
    {__LINE__, a53,
     "define void @f(i64 %a) nounwind { call void @ten(i64 %a, i64 %a, i64 %a, i64 %a, i64 %a, i64 %a, i64 %a, i64 %a, "
     "i64 %a, i64 %a) \n ret void }",
     "0 3 0, 1 0 0"},
    {__LINE__, riscv,
     "define void @f(i64 %a) nounwind { call void @ten(i64 %a, i64 %a, i64 %a, i64 %a, i64 %a, i64 %a, i64 %a, i64 %a, "
     "i64 %a, i64 %a) \n ret void }",
     "0 3 0, 1 0 0"},
    {__LINE__, a53,
     "define i64 @f(i64, i64, i64, i64, i64, i64, i64, i64, i64 %i, i64 %j) nounwind { %c = add i64 %i, %j \n ret i64 "
     "%c }",
     "2 0 0"},
    {__LINE__, riscv,
     "define i64 @f(i64, i64, i64, i64, i64, i64, i64, i64, i64 %i, i64 %j) nounwind { %c = add i64 %i, %j \n ret i64 "
     "%c }",
     "2 0 0"},
    /* seven arguments on x86-64: one on the stack */
    {__LINE__, x86, "define i64 @f(i64, i64, i64, i64, i64, i64, i64 %g) nounwind { ret i64 %g }", "1 0 0"},
    /* 0.1 is no immediate operand of fmov: it is in the constant pool; 0.5 is one */
    {__LINE__, a53, "define double @f(double %a) nounwind { %c = fadd double %a, 0.1 \n ret double %c }", "0 0 1"},
    {__LINE__, a53, "define double @f(double %a) nounwind { %c = fadd double %a, 0.5 \n ret double %c }", "0 0 0"},
    /* the address of a variable of another file, in code that may lie anywhere: from the global offset table */
    {__LINE__, a53,
     "define i64 @f() nounwind { %x = load i64, ptr @far \n ret i64 %x }\n"
     "!llvm.module.flags = !{!0}\n!0 = !{i32 8, !\"PIC Level\", i32 2}",
     "0 0 1"},
    {__LINE__, a53, "define i64 @f() nounwind { %x = load i64, ptr @near \n ret i64 %x }", "0 0 0"},
    /* not counted at all */
    {__LINE__, a53, "define void @f() naked { call void asm sideeffect \"ret\", \"\"() \n unreachable }", ""},
};

static void every_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct planned p;
        struct error e = ERROR_INIT;
        struct str text = STR_INIT;
        if (plan_ir(&p, rows[i].code, rows[i].target, &e))
            fail_msg("line %d: %s", rows[i].line, e.message);
        const struct plan_function *f = &p.plan.functions.at[0];
        for (size_t k = 0; k < f->segments.n; k++) {
            str_add(&text, k ? ", " : "");
            add_counts(&text, &p.plan, &f->segments.at[k]);
        }
        if (strcmp(str_text(&text), rows[i].counts) != 0)
            fail_msg("line %d: expected '%s', got '%s'", rows[i].line, rows[i].counts, str_text(&text));
        str_release(&text);
        release(&p);
    }
}

/* 40 values are read before the first is written: all live at once, with the pointer. AArch64 has 31 registers, so
 * that at least 10 of the 41 are not in one; and a value that has left its register is stored once and loaded once.
 * The other way round, a function of 20 fits. */
static void more_values_than_registers(void **state)
{
    (void)state;
    static const struct {
        int values;
        size_t least, most;
    } cases[] = {{40, 10, 40 + 12}, {15, 0, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct str code = STR_INIT, text = STR_INIT;
        str_add(&code, "define void @f(ptr %p) nounwind {\n");
        for (int i = 0; i < cases[c].values; i++)
            str_addf(&code, "%%v%d = load volatile i64, ptr %%p, align 8\n", i);
        for (int i = 0; i < cases[c].values; i++)
            str_addf(&code, "store volatile i64 %%v%d, ptr %%p, align 8\n", i);
        str_add(&code, "ret void }");
        struct planned p;
        struct error e = ERROR_INIT;
        assert_int_equal(plan_ir(&p, code.s, a53, &e), OK);
        add_counts(&text, &p.plan, &p.plan.functions.at[0].segments.at[0]);
        size_t loads, stores, constants;
        assert_int_equal(sscanf(text.s, "%zu %zu %zu", &loads, &stores, &constants), 3);
        assert_int_equal(loads, stores);
        assert_in_range(stores, cases[c].least, cases[c].most);
        str_release(&code);
        str_release(&text);
        release(&p);
    }
}

/* A way out before the call needs no registers kept: they are saved on the edge to the call (shrink-wrapping), so that
 * the stores are executed as often as that edge is taken. */
static void registers_kept_on_one_way_only(void **state)
{
    (void)state;
    struct planned p;
    struct error e = ERROR_INIT;
    assert_int_equal(plan_ir(&p,
                             "define i64 @f(i64 %a, i64 %b) nounwind {\n"
                             "start: %z = icmp eq i64 %a, 0 \n br i1 %z, label %out, label %work\n"
                             "work: %r = call i64 @g(i64 %a) \n %s = add i64 %r, %b \n br label %out\n"
                             "out: %t = phi i64 [0, %start], [%s, %work] \n ret i64 %t }",
                             a53, &e),
                     OK);
    const struct plan_function *f = &p.plan.functions.at[0];
    size_t number;
    bool found = false;
    assert_true(map_get(&p.plan.events, "SPILL_STORE", &number));
    for (size_t i = 0; i < f->segments.n; i++) {
        for (size_t k = 0; k < f->segments.at[i].parts.n; k++) {
            const struct plan_part *part = &f->segments.at[i].parts.at[k];
            for (size_t j = 0; j < part->events.n; j++) {
                if (part->events.at[j].event != number)
                    continue;
                found = true;
                assert_int_equal(part->events.at[j].times, 2);
                /* in the block of the call, or on the way to it: not in the first block */
                assert_true(f->segments.at[i].block == 1 || part->events.at[j].value != PLAN_SEGMENT);
            }
        }
    }
    assert_true(found);
    release(&p);
}

/* Uses and definitions of values: add has two and one, ret one, a constant and a void call's none; a phi takes one of
 * its operands. */
static void registers_of_the_ir(void **state)
{
    (void)state;
    struct planned p;
    struct error e = ERROR_INIT;
    assert_int_equal(plan_ir(&p,
                             "define i64 @f(i64 %a, i1 %c) nounwind {\n"
                             "start: %b = add i64 %a, %a \n %d = add i64 %b, 1 \n br i1 %c, label %one, label %two\n"
                             "one: br label %out\n"
                             "two: %f = mul i64 %d, %b \n br label %out\n"
                             "out: %t = phi i64 [%d, %one], [%f, %two] \n ret i64 %t }",
                             a53, &e),
                     OK);
    static const size_t expected[] = {3 + 2 + 1, 0, 3, 2 + 1};
    const struct plan_function *f = &p.plan.functions.at[0];
    assert_int_equal(f->segments.n, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(times_of(&p.plan, &f->segments.at[i].parts.at[0], "REGISTER_ACCESS"), expected[i]);
    release(&p);
}

static const char debug_info[] =
    "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!2}\n"
    "!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)\n"
    "!1 = !DIFile(filename: \"x.c\", directory: \"/\")\n!2 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
    "!3 = !DISubroutineType(types: !{})\n"
    "!4 = distinct !DISubprogram(name: \"f\", file: !1, type: !3, unit: !0, spFlags: DISPFlagDefinition)\n";

static size_t on_line(const struct plan *plan, size_t line, const char *event)
{
    const struct plan_function *f = &plan->functions.at[0];
    size_t n = 0;
    for (size_t i = 0; i < f->segments.n; i++)
        for (size_t k = 0; k < f->segments.at[i].parts.n; k++)
            if (f->segments.at[i].parts.at[k].line == line)
                n += times_of(plan, &f->segments.at[i].parts.at[k], event);
    return n;
}

/* Value i is read on line 100 + i and written on line 200 + i. One that leaves its register is kept right after the
 * first, and comes back right before the second. */
static void accesses_have_lines(void **state)
{
    (void)state;
    enum { VALUES = 40 };
    struct str code = STR_INIT;
    struct planned p;
    struct error e = ERROR_INIT;
    str_add(&code, "define void @f(ptr %p) nounwind !dbg !4 {\n");
    for (int i = 0; i < VALUES; i++)
        str_addf(&code, "%%v%d = load volatile i64, ptr %%p, align 8, !dbg !%d\n", i, 100 + i);
    for (int i = 0; i < VALUES; i++)
        str_addf(&code, "store volatile i64 %%v%d, ptr %%p, align 8, !dbg !%d\n", i, 200 + i);
    str_addf(&code, "ret void, !dbg !300\n}\n%s!300 = !DILocation(line: 300, scope: !4)\n", debug_info);
    for (int i = 0; i < VALUES; i++)
        str_addf(&code, "!%d = !DILocation(line: %d, scope: !4)\n!%d = !DILocation(line: %d, scope: !4)\n", 100 + i,
                 100 + i, 200 + i, 200 + i);
    assert_int_equal(plan_ir(&p, code.s, a53, &e), OK);
    size_t spilled = 0;
    for (size_t i = 1; i < VALUES; i++) { /* what the function saves at its beginning is the first line's */
        spilled += on_line(&p.plan, 100 + i, "SPILL_STORE");
        assert_int_equal(on_line(&p.plan, 100 + i, "SPILL_STORE"), on_line(&p.plan, 200 + i, "SPILL_LOAD"));
        assert_int_equal(on_line(&p.plan, 100 + i, "SPILL_LOAD") + on_line(&p.plan, 200 + i, "SPILL_STORE"), 0);
    }
    assert_true(spilled > 0);
    assert_true(on_line(&p.plan, 300, "SPILL_LOAD") > 0); /* what it gives back */
    str_release(&code);
    release(&p);
}

/* The module is compiled as a copy: what is instrumented afterwards is what it was. */
static void the_module_stays_as_it_is(void **state)
{
    (void)state;
    struct planned p;
    struct error e = ERROR_INIT;
    struct llvm_module m = ir_load("define i64 @f(i64 %named) nounwind { ret i64 %named }");
    char *before = LLVMPrintModuleToString(m.module);
    struct instrument_options none = {0};
    plan_make(&p.plan, m.module, &none);
    place_values(&p.plan, PLACE_SPARSE);
    assert_int_equal(spill_plan(&p.plan, m.module, a53, "x.ll", &e), OK);
    char *after = LLVMPrintModuleToString(m.module);
    assert_string_equal(before, after);
    LLVMDisposeMessage(before);
    LLVMDisposeMessage(after);
    p.m = m;
    release(&p);
}

static void what_cannot_be_compiled(void **state)
{
    (void)state;
    static const char plain[] = "define void @f() { ret void }";
    static const struct {
        const char *code, *target;
        enum status status;
        const char *says;
    } cases[] = {
        {plain, "nonsense", ERR_USAGE, "TRIPLE"},
        {plain, "", ERR_USAGE, "TRIPLE"},
        {plain, "mips-linux-gnu", ERR_USAGE, "aarch64"}, /* LLVM has it; what is extra there is not known here */
        {plain, "aarch64-linux-gnu:cortex-a1000", ERR_USAGE, "cortex-a1000"},
        /* an instruction of x86 alone: LLVM ends the process that asks it for AArch64 code */
        {"define <2 x i64> @f(<16 x i8> %a) { %r = call <2 x i64> @llvm.x86.sse2.psad.bw(<16 x i8> %a, <16 x i8> %a) \n"
         "ret <2 x i64> %r }",
         "aarch64-linux-gnu", ERR_INPUT, "cannot be compiled for aarch64-linux-gnu"},
        /* a register of x86 */
        {"define i64 @f() { %r = call i64 asm \"nop\", \"={rax}\"() \n ret i64 %r }", "aarch64-linux-gnu", ERR_INPUT,
         "cannot be compiled for aarch64-linux-gnu"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct planned p;
        struct error e = ERROR_INIT;
        assert_int_equal(plan_ir(&p, cases[i].code, cases[i].target, &e), cases[i].status);
        if (!strstr(e.message, cases[i].says))
            fail_msg("case %zu: %s", i, e.message);
        error_release(&e);
        release(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row),
        cmocka_unit_test(more_values_than_registers),
        cmocka_unit_test(registers_kept_on_one_way_only),
        cmocka_unit_test(registers_of_the_ir),
        cmocka_unit_test(accesses_have_lines),
        cmocka_unit_test(the_module_stays_as_it_is),
        cmocka_unit_test(what_cannot_be_compiled),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
