/* IR of a stamped module beside the original's: the same without the stamps, and each way in which it is not. */
#include "tests/unit/irprof/ir.h"

#include "irprof/prove/same_work.h"

static const char base_text[] = "@out = global i32 0\n"
                                "declare i32 @g(i32)\n"
                                "define i32 @f(i32 %x, i1 %c) {\n"
                                "entry:\n"
                                "  %a = add nsw i32 %x, 1\n"
                                "  br i1 %c, label %then, label %end\n"
                                "then:\n"
                                "  %b = call i32 @g(i32 %a)\n"
                                "  br label %end\n"
                                "end:\n"
                                "  %p = phi i32 [ %a, %entry ], [ %b, %then ]\n"
                                "  store i32 %p, ptr @out\n"
                                "  ret i32 %p\n"
                                "}\n";

/* Stamps in a block, a block cut in two by a loop of stamps, a block on an edge, a parameter, a replaced store. */
static const char stamped_text[] = "@out = global i32 0\n"
                                   "@irprof_room = internal global [4 x i64] zeroinitializer\n"
                                   "declare i32 @g(i32)\n"
                                   "declare i64 @llvm.readcyclecounter()\n"
                                   "define internal void @irprof_flush() {\n  ret void\n}\n"
                                   "define i32 @f(i32 %x, i1 %c, i32 %irprof_never) {\n"
                                   "entry:\n"
                                   "  %n = icmp ne i32 %irprof_never, 0, !irprof.stamp !1\n"
                                   "  %a = add nsw i32 %x, 1\n"
                                   "  br i1 %c, label %cut, label %edge\n"
                                   "cut:\n"
                                   "  %t = call i64 @llvm.readcyclecounter(), !irprof.stamp !1\n"
                                   "  br label %wait, !irprof.stamp !1\n"
                                   "wait:\n"
                                   "  %u = call i64 @llvm.readcyclecounter(), !irprof.stamp !1\n"
                                   "  %again = icmp eq i64 %t, %u, !irprof.stamp !1\n"
                                   "  br i1 %again, label %wait, label %rest, !irprof.stamp !1\n"
                                   "rest:\n"
                                   "  %b = call i32 @g(i32 %a)\n"
                                   "  br label %end\n"
                                   "edge:\n"
                                   "  store i64 1, ptr @irprof_room, !irprof.stamp !1\n"
                                   "  br label %end, !irprof.stamp !1\n"
                                   "end:\n"
                                   "  %p = phi i32 [ %a, %edge ], [ %b, %rest ]\n"
                                   "  %s = select i1 %n, i32 %p, i32 7, !irprof.stamp !2, !irprof.stamp.guard !2\n"
                                   "  store i32 %s, ptr @out, !irprof.stamp.guard !2\n"
                                   "  ret i32 %p\n"
                                   "}\n"
                                   "!irprof.stamps = !{!3, !4}\n"
                                   "!1 = !{i32 0}\n"
                                   "!2 = !{i32 1}\n"
                                   "!3 = !{i32 0, !\"somewhere\", !\"add\"}\n"
                                   "!4 = !{i32 1, !\"the result\", !\"replace\"}\n";

/* `stamped_text` with the first `from` as `to`; NULL: as it is. Checks what is said, NULL: nothing. */
static void check(const char *from, const char *to, const char *said)
{
    char *text = strdup(stamped_text);
    if (from) {
        const char *at = strstr(text, from);
        assert_non_null(at);
        size_t n = strlen(text) + strlen(to) + 1;
        char *changed = malloc(n);
        snprintf(changed, n, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
        free(text);
        text = changed;
    }
    struct llvm_module a = ir_load(base_text), b = ir_load(text);
    struct marks marks;
    struct error e = ERROR_INIT;
    assert_int_equal(marks_read(&marks, b.module, "b.ll", &e), OK);
    char *wrong = same_work(a.module, b.module, &marks);
    if (!said && wrong)
        fail_msg("%s", wrong);
    if (said && (!wrong || !strstr(wrong, said)))
        fail_msg("'%s', must have '%s'", wrong ? wrong : "nothing", said);
    free(wrong);
    free(text);
    marks_release(&marks);
    llvm_release(&a);
    llvm_release(&b);
}

static void stamps_are_taken_out(void **state)
{
    (void)state;
    check(0, 0, 0);
}

static void each_change_is_found(void **state)
{
    (void)state;
    check("add nsw i32 %x, 1", "add i32 %x, 1", "'%v0 = add nsw i32 %a0, 1' of the original is '%v0 = add i32 %a0, 1'");
    check("add nsw i32 %x, 1", "add nsw i32 %x, 2", "of the original is");
    check("add nsw i32 %x, 1", "sub nsw i32 %x, 1", "of the original is");
    check("br i1 %c, label %cut, label %edge", "br i1 %c, label %edge, label %cut", "of the original is");
    check("@g(i32 %a)", "@g(i32 %x)", "of the original is");
    check("@out = global i32 0", "@out = global i32 1", "function 'out'");
    check("  ret i32 %p\n", "  ret i32 %a\n", "of the original is");
    check("i1 %c, i32 %irprof_never) {", "i1 %c, i32 %more, i32 %irprof_never) {",
          "whose name does not begin with irprof_");
    check("@irprof_flush", "@flush", "there is a new function 'flush'");
    check("store i32 %s, ptr @out, ", "store volatile i32 %s, ptr @out, ", "of the original is");
}

static void stamps_may_not_steer(void **state)
{
    (void)state;
    check("label %wait, label %rest, !irprof.stamp", "label %wait, label %edge, !irprof.stamp", "of the original is");
    check("  %b = call i32 @g(i32 %a)\n", "  %h = trunc i64 %t to i32, !irprof.stamp !1\n  %b = call i32 @g(i32 %h)\n",
          "of the original is");
    check("!1 = !{i32 0}", "!1 = !{i32 9}", "marked as point 9, which is not listed");
    check("!1 = !{i32 0}", "!1 = !{!\"x\"}", "which is not listed");
}

static void guards_come_from_never(void **state)
{
    (void)state;
    check("select i1 %n,", "select i1 true,", "the condition of the guard is not never");
    check("icmp ne i32 %irprof_never, 0", "icmp eq i32 %irprof_never, 0", "the condition of the guard is not never");
    check("icmp ne i32 %irprof_never, 0", "icmp ne i32 %x, 0", "the condition of the guard is not never");
    check("icmp ne i32 %irprof_never, 0", "icmp ne i32 %irprof_never, 1", "the condition of the guard is not never");
    check("i32 %s, ptr @out", "i32 7, ptr @out", "the stored value is not guarded");
    check("!\"replace\"", "!\"add\"", "not a point of mode replace");
    check("i32 %p, i32 7, !irprof.stamp !2, !irprof.stamp.guard !2",
          "i32 %p, i32 7, !irprof.stamp !2, !irprof.stamp.guard !1", "the stored value is not guarded");
}

static void check_list(const char *first, const char *second, const char *said)
{
    char text[512];
    snprintf(text, sizeof text, "!irprof.stamps = !{!0, !1}\n!0 = %s\n!1 = %s\n", first, second);
    struct llvm_module m = ir_load(text);
    struct marks marks;
    struct error e = ERROR_INIT;
    enum status s = marks_read(&marks, m.module, "m.ll", &e);
    assert_int_equal(s, said ? ERR_INPUT : OK);
    if (said && !strstr(e.message, said))
        fail_msg("%s", e.message);
    marks_release(&marks);
    error_release(&e);
    llvm_release(&m);
}

static void lists_of_points_are_checked(void **state)
{
    (void)state;
    static const char fine[] = "!{i32 3, !\"a\", !\"add\"}";
    check_list(fine, "!{i32 4, !\"a\", !\"sled\"}", 0);
    check_list(fine, "!{i32 3, !\"b\", !\"add\"}", "entry 2");
    check_list("!{i32 4, !\"a\", !\"subtract\"}", fine, "entry 1");
    check_list("!{i32 4, !\"a\"}", fine, "entry 1");
    check_list("!{!\"4\", !\"a\", !\"add\"}", fine, "entry 1");
    check_list("!{i32 4, !{}, !\"add\"}", fine, "entry 1");
    check_list("!{i32 4, null, !\"add\"}", fine, "entry 1");
    check_list("!{}", fine, "entry 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stamps_are_taken_out),        cmocka_unit_test(each_change_is_found),
        cmocka_unit_test(stamps_may_not_steer),        cmocka_unit_test(guards_come_from_never),
        cmocka_unit_test(lists_of_points_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
