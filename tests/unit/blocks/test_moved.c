/* Instructions that stand elsewhere: a basic block that is written down, what does not belong found by eye. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "shimgen/blocks/moved.h"

enum { MOST = 16, ADD = 0, BRANCH = 1 };

/* Each instruction in a part of its own, lines[i].line 0: not of this source. Executed 10 times. A bit for each. */
static unsigned find_moved(const struct tree *t, const struct tree_line *lines, const uint32_t *keys, size_t n)
{
    struct irprof_instruction instructions[MOST] = {0};
    const struct tree_line *line[MOST] = {0};
    struct irprof_segment segments[2] = {{.n_instructions = 0}, {.n_instructions = (uint32_t)n, .number = 1}};
    uint64_t executions[2] = {3, 10};
    char *names[] = {(char[]){"add.i32"}, (char[]){"br.cond"}};
    for (size_t i = 0; i < n; i++) {
        instructions[i].part = (uint32_t)i;
        instructions[i].key = keys ? keys[i] : ADD;
        line[i] = lines[i].line ? &lines[i] : 0;
    }
    struct irprof_profile p = {.segments = segments,
                               .n_segments = 2,
                               .instructions = instructions,
                               .n_instructions = n,
                               .n_parts = n,
                               .keys = names,
                               .n_keys = 2};
    struct irprof_region r = {.executions = executions};
    uint64_t *counts = moved_instructions(&p, &r, t, line);
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

/* Straight code of one function, by runs alone; runs[i] < 0: not of this source. */
static unsigned moved(const int *runs, size_t n)
{
    struct compound function = {BLOCK_NONE, 1, 1};
    struct tree t = {.compounds = {&function, 1, 1}};
    struct tree_line lines[MOST] = {0};
    for (size_t i = 0; i < n; i++)
        if (runs[i] >= 0)
            lines[i] = (struct tree_line){
                .line = 10 + (unsigned)runs[i], .block = (uint32_t)runs[i], .run = (uint32_t)runs[i]};
    return find_moved(&t, lines, 0, n);
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

/*
 *  1  void f(void) {        compound 0
 *  2    A
 *  3    B: for (...) {      compound 1, led into by line 3
 *  4      C
 *  5      D
 *       }
 *  6    E: if (...) {       compound 2, led into by line 6
 *  7      F
 *       }
 *  8    G
 */
enum { A = 2, B, C, D, E, F, G };

static unsigned moved_among(const int *names, const uint32_t *keys, size_t n)
{
    struct compound compounds[] = {{BLOCK_NONE, 1, 1}, {0, B, B}, {0, E, E}};
    struct tree t = {.compounds = {compounds, 3, 3}};
    struct tree_line lines[MOST] = {0};
    for (size_t i = 0; i < n; i++)
        lines[i] = (struct tree_line){.line = (unsigned)names[i],
                                      .block = (uint32_t)names[i],
                                      .run = (uint32_t)names[i],
                                      .compound = names[i] == C || names[i] == D ? 1
                                                  : names[i] == F                ? 2
                                                                                 : 0,
                                      .leads = names[i] == B || names[i] == E};
    return find_moved(&t, lines, keys, n);
}

static void among_others(void **state)
{
    (void)state;
    /* as written: before the loop, its body with its step, the branch, after it */
    assert_int_equal(moved_among((const int[]){A, A, B}, 0, 3), 0);
    assert_int_equal(moved_among((const int[]){C, D, B, B}, (const uint32_t[]){ADD, ADD, ADD, BRANCH}, 4), 0);
    assert_int_equal(moved_among((const int[]){E, E}, (const uint32_t[]){ADD, BRANCH}, 2), 0);
    assert_int_equal(moved_among((const int[]){F}, 0, 1), 0);
    /* hoisted out of the loop; out of the branch, before or after it; sunk into the branch */
    assert_int_equal(moved_among((const int[]){A, A, B, C}, 0, 4), 1u << 3);
    assert_int_equal(moved_among((const int[]){A, A, E, F, E}, (const uint32_t[]){ADD, ADD, ADD, ADD, BRANCH}, 5),
                     1u << 3);
    assert_int_equal(moved_among((const int[]){F, G, G}, 0, 3), 1u << 0);
    assert_int_equal(moved_among((const int[]){A, F, F}, 0, 3), 1u << 0);
    /* from after the branch to before it */
    assert_int_equal(moved_among((const int[]){A, E, G, E}, (const uint32_t[]){ADD, ADD, ADD, BRANCH}, 4), 1u << 2);
    assert_int_equal(moved_among((const int[]){A, G, G, E}, (const uint32_t[]){ADD, ADD, ADD, BRANCH}, 4),
                     1u << 1 | 1u << 2 | 1u << 3);
    /* a step before its body is not where it was written, but within its braces */
    assert_int_equal(moved_among((const int[]){B, C, D}, 0, 3), 0);
}

/* Of one block all is where its block is. */
static void within_one_block(void **state)
{
    (void)state;
    struct compound compounds[] = {{BLOCK_NONE, 1, 1}, {0, 3, 3}};
    struct tree t = {.compounds = {compounds, 2, 2}};
    struct tree_line lines[] = {{.line = 2, .block = 1, .run = 0, .compound = 0},
                                {.line = 2, .block = 1, .run = 0, .compound = 0},
                                {.line = 4, .block = 1, .run = 1, .compound = 1}};
    assert_int_equal(find_moved(&t, lines, 0, 3), 0);
    lines[2].block = 2;
    assert_int_equal(find_moved(&t, lines, 0, 3), 1u << 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(orders), cmocka_unit_test(among_others),
                                       cmocka_unit_test(within_one_block)};
    return cmocka_run_group_tests(tests, 0, 0);
}
