/* What two runs wrote, run times of pairs, dead code: verdicts by hand. */
#include "tests/unit/irprof/ir.h"

#include "irprof/prove/executed.h"

static void check(struct prove_finding *f, enum prove_verdict verdict, const char *part)
{
    assert_int_equal(f->verdict, verdict);
    if (!strstr(f->why, part))
        fail_msg("'%s' is not in '%s'", part, f->why);
    free(f->why);
    *f = (struct prove_finding){0};
}

/* With 6 pairs the interval is from the least to the largest: 2 * 2^-6 = 3.1 %. With 9 from the second: 2 (1 + 9) / 2^9 =
 * 3.9 %; with the third it would miss the median with 18 %. */
static void intervals_are_of_order_statistics(void **state)
{
    (void)state;
    struct prove_finding f;
    double five[] = {1, 1, 1, 1, 1}, six[] = {3, 1, 2, 0, 1.5, -1}, nine[] = {9, 1, 2, 3, 4, 5, 6, 7, 8};
    time_judge(&f, five, 5, 2);
    check(&f, PROVE_NOT, "needs 6 pairs");
    time_judge(&f, six, 6, 3);
    check(&f, PROVE_HOLDS, "R = 1.25 %, from -1.00 to 3.00 % (median of 6 pairs");
    time_judge(&f, six, 6, 2.5);
    check(&f, PROVE_NOT, "allowed: 2.5 %");
    time_judge(&f, six, 6, -2);
    check(&f, PROVE_DOES_NOT, "R = 1.25 %");
    time_judge(&f, nine, 9, 8);
    check(&f, PROVE_HOLDS, "R = 5.00 %, from 2.00 to 8.00 %");
}

static struct written make(const char *a, const char *b)
{
    struct written w = {0};
    written_add(&w, "c", a, strlen(a));
    written_add(&w, "standard output", b, strlen(b));
    return w;
}

static void results_are_compared_bit_for_bit(void **state)
{
    (void)state;
    struct prove_finding f;
    struct written base = make("12345", "x"), same = make("12345", "x"), other = make("12305", "x"),
                   longer = make("12345", "xy"), none = {0};
    flip_judge(&f, &base, &same, 0);
    check(&f, PROVE_HOLDS, "2 results, 6 bytes");
    flip_judge(&f, &base, &other, 0);
    check(&f, PROVE_DOES_NOT, "with never = 1 c differs, from byte 3 on");
    flip_judge(&f, &base, &longer, 0);
    check(&f, PROVE_DOES_NOT, "standard output differs, from byte 1 on");
    flip_judge(&f, &longer, &base, 0);
    check(&f, PROVE_DOES_NOT, "standard output differs, from byte 1 on");
    flip_judge(&f, &base, &same, &other);
    check(&f, PROVE_DOES_NOT, "nothing was replaced, and without never = 1 c differs");
    flip_judge(&f, &base, &same, &same);
    check(&f, PROVE_HOLDS, "and without");
    flip_judge(&f, &none, &none, 0);
    check(&f, PROVE_NOT, "no result");
    written_add(&none, "c", "123", 3);
    flip_judge(&f, &none, &none, 0);
    check(&f, PROVE_HOLDS, "1 result, 3 bytes");
    written_release(&none);
    written_release(&base);
    written_release(&same);
    written_release(&other);
    written_release(&longer);
}

static void one_that_does_not_rejects(void **state)
{
    (void)state;
    struct prove_report r = {0};
    for (int i = 0; i < PROVE_VERDICTS; i++)
        r.findings[i] = (struct prove_finding){PROVE_NOT, strdup("a \"reason\"")};
    assert_false(prove_rejected(&r));
    r.findings[PROVE_FLIP].verdict = PROVE_DOES_NOT;
    assert_true(prove_rejected(&r));
    char *text = 0;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    prove_print(&r, true, f);
    fclose(f);
    assert_string_equal(text, "verdict,result,reason\nstructure,not proved,\"a \"\"reason\"\"\"\n"
                              "executed,not proved,\"a \"\"reason\"\"\"\nflip,does not,\"a \"\"reason\"\"\"\n"
                              "time,not proved,\"a \"\"reason\"\"\"\n");
    free(text);
    prove_report_release(&r);
}

/* A loop that only makes a value that nobody needs is gone; one that stores stays. */
static void dead_work_is_no_work(void **state)
{
    (void)state;
    static const char text[] = "define void @f(ptr %p, i64 %n) {\n"
                               "entry:\n"
                               "  br label %dead\n"
                               "dead:\n"
                               "  %i = phi i64 [ 0, %entry ], [ %i1, %dead ]\n"
                               "  %s = phi i64 [ 0, %entry ], [ %s1, %dead ]\n"
                               "  %s1 = add i64 %s, %i\n"
                               "  %i1 = add i64 %i, 1\n"
                               "  %c = icmp ult i64 %i1, %n\n"
                               "  br i1 %c, label %dead, label %between\n"
                               "between:\n"
                               "  br label %live\n"
                               "live:\n"
                               "  %j = phi i64 [ 0, %between ], [ %j1, %live ]\n"
                               "  %q = getelementptr i64, ptr %p, i64 %j\n"
                               "  store i64 %j, ptr %q\n"
                               "  %j1 = add i64 %j, 1\n"
                               "  %d = icmp ult i64 %j1, %n\n"
                               "  br i1 %d, label %live, label %end\n"
                               "end:\n"
                               "  ret void\n"
                               "}\n";
    char path[] = "/tmp/irprof-test-XXXXXX";
    int fd = mkstemp(path);
    struct llvm_module m;
    struct error e = ERROR_INIT;
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    for (int k = 0; k < 2; k++) { /* LLVM's options are set once */
        assert_int_equal(executed_load(&m, path, &e), OK);
        unsigned adds = 0, stores = 0, phis = 0;
        LLVMValueRef f = LLVMGetNamedFunction(m.module, "f");
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                adds += LLVMGetInstructionOpcode(i) == LLVMAdd;
                stores += LLVMGetInstructionOpcode(i) == LLVMStore;
                phis += LLVMGetInstructionOpcode(i) == LLVMPHI;
            }
        assert_int_equal(adds, 1);
        assert_int_equal(stores, 1);
        assert_int_equal(phis, 1);
        llvm_release(&m);
    }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_are_of_order_statistics),
        cmocka_unit_test(results_are_compared_bit_for_bit),
        cmocka_unit_test(one_that_does_not_rejects),
        cmocka_unit_test(dead_work_is_no_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
