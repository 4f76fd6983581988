/* The method compiled: what a profile says of the functions of the machine code. Profile and labels of its bitcode are
 * written down; the functions have no nodes, since what becomes of counts in these is test_compiled_flow's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "shimgen/estimate/compiled/compiled.h"

enum { SEGMENTS = 6, EDGES = 6, SITES = 3 };
#define TEXT(s) ((char *)(uintptr_t)(s))

static struct {
    struct irprof_module modules[2];
    struct irprof_function functions[3];
    struct irprof_segment segments[SEGMENTS];
    struct irprof_part parts[SEGMENTS];
    struct irprof_event_site sites[SITES];
    struct irprof_edge edges[EDGES];
    char *events[2];
    uint64_t executions[SEGMENTS], taken[EDGES], counts[SITES];
    struct irprof_region region;
    struct irprof_profile profile;
    struct irprof_label_segment of_f[4], of_g[2];
    struct irprof_label_function labels[2];
    struct irprof_labels module;
    struct machine_function code[2];
    struct compiled w;
} it;

/* f has blocks 0 (two segments), 1 and 2; a switch leads from 0 to 1, by two cases, and to 2. g has one block and calls
 * in it; `other` is of another module and did not run. */
static void begin(void)
{
    memset(&it, 0, sizeof it);
    it.modules[0].name = TEXT("a.c");
    it.modules[1].name = TEXT("b.c");
    it.functions[0] = (struct irprof_function){.name = TEXT("f"), .module = 0};
    it.functions[1] = (struct irprof_function){.name = TEXT("other"), .module = 1};
    it.functions[2] = (struct irprof_function){.name = TEXT("g"), .module = 0};
    static const struct irprof_segment segments[SEGMENTS] = {
        {.function = 0, .block = 0, .number = 0}, {.function = 0, .block = 0, .number = 1},
        {.function = 0, .block = 1, .number = 0}, {.function = 0, .block = 2, .number = 0},
        {.function = 2, .block = 0, .number = 0}, {.function = 2, .block = 0, .number = 1}};
    memcpy(it.segments, segments, sizeof segments);
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        it.segments[i].first_part = i;
        it.segments[i].n_parts = 1;
    }
    it.parts[1].n_event_sites = 2;
    it.parts[4].first_event_site = 2;
    it.parts[4].n_event_sites = 1;
    it.sites[0].event = 1;
    it.sites[1].event = 0;
    it.sites[2].event = 0;
    it.events[0] = TEXT("L1D_CACHE_REFILL");
    it.events[1] = TEXT("BR_MIS_PRED");
    static const struct irprof_edge edges[EDGES] = {{.function = 0, .from = 0, .to = 1, .kind = IRPROF_EDGE_CASE},
                                                    {.function = 0, .from = 0, .to = 1, .kind = IRPROF_EDGE_CASE},
                                                    {.function = 0, .from = 0, .to = 2, .kind = IRPROF_EDGE_DEFAULT},
                                                    {.function = 0, .from = 1, .to = 2, .kind = IRPROF_EDGE_JUMP},
                                                    {.function = 2, .from = 0, .to = 0, .kind = IRPROF_EDGE_TRUE},
                                                    {.function = 2, .from = 0, .to = 0, .kind = IRPROF_EDGE_FALSE}};
    memcpy(it.edges, edges, sizeof edges);
    static const uint64_t executions[] = {10, 9, 7, 8, 4, 3}, taken[] = {3, 4, 2, 7, 1, 2}, counts[] = {5, 100, 200};
    memcpy(it.executions, executions, sizeof executions);
    memcpy(it.taken, taken, sizeof taken);
    memcpy(it.counts, counts, sizeof counts);
    it.region = (struct irprof_region){.executions = it.executions, .taken = it.taken, .event_counts = it.counts};
    it.profile = (struct irprof_profile){.path = TEXT("p.prof"),
                                         .modules = it.modules,
                                         .n_modules = 2,
                                         .functions = it.functions,
                                         .n_functions = 3,
                                         .segments = it.segments,
                                         .n_segments = SEGMENTS,
                                         .parts = it.parts,
                                         .n_parts = SEGMENTS,
                                         .edges = it.edges,
                                         .n_edges = EDGES,
                                         .event_sites = it.sites,
                                         .n_event_sites = SITES,
                                         .events = it.events,
                                         .n_events = 2};
    static const struct irprof_label_segment of_f[] = {{0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {2, 0, 1}},
                                             of_g[] = {{0, 0, 1}, {0, 1, 1}};
    memcpy(it.of_f, of_f, sizeof of_f);
    memcpy(it.of_g, of_g, sizeof of_g);
    it.labels[0] =
        (struct irprof_label_function){.name = TEXT("f"), .n_blocks = 3, .segments = it.of_f, .n_segments = 4};
    it.labels[1] =
        (struct irprof_label_function){.name = TEXT("g"), .n_blocks = 1, .segments = it.of_g, .n_segments = 2};
    it.module = (struct irprof_labels){.module = TEXT("a.c"), .functions = it.labels, .n = 2};
    it.code[0].function = 0;
    it.code[1].function = 1;
    it.w = (struct compiled){.profile = &it.profile, .region = &it.region};
    it.w.program.labels = &it.module;
    it.w.program.n = 1;
    it.w.machine = (struct machine){.functions = it.code, .n = 2};
}

/* ---- is it the same code? ---- */

static void check(const char *message)
{
    struct error e = ERROR_INIT;
    enum status s = compiled_check(&it.w, &e);
    char *text = s ? error_text(&e) : 0;
    if (!message && s)
        fail_msg("%s", text);
    assert_int_equal(s, message ? ERR_INPUT : OK);
    if (message && !strstr(text, message))
        fail_msg("'%s' is not in: %s", message, text);
    free(text);
    error_release(&e);
    compiled_counts_release(&it.w);
}

static void test_same_build(void **state)
{
    (void)state;
    begin();
    check(0);
    begin();
    it.of_f[2].block = 2;
    check("'f' is not the counted code");
    begin();
    it.of_f[1].number = 2;
    check("'f' is not the counted code");
    begin();
    it.of_g[0].n_parts = 2;
    check("'g' is not the counted code");
    begin();
    it.labels[0].n_segments = 3;
    check("'f' is not the counted code");
    begin();
    it.labels[1].name = TEXT("h");
    check("'h' is not the counted code");
    begin();
    it.module.module = TEXT("b.c"); /* f is in a.c */
    check("'f' is not the counted code");
    begin();
    it.module.n = 1; /* g is in none */
    check("'g' was executed but is in none of the bitcode files: give the files of all modules (a.c)");
    begin();
    it.module.n = 1;
    it.executions[4] = it.executions[5] = 0;
    check(0);
}

/* ---- how often ---- */

static void count(void)
{
    struct error e = ERROR_INIT;
    assert_int_equal(compiled_check(&it.w, &e), OK);
    compiled_count(&it.w);
}

static void check_edge(size_t function, size_t i, uint32_t from, uint32_t to, double taken)
{
    const struct flow_edge *edge = &it.w.counted[function].edges[i];
    assert_int_equal(edge->from, from);
    assert_int_equal(edge->to, to);
    assert_float_equal(edge->taken, taken, 0);
}

static void test_counts(void **state)
{
    (void)state;
    begin();
    count();
    const struct counted *f = &it.w.counted[0], *g = &it.w.counted[1];
    assert_int_equal(f->function, 0);
    assert_int_equal(f->first, 0);
    assert_int_equal(g->function, 2);
    assert_int_equal(g->first, 4);
    assert_ptr_equal(g->labels, &it.labels[1]);
    for (size_t i = 0; i < 4; i++)
        assert_float_equal(f->executions[i], (double)it.executions[i], 0);
    assert_float_equal(g->executions[0], 4, 0);
    assert_float_equal(g->executions[1], 3, 0);
    /* two cases with the same target are one way */
    assert_int_equal(f->ir.n_edges, 3);
    check_edge(0, 0, 0, 1, 7);
    check_edge(0, 1, 0, 2, 2);
    check_edge(0, 2, 1, 2, 7);
    assert_int_equal(g->ir.n_edges, 1);
    check_edge(1, 0, 0, 0, 3);
    assert_int_equal(f->ir.n_blocks, 3);
    assert_ptr_equal(f->ir.executions, f->executions);
    compiled_counts_release(&it.w);
}

/* Mispredictions of block 0, whose second segment ends in the switch; other events are none of them. */
static void test_mispredictions(void **state)
{
    (void)state;
    begin();
    count();
    assert_int_equal(it.w.event, 1);
    assert_float_equal(it.w.counted[0].mispredicted[0], 5, 0);
    assert_float_equal(it.w.counted[0].mispredicted[1], 0, 0);
    assert_float_equal(it.w.counted[0].mispredicted[2], 0, 0);
    assert_float_equal(it.w.counted[1].mispredicted[0], 0, 0);
    compiled_counts_release(&it.w);
    /* Of the switch nothing was recorded: its mispredictions are not known, those of other blocks are none. */
    begin();
    it.sites[0].event = 0;
    count();
    assert_float_equal(it.w.counted[0].mispredicted[0], -1, 0);
    assert_float_equal(it.w.counted[0].mispredicted[1], 0, 0);
    compiled_counts_release(&it.w);
    /* What was recorded of another block is not the switch's. */
    begin();
    it.parts[1].n_event_sites = 0;
    it.parts[2].n_event_sites = 1;
    count();
    assert_float_equal(it.w.counted[0].mispredicted[0], -1, 0);
    assert_float_equal(it.w.counted[0].mispredicted[1], 5, 0);
    compiled_counts_release(&it.w);
    /* Of the first segment, which a call through a pointer ends: not the switch's. */
    begin();
    it.parts[1].n_event_sites = 0;
    it.parts[0].first_event_site = it.parts[1].first_event_site;
    it.parts[0].n_event_sites = 2;
    count();
    assert_float_equal(it.w.counted[0].mispredicted[0], -1, 0);
    compiled_counts_release(&it.w);
    /* No branch was simulated at all. */
    begin();
    it.events[1] = TEXT("SPILL_LOAD");
    count();
    assert_int_equal(it.w.event, 2);
    for (size_t i = 0; i < 3; i++)
        assert_float_equal(it.w.counted[0].mispredicted[i], -1, 0);
    assert_float_equal(it.w.counted[1].mispredicted[0], -1, 0);
    compiled_counts_release(&it.w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_build),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_mispredictions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
