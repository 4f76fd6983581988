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

/* Checks what is said of the two modules, NULL: nothing. */
static void check_texts(const char *base, const char *stamped, const char *said)
{
    struct llvm_module a = ir_load(base), b = ir_load(stamped);
    struct marks marks;
    struct error e = ERROR_INIT;
    assert_int_equal(marks_read(&marks, b.module, "b.ll", &e), OK);
    char *wrong = same_work(a.module, b.module, &marks);
    if (!said && wrong)
        fail_msg("%s", wrong);
    if (said && (!wrong || !strstr(wrong, said)))
        fail_msg("'%s', must have '%s'", wrong ? wrong : "nothing", said);
    free(wrong);
    marks_release(&marks);
    llvm_release(&a);
    llvm_release(&b);
}

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
    check_texts(base_text, text, said);
    free(text);
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

#define LIST  "\n!irprof.stamps = !{!1}\n!0 = !{i32 3}\n!1 = !{i32 3, !\"p\", !\"replace\"}\n"
#define CLOCK "declare i64 @llvm.readcyclecounter()\n"

/* A function whose only store is guarded by what `condition` makes of its parameters and of two bytes. */
static void check_guard(const char *parameters, const char *condition, bool fine)
{
    static const char base[] =
        "@out = global i32 0\ndefine void @f(i32 %x) {\n  store i32 %x, ptr @out\n  ret void\n}\n";
    char text[2048];
    snprintf(text, sizeof text,
             "@out = global i32 0\n@irprof_stamp_never = global i8 0\n@irprof_other = global i8 0\n"
             "define void @f(i32 %%x%s) {\n%s"
             "  %%v = select i1 %%c, i32 %%x, i32 7, !irprof.stamp !0, !irprof.stamp.guard !0\n"
             "  store i32 %%v, ptr @out, !irprof.stamp.guard !0\n  ret void\n}" LIST,
             parameters, condition);
    check_texts(base, text, fine ? 0 : "point 3 (p): the condition of the guard is not never");
}

#define S ", !irprof.stamp !0\n"

static void conditions_of_guards(void **state)
{
    (void)state;
    static const char loaded[] = "  %b = load volatile i8, ptr @irprof_stamp_never" S;
    char text[1024];
    snprintf(text, sizeof text, "%s  %%c = icmp ne i8 %%b, 0" S, loaded);
    check_guard("", text, true);
    snprintf(text, sizeof text, "%s  %%c = trunc i8 %%b to i1" S, loaded);
    check_guard("", text, true);
    snprintf(text, sizeof text,
             "%s  %%w = zext i8 %%b to i32" S "  %%z = freeze i32 %%w" S "  %%c = icmp ne i32 %%z, 0" S, loaded);
    check_guard("", text, true);
    snprintf(text, sizeof text, "%s  %%w = sext i8 %%b to i32" S "  %%c = icmp ne i32 %%w, 0" S, loaded);
    check_guard("", text, false);
    snprintf(text, sizeof text, "%s  %%c = icmp sgt i8 %%b, 0" S, loaded);
    check_guard("", text, false);
    check_guard("", "  %b = load i8, ptr @irprof_stamp_never" S "  %c = icmp ne i8 %b, 0" S, false);
    check_guard("", "  %b = load volatile i8, ptr @irprof_other" S "  %c = icmp ne i8 %b, 0" S, false);
    check_guard(", i1 %irprof_never", "  %c = freeze i1 %irprof_never" S, true);
    check_guard(", i32 %irprof_never, i32 %irprof_stamps", "  %c = icmp ne i32 %irprof_never, 0" S,
                false); /* not the last */
    check_guard(", i32 %irprof_nevermore", "  %c = icmp ne i32 %irprof_nevermore, 0" S, false);
    check_guard(", i32 %irprof_never, i32 %irprof_neve", "  %c = icmp ne i32 %irprof_neve, 0" S, false);
    /* up to seven conversions are looked through */
    for (int n = 7; n <= 8; n++) {
        size_t at = 0;
        for (int i = 1; i <= n; i++)
            at += (size_t)snprintf(text + at, sizeof text - at, "  %%%s%d = freeze i1 %%%s%d" S, i == n ? "c" : "b",
                                   i == n ? 0 : i, i == 1 ? "irprof_never" : "b", i - 1);
        char *end = strstr(text, "%irprof_never0");
        memmove(end + 13, end + 14, strlen(end + 14) + 1);
        end = strstr(text, "%c0");
        memmove(end + 2, end + 3, strlen(end + 3) + 1);
        check_guard(", i1 %irprof_never", text, n == 7);
    }
}

/* What a module defines, and how texts are compared. */
static void what_there_is(void **state)
{
    (void)state;
#define F  "define void @f() {\n  ret void\n}\n"
#define H  "define void @h() {\n  ret void\n}\n"
#define DH "declare void @h()\n"
    check_texts(F H, F H LIST, 0);
    check_texts(F H, F LIST, "the function 'h' is missing");
    check_texts(F H, F DH LIST, "the function 'h' is missing");
    check_texts(F DH, F LIST, 0);
    check_texts(F DH, F H LIST, "there is a new function 'h', whose name does not begin with irprof_");
    check_texts(F, F "define void @irprof_h() {\n  ret void\n}\n" LIST, 0);
    check_texts("@v = global i8 1\n" F, F LIST, "the variable 'v' is missing");
    check_texts(F, "@v = global i8 1\n" F LIST, "there is a new variable 'v', whose name does not begin with irprof_");
    check_texts(F, "@irprof_v = global i8 1\n" F LIST, 0);
    check_texts(
        "@v = global i8 1\n@llvm.used = appending global [1 x ptr] [ptr @v], section \"llvm.metadata\"\n" F,
        "@v = global i8 1\n@irprof_w = global i8 1\n@llvm.used = appending global [2 x ptr] [ptr @v, ptr @irprof_w], "
        "section \"llvm.metadata\"\n" F LIST,
        0);
    check_texts("@0 = private global i8 1\n@1 = private global i8 2\n" F,
                "@0 = private global i8 1\n@1 = private global i8 2\n" F LIST, 0);
    check_texts("@0 = private global i8 1\n@1 = private global i8 2\n" F,
                "@0 = private global i8 2\n@1 = private global i8 1\n" F LIST, "of the original is");
    check_texts("define void @f(i8 %a, i8 %b) {\n  ret void\n}\n", "define void @f(i8 %a) {\n  ret void\n}\n" LIST,
                "function 'f' has 1 parameters, and had 2");
    check_texts("define void @f(i8 %a) {\n  ret void\n}\n", "define void @f(i9 %a) {\n  ret void\n}\n" LIST,
                "function 'f': 'i8' of the original is 'i9'");
    check_texts(F, "define void @f() {\n  %x = alloca i8\n  ret void\n}\n" LIST,
                "function 'f' has 2 instructions without the stamps, the original has 1");
}

/* Numbers of attributes and metadata say nothing; within quotes all does. */
static void texts_of_instructions(void **state)
{
    (void)state;
#define G                 "declare void @g()\n"
#define CALLS(what, more) G "define void @f() {\n  " what "\n  ret void\n}\n" more
    check_texts(
        CALLS("call void @g() #0", "attributes #0 = { nounwind }\n"),
        CALLS("call void @g() #1",
              "define void @irprof_x() #0 {\n  ret void\n}\nattributes #0 = { cold }\nattributes #1 = { nounwind }\n")
            LIST,
        0);
    check_texts(CALLS("call void @g(), !x !9", "!9 = !{}\n"), CALLS("call void @g(), !y !8", "!8 = !{i32 1}\n") LIST,
                0);
    check_texts(CALLS("call void asm sideeffect \"a, !b #1.x1\", \"\"()", ""),
                CALLS("call void asm sideeffect \"a, !b #1.x1\", \"\"()", "") LIST, 0);
    check_texts(CALLS("call void asm sideeffect \"a, !b\", \"\"()", ""),
                CALLS("call void asm sideeffect \"a, !c\", \"\"()", "") LIST, "of the original is");
    check_texts(CALLS("call void asm sideeffect \"a #1\", \"\"()", ""),
                CALLS("call void asm sideeffect \"a #2\", \"\"()", "") LIST, "of the original is");
    check_texts(CALLS("call void asm sideeffect \"a.x1\", \"\"()", ""),
                CALLS("call void asm sideeffect \"a.x2\", \"\"()", "") LIST, "of the original is");
}

/* Stamps on the edges of a switch; stamps that lead nowhere, or to two places. */
static void ways_through_stamps(void **state)
{
    (void)state;
    static const char base[] =
        "define i32 @f(i32 %x) {\nentry:\n  switch i32 %x, label %a [ i32 1, label %b\n i32 2, label %a ]\n"
        "a:\n  ret i32 1\nb:\n  ret i32 2\n}\n";
    static const char form[] =
        CLOCK "define i32 @f(i32 %%x) {\nentry:\n  switch i32 %%x, label %%s [ i32 1, label %%b\n i32 2, label %%s ]\n"
              "s:\n  %%t = call i64 @llvm.readcyclecounter()" S "  br label %%u" S "u:\n  %s" S
              "a:\n  ret i32 1\nb:\n  ret i32 2\n}" LIST;
    static const struct {
        const char *jump, *said;
    } jumps[] = {{"br label %a", 0},
                 {"br label %b", "of the original is"},
                 {"br label %u", "function 'f': stamps jump to several places"},
                 {"br i1 true, label %a, label %b", "function 'f': stamps jump to several places"},
                 {"br i1 true, label %a, label %s", 0}};
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++) {
        char text[2048];
        snprintf(text, sizeof text, form, jumps[i].jump);
        check_texts(base, text, jumps[i].said);
    }
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
        cmocka_unit_test(stamps_are_taken_out),
        cmocka_unit_test(each_change_is_found),
        cmocka_unit_test(stamps_may_not_steer),
        cmocka_unit_test(guards_come_from_never),
        cmocka_unit_test(lists_of_points_are_checked),
        cmocka_unit_test(conditions_of_guards),
        cmocka_unit_test(what_there_is),
        cmocka_unit_test(texts_of_instructions),
        cmocka_unit_test(ways_through_stamps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
