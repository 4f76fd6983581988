/* Chains of loops: of sums by hand, and of what only a damaged profile or code that nothing leads to has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "irprof/irprof.h"

enum { PHI_KEY, ADD_KEY, MUL_KEY, N_KEYS };

/* A loop of one segment: 0 a phi of 2, then 1 an add and 2 a mul of these operands each. */
static double longest(struct irprof_operand add[2], struct irprof_operand mul[2], size_t *n)
{
    const char *keys[N_KEYS] = {"phi.i32", "add.i32", "mul.i32"};
    const double weights[] = {0, 1, 3};
    struct irprof_operand operands[] = {{2, false}, add[0], add[1], mul[0], mul[1]};
    struct irprof_instruction instructions[] = {
        {.key = PHI_KEY, .n_operands = 1},
        {.key = ADD_KEY, .first_operand = 1, .n_operands = 2},
        {.key = MUL_KEY, .first_operand = 3, .n_operands = 2},
    };
    struct irprof_segment segment = {.loop = 0, .n_instructions = 3};
    struct irprof_loop loop = {0};
    struct irprof_profile p = {.keys = (char **)keys,
                               .n_keys = N_KEYS,
                               .segments = &segment,
                               .n_segments = 1,
                               .loops = &loop,
                               .n_loops = 1,
                               .instructions = instructions,
                               .n_instructions = 3,
                               .operands = operands,
                               .n_operands = 5};
    struct irprof_chain chain = {0};
    irprof_chains(&p, weights, &chain);
    double length = chain.length;
    *n = chain.n;
    irprof_chains_release(&p, &chain);
    return length;
}

/* phi, add, mul: 0 + 1 + 3. */
static void a_way(void **state)
{
    (void)state;
    size_t n;
    double length = longest((struct irprof_operand[]){{0, false}, {IRPROF_NONE, false}},
                            (struct irprof_operand[]){{1, false}, {0, false}}, &n);
    assert_float_equal(length, 4, 0);
    assert_int_equal(n, 3);
}

/* The same with an add and a mul that use their own results beside: no longer, and it ends. */
static void of_itself(void **state)
{
    (void)state;
    size_t n;
    double length = longest((struct irprof_operand[]){{0, false}, {1, false}},
                            (struct irprof_operand[]){{1, false}, {2, false}}, &n);
    assert_float_equal(length, 4, 0);
    assert_int_equal(n, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_way), cmocka_unit_test(of_itself)};
    return cmocka_run_group_tests(tests, 0, 0);
}
