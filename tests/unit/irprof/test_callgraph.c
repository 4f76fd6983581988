/* Inclusive costs, worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "irprof/profile/callgraph.h"

static uint64_t share(const struct callgraph *g, size_t arc)
{
    uint64_t cost;
    callgraph_share(&cost, g, &g->in->arcs[arc]);
    return cost;
}

/* main calls a once and b twice, each of which calls c: a 10 times, b 30 times; c was also called 10 times by nobody
 * knows whom. */
static void a_callee_is_shared_by_calls(void **state)
{
    (void)state;
    enum { MAIN, A, B, C };
    const uint64_t entries[] = {1, 1, 2, 50}, self[] = {5, 7, 20, 1000};
    const struct callgraph_arc arcs[] = {{MAIN, A, 1}, {MAIN, B, 2}, {A, C, 10}, {B, C, 30}};
    struct callgraph_input in = {4, 1, entries, self, arcs, 4};
    struct callgraph g;
    callgraph_make(&g, &in);
    assert_int_equal(g.n_circles, 4);
    assert_int_equal(share(&g, 2), 200);
    assert_int_equal(share(&g, 3), 600);
    assert_int_equal(share(&g, 0), 7 + 200);
    assert_int_equal(share(&g, 1), 20 + 600);
    assert_int_equal(g.inclusive[g.circle[MAIN]], 5 + 207 + 620);
    callgraph_release(&g);
}

/* main calls a 3 times, x calls b once; a and b call each other, a calls itself, b calls leaf. */
static void functions_in_a_circle_are_one(void **state)
{
    (void)state;
    enum { MAIN, X, A, B, LEAF };
    const uint64_t entries[] = {1, 1, 3 + 10 + 5, 1 + 8, 4}, self[] = {1, 2, 30, 50, 16};
    const struct callgraph_arc arcs[] = {{MAIN, A, 3}, {MAIN, X, 1}, {X, B, 1},   {A, A, 5},
                                         {A, B, 8},    {B, A, 10},   {B, LEAF, 4}};
    struct callgraph_input in = {5, 1, entries, self, arcs, 7};
    struct callgraph g;
    callgraph_make(&g, &in);
    assert_int_equal(g.n_circles, 4);
    assert_int_equal(g.circle[A], g.circle[B]);
    assert_int_equal(g.calls[g.circle[A]], 4);
    assert_int_equal(g.inclusive[g.circle[A]], 30 + 50 + 16);
    assert_int_equal(share(&g, 0), 96 * 3 / 4);
    assert_int_equal(share(&g, 2), 96 / 4);
    assert_int_equal(share(&g, 3), 0);
    assert_int_equal(share(&g, 4), 0);
    assert_int_equal(share(&g, 5), 0);
    assert_int_equal(share(&g, 6), 16);
    assert_int_equal(g.inclusive[g.circle[MAIN]], 1 + 72 + 2 + 24);
    callgraph_release(&g);
}

/* Entries may be fewer than the calls: of a callee of which the linker kept another copy, or in a region. */
static void calls_without_entries(void **state)
{
    (void)state;
    const uint64_t entries[] = {1, 0}, self[] = {1, 9};
    const struct callgraph_arc arcs[] = {{0, 1, 2}};
    struct callgraph_input in = {2, 1, entries, self, arcs, 1};
    struct callgraph g;
    callgraph_make(&g, &in);
    assert_int_equal(share(&g, 0), 9);
    callgraph_release(&g);
}

/* As deep as a profile may be: no recursion. Each function calls the next, the last calls the first. */
static void a_long_chain(void **state)
{
    (void)state;
    enum { N = 1000000 };
    uint64_t *entries = xcalloc(N, sizeof *entries), *self = xcalloc(N, sizeof *self);
    struct callgraph_arc *arcs = xcalloc(N, sizeof *arcs);
    for (uint32_t i = 0; i < N; i++) {
        entries[i] = self[i] = 1;
        arcs[i] = (struct callgraph_arc){i, (i + 1) % N, 1};
    }
    struct callgraph_input in = {N, 1, entries, self, arcs, N};
    struct callgraph g;
    callgraph_make(&g, &in);
    assert_int_equal(g.n_circles, 1);
    assert_int_equal(g.inclusive[0], N);
    callgraph_release(&g);
    in.n_arcs = N - 1;
    callgraph_make(&g, &in);
    assert_int_equal(g.n_circles, N);
    assert_int_equal(g.inclusive[g.circle[0]], N);
    callgraph_release(&g);
    free(entries);
    free(self);
    free(arcs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_callee_is_shared_by_calls),
        cmocka_unit_test(functions_in_a_circle_are_one),
        cmocka_unit_test(calls_without_entries),
        cmocka_unit_test(a_long_chain),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
