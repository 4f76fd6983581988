/* How often nodes of machine code are executed, in terms of the IR's blocks and edges: derived by hand from the two
 * graphs that each test draws. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/str.h"
#include "irprof/codegen/code_map.h"

/* Edges of the IR ("0>1 0>2"); nodes of the machine code, each "name>successors" where the name is a block of the IR or
 * '-'; successors are positions in this list. */
struct graphs {
    struct graph code;
    struct code_map map;
};

static void build(struct graphs *g, const char *edges, const char *nodes)
{
    *g = (struct graphs){0};
    size_t from, to, names[8];
    int n;
    char name[8], successors[32];
    for (; sscanf(nodes, " %7[^>]>%31[0-9,.]%n", name, successors, &n) == 2; nodes += n) {
        names[g->code.n] = strcmp(name, "-") == 0 ? CODE_NONE : strtoull(name, 0, 10);
        for (const char *s = successors; *s && *s != '.'; s += strcspn(s, ","), s += *s == ',')
            graph_add(&g->code, g->code.n, strtoull(s, 0, 10));
        g->code.n++;
    }
    graph_link(&g->code);
    code_map_init(&g->map, &g->code, 0);
    for (size_t i = 0; i < g->code.n; i++)
        if (names[i] != CODE_NONE)
            code_map_name(&g->map, i, names[i]);
    for (; sscanf(edges, " %zu>%zu%n", &from, &to, &n) == 2; edges += n)
        code_map_edge(&g->map, from, to);
    code_map_link(&g->map);
}

static void release(struct graphs *g)
{
    code_map_release(&g->map);
    graph_release(&g->code);
}

/* "3": as often as the block of the IR; "0>1 2>1": as often as these edges. */
static void expect(struct graphs *g, size_t block, const char *rate)
{
    struct code_rate r;
    struct str text = STR_INIT;
    code_rate(&g->map, block, &r);
    if (r.edges.n == 0)
        str_addf(&text, "%zu", r.block);
    for (size_t i = 0; i < r.edges.n; i++) {
        const struct graph_edge *edge = &g->map.ir.edges.at[r.edges.at[i]];
        str_addf(&text, "%s%zu>%zu", i ? " " : "", edge->from, edge->to);
    }
    if (strcmp(text.s, rate) != 0)
        fail_msg("block %zu: expected %s, got %s", block, rate, text.s);
    str_release(&text);
    vec_release(&r.edges);
}

/* Of two nodes with one name the first is the head; block 2 is in no name, block 3 in no edge. */
static void names_and_edges(void **state)
{
    (void)state;
    struct graphs g;
    build(&g, "0>1 0>2 1>2", "0>1 1>2 1>3 3>.");
    assert_int_equal(g.map.ir.n, 4);
    assert_int_equal(g.map.head[1], 1);
    assert_int_equal(g.map.head[2], CODE_NONE);
    assert_int_equal(g.map.head[3], 3);
    assert_int_equal(g.map.block[2], 1);
    assert_true(code_is_head(&g.map, 1));
    assert_false(code_is_head(&g.map, 2));
    assert_int_equal(graph_n_next(&g.map.ir, 0), 2);
    assert_int_equal(graph_n_before(&g.map.ir, 2), 2);
    release(&g);
}

/* Two ways and their end, the same in both. */
static void the_same_graph(void **state)
{
    (void)state;
    struct graphs g;
    build(&g, "0>1 0>2 1>3 2>3", "0>1,2 1>3 2>3 3>.");
    expect(&g, 0, "0");
    expect(&g, 1, "1");
    expect(&g, 2, "2");
    expect(&g, 3, "3");
    release(&g);
}

/* The edge 0>2 is critical (0 has another successor, 2 another predecessor) and got a block of its own. */
static void a_block_on_an_edge(void **state)
{
    (void)state;
    struct graphs g;
    build(&g, "0>1 0>2 1>2", "0>1,3 1>2 2>. ->2");
    expect(&g, 3, "0>2");
    expect(&g, 2, "2");
    release(&g);
}

/* Block 1 of the IR is empty and gone; what keeps registers on the way 0>1>2 stands in a block without a name. */
static void an_empty_block_is_gone(void **state)
{
    (void)state;
    struct graphs g;
    build(&g, "0>1 0>2 1>2", "0>1,2 ->2 2>.");
    expect(&g, 1, "0>1 0>2"); /* which of the two ways it is on cannot be told: a bound */
    release(&g);
    build(&g, "0>1 0>3 1>2 3>2", "0>1,2 ->3 3>3 2>.");
    expect(&g, 1, "0>1");
    release(&g);
}

/* A select became a branch inside block 0: the side is executed now and then (the bound is the block), the end always.
 */
static void a_select_that_branches(void **state)
{
    (void)state;
    struct graphs g;
    build(&g, "0>1 0>2", "0>1,2 ->2 ->3,4 1>. 2>.");
    expect(&g, 2, "0");
    release(&g);
    /* the same, and block 0 returns: there are no edges */
    build(&g, "", "0>1,2 ->2 ->.");
    expect(&g, 1, "0");
    expect(&g, 2, "0");
    release(&g);
}

/* switch over 1, 2, 3 as comparisons: 0 asks for 1, the block after it for the other two. */
static void a_switch_of_comparisons(void **state)
{
    (void)state;
    struct graphs g;
    build(&g, "0>1 0>2 0>3", "0>2,1 ->3,4 1>. 2>. 3>.");
    expect(&g, 1, "0>2 0>3");
    release(&g);
    /* with the name of the block it was made for */
    build(&g, "0>1 0>2 0>3", "0>2,1 0>3,4 1>. 2>. 3>.");
    expect(&g, 1, "0>2 0>3");
    release(&g);
}

/* Block 3 was copied to the end of 1, which goes on to 4: what is left of it is executed when 2 leads there. */
static void a_block_that_was_copied(void **state)
{
    (void)state;
    struct graphs g;
    build(&g, "0>1 0>2 1>3 2>3 3>4", "0>1,2 1>4 2>3 3>4 4>.");
    expect(&g, 3, "2>3");
    expect(&g, 4, "4");
    release(&g);
}

/* An end that several blocks share: executed when one of them leads there. */
static void a_common_way_out(void **state)
{
    (void)state;
    struct graphs g;
    build(&g, "0>1 0>2 1>3 1>4 2>3 2>4", "0>1,2 1>3,5 2>3,5 ->4 3>. 4>.");
    expect(&g, 3, "1>3 2>3");
    release(&g);
}

/* Nothing is known of the edges (exceptions, computed jumps): as often as the block. */
static void no_edges_known(void **state)
{
    (void)state;
    struct graphs g;
    build(&g, "", "0>1,2 1>2 2>.");
    expect(&g, 1, "1");
    expect(&g, 2, "2");
    release(&g);
}

/* A switch of 65,536 cases as a balanced tree of comparisons, all of block 0: node j leads to 2 j + 1 and 2 j + 2, the last
 * 65,536 nodes are the cases, blocks 1 to 65,536; all go on to one block. A comparison lies on the edges to the cases below
 * it. Were the whole switch gone through for each comparison, that would take minutes; so it takes less than a second.
 * 30 seconds of processor time are allowed. */
static void a_switch_of_65536_cases(void **state)
{
    (void)state;
    enum { CASES = 1 << 16, ENTRY = 0, END = 2 * CASES - 1 };
    assert_int_equal(setrlimit(RLIMIT_CPU, &(struct rlimit){30, 30}), 0);
    struct graphs g = {.code = {.n = END + 1}};
    for (size_t i = 0; i < END; i++) {
        if (i < CASES - 1) {
            graph_add(&g.code, i, 2 * i + 1);
            graph_add(&g.code, i, 2 * i + 2);
        } else {
            graph_add(&g.code, i, END);
        }
    }
    graph_link(&g.code);
    code_map_init(&g.map, &g.code, CASES + 2);
    for (size_t i = 0; i < END; i++)
        code_map_name(&g.map, i, i < CASES - 1 ? ENTRY : i - (CASES - 1) + 1);
    code_map_name(&g.map, END, CASES + 1);
    for (size_t k = 1; k <= CASES; k++)
        code_map_edge(&g.map, 0, k);
    for (size_t k = 1; k <= CASES; k++)
        code_map_edge(&g.map, k, CASES + 1);
    code_map_link(&g.map);
    for (size_t i = 1, width = 2; width < CASES; width *= 2) { /* level by level */
        for (size_t at = 0; at < width; at++, i++) {
            struct code_rate r;
            code_rate(&g.map, i, &r);
            size_t below = CASES / width;
            assert_int_equal(r.block, ENTRY);
            assert_int_equal(r.edges.n, below);
            for (size_t k = 0; k < below; k++)
                assert_true(r.edges.at[k] == at * below + k);
            vec_release(&r.edges);
        }
    }
    release(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_edges),         cmocka_unit_test(the_same_graph),
        cmocka_unit_test(a_block_on_an_edge),      cmocka_unit_test(an_empty_block_is_gone),
        cmocka_unit_test(a_select_that_branches),  cmocka_unit_test(a_switch_of_comparisons),
        cmocka_unit_test(a_block_that_was_copied), cmocka_unit_test(a_common_way_out),
        cmocka_unit_test(no_edges_known),          cmocka_unit_test(a_switch_of_65536_cases),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
