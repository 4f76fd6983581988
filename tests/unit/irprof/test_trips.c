/* Loops that count: which tests say so, and how often such a loop jumps back, beside the values that the test sees. */
#include "tests/unit/irprof/ir.h"

#include <llvm-c/Core.h>

#include "base/str.h"
#include "irprof/count/cfg.h"
#include "irprof/count/trips.h"

enum { UNKNOWN = -1, ENDS = -2, COUNTS = -3 };

/* A loop of one block, %j its variable in the next iteration. */
struct row {
    int line;
    const char *type, *start, *step, *test; /* the test ends with its way on: S it stays, X it leaves */
    long long expected;                     /* jumps back; COUNTS: not constant */
};

static const char stays[] = "i1 %c, label %l, label %x", leaves[] = "i1 %c, label %x, label %l";

/* `before` is in the entry. */
static char *loop_of(const struct row *r, const char *before)
{
    size_t n = strlen(r->test) - 1;
    return xasprintf("define void @t(i32 %%n, i32 %%o, ptr %%p, ptr %%q, i128 %%w, float %%f, i1 %%b) {\ne:\n %s\n"
                     " br label %%l\nl:\n %%i = phi %s [ %s, %%e ], [ %%j, %%l ]\n %%j = %s\n %%c = %.*s\n br %s\n"
                     "x:\n ret void\n}\n",
                     before, r->type, r->start, r->step, (int)n, r->test, r->test[n] == 'S' ? stays : leaves);
}

/* As in `expected` of a row: of the only loop of the function. */
static long long trips_of(const char *text)
{
    struct llvm_module m = ir_load(text);
    struct cfg g;
    cfg_make(&g, LLVMGetNamedFunction(m.module, "t"));
    assert_int_equal(g.graph.loops.n, 1);
    struct trip t = trip_find(&g, 0);
    long long found = t.ends ? ENDS : UNKNOWN;
    if (t.computable) {
        LLVMBuilderRef b = LLVMCreateBuilderInContext(m.context);
        LLVMPositionBuilderAtEnd(b, LLVMGetEntryBasicBlock(LLVMGetNamedFunction(m.module, "t")));
        LLVMValueRef count = trip_build(&t, b, m.module);
        found = LLVMIsAConstantInt(count) ? LLVMConstIntGetSExtValue(count) : COUNTS;
        LLVMDisposeBuilder(b);
    }
    cfg_release(&g);
    llvm_release(&m);
    return found;
}

static void check(const struct row *rows, size_t n, const char *before)
{
    for (size_t i = 0; i < n; i++) {
        char *text = loop_of(&rows[i], before);
        long long found = trips_of(text);
        if (found != rows[i].expected)
            fail_msg("line %d: %lld, expected %lld", rows[i].line, found, rows[i].expected);
        free(text);
    }
}
#define CHECK(rows, before) check(rows, sizeof(rows) / sizeof *(rows), before)

#define UP       "add nsw i32 %i, 3"
#define DOWN     "add nsw i32 %i, -3"
#define UNSIGNED "add nuw i32 %i, 2"

static void how_often(void **state)
{
    (void)state;
    static const struct row rows[] = {
        /* 1 2 ... 9, then 10 */
        {__LINE__, "i32", "0", "add i32 %i, 1", "icmp ne i32 %j, 10 S", 9},
        {__LINE__, "i32", "0", "add i32 %i, 1", "icmp eq i32 %j, 10 X", 9},
        {__LINE__, "i32", "0", "add i32 %i, 1", "icmp ne i32 10, %j S", 9},
        {__LINE__, "i32", "10", "add i32 %i, -1", "icmp ne i32 %j, 0 S", 9},
        {__LINE__, "i8", "0", "add i8 %i, 1", "icmp ne i8 %j, 10 S", 9},
        {__LINE__, "i32", "0", "add i32 %i, 1", "icmp ne i32 %i, 10 S", 10}, /* 0 too */
        {__LINE__, "i32", "9", "add i32 %i, 1", "icmp ne i32 %j, 10 S", 0},
        {__LINE__, "i8", "20", "add i8 %i, 1", "icmp ne i8 %j, 10 S", 245}, /* all but 11 ... 20 and 10 */
        /* 3 6 9, then 12 */
        {__LINE__, "i32", "0", UP, "icmp slt i32 %j, 10 S", 3},
        {__LINE__, "i32", "0", UP, "icmp slt i32 %j, 9 S", 2},
        {__LINE__, "i32", "0", UP, "icmp sle i32 %j, 9 S", 3},
        {__LINE__, "i32", "0", UP, "icmp sle i32 %j, 8 S", 2},
        {__LINE__, "i32", "0", UP, "icmp slt i32 %i, 9 S", 3}, /* 0 3 6 */
        {__LINE__, "i32", "0", UP, "icmp sge i32 %j, 10 X", 3},
        {__LINE__, "i32", "0", UP, "icmp sgt i32 %j, 9 X", 3},
        {__LINE__, "i32", "0", UP, "icmp sgt i32 10, %j S", 3},
        {__LINE__, "i32", "0", UP, "icmp sge i32 9, %j S", 3},
        {__LINE__, "i32", "20", UP, "icmp slt i32 %j, 10 S", 0},
        {__LINE__, "i32", "-20", UP, "icmp slt i32 %j, -10 S", 3}, /* -17 -14 -11 */
        /* 7 4 1, then -2 */
        {__LINE__, "i32", "10", DOWN, "icmp sgt i32 %j, 0 S", 3},
        {__LINE__, "i32", "10", DOWN, "icmp sgt i32 %j, 1 S", 2},
        {__LINE__, "i32", "10", DOWN, "icmp sge i32 %j, 1 S", 3},
        {__LINE__, "i32", "10", DOWN, "icmp sge i32 %j, 2 S", 2},
        {__LINE__, "i32", "10", DOWN, "icmp sle i32 %j, 0 X", 3},
        {__LINE__, "i32", "10", DOWN, "icmp slt i32 %j, 1 X", 3},
        {__LINE__, "i32", "10", DOWN, "icmp slt i32 0, %j S", 3},
        {__LINE__, "i32", "10", DOWN, "icmp sle i32 1, %j S", 3},
        {__LINE__, "i32", "0", DOWN, "icmp sgt i32 %j, 0 S", 0},
        /* 2 4 6, then 8 */
        {__LINE__, "i32", "0", UNSIGNED, "icmp ult i32 %j, 7 S", 3},
        {__LINE__, "i32", "0", UNSIGNED, "icmp ult i32 %j, 6 S", 2},
        {__LINE__, "i32", "0", UNSIGNED, "icmp ule i32 %j, 6 S", 3},
        {__LINE__, "i32", "0", UNSIGNED, "icmp ule i32 %j, 5 S", 2},
        {__LINE__, "i32", "0", UNSIGNED, "icmp uge i32 %j, 7 X", 3},
        {__LINE__, "i32", "0", UNSIGNED, "icmp ugt i32 %j, 6 X", 3},
        {__LINE__, "i32", "0", UNSIGNED, "icmp ugt i32 7, %j S", 3},
        {__LINE__, "i32", "0", UNSIGNED, "icmp uge i32 6, %j S", 3},
        {__LINE__, "i32", "0", UNSIGNED, "icmp ult i32 6, %j X", 3},
        {__LINE__, "i32", "0", UNSIGNED, "icmp ule i32 7, %j X", 3},
        /* steps that meet the bound: 4 8 ... 36, then 40 */
        {__LINE__, "i32", "0", "add i32 %i, 4", "icmp ne i32 %j, 40 S", 9},
        {__LINE__, "i32", "40", "add i32 %i, -4", "icmp ne i32 %j, 0 S", 9},
        {__LINE__, "i32", "0", "add i32 %i, 8", "icmp ne i32 %j, 40 S", 4},
        {__LINE__, "i32", "0", "add nuw i32 %i, 3", "icmp ne i32 %j, 9 S", 2},
        {__LINE__, "i32", "0", "add nsw i32 %i, 3", "icmp ne i32 %j, 9 S", 2},
        /* pointers, of 4 bytes each: 20 24 ... 52, then 56; and of one byte: 17 ... 55 */
        {__LINE__, "ptr", "inttoptr (i64 16 to ptr)", "getelementptr inbounds i32, ptr %i, i64 1",
         "icmp ne ptr %j, inttoptr (i64 56 to ptr) S", 9},
        {__LINE__, "ptr", "inttoptr (i64 16 to ptr)", "getelementptr inbounds i32, ptr %i, i64 1",
         "icmp ult ptr %j, inttoptr (i64 56 to ptr) S", 9},
        {__LINE__, "ptr", "inttoptr (i64 56 to ptr)", "getelementptr inbounds i32, ptr %i, i64 -1",
         "icmp ne ptr %j, inttoptr (i64 16 to ptr) S", 9},
        {__LINE__, "ptr", "inttoptr (i64 16 to ptr)", "getelementptr i8, ptr %i, i64 1",
         "icmp ne ptr %j, inttoptr (i64 56 to ptr) S", 39},
    };
    CHECK(rows, "");
}

static void not_known(void **state)
{
    (void)state;
    static const struct row rows[] = {
        /* steps that may miss the bound, where a number may wrap */
        {__LINE__, "i32", "0", "add i32 %i, 4", "icmp ne i32 %j, 42 S", UNKNOWN},
        {__LINE__, "i32", "2", "add i32 %i, 4", "icmp ne i32 %j, 40 S", UNKNOWN},
        {__LINE__, "i32", "0", "add i32 %i, 16", "icmp ne i32 %j, 40 S", UNKNOWN},
        {__LINE__, "i32", "0", "add i32 %i, 3", "icmp ne i32 %j, 9 S", UNKNOWN},
        /* away from the bound, or round by way of the other end */
        {__LINE__, "i32", "0", UP, "icmp sgt i32 %j, 10 S", UNKNOWN},
        {__LINE__, "i32", "0", UP, "icmp sge i32 %j, 10 S", UNKNOWN},
        {__LINE__, "i32", "0", DOWN, "icmp slt i32 %j, 10 S", UNKNOWN},
        {__LINE__, "i32", "0", DOWN, "icmp sle i32 %j, 10 S", UNKNOWN},
        {__LINE__, "i32", "0", UP, "icmp ult i32 %j, 10 S", UNKNOWN},
        {__LINE__, "i32", "0", UP, "icmp ule i32 %j, 10 S", UNKNOWN},
        {__LINE__, "i32", "0", UNSIGNED, "icmp slt i32 %j, 10 S", UNKNOWN},
        {__LINE__, "i32", "0", UNSIGNED, "icmp sle i32 %j, 10 S", UNKNOWN},
        {__LINE__, "i32", "9", "add nuw i32 %i, -1", "icmp sgt i32 %j, 0 S", UNKNOWN},
        {__LINE__, "i32", "9", "add nuw i32 %i, -1", "icmp sge i32 %j, 0 S", UNKNOWN},
        {__LINE__, "i32", "9", "add nuw i32 %i, -1", "icmp ult i32 %j, 0 S", UNKNOWN},
        {__LINE__, "i32", "9", "add nuw i32 %i, -1", "icmp ule i32 %j, 0 S", UNKNOWN},
        {__LINE__, "i32", "9", "add nuw i32 %i, -1", "icmp ugt i32 %j, 0 S", UNKNOWN},
        {__LINE__, "i32", "9", "add nuw i32 %i, -1", "icmp uge i32 %j, 1 S", UNKNOWN},
        {__LINE__, "i32", "0", UNSIGNED, "icmp ult i32 7, %j S", UNKNOWN},
        {__LINE__, "i32", "0", UNSIGNED, "icmp ule i32 7, %j S", UNKNOWN},
        {__LINE__, "i32", "0", UNSIGNED, "icmp ult i32 %j, 7 X", UNKNOWN},
        {__LINE__, "i32", "0", UNSIGNED, "icmp ule i32 %j, 7 X", UNKNOWN},
        {__LINE__, "i32", "0", "add i32 %i, 1", "icmp ne i32 %j, 10 X", UNKNOWN},
        /* no step, or none that is a number of ours */
        {__LINE__, "i32", "0", "add nsw i32 %i, 0", "icmp slt i32 %j, 10 S", UNKNOWN},
        {__LINE__, "i64", "0", "add nsw i64 %i, -9223372036854775808", "icmp sgt i64 %j, 0 S", UNKNOWN},
        {__LINE__, "i32", "0", "add nsw i32 3, %i", "icmp slt i32 %j, 10 S", UNKNOWN},
        {__LINE__, "i32", "9", "sub nsw i32 %i, 3", "icmp sgt i32 %j, 0 S", UNKNOWN},
        {__LINE__, "i32", "0", "add nsw i32 %i, %n", "icmp slt i32 %j, 10 S", UNKNOWN},
        {__LINE__, "ptr", "%p", "getelementptr inbounds i32, ptr %i, i64 0", "icmp ne ptr %j, %q S", UNKNOWN},
        {__LINE__, "ptr", "%p", "getelementptr inbounds i32, ptr %i, i32 %n", "icmp ne ptr %j, %q S", UNKNOWN},
        {__LINE__, "ptr", "%p", "getelementptr i32, ptr %i, i64 1", "icmp ne ptr %j, %q S", UNKNOWN},
        {__LINE__, "ptr", "%p", "getelementptr inbounds i32, ptr %i, i64 4611686018427387904", "icmp ne ptr %j, %q S",
         UNKNOWN},
        {__LINE__, "ptr", "%p", "getelementptr inbounds i32, ptr %i, i64 -2305843009213693952", "icmp ne ptr %j, %q S",
         UNKNOWN},
        {__LINE__, "ptr", "%p", "getelementptr inbounds [2 x i32], ptr %i, i64 1, i64 0", "icmp ne ptr %j, %q S",
         UNKNOWN},
        /* too wide, or not a test of integers */
        {__LINE__, "i128", "0", "add nsw i128 %i, 1", "icmp slt i128 %j, %w S", UNKNOWN},
        {__LINE__, "i32", "0", UP, "fcmp olt float %f, 1.0 S", UNKNOWN},
        {__LINE__, "i32", "0", UP, "icmp slt i32 %n, 9 S", UNKNOWN},
    };
    static const struct row wide[] = {
        {__LINE__, "i64", "0", "add nsw i64 %i, 1", "icmp slt i64 %j, 10 S", 9},
        {__LINE__, "i65", "0", "add nsw i65 %i, 1", "icmp slt i65 %j, 10 S", UNKNOWN},
    };
    CHECK(rows, "");
    CHECK(wide, "");
}

/* Steps of 2 ... 32 to a bound that %v is: how many of its last bits are known to be 0. */
static unsigned zeros_of(const char *before)
{
    unsigned zeros = 0;
    for (unsigned bits = 1; bits <= 5; bits++) {
        char *step = xasprintf("add i32 %%i, %u", 1u << bits);
        struct row r = {0, "i32", "0", step, "icmp ne i32 %j, %v S", COUNTS};
        char *text = loop_of(&r, before);
        zeros += trips_of(text) == COUNTS;
        free(text);
        free(step);
    }
    return zeros;
}

static void bits_that_are_zero(void **state)
{
    (void)state;
    static const struct {
        unsigned zeros;
        const char *before;
    } rows[] = {
        {2, "%v = and i32 %n, -4"},
        {0, "%v = and i32 %n, %o"},
        {0, "%v = or i32 %n, 8"},
        {2, "%m = and i32 %n, -4\n %v = or i32 %m, 8"},
        {3, "%m = and i32 %n, -16\n %v = or i32 %m, 8"},
        {3, "%m = and i32 %n, -16\n %v = add i32 %m, 8"},
        {1, "%m = and i32 %n, -4\n %v = add i32 %m, 2"},
        {1, "%m = and i32 %n, -4\n %v = sub i32 2, %m"},
        {2, "%v = mul i32 %n, 4"},
        {4, "%m = and i32 %n, -4\n %v = mul i32 %m, 4"},
        {0, "%m = and i32 %n, -4\n %v = xor i32 %m, 4"},
        {0, "%m = and i32 %n, -4\n %v = freeze i32 %m"},
        {5, "%v = mul i32 %n, 0"},
        /* so deep is looked, and no deeper */
        {2, "%s1 = and i32 %n, -4\n %s2 = add i32 %s1, 4\n %s3 = add i32 %s2, 4\n %v = add i32 %s3, 4"},
        {0, "%s1 = and i32 %n, -4\n %s2 = add i32 %s1, 4\n %s3 = add i32 %s2, 4\n %s4 = add i32 %s3, 4\n %v = add i32 "
            "%s4, 4"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (zeros_of(rows[i].before) != rows[i].zeros)
            fail_msg("%s: %u, expected %u", rows[i].before, zeros_of(rows[i].before), rows[i].zeros);
}

#define LOOP(text) "define void @t(i32 %n, i1 %b) {\ne:\n br label %l\n" text "x:\n ret void\n}\n"
#define NEXT       " %j = add nsw i32 %i, 1\n"
#define TEST       " %c = icmp slt i32 %j, 10\n"

/* Where the test stands, and what the variable is. */
static void shapes(void **state)
{
    (void)state;
    static const struct {
        int line;
        long long expected;
        const char *text;
    } rows[] = {
        /* in the way in that comes last */
        {__LINE__, 9, LOOP("l:\n %i = phi i32 [ %j, %l ], [ 0, %e ]\n" NEXT TEST " br i1 %c, label %l, label %x\n")},
        /* behind a branch within the iteration, and before it */
        {__LINE__, 9,
         LOOP("l:\n %i = phi i32 [ 0, %e ], [ %j, %k ]\n br i1 %b, label %a, label %k\na:\n br label %k\n"
              "k:\n" NEXT TEST " br i1 %c, label %l, label %x\n")},
        {__LINE__, ENDS,
         LOOP("l:\n %i = phi i32 [ 0, %e ], [ %j, %k ]\n" NEXT TEST
              " br i1 %c, label %k, label %x\nk:\n br label %l\n")},
        /* the other way out is one that only some iterations meet */
        {__LINE__, ENDS,
         LOOP("l:\n %i = phi i32 [ 0, %e ], [ %j, %k ]\n br i1 %b, label %a, label %k\na:\n br i1 %b, label %k, label "
              "%x\nk:\n" NEXT TEST " br i1 %c, label %l, label %x\n")},
        /* no test, but a branch that stays in any case; a switch; a condition of nobody knows what */
        {__LINE__, UNKNOWN,
         LOOP("l:\n %i = phi i32 [ 0, %e ], [ %j, %k ]\n" NEXT TEST " br i1 %c, label %k, label %a\na:\n br label %k\n"
              "k:\n br i1 %b, label %l, label %x\n")},
        {__LINE__, UNKNOWN,
         LOOP("l:\n %i = phi i32 [ 0, %e ], [ %j, %l ]\n" NEXT " switch i32 %j, label %l [ i32 10, label %x ]\n")},
        /* two ways back */
        {__LINE__, UNKNOWN,
         LOOP("l:\n %i = phi i32 [ 0, %e ], [ %j, %l ], [ %j, %k ]\n" NEXT TEST " br i1 %b, label %l, label %k\n"
              "k:\n br i1 %c, label %l, label %x\n")},
        /* two ways in */
        {__LINE__, UNKNOWN,
         "define void @t(i32 %n, i1 %b) {\ne:\n br i1 %b, label %l, label %a\na:\n br label %l\n"
         "l:\n %i = phi i32 [ 0, %e ], [ 5, %a ], [ %j, %l ]\n" NEXT TEST " br i1 %c, label %l, label %x\nx:\n ret "
         "void\n}\n"},
        /* neither the variable nor its next value is compared; a phi that is not the header's */
        {__LINE__, UNKNOWN,
         LOOP("l:\n %i = phi i32 [ 0, %e ], [ %j, %l ]\n" NEXT " %k = add nsw i32 %i, 7\n %c = icmp slt i32 %k, 10\n"
              " br i1 %c, label %l, label %x\n")},
        {__LINE__, UNKNOWN,
         LOOP("l:\n %i = phi i32 [ 0, %e ], [ %j, %k ]\n br i1 %b, label %a, label %k\na:\n br label %k\n"
              "k:\n %m = phi i32 [ 0, %l ], [ 1, %a ]\n" NEXT " %c = icmp slt i32 %m, 1\n br i1 %c, label %l, label "
              "%x\n")},
        /* the bound moves: it is the variable itself */
        {__LINE__, UNKNOWN,
         LOOP("l:\n %i = phi i32 [ 0, %e ], [ %j, %l ]\n" NEXT " %c = icmp slt i32 %j, %i\n br i1 %c, label %l, label "
              "%x\n")},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        long long found = trips_of(rows[i].text);
        if (found != rows[i].expected)
            fail_msg("line %d: %lld, expected %lld", rows[i].line, found, rows[i].expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(how_often), cmocka_unit_test(not_known),
                                       cmocka_unit_test(bits_that_are_zero), cmocka_unit_test(shapes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
