/*
 * test_call_tree.c - the ways by which functions were called, and what share of a function's counts is whose: profiles
 * made here, shares divided by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/str.h"
#include "shimgen/blocks/call_tree.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))
enum { MOST = 20, REGIONS = 5 };

/* Functions of one segment each, named by letters. */
static char letters[MOST][2];
static struct irprof_function functions[MOST];
static struct irprof_segment segments[MOST];
static uint64_t executions[REGIONS][MOST];
static struct irprof_region regions[REGIONS];
static struct irprof_call calls[2 * MOST];
static struct irprof_profile profile;

/* n functions, entered so often. The last of n_regions is the run's. */
static void make(size_t n, const uint64_t *entered, size_t n_regions)
{
    memset(executions, 0, sizeof executions);
    memset(regions, 0, sizeof regions);
    for (size_t i = 0; i < n; i++) {
        letters[i][0] = (char)('a' + i);
        functions[i] = (struct irprof_function){.name = letters[i]};
        segments[i] = (struct irprof_segment){.function = (uint32_t)i};
        executions[n_regions - 1][i] = entered[i];
    }
    for (size_t i = 0; i < n_regions; i++)
        regions[i] = (struct irprof_region){.name = (char *)"main", .executions = executions[i]};
    profile = (struct irprof_profile){.functions = functions,
                                      .n_functions = n,
                                      .segments = segments,
                                      .n_segments = n,
                                      .calls = calls,
                                      .n_calls = 0,
                                      .regions = regions,
                                      .n_regions = n_regions};
}

static void call(uint32_t caller, uint32_t callee, uint32_t line)
{
    calls[profile.n_calls++] = (struct irprof_call){caller, callee, letters[callee], 0, line};
}

/* "c<-a:7": the node of c that the call on line 7 makes; "c": called by nobody known. With shares, calls; '=': exact;
 * '!': of a region of its own. Nodes stand in the order of functions. */
static char *shown(const struct call_tree *t)
{
    struct str out = STR_INIT;
    for (size_t f = 0; f < profile.n_functions; f++) {
        uint32_t circle = t->graph.circle[f];
        for (size_t i = t->first_node[circle]; i < t->first_node[circle] + t->n_nodes[circle]; i++) {
            const struct call_node *n = &t->nodes.at[i];
            str_addf(&out, "%s", letters[f]);
            if (n->call != CALL_TREE_NONE) {
                const struct irprof_call *c = &calls[n->call];
                assert_int_equal(t->nodes.at[n->parent].circle, t->graph.circle[segments[c->segment].function]);
                assert_true(n->parent < i);
                str_addf(&out, "<-%s:%u", letters[segments[c->segment].function], (unsigned)c->line);
            } else {
                assert_int_equal(n->parent, CALL_TREE_NONE);
            }
            str_addf(&out, " %g of %d, %g%s%s; ", n->share, (int)n->region, n->calls, n->exact ? " =" : "",
                     n->own ? " !" : "");
            assert_int_equal(n->circle, circle);
        }
    }
    str_add(&out, "");
    return str_detach(&out);
}

static void expect(const char *wanted, bool complete)
{
    struct call_tree t;
    call_tree_make(&t, &profile, profile.n_regions - 1);
    char *text = shown(&t);
    assert_string_equal(text, wanted);
    assert_int_equal(t.complete, complete);
    free(text);
    call_tree_release(&t);
}

/* a calls b and c; both call d, which somebody else calls 2 of 10 times; d calls e. */
static void divided(void **state)
{
    (void)state;
    make(5, (const uint64_t[]){2, 2, 6, 10, 10}, 1);
    executions[0][0] = 2;
    call(0, 1, 1);
    call(1, 3, 3);
    call(2, 3, 4);
    call(3, 4, 5);
    expect("a 1 of 0, 2 =; b<-a:1 1 of 0, 2 =; c 1 of 0, 6 =; "
           "d<-b:3 0.2 of 0, 2; d<-c:4 0.6 of 0, 6; d 0.2 of 0, 2; "
           "e<-d:5 0.2 of 0, 2; e<-d:5 0.6 of 0, 6; e<-d:5 0.2 of 0, 2; ",
           true);
}

/* What is never called has a node without calls; calls that were not made, or through pointers, count nothing. */
static void never(void **state)
{
    (void)state;
    make(3, (const uint64_t[]){1, 0, 4}, 1);
    call(0, 2, 1);
    call(1, 2, 2);
    calls[profile.n_calls++] = (struct irprof_call){0, IRPROF_NONE, NULL, 0, 3};
    expect("a 1 of 0, 1 =; b 1 of 0, 0 =; c<-a:1 0.25 of 0, 1; c 0.75 of 0, 3; ", true);
}

/* b and c call each other: what calls one of them from outside calls both. */
static void circles(void **state)
{
    (void)state;
    make(4, (const uint64_t[]){2, 5, 3, 1}, 1);
    call(0, 1, 1);
    call(1, 2, 2);
    call(2, 1, 3);
    call(3, 2, 4);
    /* b and c are entered 8 times: 2 by a, 1 by d, by each other 8 times, as many as make sense */
    expect("a 1 of 0, 2 =; b<-a:1 0.666667 of 0, 2; b<-d:4 0.333333 of 0, 1; c<-a:1 0.666667 of 0, 2; "
           "c<-d:4 0.333333 of 0, 1; d 1 of 0, 1 =; ",
           true);
    executions[0][1] = 11; /* 3 more of 14, less 8 within: 6 from outside, of which half is not known */
    executions[0][2] = 3;
    calls[1].segment = 2, calls[1].callee = 2, calls[1].name = letters[2]; /* c calls itself, and b */
    expect("a 1 of 0, 2 =; b<-a:1 0.181818 of 0, 2; b<-c:3 0.272727 of 0, 3; b 0.545455 of 0, 6; "
           "c<-d:4 1 of 0, 1 =; d 1 of 0, 1 =; ",
           true);
}

/* Calls that were counted by place: their regions have what belongs to them, all exactly. */
static void own_regions(void **state)
{
    (void)state;
    make(4, (const uint64_t[]){2, 6, 8, 8}, 3);
    call(0, 2, 1);
    call(1, 2, 2);
    call(2, 3, 3);
    regions[0] = (struct irprof_region){.name = (char *)"c<-a:1", .entries = 2, .executions = executions[0]};
    executions[0][2] = executions[0][3] = 2;
    regions[1] = (struct irprof_region){.name = (char *)"c<-b:2", .entries = 6, .executions = executions[1]};
    executions[1][2] = executions[1][3] = 6;
    expect("a 1 of 2, 2 =; b 1 of 2, 6 =; c<-a:1 1 of 0, 2 = !; c<-b:2 1 of 1, 6 = !; d<-c:3 1 of 0, 2 =; "
           "d<-c:3 1 of 1, 6 =; ",
           true);
    regions[1].flaws = IRPROF_FLAW_OPEN; /* the other is what is left */
    expect("a 1 of 2, 2 =; b 1 of 2, 6 =; c<-a:1 1 of 0, 2 = !; c<-b:2 1 of 2, 6 =; d<-c:3 1 of 0, 2 =; "
           "d<-c:3 1 of 2, 6 =; ",
           true);
    executions[2][2] = executions[2][3] = 10; /* somebody else calls c twice */
    expect("a 1 of 2, 2 =; b 1 of 2, 6 =; c<-a:1 1 of 0, 2 = !; c<-b:2 0.75 of 2, 6; c 0.25 of 2, 2; "
           "d<-c:3 1 of 0, 2 =; d<-c:3 0.75 of 2, 6; d<-c:3 0.25 of 2, 2; ",
           true);
    executions[0][3] = 5, executions[2][3] = 14; /* and d: three times below a's call, once elsewhere */
    expect("a 1 of 2, 2 =; b 1 of 2, 6 =; c<-a:1 1 of 0, 2 = !; c<-b:2 0.75 of 2, 6; c 0.25 of 2, 2; "
           "d<-c:3 0.4 of 0, 2; d<-c:3 0.666667 of 2, 6; d<-c:3 0.222222 of 2, 2; d 0.6 of 0, 3; d 0.111111 of 2, 1; ",
           true);
    regions[0].entries = 1; /* counts of another build */
    expect("a 1 of 2, 2 =; b 1 of 2, 6 =; c<-a:1 0.2 of 2, 2; c<-b:2 0.6 of 2, 6; c 0.2 of 2, 2; "
           "d<-c:3 0.142857 of 2, 2; d<-c:3 0.428571 of 2, 6; d<-c:3 0.142857 of 2, 2; d 0.285714 of 2, 4; ",
           true);
}

/* c calls d only where a calls c: then what was counted for the call of d is that way's, although others call c, too. */
static void made_in_one_way(void **state)
{
    (void)state;
    make(4, (const uint64_t[]){2, 0, 4, 2}, 3);
    segments[4] = (struct irprof_segment){.function = 2, .block = 1};
    profile.n_segments = 5;
    call(0, 2, 1);
    calls[profile.n_calls++] = (struct irprof_call){4, 3, letters[3], 0, 3};
    regions[0] = (struct irprof_region){.name = (char *)"c<-a:1", .entries = 2, .executions = executions[0]};
    regions[1] = (struct irprof_region){.name = (char *)"d<-c:3", .entries = 2, .executions = executions[1]};
    executions[0][2] = executions[0][3] = executions[0][4] = executions[1][3] = executions[2][4] = 2;
    expect("a 1 of 2, 2 =; b 1 of 2, 0 =; c<-a:1 1 of 0, 2 = !; c 1 of 2, 2 =; d<-c:3 1 of 1, 2 = !; ", true);
}

/* Of two calls on one line the second has ".2"; another module's functions are others. */
static void regions_of_calls(void **state)
{
    (void)state;
    make(3, (const uint64_t[]){1, 1, 4}, 4);
    call(0, 2, 7);
    call(0, 2, 7);
    call(1, 2, 7);
    call(0, 2, 7);
    functions[1].name = letters[0]; /* a static function of the same name, elsewhere */
    functions[1].module = 1;
    calls[3].name = NULL;
    regions[0] = (struct irprof_region){.name = (char *)"c<-a:7.2", .entries = 1, .executions = executions[0]};
    regions[1] = (struct irprof_region){.name = (char *)"c<-a:7", .entries = 1, .executions = executions[1]};
    regions[2] = (struct irprof_region){.name = (char *)"c<-a:8", .entries = 1, .executions = executions[2]};
    struct call_tree t;
    call_tree_make(&t, &profile, 3);
    assert_int_equal(t.region_of[0], 1);
    assert_int_equal(t.region_of[1], 0);
    assert_int_equal(t.region_of[2], 1);
    assert_int_equal(t.region_of[3], CALL_TREE_NONE);
    call_tree_release(&t);
}

/* Each function calls the next twice: 16,383 ways lead to the first 14; the next has more than 20,000 in all. */
static void too_many(void **state)
{
    (void)state;
    enum { N = 16 };
    uint64_t entered[N];
    for (size_t i = 0; i < N; i++)
        entered[i] = (uint64_t)1 << i;
    make(N, entered, 1);
    for (uint32_t i = 0; i + 1 < N; i++) {
        call(i, i + 1, 1);
        call(i, i + 1, 2);
    }
    struct call_tree t;
    call_tree_make(&t, &profile, 0);
    assert_false(t.complete);
    for (size_t i = 0; i < 14; i++)
        assert_int_equal(t.n_nodes[t.graph.circle[i]], entered[i]);
    assert_int_equal(t.n_nodes[t.graph.circle[14]], 1);
    const struct call_node *one = &t.nodes.at[t.first_node[t.graph.circle[14]]];
    assert_true(one->share == 1 && !one->exact && one->parent == CALL_TREE_NONE);
    assert_int_equal(t.n_nodes[t.graph.circle[15]], 2);
    call_tree_release(&t);
    make(14, entered, 1);
    for (uint32_t i = 0; i + 1 < 14; i++) {
        call(i, i + 1, 1);
        call(i, i + 1, 2);
    }
    call_tree_make(&t, &profile, 0);
    assert_true(t.complete);
    assert_int_equal(t.nodes.n, 16383);
    assert_true(t.nodes.at[16382].share == 1.0 / 8192);
    call_tree_release(&t);
}

/* 19,999 ways and their caller are 20,000, and all apart; one more is too much. */
static void just_enough(void **state)
{
    (void)state;
    enum { N = 19999 };
    struct irprof_call *many = xcalloc(N + 1, sizeof *many);
    for (uint32_t i = 0; i <= N; i++)
        many[i] = (struct irprof_call){0, 1, letters[1], 0, i + 1};
    for (uint64_t n = N; n <= N + 1; n++) {
        struct call_tree t;
        make(2, (const uint64_t[]){1, n}, 1);
        profile.calls = many;
        profile.n_calls = n;
        call_tree_make(&t, &profile, 0);
        assert_int_equal(t.complete, n == N);
        assert_int_equal(t.nodes.n, n == N ? N + 1 : 2);
        call_tree_release(&t);
    }
    free(many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(divided),         cmocka_unit_test(never),
                                       cmocka_unit_test(circles),         cmocka_unit_test(own_regions),
                                       cmocka_unit_test(made_in_one_way), cmocka_unit_test(regions_of_calls),
                                       cmocka_unit_test(too_many),        cmocka_unit_test(just_enough)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
