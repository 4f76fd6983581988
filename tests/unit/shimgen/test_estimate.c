#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "shimgen/estimate.h"

static void instruction_of(const char *key, const char *instruction, bool dependent)
{
    bool d;
    char *name = key_instruction(key, &d);
    assert_string_equal(name, instruction);
    assert_int_equal(d, dependent);
    free(name);
}

static void keys_name_their_instruction(void **state)
{
    (void)state;
    instruction_of("add.i32", "add", false);
    instruction_of("fadd.double_d", "fadd", true);
    instruction_of("ret", "ret", false);
    instruction_of("ret_d", "ret", true);
    instruction_of("br.cond_d", "br", true);
    instruction_of("call.llvm.vector.reduce.add.i32_d", "call", true);
    instruction_of("va_arg.i32", "va_arg", false);
    instruction_of("_d", "_d", false);
}

static char *key_names[] = {"add.i32", "add.i32_d", "extractvalue.agg", "fadd.double", "freeze.i32", "load.i64_d"};

static struct costs some_costs(void)
{
    struct costs c = {0};
    costs_add(&c, "add", (struct cycles){0.5, 1, 2}, (struct cycles){1, 3, 4});
    costs_add(&c, "load", (struct cycles){NAN, 1, NAN}, (struct cycles){NAN, 5, NAN});
    costs_add(&c, "extractivalue", (struct cycles){0, 0.25, 1}, (struct cycles){0, 0.25, 1});
    costs_add(&c, "add", (struct cycles){9, 9, 9}, (struct cycles){9, 9, 9}); /* a doubled name: the first holds */
    return c;
}

static void sums_latency_and_pitch(void **state)
{
    (void)state;
    struct irprof_profile p = {.keys = key_names, .n_keys = 6};
    struct irprof_count counts[] = {{0, 10}, {1, 100}, {2, 4}, {3, 7}, {4, 9}, {5, 1000}};
    struct irprof_row row = {.counts = counts, .n_counts = 6, .total = 1130};
    struct costs c = some_costs();
    struct key_costs k;
    key_costs_init(&k, &p, &c);
    struct cycles sum = estimate_row(&row, &k);
    /* by hand: 10 adds at pitch, 100 at latency, 4 extractvalues under their odd name, 1000 loads without best, worst
     */
    assert_true(sum.typical == 10 * 1 + 100 * 3 + 4 * 0.25 + 1000 * 5);
    assert_true(sum.best == 10 * 0.5 + 100 * 1 + 0 + 1000 * 5);
    assert_true(sum.worst == 10 * 2 + 100 * 4 + 4 + 1000 * 5);
    struct missing *missing;
    size_t n;
    estimate_missing(&missing, &n, &row, &k);
    assert_int_equal(n, 2);
    assert_string_equal(missing[0].instruction, "freeze");
    assert_int_equal(missing[0].count, 9);
    assert_string_equal(missing[1].instruction, "fadd");
    free(missing);
    key_costs_release(&k);
    costs_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_name_their_instruction),
        cmocka_unit_test(sums_latency_and_pitch),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
