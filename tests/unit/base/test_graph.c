/* test_graph.c - graphs by hand; and random ones, against definitions that are worked out by searching. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/graph.h"
#include "base/random.h"

static void build(struct graph *g, size_t n, const size_t (*edges)[2], size_t n_edges)
{
    *g = (struct graph){.n = n};
    for (size_t i = 0; i < n_edges; i++)
        graph_add(g, edges[i][0], edges[i][1]);
    graph_analyse(g);
}

static void edges_keep_their_order_at_each_node(void **state)
{
    (void)state;
    static const size_t edges[][2] = {{2, 0}, {0, 2}, {0, 1}, {1, 2}, {0, 2}};
    struct graph g;
    build(&g, 3, edges, 5);
    assert_int_equal(graph_n_next(&g, 0), 3);
    assert_int_equal(graph_next(&g, 0, 0), 2);
    assert_int_equal(graph_next(&g, 0, 1), 1);
    assert_int_equal(graph_next(&g, 0, 2), 2); /* twice, as it was added */
    assert_int_equal(graph_n_before(&g, 2), 3);
    assert_int_equal(graph_before(&g, 2, 0), 0);
    assert_int_equal(graph_before(&g, 2, 2), 1);
    assert_int_equal(graph_n_before(&g, 0), 1);
    graph_release(&g);
}

static void nothing_is_a_graph(void **state)
{
    (void)state;
    struct graph g;
    build(&g, 0, NULL, 0);
    assert_int_equal(g.n_order, 0);
    assert_int_equal(g.loops.n, 0);
    graph_release(&g);
}

/* 0 -> 1 <-> 2, 1 -> 3 -> 1: two latches of one loop. 4 cannot be reached. */
static void latches_of_a_header_are_one_loop(void **state)
{
    (void)state;
    static const size_t edges[][2] = {{0, 1}, {1, 2}, {2, 1}, {1, 3}, {3, 1}, {4, 1}};
    struct graph g;
    build(&g, 5, edges, 6);
    assert_int_equal(g.loops.n, 1);
    assert_int_equal(g.loops.at[0].latches.n, 2);
    assert_int_equal(g.loops.at[0].nodes.n, 3);
    assert_int_equal(g.loops.at[0].nodes.at[0], 1);
    assert_true(graph_is_header(&g, 1));
    assert_false(graph_is_header(&g, 2));
    assert_true(g.place[4] == GRAPH_NONE);
    assert_true(g.loop[4] == GRAPH_NONE);
    graph_release(&g);
}

/* 0 -> 1 -> 2 -> 3 -> 2, 3 -> 1, 4 -> 4: a loop in a loop, and one beside them. */
static void loops_have_depths(void **state)
{
    (void)state;
    static const size_t edges[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 2}, {3, 1}, {1, 4}, {4, 4}};
    struct graph g;
    build(&g, 5, edges, 7);
    assert_int_equal(g.loops.n, 3);
    static const struct {
        size_t header, depth, nodes;
    } rows[] = {{1, 1, 3}, {2, 2, 2}, {4, 1, 1}};
    for (size_t i = 0; i < 3; i++) {
        const struct graph_loop *l = &g.loops.at[g.loop[rows[i].header]];
        assert_int_equal(l->header, rows[i].header);
        assert_int_equal(l->depth, rows[i].depth);
        assert_int_equal(l->nodes.n, rows[i].nodes);
        assert_int_equal(l->parent, rows[i].depth == 2 ? g.loop[1] : GRAPH_NONE);
    }
    assert_int_equal(g.loop[3], g.loop[2]);
    assert_int_equal(g.loop[0], GRAPH_NONE);
    graph_release(&g);
}

/* ---- random graphs ---- */

/* What can be reached from `start` without entering `avoid`. */
static void reach(const struct graph *g, size_t start, size_t avoid, bool *seen)
{
    if (start == avoid || seen[start])
        return;
    seen[start] = true;
    for (size_t i = 0; i < g->edges.n; i++)
        if (g->edges.at[i].from == start)
            reach(g, g->edges.at[i].to, avoid, seen);
}

enum { MOST = 12 };

static bool reaches(const struct graph *g, size_t from, size_t to, size_t avoid)
{
    bool seen[MOST] = {false};
    reach(g, from, avoid, seen);
    return seen[to];
}

/* By definition: b is reached, but not without a. */
static bool dominates(const struct graph *g, size_t a, size_t b)
{
    return reaches(g, 0, b, GRAPH_NONE) && (a == b || !reaches(g, 0, b, a));
}

/* By definition: the header, and what reaches a latch without passing the header. */
static bool in_loop_of(const struct graph *g, size_t header, size_t node)
{
    for (size_t i = 0; i < g->edges.n; i++) {
        const struct graph_edge *e = &g->edges.at[i];
        if (e->to == header && dominates(g, header, e->from) && reaches(g, 0, node, GRAPH_NONE) &&
            (node == header || reaches(g, node, e->from, header)))
            return true;
    }
    return false;
}

static void check(const struct graph *g)
{
    for (size_t a = 0; a < g->n; a++) {
        assert_int_equal(g->place[a] != GRAPH_NONE, reaches(g, 0, a, GRAPH_NONE));
        assert_int_equal(graph_is_header(g, a), in_loop_of(g, a, a));
        for (size_t b = 0; b < g->n; b++) {
            assert_int_equal(graph_dominates(g, a, b), dominates(g, a, b));
            if (graph_is_header(g, a))
                assert_int_equal(graph_loop_has(g, g->loop[a], b), in_loop_of(g, a, b));
        }
    }
    for (size_t i = 0; i < g->loops.n; i++)
        assert_true(g->loops.at[i].parent == GRAPH_NONE || g->loops.at[i].parent < i);
}

/* An edge back to a node that does not dominate it is in an irreducible cycle, and only where there is one is any. */
static void check_irreducible(const struct graph *g)
{
    bool any = false, marked = false;
    for (size_t i = 0; i < g->edges.n; i++) {
        size_t from = g->edges.at[i].from, to = g->edges.at[i].to;
        if (g->place[from] == GRAPH_NONE || g->place[to] > g->place[from] || dominates(g, to, from))
            continue;
        any = true;
        assert_true(g->irreducible[from] && g->irreducible[to]);
    }
    for (size_t i = 0; i < g->n; i++)
        marked |= g->irreducible[i];
    assert_int_equal(any, marked);
}

static void random_graphs_are_as_defined(void **state)
{
    (void)state;
    struct random seed = random_start(20);
    size_t loops = 0;
    for (int turn = 0; turn < 400; turn++) {
        struct graph g = {.n = 1 + random_below(&seed, MOST)};
        size_t n = random_below(&seed, 2 * g.n + 1);
        for (size_t i = 0; i < n; i++)
            graph_add(&g, random_below(&seed, g.n), random_below(&seed, g.n));
        graph_analyse(&g);
        check(&g);
        check_irreducible(&g);
        loops += g.loops.n;
        graph_release(&g);
    }
    assert_true(loops > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_keep_their_order_at_each_node), cmocka_unit_test(nothing_is_a_graph),
        cmocka_unit_test(latches_of_a_header_are_one_loop),    cmocka_unit_test(loops_have_depths),
        cmocka_unit_test(random_graphs_are_as_defined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
