/* Instructions out of order: a basic block whose order is written down, the longest ascending sequence found by eye. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "shimgen/blocks/moved.h"

enum { MOST = 16 };

/* Each instruction in a part of its own; runs[i] < 0: not of this source. Executed 10 times. Returns a bit for each. */
static unsigned moved(const int *runs, size_t n)
{
    struct irprof_instruction instructions[MOST] = {0};
    uint32_t run[MOST] = {0};
    struct irprof_segment segments[2] = {{.n_instructions = 0}, {.n_instructions = (uint32_t)n, .number = 1}};
    uint64_t executions[2] = {3, 10};
    for (size_t i = 0; i < n; i++) {
        instructions[i].part = (uint32_t)i;
        run[i] = runs[i] < 0 ? IRPROF_NONE : (uint32_t)runs[i];
    }
    struct irprof_profile p = {
        .segments = segments, .n_segments = 2, .instructions = instructions, .n_instructions = n, .n_parts = n};
    struct irprof_region r = {.executions = executions};
    uint64_t *counts = moved_instructions(&p, &r, run);
    unsigned bits = 0;
    for (size_t i = 0; i < n; i++) {
        if (counts[i]) {
            assert_int_equal(counts[i], 10);
            bits |= 1u << i;
        }
    }
    free(counts);
    return bits;
}

static void orders(void **state)
{
    (void)state;
    assert_int_equal(moved((const int[]){0, 0, 1, 1, 2}, 5), 0);
    assert_int_equal(moved((const int[]){0, 3, 0, 1, 2}, 5), 1u << 1);      /* hoisted up */
    assert_int_equal(moved((const int[]){0, 1, 2, 0, 3}, 5), 1u << 3);      /* sunk */
    assert_int_equal(moved((const int[]){5, -1, 5, -1, 4, 5}, 6), 1u << 4); /* what is of elsewhere does not count */
    assert_int_equal(moved((const int[]){2, 1, 1, 1, 2}, 5), 1u << 0);
    assert_int_equal(moved((const int[]){-1, -1}, 2), 0);
    assert_int_equal(moved(0, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(orders)};
    return cmocka_run_group_tests(tests, 0, 0);
}
