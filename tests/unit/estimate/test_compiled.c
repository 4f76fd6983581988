/* The method compiled: labels in assembly, and how often machine code is executed, from what the IR has. Machine code
 * is written down as nodes; the counts follow from the IR's edges by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/random.h"
#include "irprof/irprof.h"
#include "shimgen/estimate/compiled/compiled_flow.h"
#include "shimgen/estimate/compiled/compiled_guess.h"
#include "shimgen/estimate/compiled/compiled_text.h"

/* ---- labels ---- */

static void check_labels(const char *text, const char *labelled)
{
    struct str out = STR_INIT;
    compiled_text_label(&out, text, 3);
    assert_string_equal(str_text(&out), labelled);
    str_release(&out);
}

static void test_labels(void **state)
{
    (void)state;
    check_labels("f:\n"
                 "// %bb.0:                               // %b0x\n"
                 "\t.loc\t1 12 0\n"
                 "\tadd\tw0, w0, #1\n"
                 ".LBB0_1:                                // %b5x\n"
                 "                                        // =>This Inner Loop Header: Depth=1\n"
                 "\tb\t.LBB0_1\n"
                 "# %bb.2:\n"
                 "\tret\n",
                 "f:\n"
                 "// %bb.0:                               // %b0x\n"
                 "irprof.b.3.0.0:\n"
                 "\t.loc\t1 12 0\n"
                 "irprof.l.3.1.12:\n"
                 "\tadd\tw0, w0, #1\n"
                 ".LBB0_1:                                // %b5x\n"
                 "irprof.b.3.2.5:\n"
                 "                                        // =>This Inner Loop Header: Depth=1\n"
                 "\tb\t.LBB0_1\n"
                 "# %bb.2:\n"
                 "irprof.b.3.3.x:\n"
                 "\tret\n");
}

/* Where a table of jumps leads is marked, also when it follows. */
static void test_tables(void **state)
{
    (void)state;
    check_labels(".LBB0_1:                                // %b1x\n"
                 ".LBB0_2:                                // %b2x\n"
                 ".LJTI0_0:\n"
                 "\t.byte\t(.LBB0_2-.LBB0_1)>>2\n"
                 "x:\n"
                 "\t.word\t.LBB0_1\n",
                 ".LBB0_1:                                // %b1x\n"
                 "irprof.b.3.0.1:\n"
                 ".LBB0_2:                                // %b2x\n"
                 "irprof.t.3.1.2:\n"
                 ".LJTI0_0:\n"
                 "\t.byte\t(.LBB0_2-.LBB0_1)>>2\n"
                 "x:\n"
                 "\t.word\t.LBB0_1\n");
}

/* ---- flow ---- */

enum { MOST = 16 };

/* Node i has one instruction, of instruction of[i] of the IR; the IR's instruction k + 1 is in block k. */
static struct {
    struct iss_step steps[MOST];
    uint32_t of[MOST];
    struct node nodes[MOST];
    struct irprof_spot spots[MOST + 1];
    struct irprof_label_segment segments[MOST];
    double executions[MOST], mispredicted[MOST];
    struct machine_function function;
    struct irprof_label_function labels;
} code;

static void begin(uint32_t n_blocks, const double *executions)
{
    memset(&code, 0, sizeof code);
    code.spots[0] = (struct irprof_spot){IRPROF_NONE, IRPROF_NONE, IRPROF_NONE};
    for (uint32_t b = 0; b < n_blocks; b++) {
        code.spots[b + 1] = (struct irprof_spot){b, b, 0};
        code.segments[b] = (struct irprof_label_segment){b, 0, 1};
        code.executions[b] = executions[b];
    }
    code.labels = (struct irprof_label_function){.n_blocks = n_blocks,
                                                 .segments = code.segments,
                                                 .n_segments = n_blocks,
                                                 .spots = code.spots,
                                                 .n_spots = n_blocks + 1};
    code.function.nodes = code.nodes;
}

/* A node for `block` (ELF_NO_BLOCK: the code generator's own) whose instruction is of block `of`. */
static void put(uint32_t block, uint32_t of, enum node_end end, size_t target)
{
    size_t i = code.function.n++;
    code.of[i] = of + 1;
    code.nodes[i] = (struct node){.steps = &code.steps[i],
                                  .n = 1,
                                  .address = 4 * i,
                                  .end = end,
                                  .block = block,
                                  .labelled = true,
                                  .target = target,
                                  .of = &code.of[i],
                                  .number = block};
}

static void check_flow(const struct flow_edge *edges, size_t n, const double *expected)
{
    struct flow_ir ir = {.n_blocks = code.labels.n_blocks,
                         .edges = edges,
                         .n_edges = n,
                         .labels = &code.labels,
                         .executions = code.executions,
                         .mispredicted = code.mispredicted};
    struct flow w;
    machine_connect(&code.function);
    flow_make(&w, &code.function, &ir);
    for (size_t i = 0; i < code.function.n; i++)
        assert_float_equal(w.nodes[i], expected[i], 0.01);
    assert_float_equal(w.lost, 0, 0);
    flow_release(&w);
    graph_release(&code.function.graph);
}

static void test_loop(void **state)
{
    (void)state;
    begin(3, (double[]){1, 10, 1});
    put(0, 0, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_BRANCHES, 1);
    put(2, 2, NODE_LEAVES, NODE_NONE);
    check_flow((struct flow_edge[]){{0, 1, 1}, {1, 1, 9}, {1, 2, 1}}, 3, (double[]){1, 10, 1});
}

/* What is done once before a loop bears the loop's name too. */
static void test_loop_with_a_part_before_it(void **state)
{
    (void)state;
    begin(3, (double[]){1, 10, 1});
    put(0, 0, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_BRANCHES, 2);
    put(2, 2, NODE_LEAVES, NODE_NONE);
    check_flow((struct flow_edge[]){{0, 1, 1}, {1, 1, 9}, {1, 2, 1}}, 3, (double[]){1, 1, 10, 1});
}

/* Code on an edge: for the false side of block 0 alone. */
static void test_edge(void **state)
{
    (void)state;
    begin(3, (double[]){8, 3, 8});
    put(0, 0, NODE_BRANCHES, 2);
    put(1, 1, NODE_JUMPS, 3);
    put(ELF_NO_BLOCK, 0, NODE_FALLS, NODE_NONE);
    put(2, 2, NODE_LEAVES, NODE_NONE);
    check_flow((struct flow_edge[]){{0, 1, 3}, {0, 2, 5}, {1, 2, 3}}, 3, (double[]){8, 3, 5, 8});
}

/* Block 3, the return, was copied into block 1: its own node is left with what comes from block 2. */
static void test_copied_end(void **state)
{
    (void)state;
    begin(4, (double[]){10, 4, 6, 10});
    put(0, 0, NODE_BRANCHES, 2);
    put(1, 3, NODE_LEAVES, NODE_NONE);
    put(2, 2, NODE_FALLS, NODE_NONE);
    put(3, 3, NODE_LEAVES, NODE_NONE);
    check_flow((struct flow_edge[]){{0, 1, 4}, {0, 2, 6}, {1, 3, 4}, {2, 3, 6}}, 4, (double[]){10, 4, 6, 6});
}

/* A select became a branch over one node: half of the times. */
static void test_select(void **state)
{
    (void)state;
    begin(2, (double[]){10, 10});
    put(0, 0, NODE_BRANCHES, 2);
    put(ELF_NO_BLOCK, 0, NODE_FALLS, NODE_NONE);
    put(1, 1, NODE_LEAVES, NODE_NONE);
    check_flow((struct flow_edge[]){{0, 1, 10}}, 1, (double[]){10, 5, 10});
}

/* ---- code that nobody has counted ---- */

static void guess(struct flow *w, size_t n, const struct guess_returns *callees)
{
    machine_connect(&code.function);
    flow_guess(w, &code.function, callees);
    double out = 0;
    for (size_t i = 0; i < n; i++) {
        assert_true(w->nodes[i] >= 0 && w->nodes[i] <= GUESS_MOST);
        out += code.nodes[i].end == NODE_LEAVES ? w->nodes[i] : 0;
    }
    assert_float_equal(out, 1, 0.25); /* what was entered is left; loops that hold on too long may take a part of it */
}

static double moved(const struct flow *w, size_t from, size_t to)
{
    for (size_t i = w->first[from]; i; i = w->moves.at[i - 1].next)
        if (w->moves.at[i - 1].to == to)
            return w->moves.at[i - 1].flow;
    return 0;
}

/* A loop is gone round some times: Wu and Larus have 0.88 for its branch, 8.3 times, and 0.72 for not returning yet
 * joins it. */
static void test_guess_of_a_loop(void **state)
{
    (void)state;
    struct flow w;
    begin(1, (double[]){1});
    put(0, 0, NODE_FALLS, NODE_NONE);
    put(0, 0, NODE_BRANCHES, 1);
    put(0, 0, NODE_LEAVES, NODE_NONE);
    guess(&w, 3, 0);
    assert_float_equal(w.nodes[0], 1, 1e-9);
    assert_in_range((int)w.nodes[1], 4, 10);
    flow_release(&w);
    graph_release(&code.function.graph);
}

/* Five loops in each other: 0.9 for each would be 100000 times. Bounded, and the inner ones not below the outer. */
static void test_guess_of_a_nest(void **state)
{
    (void)state;
    enum { DEEP = 5 };
    struct flow w;
    begin(1, (double[]){1});
    for (size_t i = 0; i < DEEP; i++)
        put(0, 0, NODE_FALLS, NODE_NONE);
    for (size_t i = 0; i < DEEP; i++)
        put(0, 0, NODE_BRANCHES, DEEP - 1 - i);
    put(0, 0, NODE_LEAVES, NODE_NONE);
    machine_connect(&code.function);
    flow_guess(&w, &code.function, 0);
    for (size_t i = 0; i < code.function.n; i++)
        assert_true(w.nodes[i] > 0 && w.nodes[i] <= GUESS_MOST);
    for (size_t i = 1; i < DEEP; i++)
        assert_true(w.nodes[i] >= w.nodes[i - 1]);
    flow_release(&w);
    graph_release(&code.function.graph);
}

/* What ends the program is not on the usual way: the side that calls it is not gone, its other side always. */
static bool comes_back(void *context, uint64_t address)
{
    (void)context;
    return address != 0x1000;
}

static void test_guess_of_an_end(void **state)
{
    (void)state;
    struct guess_returns callees = {comes_back, 0};
    struct flow w;
    begin(1, (double[]){1});
    put(0, 0, NODE_BRANCHES, 2);
    put(0, 0, NODE_LEAVES, NODE_NONE);
    put(0, 0, NODE_CALLS, NODE_NONE);
    put(0, 0, NODE_LEAVES, NODE_NONE); /* follows the call by chance */
    code.nodes[2].callee = 0x1000;
    guess(&w, 4, &callees);
    assert_float_equal(moved(&w, 0, 1), 1, 1e-9);
    assert_float_equal(moved(&w, 0, 2), 0, 1e-9);
    assert_float_equal(w.nodes[3], 0, 1e-9);
    assert_true(guess_comes_back(&code.function, &callees));
    flow_release(&w);
    graph_release(&code.function.graph);
}

/* A side that calls is the rarer one: tests for what is special stand before such. */
static void test_guess_of_a_call(void **state)
{
    (void)state;
    struct flow w;
    begin(1, (double[]){1});
    put(0, 0, NODE_BRANCHES, 3);
    put(0, 0, NODE_FALLS, NODE_NONE);
    put(0, 0, NODE_JUMPS, 4);
    put(0, 0, NODE_CALLS, NODE_NONE);
    put(0, 0, NODE_LEAVES, NODE_NONE);
    code.nodes[3].callee = 0x2000;
    guess(&w, 5, 0);
    assert_true(moved(&w, 0, 3) < 0.25 && moved(&w, 0, 3) > 0.01);
    assert_float_equal(moved(&w, 0, 1) + moved(&w, 0, 3), 1, 1e-9);
    flow_release(&w);
    graph_release(&code.function.graph);
}

/* ---- executables ---- */

static char damaged[] = "/tmp/test-compiled-XXXXXX";

static enum status read_elf(struct elf *f, const char *bytes, size_t n)
{
    struct error e = ERROR_INIT;
    assert_int_equal(file_write(damaged, bytes, n, &e), OK);
    enum status s = elf_read(f, damaged, &e);
    assert_true(s == OK || (s == ERR_INPUT && strcmp(e.file, damaged) == 0));
    error_release(&e);
    return s;
}

static const struct elf_function *function_named(const struct elf *f, const char *name)
{
    for (size_t i = 0; i < f->n_functions; i++)
        if (strcmp(f->functions[i].name, name) == 0)
            return &f->functions[i];
    return NULL;
}

/* This program's own file: its code is what is in memory. */
static void test_executable(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct elf f;
    assert_int_equal(elf_read(&f, "/proc/self/exe", &e), OK);
    const struct elf_function *own = function_named(&f, "test_executable");
    assert_non_null(own);
    assert_ptr_equal(elf_function_at(&f, own->address + 3), own);
    const uint8_t *bytes = elf_bytes(&f, own->address, own->size);
    assert_non_null(bytes);
    assert_memory_equal(bytes, (const uint8_t *)(uintptr_t)test_executable, own->size);
    assert_null(elf_bytes(&f, own->address, UINT64_MAX));
    assert_null(elf_bytes(&f, own->address, f.bytes.len - own->address - 4096)); /* the file has it, but not as code */
    assert_null(elf_bytes(&f, UINT64_MAX, 4));
    elf_release(&f);
}

/* Everything that can be asked of it. */
static void ask(const struct elf *f)
{
    for (size_t i = 0; i < f->n_functions; i += 1 + f->n_functions / 50) {
        const struct elf_function *at = &f->functions[i];
        const uint8_t *bytes = elf_bytes(f, at->address, at->size);
        size_t offset = bytes ? (size_t)(bytes - (const uint8_t *)str_text(&f->bytes)) : 0;
        assert_true(offset <= f->bytes.len && (!bytes || at->size <= f->bytes.len - offset));
        elf_function_at(f, at->address);
        elf_code(f, at);
        elf_chosen(f, at->address);
    }
}

/* Cut off, or with other numbers in its headers, in its tables of sections and of symbols. */
static void test_damaged_executables(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct str whole = STR_INIT;
    struct random r = random_start(1);
    size_t read = 0, refused = 0;
    int fd = mkstemp(damaged);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(file_read(&whole, "/proc/self/exe", FILE_LIMIT, &e), OK);
    uint64_t sections;
    memcpy(&sections, whole.s + 40, sizeof sections); /* e_shoff; behind it, as in front of it, are tables */
    const size_t first[] = {0, 64, sections, 64}, room[] = {64, 700, whole.len - sections, whole.len - 64};
    for (int turn = 0; turn < 200; turn++) {
        char *bytes = xmemdup(whole.s, whole.len);
        size_t n = turn % 5 < 4 ? whole.len : random_below(&r, turn < 100 ? 200 : whole.len);
        for (int k = 0; turn % 5 < 4 && k < 8; k++)
            bytes[first[turn % 5] + random_below(&r, room[turn % 5])] = (char)random_below(&r, 256);
        struct elf f;
        bool fine = read_elf(&f, bytes, n) == OK;
        read += fine;
        refused += !fine;
        ask(&f);
        elf_release(&f);
        free(bytes);
    }
    assert_true(read > 20 && refused > 20);
    str_release(&whole);
    unlink(damaged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_loop_with_a_part_before_it),
        cmocka_unit_test(test_edge),
        cmocka_unit_test(test_copied_end),
        cmocka_unit_test(test_select),
        cmocka_unit_test(test_guess_of_a_loop),
        cmocka_unit_test(test_guess_of_a_nest),
        cmocka_unit_test(test_guess_of_an_end),
        cmocka_unit_test(test_guess_of_a_call),
        cmocka_unit_test(test_executable),
        cmocka_unit_test(test_damaged_executables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
