/* test_operations.c - what instructions of LLVM IR calculate. The counts follow from the definition: addition,
 * subtraction, multiplication, division, square root, minimum, maximum 1, fused multiply-add 2, a lane each, doubles
 * twice; conversions, comparisons, moves 0. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "shimgen/offload/operations.h"

static const struct {
    const char *key;
    double flops, integers;
} samples[] = {
    {"fadd.float", 1, 0},
    {"fsub.double_d", 2, 0},
    {"fmul.v4f32", 4, 0},
    {"fdiv.v2f64", 4, 0},
    {"fadd.half", 1, 0},
    {"fmul.x86_fp80", 2, 0},
    {"call.llvm.fma.double", 4, 0},
    {"call.llvm.fmuladd.v4f32", 8, 0},
    {"call.llvm.sqrt.float", 1, 0},
    {"call.llvm.minnum.double", 2, 0},
    {"call.llvm.vector.reduce.fadd.v4f32", 4, 0},
    {"add.i32", 0, 1},
    {"mul.v8i16", 0, 8},
    {"icmp.i64_d", 0, 1},
    {"shl.i32", 0, 1},
    {"call.llvm.smax.i32", 0, 1},
    {"call.llvm.ctpop.i64", 0, 1},
    {"call.llvm.vector.reduce.add.v4i32", 0, 4},
    {"fneg.double", 0, 0},
    {"frem.double", 0, 0}, /* a call of fmod */
    {"fcmp.double", 0, 0},
    {"fptrunc.float", 0, 0},
    {"sitofp.double", 0, 0},
    {"call.llvm.fabs.double", 0, 0},
    {"call.llvm.floor.double", 0, 0},
    {"load.double", 0, 0},
    {"getelementptr.ptr", 0, 0},
    {"phi.double", 0, 0},
    {"call.direct", 0, 0},
    {"call.library.sin", 0, 0},
    {"call.llvm.memcpy", 0, 0},
    {"no.such.key", 0, 0},
};

static void keys(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct ir_key key = ir_key(samples[i].key);
        struct arithmetic a = arithmetic_of_key(&key);
        struct operations sum = {.integers = 0};
        operations_count(&sum, &a, 3);
        if (operations_flops(&sum) != 3 * samples[i].flops || sum.integers != 3 * samples[i].integers)
            fail_msg("%s: %g and %g", samples[i].key, operations_flops(&sum) / 3, sum.integers / 3);
    }
}

/* By width and lanes. */
static void columns(void **state)
{
    (void)state;
    struct operations sum = {.integers = 0}, twice = {.integers = 0};
    operations_count(&sum, &(struct arithmetic){32, 8, 2, 0}, 5);
    operations_count(&sum, &(struct arithmetic){64, 1, 1, 0}, 7);
    operations_count(&sum, &(struct arithmetic){0, 1, 0, 4}, 2);
    assert_true(sum.fp[OPERATIONS_32][3] == 80);
    assert_true(sum.fp[OPERATIONS_64][0] == 7);
    assert_true(sum.integers == 8);
    operations_add(&twice, &sum, 2);
    assert_true(operations_flops(&twice) == 2 * (80 + 2 * 7));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keys), cmocka_unit_test(columns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
