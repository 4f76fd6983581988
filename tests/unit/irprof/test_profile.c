/* Reading profiles, made byte by byte (made_profile.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "irprof/profile/container.h"
#include "tests/unit/irprof/made_profile.h"

static struct str plain(void)
{
    return make("a.c", (struct counts){5, 3, 1}, 0, 0);
}

static struct irprof_profile *parse(const struct str *b)
{
    struct irprof_profile *p = 0;
    struct error e = ERROR_INIT;
    if (irprof_parse(&p, b->s, b->len, "p", &e))
        fail_msg("%s", e.message);
    return p;
}

static void refused(const struct str *b, const char *word)
{
    struct irprof_profile *p = 0;
    struct error e = ERROR_INIT;
    assert_int_equal(irprof_parse(&p, b->s, b->len, "p", &e), ERR_INPUT);
    assert_null(p);
    assert_string_equal(e.file, "p");
    if (!strstr(e.message, word))
        fail_msg("'%s' is not in '%s'", word, e.message);
    error_release(&e);
}

static uint64_t key_count(const struct irprof_profile *p, size_t region, const char *key)
{
    uint64_t counts[8], found = UINT64_MAX;
    assert_true(p->n_keys <= 8);
    irprof_key_counts(p, region, counts);
    for (size_t i = 0; i < p->n_keys; i++)
        if (strcmp(p->keys[i], key) == 0)
            found = counts[i];
    return found;
}

static void counts_follow_from_the_values(void **state)
{
    (void)state;
    struct str b = plain();
    struct irprof_profile *p = parse(&b);
    assert_string_equal(p->program, "prog");
    assert_int_equal(p->n_regions, 1);
    assert_string_equal(p->regions[0].name, "main");
    assert_int_equal(p->n_keys, 4);
    assert_string_equal(p->keys[0], "add.i32"); /* sorted */
    assert_int_equal(key_count(p, 0, "add.i32"), 2 * 5 + 3);
    assert_int_equal(key_count(p, 0, "call.direct"), 5);
    assert_int_equal(key_count(p, 0, "ret"), 3);
    assert_int_equal(key_count(p, 0, "store.i32"), 3 * (5 - 3));
    assert_int_equal(p->n_functions, 2);
    assert_null(p->functions[0].not_counted);
    assert_string_equal(p->functions[1].not_counted, "naked");
    assert_int_equal(p->modules[0].counters, IRPROF_COUNTERS_ATOMIC);
    assert_string_equal(p->modules[0].settings, "branches=bimodal:12");
    irprof_free(p);
    str_release(&b);
}

/* The same description as version 4, where the one source file has a checksum of this kind: 16 bytes of `byte`. */
static struct str with_checksum(const char *module, unsigned char kind, unsigned char byte, size_t bytes)
{
    struct str old = description(module), d = STR_INIT;
    size_t at = (size_t)((const char *)memmem(old.s, old.len, "/s/a.c", 6) - old.s) + 6;
    str_addch(&d, 4);
    str_addn(&d, old.s + 1, at - 1);
    str_addch(&d, (char)kind);
    for (size_t i = 0; i < bytes; i++)
        str_addch(&d, (char)byte);
    str_addn(&d, old.s + at, old.len - at);
    str_release(&old);
    return d;
}

static struct str file_of(const struct str *descriptions, uint32_t n)
{
    struct str b = STR_INIT;
    put_head(&b, n, 0);
    for (uint32_t i = 0; i < n; i++)
        put_module(&b, &descriptions[i], (struct counts){5, 3, 1});
    finish(&b);
    return b;
}

static void checksums_of_sources(void **state)
{
    (void)state;
    struct str b = plain(); /* version 3 */
    struct irprof_profile *p = parse(&b);
    assert_int_equal(p->n_files, 1);
    assert_null(p->checksums[0]);
    irprof_free(p);
    str_release(&b);
    static const struct {
        unsigned char kinds[2], bytes[2];
        const char *found;
    } cases[] = {{{1, 1}, {0xa5, 0xa5}, "a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5"},
                 {{0, 1}, {0, 0x0f}, "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f"},
                 {{1, 0}, {0x0f, 0}, "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f"},
                 {{1, 1}, {1, 2}, ""},
                 {{0, 0}, {0, 0}, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str d[2];
        for (size_t k = 0; k < 2; k++)
            d[k] = with_checksum(k ? "b.c" : "a.c", cases[i].kinds[k], cases[i].bytes[k], cases[i].kinds[k] ? 16 : 0);
        b = file_of(d, 2);
        p = parse(&b);
        if (cases[i].found)
            assert_string_equal(p->checksums[0], cases[i].found);
        else
            assert_null(p->checksums[0]);
        irprof_free(p);
        str_release(&d[0]);
        str_release(&d[1]);
        str_release(&b);
    }
    struct str unknown = with_checksum("a.c", 2, 0, 16);
    b = file_of(&unknown, 1);
    refused(&b, "a checksum is of an unknown kind");
    str_release(&b);
    str_release(&unknown);
}

static void event_sites(void **state)
{
    (void)state;
    struct str b = plain();
    struct irprof_profile *p = parse(&b);
    assert_int_equal(p->n_events, 2);
    assert_string_equal(p->events[0], "BR_MIS_PRED"); /* sorted */
    assert_int_equal(irprof_event(p, "BR_MIS_PRED"), 0);
    assert_int_equal(irprof_event(p, "BR_MIS"), 2);
    assert_int_equal(p->n_event_sites, 2);
    assert_int_equal(p->parts[0].n_event_sites, 2);
    assert_int_equal(p->parts[1].n_event_sites, 0);
    assert_int_equal(p->event_sites[0].event, 0);
    assert_int_equal(p->event_sites[1].event, 1);
    assert_int_equal(p->regions[0].event_counts[0], 1);
    assert_int_equal(p->regions[0].event_counts[1], 3 * 5);
    uint64_t sums[2];
    irprof_event_counts(p, 0, sums);
    assert_int_equal(sums[0], 1);
    assert_int_equal(sums[1], 15);
    struct irprof_groups *g;
    assert_int_equal(irprof_group(&g, p, 0, IRPROF_BY_LINE, 0), OK);
    assert_int_equal(g->n_rows, 3);
    assert_memory_equal(g->rows[0].events, sums, sizeof sums); /* line 11 */
    assert_int_equal(g->rows[1].events[1], 0);
    irprof_groups_free(g);
    irprof_free(p);
    str_release(&b);
}

static void edges_and_loops(void **state)
{
    (void)state;
    struct str b = plain();
    struct irprof_profile *p = parse(&b);
    const struct irprof_edge edges[] = {
        {0, 0, 1, 0, 12, IRPROF_EDGE_TRUE},
        {0, 0, 2, 0, 12, IRPROF_EDGE_FALSE},
        {0, 1, 1, IRPROF_NONE, 0, IRPROF_EDGE_JUMP},
    };
    const uint64_t taken[] = {2, 3, 1};
    assert_int_equal(p->n_edges, 3);
    assert_memory_equal(p->edges, edges, sizeof edges);
    assert_memory_equal(p->regions[0].taken, taken, sizeof taken);
    const struct irprof_loop loops[] = {{0, 1, 1, IRPROF_NONE, 0, 12}, {0, 3, 2, 0, 0, 0}};
    const uint64_t iterations[] = {2, 5}, repeats[] = {1, 3};
    assert_int_equal(p->n_loops, 2);
    assert_memory_equal(p->loops, loops, sizeof loops);
    assert_memory_equal(p->regions[0].iterations, iterations, sizeof iterations);
    assert_memory_equal(p->regions[0].repeats, repeats, sizeof repeats);
    assert_int_equal(p->regions[0].clamped, 0);
    assert_int_equal(p->segments[1].loop, IRPROF_NONE);
    assert_int_equal(p->segments[2].loop, 0);
    irprof_free(p);
    str_release(&b);
}

static void check_call(const struct irprof_call *c, uint32_t segment, uint32_t callee, const char *name, uint32_t line)
{
    assert_int_equal(c->segment, segment);
    assert_int_equal(c->callee, callee);
    assert_int_equal(c->line, line);
    if (name)
        assert_string_equal(c->name, name);
    else
        assert_null(c->name);
}

/* Two modules: main calls puts, which the other one defines. */
static void calls_find_their_functions(void **state)
{
    (void)state;
    struct str b = plain();
    struct irprof_profile *p = parse(&b);
    assert_int_equal(p->n_calls, 3);
    check_call(&p->calls[0], 0, IRPROF_NONE, "puts", 11);
    check_call(&p->calls[1], 1, 1, "bare", 12);
    check_call(&p->calls[2], 1, IRPROF_NONE, 0, 0);
    assert_int_equal(p->calls[2].file, IRPROF_NONE);
    assert_true(p->functions[1].local && !p->functions[0].local);
    irprof_free(p);
    str_clear(&b);
    struct str one = description_of("a.c", "main"), two = description_of("b.c", "puts");
    put_head(&b, 2, 0);
    put_module(&b, &one, (struct counts){5, 3, 1});
    put_module(&b, &two, (struct counts){7, 3, 1});
    finish(&b);
    p = parse(&b);
    assert_int_equal(p->n_functions, 4);
    check_call(&p->calls[0], 0, 2, "puts", 11);
    check_call(&p->calls[1], 1, 1, "bare", 12);
    check_call(&p->calls[3], 3, 2, "puts", 11);
    check_call(&p->calls[4], 4, 3, "bare", 12);
    assert_int_equal(p->regions[0].taken[4], 3);
    assert_int_equal(p->regions[0].iterations[3], 7);
    irprof_free(p);
    str_release(&one);
    str_release(&two);
    str_release(&b);
}

/* A thread that was stopped between two counters: what follows is below zero, and taken as 0. */
static void clamped(void **state)
{
    (void)state;
    struct str b = make("a.c", (struct counts){3, 5, 0}, 0, 0);
    struct irprof_profile *p = parse(&b);
    assert_int_equal(p->regions[0].executions[2], 0); /* 3 - 5 */
    assert_int_equal(p->regions[0].taken[0], 0);
    assert_int_equal(p->regions[0].iterations[1], 3);
    assert_int_equal(p->regions[0].repeats[1], 3); /* not 5 */
    assert_int_equal(p->regions[0].clamped, 2);
    irprof_free(p);
    str_release(&b);
}

static void groups(void **state)
{
    (void)state;
    struct str b = plain();
    struct irprof_profile *p = parse(&b);
    struct irprof_groups *g;
    assert_int_equal(irprof_group(&g, p, 0, IRPROF_BY_LINE, 0), OK);
    assert_int_equal(g->n_rows, 3);
    assert_int_equal(g->rows[0].line, 11);
    assert_int_equal(g->rows[0].total, 5 * 3 + 3);
    assert_int_equal(g->rows[1].line, 12);
    assert_int_equal(g->rows[1].total, 3);
    assert_int_equal(g->rows[2].file, IRPROF_NONE);
    assert_int_equal(g->rows[2].total, 6);
    assert_int_equal(g->rows[0].n_counts, 2);
    assert_string_equal(p->keys[g->rows[0].counts[0].key], "add.i32");
    assert_int_equal(g->rows[0].counts[0].count, 13);
    irprof_groups_free(g);
    assert_int_equal(irprof_group(&g, p, 0, IRPROF_BY_FUNCTION, 0), OK);
    assert_int_equal(g->n_rows, 1);
    assert_int_equal(g->rows[0].entries, 5);
    assert_int_equal(g->rows[0].line, 10);
    assert_int_equal(g->rows[0].total, 27);
    irprof_groups_free(g);
    assert_int_equal(irprof_group(&g, p, 0, IRPROF_BY_BLOCK, 0), OK);
    assert_int_equal(g->n_rows, 2);
    assert_int_equal(g->rows[0].entries, 5);
    assert_int_equal(g->rows[0].total, 21);
    assert_int_equal(g->rows[0].line, 11);
    assert_int_equal(g->rows[1].entries, 2);
    irprof_groups_free(g);
    assert_int_equal(irprof_group(&g, p, 0, IRPROF_BY_FUNCTION_LINE, 0), OK);
    assert_int_equal(g->n_rows, 3);
    assert_int_equal(g->rows[0].function, 0);
    irprof_groups_free(g);
    assert_int_equal(irprof_group(&g, p, 0, IRPROF_BY_KEY, 0), OK);
    assert_int_equal(g->n_rows, 1);
    assert_int_equal(g->rows[0].total, 27);
    irprof_groups_free(g);
    irprof_free(p);
    str_release(&b);
}

/* Two functions of two files, written down here: f with two blocks, entered 5 and 2 times, g with one, entered 3 times, and one
 * that was never entered in this region, where something happened all the same. */
static void rows_of_two_functions(void **state)
{
    (void)state;
    struct irprof_function functions[] = {{.name = (char *)"f", .file = 0, .line = 3},
                                          {.name = (char *)"g", .file = 1, .line = 7}};
    struct irprof_item items[] = {{0, 2}, {0, 1}, {0, 4}, {0, 9}};
    struct irprof_part parts[] = {{0, 4, 0, 1, 0, 1}, {0, 5, 1, 1, 1, 0}, {1, 8, 2, 1, 1, 0}, {1, 9, 3, 1, 1, 2}};
    struct irprof_segment segments[] = {{0, 0, 0, IRPROF_NONE, 0, 1, 0, 0},
                                        {0, 1, 0, IRPROF_NONE, 1, 1, 0, 0},
                                        {1, 0, 0, IRPROF_NONE, 2, 1, 0, 0},
                                        {1, 1, 0, IRPROF_NONE, 3, 1, 0, 0}};
    struct irprof_event_site sites[] = {{0, false}, {0, false}, {0, false}};
    uint64_t executions[] = {5, 2, 3, 0}, happened[] = {1, 0, 6};
    struct irprof_region region = {
        .name = (char *)"r", .entries = 1, .executions = executions, .event_counts = happened};
    char *files[] = {(char *)"a.c", (char *)"b.c"}, *keys[] = {(char *)"add.i32"}, *events[] = {(char *)"E"};
    struct irprof_profile p = {.files = files,
                               .n_files = 2,
                               .keys = keys,
                               .n_keys = 1,
                               .events = events,
                               .n_events = 1,
                               .functions = functions,
                               .n_functions = 2,
                               .items = items,
                               .n_items = 4,
                               .parts = parts,
                               .n_parts = 4,
                               .segments = segments,
                               .n_segments = 4,
                               .event_sites = sites,
                               .n_event_sites = 3,
                               .regions = &region,
                               .n_regions = 1};
    struct irprof_groups *g;
    assert_int_equal(irprof_group(&g, &p, 0, IRPROF_BY_FUNCTION, 0), OK);
    assert_int_equal(g->n_rows, 2);
    const struct irprof_row *f = &g->rows[0], *other = &g->rows[1];
    assert_true(f->file == 0 && f->line == 3 && f->entries == 5 && f->total == 12 && f->events[0] == 1);
    assert_true(other->file == 1 && other->line == 7 && other->entries == 3 && other->total == 12 &&
                other->events[0] == 6);
    irprof_groups_free(g);
    assert_int_equal(irprof_group(&g, &p, 0, IRPROF_BY_BLOCK, 0), OK);
    assert_int_equal(g->n_rows, 4);
    static const uint64_t entered[] = {5, 2, 3, 0}, totals[] = {10, 2, 12, 0}, events_of[] = {1, 0, 0, 6};
    for (size_t i = 0; i < 4; i++)
        assert_true(g->rows[i].entries == entered[i] && g->rows[i].total == totals[i] &&
                    g->rows[i].events[0] == events_of[i] && g->rows[i].line == parts[i].line);
    irprof_groups_free(g);
    happened[2] = 0;
    assert_int_equal(irprof_group(&g, &p, 0, IRPROF_BY_BLOCK, 0), OK);
    assert_int_equal(g->n_rows, 3);
    irprof_groups_free(g);
}

/* A row's counts are in the order of the keys, whatever that of the items; what is there 0 times is not in it. */
static void counts_of_a_row(void **state)
{
    (void)state;
    struct irprof_function function = {.name = (char *)"f", .file = IRPROF_NONE};
    struct irprof_item items[] = {{2, 3}, {1, 0}, {0, 5}, {2, 1}};
    struct irprof_part part = {IRPROF_NONE, 0, 0, 4, 0, 0};
    struct irprof_segment segment = {0, 0, 0, IRPROF_NONE, 0, 1, 0, 0};
    uint64_t executions[] = {2};
    struct irprof_region region = {.name = (char *)"r", .entries = 1, .executions = executions};
    char *keys[] = {(char *)"add.i32", (char *)"ret", (char *)"store.i32"};
    struct irprof_profile p = {.keys = keys,
                               .n_keys = 3,
                               .functions = &function,
                               .n_functions = 1,
                               .items = items,
                               .n_items = 4,
                               .parts = &part,
                               .n_parts = 1,
                               .segments = &segment,
                               .n_segments = 1,
                               .regions = &region,
                               .n_regions = 1};
    struct irprof_groups *g;
    assert_int_equal(irprof_group(&g, &p, 0, IRPROF_BY_FUNCTION, 0), OK);
    assert_int_equal(g->n_rows, 1);
    const struct irprof_row *row = &g->rows[0];
    assert_int_equal(row->n_counts, 2);
    assert_true(row->counts[0].key == 0 && row->counts[0].count == 2 * 5);
    assert_true(row->counts[1].key == 2 && row->counts[1].count == 2 * (3 + 1));
    irprof_groups_free(g);
}

/* Lines 5, 4, 5 in one block and 4 in another: a line is one row, whatever stands between, and the first line comes first. */
static void rows_of_lines_that_alternate(void **state)
{
    (void)state;
    struct irprof_function function = {.name = (char *)"f", .file = 0};
    struct irprof_item items[] = {{0, 1}, {0, 10}, {0, 100}, {0, 1000}};
    struct irprof_part parts[] = {{0, 5, 0, 1, 0, 0}, {0, 4, 1, 1, 0, 0}, {0, 5, 2, 1, 0, 0}, {0, 4, 3, 1, 0, 0}};
    struct irprof_segment segments[] = {{0, 0, 0, IRPROF_NONE, 0, 3, 0, 0}, {0, 1, 0, IRPROF_NONE, 3, 1, 0, 0}};
    uint64_t executions[] = {2, 3};
    struct irprof_region region = {.name = (char *)"r", .entries = 1, .executions = executions};
    char *keys[] = {(char *)"add.i32"}, *files[] = {(char *)"a.c"};
    struct irprof_profile p = {.files = files,
                               .n_files = 1,
                               .keys = keys,
                               .n_keys = 1,
                               .functions = &function,
                               .n_functions = 1,
                               .items = items,
                               .n_items = 4,
                               .parts = parts,
                               .n_parts = 4,
                               .segments = segments,
                               .n_segments = 2,
                               .regions = &region,
                               .n_regions = 1};
    struct irprof_groups *g;
    assert_int_equal(irprof_group(&g, &p, 0, IRPROF_BY_LINE, 0), OK);
    assert_int_equal(g->n_rows, 2);
    assert_true(g->rows[0].line == 4 && g->rows[0].total == 2 * 10 + 3 * 1000);
    assert_true(g->rows[1].line == 5 && g->rows[1].total == 2 * (1 + 100));
    assert_true(g->rows[0].block == IRPROF_NONE && g->rows[0].function == IRPROF_NONE);
    irprof_groups_free(g);
}

static void regions(void **state)
{
    (void)state;
    const struct made_region made[] = {{"x", 0, 4, {1, 1, 0}}, {"y", IRPROF_FLAW_OPEN, 1, {9, 77, 5}}};
    struct str b = make("a.c", (struct counts){5, 3, 1}, made, 2);
    struct irprof_profile *p = parse(&b);
    struct error e = ERROR_INIT;
    size_t r = 9;
    assert_int_equal(p->n_regions, 3);
    assert_string_equal(p->regions[2].name, "(program)");
    assert_int_equal(irprof_region(&r, p, "x", &e), OK);
    assert_int_equal(r, 0);
    assert_int_equal(p->regions[0].entries, 4);
    assert_int_equal(key_count(p, 0, "add.i32"), 3);
    assert_int_equal(irprof_region(&r, p, "main", &e), OK);
    assert_int_equal(r, 2);
    assert_int_equal(irprof_region(&r, p, "y", &e), ERR_INPUT);
    assert_non_null(strstr(e.message, "never ended"));
    struct irprof_groups *g = 0;
    assert_int_equal(irprof_group(&g, p, 1, IRPROF_BY_KEY, &e), ERR_INPUT);
    assert_int_equal(irprof_region(&r, p, "z", &e), ERR_INPUT);
    assert_non_null(strstr(e.message, "'x', 'y', '(program)'"));
    error_release(&e);
    irprof_free(p);
    str_release(&b);
}

/* What the names of regions say of steps (irprof/profile/format.h). */
static void regions_of_steps(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum irprof_step step;
        size_t n_function;
    } rows[] = {{"go#", IRPROF_STEP_ALL, 2},      {"go#1", IRPROF_STEP_PATH, 2},  {"go#1000", IRPROF_STEP_PATH, 2},
                {"go#more", IRPROF_STEP_MORE, 2}, {"go", IRPROF_STEP_NOT, 0},     {"#", IRPROF_STEP_NOT, 0},
                {"#1", IRPROF_STEP_NOT, 0},       {"go#1x", IRPROF_STEP_NOT, 0},  {"go#least", IRPROF_STEP_NOT, 0},
                {"a#b#", IRPROF_STEP_ALL, 3},     {"gone#2", IRPROF_STEP_PATH, 4}};
    enum { N = sizeof rows / sizeof *rows };
    struct made_region made[N] = {0};
    for (size_t i = 0; i < N; i++)
        made[i] = (struct made_region){rows[i].name, 0, 1, {0, 0, 0}};
    struct str b = make("a.c", (struct counts){5, 3, 1}, made, N);
    struct irprof_profile *p = parse(&b);
    assert_int_equal(p->n_regions, N + 1);
    for (size_t i = 0; i < N; i++)
        if (p->regions[i].step != rows[i].step || p->regions[i].n_function != rows[i].n_function)
            fail_msg("'%s': %d of %zu characters", rows[i].name, p->regions[i].step, p->regions[i].n_function);
    assert_true(irprof_same_steps(&p->regions[0], &p->regions[2]));
    assert_true(irprof_same_steps(&p->regions[0], &p->regions[3]));
    assert_false(irprof_same_steps(&p->regions[0], &p->regions[4]));
    assert_false(irprof_same_steps(&p->regions[0], &p->regions[10]));
    assert_false(irprof_same_steps(&p->regions[4], &p->regions[4]));
    irprof_free(p);
    str_release(&b);
}

/* The description with another name for an event. */
static struct str renamed(struct str d, const char *from, const char *to)
{
    struct str out = STR_INIT;
    size_t at = (size_t)((const char *)memmem(d.s, d.len, from, strlen(from)) - d.s);
    str_addn(&out, d.s, at - 1);
    text(&out, to);
    str_addn(&out, d.s + at + strlen(from), d.len - at - strlen(from));
    str_release(&d);
    return out;
}

/* Of c0 segments 3 accesses each; c2 refills. */
static struct str refills_of(const char *refills, const char *accesses, struct counts c)
{
    struct str d = renamed(renamed(description("a.c"), "SPILL_LOAD", accesses), "BR_MIS_PRED", refills);
    struct str b = STR_INIT;
    put_head(&b, 1, 0);
    put_module(&b, &d, c);
    finish(&b);
    str_release(&d);
    return b;
}

static void refuse(struct str b, const char *word)
{
    refused(&b, word);
    refused(&b, "impossible counts: region 'main' has");
    refused(&b, "find the write with -fsanitize=address");
    str_release(&b);
}

static void accept(struct str b)
{
    irprof_free(parse(&b));
    str_release(&b);
}

/* No branch is executed here, and 3 * c0 times is memory accessed. 4096 threads may be stopped between the two. */
static void events_that_cannot_be(void **state)
{
    (void)state;
    accept(make("a.c", (struct counts){5, 3, 4096}, 0, 0));
    refuse(make("a.c", (struct counts){5, 3, 4097}, 0, 0), "4097 BR_MIS_PRED, but no more branches than 0;");
    refuse(make("a.c", (struct counts){5, 3, UINT64_C(3300000000000)}, 0, 0), "3300000000000 BR_MIS_PRED");
    static const char *const events[][2] = {{"L1D_CACHE_REFILL", "L1D_CACHE"}, {"L2D_CACHE_REFILL", "L2D_CACHE"}};
    for (size_t i = 0; i < 2; i++) {
        accept(refills_of(events[i][0], events[i][1], (struct counts){5000, 3, 15000}));
        refuse(refills_of(events[i][0], events[i][1], (struct counts){5000, 3, 19097}), " is 15000;");
    }
    /* What is not known: refills of accesses that nobody counted. */
    accept(refills_of("L1D_CACHE_REFILL", "L2D_CACHE", (struct counts){5000, 3, 19097}));
}

/* Line 12 executes c0 - c1 times 100 branches, line 11 c0 times none: c2 mispredictions of line 11 are fewer than all
 * branches, but more than line 11 can have. */
static struct str branches_elsewhere(struct counts c)
{
    static const char three[] = {6, 1, 1, 2, 0, 2, 1, 3, 0, 0, 1, 26}, more[97] = {0};
    struct str from = renamed(description("a.c"), "store.i32", "br.cond_d"), d = STR_INIT, b = STR_INIT;
    size_t at = (size_t)((char *)memmem(from.s, from.len, three, sizeof three) - from.s);
    from.s[at + 7] = 100;
    str_addn(&d, from.s, at + sizeof three);
    str_addn(&d, more, sizeof more); /* the further instructions, without operands */
    str_addn(&d, from.s + at + sizeof three, from.len - at - sizeof three);
    str_release(&from);
    put_head(&b, 1, 0);
    put_module(&b, &d, c);
    finish(&b);
    str_release(&d);
    return b;
}

static void places_that_cannot_be(void **state)
{
    (void)state;
    accept(branches_elsewhere((struct counts){5000, 0, 204096}));
    refuse(branches_elsewhere((struct counts){5000, 0, 204097}),
           "204097 mispredictions in one place, but /s/a.c:11 can have no more than 200000;");
    const uint64_t month = UINT64_C(1) << 53, hours = UINT64_C(1) << 40;
    accept(make("a.c", (struct counts){month / 3, 0, 0}, 0, 0));
    refuse(make("a.c", (struct counts){month / 3 + 2, 0, 0}, 0, 0), "9007199254740996 SPILL_LOAD");
    refuse(make("a.c", (struct counts){month + 2, 0, 0}, 0, 0), "9007199254740994 executions of one block");
    accept(make("a.c", (struct counts){5, 5 + hours, 0}, 0, 0));
    refuse(make("a.c", (struct counts){5, 6 + hours, 0}, 0, 0), "1099511627777 executions too few in one place");
}

/* More in a region than in the program: counters only grow. */
static void regions_that_cannot_be(void **state)
{
    (void)state;
    const struct made_region good[] = {{"x", 0, 1, {5, 3, 1}}};
    accept(make("a.c", (struct counts){5, 3, 1}, good, 1));
    for (size_t i = 0; i < 3; i++) {
        const struct made_region bad[] = {{"x", 0, 1, {i == 0 ? 6 : 5, i == 1 ? 4 : 3, i == 2 ? 2 : 1}}};
        struct str b = make("a.c", (struct counts){5, 3, 1}, bad, 1);
        refused(&b, "impossible counts: region 'x' has");
        refused(&b,
                i == 0 ? "6 in one counter, but the whole program has 5;" : "in one counter, but the whole program");
        str_release(&b);
    }
}

/* Why main ran once stands beside how the program ended. */
static void ran_once(void **state)
{
    (void)state;
    for (unsigned once = 0; once < 9; once++) {
        struct str b = plain();
        b.s[13] = (char)once;
        b.len -= 16;
        finish(&b);
        if (once == 8) {
            refused(&b, "its head is wrong");
        } else {
            struct irprof_profile *p = parse(&b);
            assert_int_equal(p->end, IRPROF_END_EXIT);
            assert_int_equal(p->once != 0, once != 0);
            if (once == 2)
                assert_string_equal(p->once, "it ends the program");
            irprof_free(p);
        }
        str_release(&b);
    }
}

static void cut_anywhere(void **state)
{
    (void)state;
    const struct made_region made[] = {{"x", 0, 4, {1, 1, 0}}};
    struct str b = make("a.c", (struct counts){5, 3, 1}, made, 1);
    for (size_t n = 0; n < b.len; n++) {
        /* Exactly n bytes, so that reading on is caught. */
        struct str cut = {malloc(n ? n : 1), n, n};
        memcpy(cut.s, b.s, n);
        refused(&cut, "a truncated profile");
        free(cut.s);
    }
    str_addch(&b, 0);
    refused(&b, "continues after its end");
    str_release(&b);
}

static void changed_anywhere(void **state)
{
    (void)state;
    const struct made_region made[] = {{"x", 0, 4, {1, 1, 0}}};
    struct str b = make("a.c", (struct counts){5, 3, 1}, made, 1);
    for (size_t i = 0; i < b.len; i++) {
        for (int bit = 0; bit < 8; bit++) {
            b.s[i] = (char)(b.s[i] ^ 1 << bit);
            refused(&b, "a");
            b.s[i] = (char)(b.s[i] ^ 1 << bit);
        }
    }
    irprof_free(parse(&b));
    str_release(&b);
}

/* Recomputes build id and checksum, so that the change reaches what reads the parts. */
static void repair(struct str *b, size_t description_at, size_t description_size)
{
    struct str d = STR_INIT;
    str_addn(&d, b->s + description_at, description_size);
    uint64_t id = fnv(&d);
    for (int i = 0; i < 8; i++)
        b->s[52 + i] = (char)(id >> 8 * i);
    b->len -= 16;
    finish(b);
    str_release(&d);
}

static size_t description_size(void)
{
    struct str d = description("a.c");
    size_t n = d.len;
    str_release(&d);
    return n;
}

/* Any one byte of the file or of the description made any other value: refused or read, never a crash. */
static void changed_with_a_right_checksum(void **state)
{
    (void)state;
    const struct made_region made[] = {{"x", 0, 4, {1, 1, 0}}};
    struct str b = make("a.c", (struct counts){5, 3, 1}, made, 1);
    size_t at = 52 + 24, refusals = 0, readings = 0, size = description_size();
    for (size_t i = 8; i < b.len - 16; i++) {
        for (int value = 0; value < 256; value++) {
            struct str copy = STR_INIT;
            str_addn(&copy, b.s, b.len);
            copy.s[i] = (char)value;
            repair(&copy, at, size);
            struct irprof_profile *p = 0;
            enum status s = irprof_parse(&p, copy.s, copy.len, "p", 0);
            assert_true(s == OK || s == ERR_INPUT);
            struct irprof_groups *g = 0;
            if (!s && irprof_group(&g, p, 0, IRPROF_BY_FUNCTION_LINE, 0) == OK)
                irprof_groups_free(g);
            *(s ? &refusals : &readings) += 1;
            irprof_free(p);
            str_release(&copy);
        }
    }
    assert_true(refusals > 1000 && readings > 1000); /* both roads were taken */
    str_release(&b);
}

static void other_files(void **state)
{
    (void)state;
    struct str b = STR_INIT;
    str_add(&b, "BC\xC0\xDE, that is bitcode and not a profile");
    refused(&b, "not a profile");
    str_release(&b);
    b = plain();
    b.s[8] = 2;
    refused(&b, "format 2");
    str_release(&b);
    b = plain();
    b.s[52 + 24] = 1;
    repair(&b, 52 + 24, description_size());
    refused(&b, "instrument the program again");
    str_release(&b);
    b = make("a.c", (struct counts){UINT64_MAX / 2, 1, 0}, 0, 0);
    refused(&b, "too large");
    str_release(&b);
    const struct made_region made[] = {{"x", 0, 1, {0, 0, 0}}, {"x", 0, 1, {0, 0, 0}}};
    b = make("a.c", (struct counts){5, 3, 1}, made, 2);
    refused(&b, "twice");
    str_release(&b);
}

static void take(struct container *c, struct str b)
{
    struct error e = ERROR_INIT;
    if (container_parse(c, &b, "p", &e))
        fail_msg("%s", e.message);
}

static void adding_up(void **state)
{
    (void)state;
    const struct made_region x[] = {{"x", 0, 4, {1, 1, 0}}},
                             y[] = {{"y", IRPROF_FLAW_CROSSED, 2, {2, 0, 0}}, {"x", 0, 3, {2, 1, 1}}};
    struct container a, b, other;
    struct error e = ERROR_INIT;
    take(&a, make("a.c", (struct counts){5, 3, 1}, x, 1));
    take(&b, make("a.c", (struct counts){10, 1, 0}, y, 2));
    take(&other, make("b.c", (struct counts){5, 3, 1}, x, 1));
    assert_int_equal(container_add(&a, &other, &e), ERR_INPUT);
    assert_non_null(strstr(e.message, "another program"));
    assert_int_equal(container_add(&a, &b, &e), OK);
    struct str bytes = STR_INIT;
    container_format(&bytes, &a);
    struct irprof_profile *p = parse(&bytes);
    assert_int_equal(p->runs, 2);
    assert_int_equal(p->n_regions, 3);
    assert_int_equal(p->regions[0].entries, 7);
    assert_int_equal(key_count(p, 0, "add.i32"), 2 * 3 + 2);
    assert_int_equal(p->regions[1].flaws, IRPROF_FLAW_CROSSED);
    assert_int_equal(key_count(p, 2, "add.i32"), 2 * 15 + 4);
    assert_int_equal(p->regions[2].taken[1], 3 + 1);
    assert_int_equal(p->regions[2].taken[0], (5 - 3) + (10 - 1));
    assert_int_equal(p->regions[2].event_counts[1], 3 * 15);
    irprof_free(p);
    str_release(&bytes);
    container_release(&a);
    container_release(&b);
    container_release(&other);
    error_release(&e);
}

/* What one writer writes is what this test's own builder does. */
static void writing_is_the_inverse_of_reading(void **state)
{
    (void)state;
    const struct made_region made[] = {{"x", 0, 4, {1, 1, 0}}};
    struct str b = make("a.c", (struct counts){5, 3, 1}, made, 1), again = STR_INIT, copy = STR_INIT;
    struct container c;
    str_addn(&copy, b.s, b.len);
    take(&c, copy);
    container_format(&again, &c);
    assert_int_equal(again.len, b.len);
    assert_memory_equal(again.s, b.s, b.len);
    container_release(&c);
    str_release(&again);
    str_release(&b);
}

/* A module that was loaded, unloaded and loaded again stands in the file twice. */
static void a_module_twice(void **state)
{
    (void)state;
    struct str b = STR_INIT, d = description("a.c");
    put_head(&b, 2, 0);
    put_module(&b, &d, (struct counts){5, 3, 1});
    put_module(&b, &d, (struct counts){6, 3, 1});
    finish(&b);
    struct irprof_profile *p = parse(&b);
    assert_int_equal(p->n_modules, 1);
    assert_int_equal(key_count(p, 0, "call.direct"), 11);
    irprof_free(p);
    str_release(&b);
    str_release(&d);
}

/* Many regions of many things that have no counters, in a small file: the memory for them is out of proportion. */
static void too_much(void **state)
{
    (void)state;
    enum { REGIONS = 2000, SEGMENTS = 60000 };
    struct str b = STR_INIT, d = STR_INIT;
    NUMBERS(&d, 3, 0, 0, 0, 0, 0); /* no names, no counters */
    NUMBERS(&d, 1, 0);             /* one value, of no terms */
    NUMBERS(&d, 0, 0, 0, 1, 0);    /* no keys, files, events; a function, no callees */
    NUMBERS(&d, 1, 'f', 0, 0, 0);  /* its name, no flags, no place, no loops */
    NUMBERS(&d, (char)((SEGMENTS & 0x7f) | 0x80), (char)((SEGMENTS >> 7 & 0x7f) | 0x80), SEGMENTS >> 14);
    for (int i = 0; i < SEGMENTS; i++)
        NUMBERS(&d, 0, 1, 0); /* the next in its block, the derived value, no parts */
    NUMBERS(&d, 0);
    put_head(&b, 1, REGIONS);
    le(&b, fnv(&d), 8);
    le(&b, d.len, 8);
    le(&b, 0, 8);
    str_addn(&b, d.s, d.len);
    for (int i = 0; i < REGIONS; i++) {
        char name[16];
        le(&b, (uint64_t)snprintf(name, sizeof name, "r%d", i), 4);
        le(&b, 0, 4);
        le(&b, 1, 8);
        str_add(&b, name);
    }
    finish(&b);
    refused(&b, "are too many");
    str_release(&b);
    str_release(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_follow_from_the_values),
        cmocka_unit_test(checksums_of_sources),
        cmocka_unit_test(event_sites),
        cmocka_unit_test(edges_and_loops),
        cmocka_unit_test(calls_find_their_functions),
        cmocka_unit_test(clamped),
        cmocka_unit_test(rows_of_two_functions),
        cmocka_unit_test(counts_of_a_row),
        cmocka_unit_test(rows_of_lines_that_alternate),
        cmocka_unit_test(groups),
        cmocka_unit_test(regions),
        cmocka_unit_test(regions_of_steps),
        cmocka_unit_test(events_that_cannot_be),
        cmocka_unit_test(places_that_cannot_be),
        cmocka_unit_test(regions_that_cannot_be),
        cmocka_unit_test(ran_once),
        cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(changed_anywhere),
        cmocka_unit_test(changed_with_a_right_checksum),
        cmocka_unit_test(other_files),
        cmocka_unit_test(adding_up),
        cmocka_unit_test(writing_is_the_inverse_of_reading),
        cmocka_unit_test(a_module_twice),
        cmocka_unit_test(too_much),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
