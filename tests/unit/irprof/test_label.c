/* Where each instruction of a function is counted: block, segment, part; the places are read off the IR by hand. */
#include "tests/unit/irprof/ir.h"

#include <stdlib.h>

#include "irprof/codegen/label.h"
#include "irprof/irprof.h"
#include "irprof/module/plan.h"

enum { NO = -1 };

#define CHECKSUM "0123456789abcdef0123456789abcdef"

/* In the order of the IR: block, segment in the function, part in that; -1: in none. Lines 3 and 4 are of f.c, line 4
 * also of g.h. */
static const char text[] =
    "declare void @may()\n"
    "declare void @never() noreturn\n"
    "declare void @llvm.assume(i1)\n"
    "define i32 @f(i1 %c, i32 %x) !dbg !4 {\n"
    "entry:\n"
    "  %a = add i32 %x, 1, !dbg !10\n"
    "  call void @may(), !dbg !11\n"
    "  %b = mul i32 %a, %a, !dbg !11\n"
    "  %d = mul i32 %b, %a, !dbg !10\n"
    "  br i1 %c, label %one, label %two\n"
    "one:\n"
    "  call void @llvm.assume(i1 %c), !dbg !10\n"
    "  call void @never(), !dbg !12\n"
    "  unreachable, !dbg !12\n"
    "two:\n"
    "  %p = phi i32 [ %d, %entry ], !dbg !10\n"
    "  %q = add i32 %p, 2, !dbg !11\n"
    "  %r = add i32 %q, 2, !dbg !12\n"
    "  ret i32 %r, !dbg !10\n"
    "}\n"
    "!llvm.dbg.cu = !{!0}\n"
    "!llvm.module.flags = !{!2}\n"
    "!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)\n"
    "!1 = !DIFile(filename: \"f.c\", directory: \"/d\", checksumkind: CSK_MD5, checksum: \"" CHECKSUM "\")\n"
    "!2 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
    "!3 = !DIFile(filename: \"g.h\", directory: \"/d\")\n"
    "!4 = distinct !DISubprogram(name: \"f\", file: !1, line: 1, type: !5, unit: !0, spFlags: "
    "DISPFlagDefinition)\n"
    "!5 = !DISubroutineType(types: !{})\n"
    "!6 = !DILexicalBlockFile(scope: !4, file: !3, discriminator: 0)\n"
    "!10 = !DILocation(line: 3, scope: !4)\n"
    "!11 = !DILocation(line: 4, scope: !4)\n"
    "!12 = !DILocation(line: 4, scope: !6)\n";
static const int expected[][3] = {
    {NO, NO, NO},                                              /* number 0 is nowhere */
    {0, 0, 0},    {0, 0, 1}, {0, 1, 0},  {0, 1, 1}, {0, 1, 2}, /* cut behind the call; the branch has no line */
    {1, 2, NO},   {1, 2, 0}, {1, 2, NO},                       /* no code; a call; the end that is none */
    {2, 3, 0},    {2, 3, 1}, {2, 3, 2},  {2, 3, 0},            /* the phi too */
};

static int number(uint32_t n)
{
    return n == IRPROF_NONE ? NO : (int)n;
}

static void every_instruction(void **state)
{
    (void)state;
    static const struct instrument_options none;
    enum { N = sizeof expected / sizeof *expected };
    struct llvm_module m = ir_load(text);
    struct plan plan;
    struct irprof_spot *found;
    plan_make(&plan, m.module, &none);
    const struct plan_function *f = &plan.functions.at[plan.functions.n - 1];
    assert_int_equal(f->segments.n, 4);
    assert_int_equal(label_spots(&found, &plan, f), N);
    assert_int_equal(plan.checksums.n, 2); /* of f.c, and of g.h, which has none */
    assert_string_equal(plan.checksums.at[0], CHECKSUM);
    assert_null(plan.checksums.at[1]);
    for (size_t i = 0; i < N; i++) {
        const struct irprof_spot *s = &found[i];
        if (number(s->block) != expected[i][0] || number(s->segment) != expected[i][1] ||
            number(s->part) != expected[i][2])
            fail_msg("instruction %zu: block %d, segment %d, part %d", i, number(s->block), number(s->segment),
                     number(s->part));
    }
    free(found);
    plan_release(&plan);
    llvm_release(&m);
}

/* ---- the copy ---- */

static const char locals[] = "source_filename = \"two.c\"\ntarget triple = \"riscv64-unknown-linux-gnu\"\n"
                             "@mine = internal global i32 1\n@own = private constant i32 2\n@all = global i32 3\n"
                             "@weak = weak global i32 4\n"
                             "declare void @may()\n"
                             "define internal i32 @q15(i32 %x) {\n"
                             "  %a = load i32, ptr @mine\n  call void @may()\n  %b = add i32 %a, %x\n"
                             "  br label %next\nnext:\n  ret i32 %b\n}\n"
                             "define i32 @f(i32 %x) {\n  %a = call i32 @q15(i32 %x)\n  ret i32 %a\n}\n";

/* What the labels say of both functions, and what is called otherwise in the copy. */
static void module_and_copy(void **state)
{
    (void)state;
    struct irprof_labels labels;
    struct error e = ERROR_INIT;
    char in[] = "/tmp/irprof-label-XXXXXX";
    int fd = mkstemp(in);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, locals, strlen(locals)), (ssize_t)strlen(locals));
    close(fd);
    char *out = xasprintf("%s.bc", in);
    assert_int_equal(irprof_label(&labels, in, out, 0, &e), OK);
    assert_string_equal(labels.module, "two.c");
    assert_string_equal(labels.target, "riscv64-unknown-linux-gnu");
    assert_int_equal(labels.n, 2);
    const struct irprof_label_function *q = &labels.functions[0], *f = &labels.functions[1];
    assert_string_equal(q->name, "q15");
    assert_string_equal(f->name, "f");
    assert_true(q->n_blocks == 2 && f->n_blocks == 1 && q->n_segments == 3 && f->n_segments == 2);
    static const struct irprof_label_segment wanted[] = {{0, 0, 1}, {0, 1, 1}, {1, 0, 1}};
    for (size_t i = 0; i < 3; i++)
        assert_true(q->segments[i].block == wanted[i].block && q->segments[i].number == wanted[i].number &&
                    q->segments[i].n_parts == wanted[i].n_parts);
    assert_int_equal(q->n_spots, 1 + 5);
    assert_int_equal(f->n_spots, 1 + 2);
    irprof_labels_release(&labels);
    struct llvm_module m;
    assert_int_equal(llvm_load(&m, out, &e), OK);
    static const char *const globals[] = {LABEL_LOCAL "mine", LABEL_LOCAL "own", "all", "weak"};
    for (size_t i = 0; i < sizeof globals / sizeof *globals; i++)
        assert_non_null(LLVMGetNamedGlobal(m.module, globals[i]));
    assert_null(LLVMGetNamedGlobal(m.module, "mine"));
    assert_non_null(LLVMGetNamedFunction(m.module, LABEL_LOCAL "q15"));
    assert_non_null(LLVMGetNamedFunction(m.module, "f"));
    assert_non_null(LLVMGetNamedFunction(m.module, "may"));
    llvm_release(&m);
    unlink(in);
    unlink(out);
    assert_int_not_equal(irprof_label(&labels, in, out, 0, &e), OK); /* it is gone: nothing is left to release */
    assert_int_equal(labels.n, 0);
    error_release(&e);
    free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_instruction), cmocka_unit_test(module_and_copy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
