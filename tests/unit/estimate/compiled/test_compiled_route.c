/* The method compiled: the way that machine code takes for an edge of the IR. What speaks against a way is in
 * compiled_route.c: another block 8, a part of one 2, the block that the IR is in 2; to stay costs 20 where the block has
 * code elsewhere, 4 where it has none, 3 where its code is here. */
#include "tests/unit/estimate/compiled/compiled_example.h"

#include "shimgen/estimate/compiled/compiled_route.h"

enum { BLOCKS = 9, END = -1 };
static uint32_t last_block = BLOCKS; /* of the IR: the function ends with it */

/* Asks with the nodes as they are; `expected` is the way from its end to its begin, END behind it. */
static void way_is(int line, size_t node, uint32_t block, uint32_t to, enum route_kind kind, const int *expected)
{
    struct code_map map;
    struct route found;
    machine_connect(&code.function);
    code_map_init(&map, &code.function.graph, BLOCKS);
    for (size_t i = 0; i < code.function.n; i++)
        if (code.nodes[i].number != ELF_NO_BLOCK)
            code_map_name(&map, i, code.nodes[i].number);
    for (uint32_t b = 0; b < BLOCKS; b++)
        if (b != last_block)
            code_map_edge(&map, b, b);
    code_map_link(&map);
    struct routes *w = routes_new(&code.function, &code.labels, &map);
    for (int again = 0; again < 2; again++) { /* nothing is left of a question */
        size_t n = 0;
        route_find(w, node, block, to, &found);
        while (expected[n] != END)
            n++;
        bool same = found.kind == kind && found.n == n;
        for (size_t i = 0; same && i < n; i++)
            same = found.nodes[i] == (size_t)expected[i];
        if (!same)
            fail_msg("line %d, question %d: kind %d, %zu nodes", line, again, (int)found.kind, found.n);
    }
    routes_free(w);
    code_map_release(&map);
    graph_release(&code.function.graph);
}
#define WAY(node, block, to, kind, ...) way_is(__LINE__, node, block, to, kind, (const int[]){__VA_ARGS__, END})
#define NO_WAY(node, block, to, kind)   way_is(__LINE__, node, block, to, kind, (const int[]){END})

static void begin_all(void)
{
    static const double none[BLOCKS];
    begin(BLOCKS, none);
}

/* A block next door; behind the code generator's own node; the shorter of two ways that cost nothing. */
static void straight(void **state)
{
    (void)state;
    begin_all();
    put(0, 0, NODE_BRANCHES, 2);
    put(1, 1, NODE_LEAVES, NODE_NONE);
    put(2, 2, NODE_LEAVES, NODE_NONE);
    WAY(0, 0, 1, ROUTE_LEADS, 1);
    WAY(0, 0, 2, ROUTE_LEADS, 2);
    begin_all();
    put(0, 0, NODE_BRANCHES, 3);
    put(ELF_NO_BLOCK, 8, NODE_FALLS, NODE_NONE);
    put(ELF_NO_BLOCK, 8, NODE_JUMPS, 4);
    put(ELF_NO_BLOCK, 8, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_LEAVES, NODE_NONE);
    WAY(0, 0, 1, ROUTE_LEADS, 4, 3);
}

/* Two other blocks may be passed, 16; not a third, 24: then nobody knows, as block 4 has code. */
static void past_other_blocks(void **state)
{
    (void)state;
    begin_all();
    put(0, 0, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_FALLS, NODE_NONE);
    put(2, 2, NODE_FALLS, NODE_NONE);
    put(3, 3, NODE_FALLS, NODE_NONE);
    put(4, 4, NODE_LEAVES, NODE_NONE);
    WAY(0, 0, 2, ROUTE_LEADS, 2, 1);
    WAY(0, 0, 3, ROUTE_LEADS, 3, 2, 1);
    NO_WAY(0, 0, 4, ROUTE_LOST);
    NO_WAY(0, 0, 5, ROUTE_STAYS);                  /* it has no code at all */
    WAY(0, 0, ROUTE_OUT, ROUTE_LEADS, 4, 3, 2, 1); /* whatever is passed */
    NO_WAY(4, 4, ROUTE_OUT, ROUTE_STAYS);
    NO_WAY(4, 4, 0, ROUTE_LOST);
}

/* Two blocks and what is left of one, 18; with what is left of the other too, 20, it is not known. */
static void no_further_than_staying(void **state)
{
    (void)state;
    begin_all();
    put(0, 0, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_FALLS, NODE_NONE);
    put(2, 2, NODE_FALLS, NODE_NONE);
    put(3, 3, NODE_LEAVES, NODE_NONE);
    WAY(0, 0, 3, ROUTE_LEADS, 4, 3, 2, 1);
    begin_all();
    put(0, 0, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_FALLS, NODE_NONE);
    put(2, 2, NODE_FALLS, NODE_NONE);
    put(2, 2, NODE_FALLS, NODE_NONE);
    put(3, 3, NODE_LEAVES, NODE_NONE);
    NO_WAY(0, 0, 3, ROUTE_LOST);
}

/* Parts of other blocks cost less than heads: two of them, by 4, are passed rather than one head. */
static void parts_are_cheaper(void **state)
{
    (void)state;
    begin_all();
    put(0, 0, NODE_BRANCHES, 2);
    put(1, 1, NODE_JUMPS, 4);
    put(1, 1, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_FALLS, NODE_NONE);
    put(2, 2, NODE_LEAVES, NODE_NONE);
    WAY(0, 0, 2, ROUTE_LEADS, 4, 3, 2);
    begin_all(); /* the head of the IR's own block costs 2, what is left of it nothing */
    put(0, 0, NODE_BRANCHES, 3);
    put(0, 0, NODE_BRANCHES, 0);
    put(1, 1, NODE_LEAVES, NODE_NONE);
    put(0, 0, NODE_JUMPS, 4);
    put(2, 2, NODE_LEAVES, NODE_NONE);
    WAY(0, 0, 1, ROUTE_LEADS, 2, 1);
    WAY(1, 0, 2, ROUTE_LEADS, 4, 3, 0);
}

/* A block's second node is as good an entry, but for 2: a way to the head that passes a part is as dear and comes first. */
static void other_entries(void **state)
{
    (void)state;
    begin_all();
    put(0, 0, NODE_BRANCHES, 2);
    put(1, 1, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_LEAVES, NODE_NONE);
    WAY(0, 0, 1, ROUTE_LEADS, 1); /* the head, for nothing */
    begin_all();
    put(1, 1, NODE_LEAVES, NODE_NONE);
    put(0, 0, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_LEAVES, NODE_NONE);
    WAY(1, 0, 1, ROUTE_LEADS, 2);
    begin_all(); /* past a block and to the head: 8 */
    put(0, 0, NODE_BRANCHES, 3);
    put(2, 2, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_LEAVES, NODE_NONE);
    put(1, 1, NODE_LEAVES, NODE_NONE);
    WAY(0, 0, 1, ROUTE_LEADS, 3);
}

/* Code of a block under no name: where it branches it is a copy of the block, for 1. Where it goes on it is not. */
static void copies(void **state)
{
    (void)state;
    begin_all();
    put(0, 0, NODE_BRANCHES, 2);
    put(3, 3, NODE_LEAVES, NODE_NONE);
    put(ELF_NO_BLOCK, 1, NODE_BRANCHES, 1);
    put(2, 2, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_LEAVES, NODE_NONE);
    WAY(0, 0, 1, ROUTE_LEADS, 2);
    code.nodes[2].end = NODE_FALLS;
    WAY(0, 0, 1, ROUTE_LEADS, 4, 3, 2);
    code.nodes[2].end = NODE_BRANCHES;
    code.nodes[2].labelled = false;
    WAY(0, 0, 1, ROUTE_LEADS, 4, 3, 2);
}

/* The block's code is in the node that we are in, or behind a call in it: to stay costs 3, so a way past a part is
 * gone, and none past a block. */
static void staying(void **state)
{
    (void)state;
    begin_all();
    put(0, 1, NODE_FALLS, NODE_NONE);
    put(2, 2, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_LEAVES, NODE_NONE);
    NO_WAY(0, 0, 1, ROUTE_STAYS);
    begin_all();
    put(2, 2, NODE_LEAVES, NODE_NONE);
    put(0, 1, NODE_FALLS, NODE_NONE);
    put(2, 2, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_LEAVES, NODE_NONE);
    WAY(1, 0, 1, ROUTE_LEADS, 3, 2);
    begin_all();
    put(0, 0, NODE_CALLS, NODE_NONE);
    put(0, 1, NODE_FALLS, NODE_NONE);
    code.nodes[1].labelled = false;
    put(2, 2, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_LEAVES, NODE_NONE);
    NO_WAY(0, 0, 1, ROUTE_STAYS);
    code.nodes[1].labelled = true;
    WAY(0, 0, 1, ROUTE_LEADS, 3, 2, 1);
    code.nodes[1].labelled = false;
    code.nodes[0].end = NODE_FALLS;
    WAY(0, 0, 1, ROUTE_LEADS, 3, 2, 1);
}

/* From a block to itself: by a branch backwards, also to the node itself; where there is none, to its head. */
static void round_a_loop(void **state)
{
    (void)state;
    begin_all();
    put(0, 0, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_BRANCHES, 1);
    put(2, 2, NODE_LEAVES, NODE_NONE);
    WAY(1, 1, 1, ROUTE_LEADS, 1);
    begin_all();
    put(0, 0, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_BRANCHES, 2);
    put(2, 2, NODE_LEAVES, NODE_NONE);
    WAY(1, 1, 1, ROUTE_LEADS, 2, 2);
    WAY(2, 1, 1, ROUTE_LEADS, 2);
    begin_all();
    put(1, 1, NODE_FALLS, NODE_NONE);
    put(ELF_NO_BLOCK, 8, NODE_JUMPS, 0);
    WAY(0, 1, 1, ROUTE_LEADS, 0, 1);
    begin_all(); /* forwards alone: to what is left of it */
    put(1, 1, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_LEAVES, NODE_NONE);
    WAY(0, 1, 1, ROUTE_LEADS, 1);
}

/* A block that ends the function, whose code is elsewhere: a node that leaves the function is its return, another is not. */
static void returns_together(void **state)
{
    (void)state;
    last_block = 4;
    begin_all();
    put(0, 0, NODE_LEAVES, NODE_NONE);
    put(1, 4, NODE_LEAVES, NODE_NONE);
    put(2, 5, NODE_LEAVES, NODE_NONE);
    NO_WAY(0, 0, 4, ROUTE_STAYS);
    NO_WAY(0, 0, 5, ROUTE_LOST); /* the IR goes on behind it */
    begin_all();
    put(0, 0, NODE_JUMPS, 0);
    put(1, 4, NODE_LEAVES, NODE_NONE);
    NO_WAY(0, 0, 4, ROUTE_LOST);
    last_block = BLOCKS;
}

/* The return was copied into a node of the code generator's own: 1. Its own node is behind another block's: 8. */
static void copied_return(void **state)
{
    (void)state;
    last_block = 4;
    begin_all();
    put(0, 0, NODE_BRANCHES, 2);
    put(ELF_NO_BLOCK, 8, NODE_LEAVES, NODE_NONE);
    put(1, 1, NODE_FALLS, NODE_NONE);
    put(4, 4, NODE_LEAVES, NODE_NONE);
    WAY(0, 0, 4, ROUTE_LEADS, 1);
    WAY(2, 1, 4, ROUTE_LEADS, 3);
    NO_WAY(0, 0, 5, ROUTE_STAYS); /* it has no code, and the IR goes on behind it: its code is not a return's */
    last_block = BLOCKS;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(straight),
                                       cmocka_unit_test(past_other_blocks),
                                       cmocka_unit_test(no_further_than_staying),
                                       cmocka_unit_test(parts_are_cheaper),
                                       cmocka_unit_test(other_entries),
                                       cmocka_unit_test(copies),
                                       cmocka_unit_test(staying),
                                       cmocka_unit_test(returns_together),
                                       cmocka_unit_test(copied_return),
                                       cmocka_unit_test(round_a_loop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
