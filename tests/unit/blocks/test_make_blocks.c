/*
 * test_make_blocks.c - from a profile to rows: which part of it is whose, what was executed, cycles in the run and in
 * steps, with what is called, measured cycles, loads. Source and profile are made here; each figure was added up by hand.
 *
 * main calls helper once, and step four times; step calls helper in three of them. spin has no source and is called by
 * nobody known. Of each execution the method takes the cycles in `cost`, on a core with twice the clock twice as many;
 * best values make half, worst ones twice of it.
 *
 *     H      helper: 4 x 5, in main once 5                   25, of 4 steps 15
 *     A      4 x 2, 3 x 3, 3 x 1 without a line              20
 *     B      4 x 4                                           16
 *     step   4 x 1 without a line, its block has A and B; 4 x 2   12
 *     main   1, 4 x 1, 1                                      6
 *     spin   2 x 10                                          20   99 in all; of 4 steps 63
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
#include "base/file.h"
#include "base/str.h"
#include "shimgen/blocks/loads.h"
#include "shimgen/blocks/print_blocks.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char source[] = "/* Code generated for Simulink model 'm'. */\n"
                             "double y;\n"
                             "static void helper(double u)\n" /* 3 */
                             "{\n"
                             "  /* Gain: '<S2>/H' */\n"
                             "  y += 3 * u;\n"
                             "}\n"
                             "void step(double u)\n" /* 8 */
                             "{\n"
                             "  /* Sum: '<S1>/B' */\n"
                             "  y += u;\n"
                             "  /* Gain: '<S1>/A' incorporates:\n"
                             "   *  Constant: '<S1>/K'\n"
                             "   */\n"
                             "  if (u > 1) {\n"
                             "    helper(u);\n"
                             "  }\n"
                             "  /* Memory: '<S1>/Never' */\n"
                             "  if (u > 99)\n"
                             "    y = 0;\n"
                             "  /* Logic: '<S1>/Gone' */\n"
                             "}\n"
                             "void unused(void)\n" /* 23 */
                             "{\n"
                             "  y = 1;\n"
                             "}\n"
                             "int main(void)\n" /* 27 */
                             "{\n"
                             "  step(1);\n"
                             "  helper(2);\n"
                             "  return 0;\n"
                             "}\n"
                             "void absent(void)\n"
                             "{\n"
                             "}\n";

enum { ADD, CALL, COPY, MUL, LOAD, STORE, KEYS };
enum { HELPER, STEP, MAIN, SPIN, UNUSED, FUNCTIONS };
enum { PARTS = 14, SEGMENTS = 10, STEPS_ALL = 0, OTHER_STEPS = 3, OF_CALL = 4, WHOLE = 5, REGIONS = 6 };

static char *key_names[KEYS] = {(char *)"add.i32",     (char *)"call.direct", (char *)"call.llvm.memcpy",
                                (char *)"fmul.double", (char *)"load.double", (char *)"store.double"};
static struct irprof_module modules[] = {{.name = (char *)"mod", .target = (char *)"x86_64-linux-gnu"}};
static struct irprof_function functions[FUNCTIONS] = {
    [HELPER] = {.name = (char *)"helper.1", .line = 3}, /* a copy that the optimiser made */
    [STEP] = {.name = (char *)"step", .line = 8},
    [MAIN] = {.name = (char *)"main", .line = 27},
    [SPIN] = {.name = (char *)"spin", .file = IRPROF_NONE},
    [UNUSED] = {.name = (char *)"unused", .line = 23}};
static struct irprof_item items[] = {{LOAD, 1}, {MUL, 1},  {LOAD, 1},  {STORE, 1}, {ADD, 1},   {ADD, 1},
                                     {CALL, 1}, {COPY, 1}, {STORE, 1}, {ADD, 1},   {CALL, 1},  {LOAD, 1},
                                     {MUL, 1},  {CALL, 1}, {ADD, 1},   {ADD, 3},   {STORE, 1}, {0, 0}};
static double cost[PARTS] = {5, 4, 2, 1, 3, 1, 7, 2, 1, 5, 1, 1, 10, 9};
static struct irprof_part parts[PARTS] = {{0, 6, 0, 2, 0, 0},
                                          {0, 11, 2, 2, 0, 0},
                                          {0, 15, 4, 1, 0, 0},
                                          {IRPROF_NONE, 0, 5, 1, 0, 0},
                                          {0, 16, 6, 1, 0, 0},
                                          {0, 0, 7, 1, 0, 0},
                                          {0, 20, 8, 1, 0, 0},
                                          {0, 22, 9, 1, 0, 0},
                                          {0, 30, 10, 1, 0, 0},
                                          {0, 6, 11, 2, 0, 0},
                                          {0, 29, 13, 1, 0, 0},
                                          {0, 31, 14, 1, 0, 0},
                                          {IRPROF_NONE, 0, 15, 1, 0, 0},
                                          {0, 25, 16, 1, 0, 0}};
static struct irprof_segment segments[SEGMENTS] = {{HELPER, 0, 0, IRPROF_NONE, 0, 1, 0, 0},
                                                   {STEP, 0, 0, IRPROF_NONE, 1, 3, 0, 4},
                                                   {STEP, 1, 0, IRPROF_NONE, 4, 2, 4, 0},
                                                   {STEP, 2, 0, IRPROF_NONE, 6, 1, 4, 0},
                                                   {STEP, 3, 0, IRPROF_NONE, 7, 1, 4, 0},
                                                   {MAIN, 0, 0, IRPROF_NONE, 8, 2, 4, 0},
                                                   {MAIN, 1, 0, 0, 10, 1, 4, 0},
                                                   {MAIN, 2, 0, IRPROF_NONE, 11, 1, 4, 0},
                                                   {SPIN, 0, 0, IRPROF_NONE, 12, 1, 4, 0},
                                                   {UNUSED, 0, 0, IRPROF_NONE, 13, 1, 4, 0}};
/* B's come after A's, which was moved before them. */
static struct irprof_instruction instructions[] = {
    {.key = ADD, .part = 2}, {.key = LOAD, .part = 1}, {.key = STORE, .part = 1}, {.key = ADD, .part = 3}};
static struct irprof_loop loops[] = {{.function = MAIN, .header = 1, .depth = 1, .parent = IRPROF_NONE}};
static struct irprof_call calls[] = {{2, HELPER, "helper", 0, 16},
                                     {5, HELPER, "helper", 0, 30},
                                     {6, STEP, "step", 0, 29},
                                     {7, IRPROF_NONE, NULL, 0, 31}};
static const uint64_t counted[REGIONS][SEGMENTS] = {{3, 4, 3, 0, 4, 0, 0, 0, 0, 0}, /* step# */
                                                    {3, 3, 3, 0, 3, 0, 0, 0, 0, 0}, /* step#1: all that call helper */
                                                    {0, 1, 0, 0, 1, 0, 0, 0, 0, 0}, /* step#2 */
                                                    {4, 0, 0, 0, 0, 0, 0, 0, 0, 0}, /* helper# */
                                                    {3, 0, 0, 0, 0, 0, 0, 0, 0, 0}, /* helper as step calls it */
                                                    {4, 4, 3, 0, 4, 1, 4, 1, 2, 0}};
static uint64_t executions[REGIONS][SEGMENTS];
static struct irprof_region regions[REGIONS];
static struct irprof_profile profile;
static struct costs cores[2];
static struct blocks_request request;
static char folder[64], m_c[96], *files[] = {m_c, (char *)"/none/none.h"};
static char *checksums[COUNT(files)];
static struct error error = ERROR_INIT;

static const char *place(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static const char *put(const char *name, const char *text)
{
    assert_int_equal(file_write(place(name), text, strlen(text), 0), OK);
    return place(name);
}

static enum status run(struct estimate *out, const struct estimate_request *q, struct error *e)
{
    (void)e;
    for (size_t i = 0; i < SEGMENTS; i++)
        for (uint32_t k = segments[i].first_part; k < segments[i].first_part + segments[i].n_parts; k++) {
            double t = cost[k] * (double)regions[q->region].executions[i] * (q->costs->clock_hz > 1e6 ? 2 : 1);
            out->parts[k] = (struct cycles){t / 2, t, t * 2};
        }
    estimate_note(out, "made by hand");
    return OK;
}
static const struct estimator by_hand = {.name = "by hand", .run = run};

/* n cores; with steps, or not. */
static void make(size_t n, bool steps)
{
    static const struct irprof_region all[REGIONS] = {
        {.name = (char *)"step#", .step = IRPROF_STEP_ALL, .n_function = 4, .entries = 4},
        {.name = (char *)"step#1", .step = IRPROF_STEP_PATH, .n_function = 4, .entries = 3},
        {.name = (char *)"step#2", .step = IRPROF_STEP_PATH, .n_function = 4, .entries = 1},
        {.name = (char *)"helper#", .step = IRPROF_STEP_ALL, .n_function = 6, .entries = 4},
        {.name = (char *)"other", .entries = 3},
        {.name = (char *)"main", .entries = 1}};
    memcpy(regions, all, sizeof regions);
    memcpy(executions, counted, sizeof executions);
    for (size_t i = 0; i < REGIONS; i++) {
        regions[i].executions = executions[i];
        if (!steps)
            regions[i].step = IRPROF_STEP_NOT;
    }
    memset(checksums, 0, sizeof checksums);
    parts[10].file = 0;
    files[1] = (char *)"/none/none.h";
    profile = (struct irprof_profile){.path = (char *)"no.prof",
                                      .program = (char *)"prog",
                                      .keys = key_names,
                                      .n_keys = KEYS,
                                      .files = files,
                                      .n_files = COUNT(files),
                                      .checksums = checksums,
                                      .modules = modules,
                                      .n_modules = 1,
                                      .functions = functions,
                                      .n_functions = FUNCTIONS,
                                      .segments = segments,
                                      .n_segments = SEGMENTS,
                                      .parts = parts,
                                      .n_parts = PARTS,
                                      .items = items,
                                      .n_items = COUNT(items) - 1,
                                      .instructions = instructions,
                                      .n_instructions = COUNT(instructions),
                                      .loops = loops,
                                      .n_loops = 1,
                                      .calls = calls,
                                      .n_calls = COUNT(calls),
                                      .regions = regions,
                                      .n_regions = REGIONS};
    request =
        (struct blocks_request){.profile = &profile, .region = WHOLE, .cores = cores, .n_cores = n, .method = &by_hand};
    put("m.c", source);
}

static struct blocks *made(void)
{
    struct blocks *b;
    if (blocks_make(&b, &request, &error))
        fail_msg("%s", error.message);
    return b;
}

/* The last error, "FILE:LINE: ..." or "FILE: ...", with the file's name alone. */
static void says(const char *message)
{
    char line[24] = "";
    if (error.line)
        snprintf(line, sizeof line, ":%lu", (unsigned long)error.line);
    char *all = xasprintf("%s%s: %s", error.file ? path_basename(error.file) : "", line, error.message);
    if (!strstr(all, message))
        fail_msg("'%s' is not in: %s", message, all);
    free(all);
    error_release(&error);
    error = (struct error)ERROR_INIT;
}

static void refused(const char *message)
{
    struct blocks *b;
    assert_int_equal(blocks_make(&b, &request, &error), ERR_INPUT);
    assert_null(b);
    says(message);
}

static const struct blocks_row *row_of(const struct blocks *b, const char *name)
{
    for (size_t i = 0; i < b->n_rows; i++)
        if (strcmp(b->rows[i].block->name, name) == 0)
            return &b->rows[i];
    return 0;
}

static bool has_note(const struct blocks *b, const char *text)
{
    size_t n = 0;
    for (size_t i = 0; i < b->notes.n; i++)
        n += strstr(b->notes.at[i], text) != 0;
    assert_true(n < 2); /* once */
    return n;
}

static void same_text(struct str *text, const char *wanted)
{
    assert_string_equal(str_text(text), wanted);
    str_release(text);
}

/* ---- the run ---- */

static void rows_of_a_run(void **state)
{
    (void)state;
    make(2, false);
    struct blocks *b = made();
    struct str text = STR_INIT;
    str_addf(&text, "%d %g %g %g\n", (int)b->instructions, b->total[0].best, b->total[0].typical, b->total[1].worst);
    for (size_t i = 0; i < b->n_rows; i++) {
        const struct blocks_row *r = &b->rows[i];
        str_addf(&text, "%s, %s, %s:%d: %d x %d, %d %d, %d, %d %d %d, %g %g %g %g, %g %g\n", r->block->name,
                 blocks_state_name(r->state), r->path ? path_basename(r->path) : "", (int)r->block->line,
                 (int)r->executions, (int)r->instructions, (int)r->read, (int)r->written, (int)r->copies,
                 (int)r->merged, (int)r->inlined, (int)r->moved, r->cycles[0].best, r->cycles[0].typical,
                 r->cycles[0].worst, r->cycles[1].typical, r->inclusive[0], r->inclusive[1]);
        assert_null(r->steps);
    }
    same_text(&text, "48 49.5 99 396\n"
                     "<S2>/H, executed, m.c:5: 5 x 10, 40 0, 0, 0 2 0, 12.5 25 50 50, 25 50\n"
                     "<S1>/A, executed, m.c:12: 4 x 10, 0 0, 3, 3 0 4, 10 20 40 40, 35 70\n"
                     "spin, executed, :0: 2 x 6, 0 0, 0, 6 0 0, 10 20 40 40, 20 40\n"
                     "<S1>/B, executed, m.c:10: 4 x 8, 32 32, 0, 0 0 0, 8 16 32 32, 16 32\n"
                     "step, executed, m.c:8: 4 x 8, 0 0, 0, 4 0 0, 6 12 24 24, 63 126\n"
                     "main, executed, m.c:27: 1 x 6, 0 0, 0, 0 0 0, 3 6 12 12, 79 158\n"
                     "<S1>/Never, not executed, m.c:18: 0 x 0, 0 0, 0, 0 0 0, 0 0 0 0, 0 0\n"
                     "<S1>/Gone, no code, m.c:21: 0 x 0, 0 0, 0, 0 0 0, 0 0 0 0, 0 0\n"
                     "unused, not executed, m.c:23: 0 x 0, 0 0, 0, 0 0 0, 0 0 0 0, 0 0\n");
    assert_null(b->step);
    assert_null(b->steps);
    assert_string_equal(row_of(b, "spin")->block->model, "mod");
    assert_true(has_note(b, "made by hand"));
    assert_true(has_note(b, "m.c:21: no code follows the comment of Logic '<S1>/Gone'"));
    assert_true(has_note(b, "model 'm': no header was found that says what its systems <S2>, <S1> are called"));
    blocks_free(b);
}

/* Values that the cores lack: each one once, with its share on the first core that lacks it. */
static void assumptions(void **state)
{
    (void)state;
    make(2, false);
    struct blocks *b = made();
    assert_true(has_note(b, "'fmul' has no value: "));
    assert_true(has_note(b, "'store' has no value: "));
    assert_true(has_note(b, "; executed 5 times; ")); /* fmul: helper 4 times, main once */
    assert_true(has_note(b, "; executed 4 times; "));
    size_t on_the_first = 0;
    for (size_t i = 0; i < b->notes.n; i++) {
        assert_null(strstr(b->notes.at[i], " on core B"));
        on_the_first += strstr(b->notes.at[i], " % of the estimate on core A") != 0;
    }
    assert_true(on_the_first >= 2);
    blocks_free(b);
}

static char *instances_of(const struct blocks *b)
{
    struct str text = STR_INIT;
    str_add(&text, "");
    for (size_t i = 0; i < b->instances.n; i++) {
        const struct blocks_instance *n = &b->instances.at[i];
        char *title = blocks_title(&b->tree.blocks.at[n->block]);
        str_addf(&text, "%s, by %s: %g x %g %g %s\n", title, n->path, n->calls, n->self[0], n->inclusive[0],
                 n->exact ? "exact" : "divided");
        free(title);
    }
    return str_detach(&text);
}

static void expect_instances(const char *wanted)
{
    struct blocks *b = made();
    char *text = instances_of(b);
    assert_string_equal(text, wanted);
    free(text);
    blocks_free(b);
}

/* How a call is divided: by calls, or as counted for it alone. What costs nothing has no instances. */
static void instances(void **state)
{
    (void)state;
    make(1, false);
    expect_instances("Gain <S2>/H, by function main > Gain <S1>/A: 3 x 15 15 divided\n"
                     "function helper, by function main > Gain <S1>/A: 3 x 0 15 divided\n"
                     "Gain <S2>/H, by function main: 1 x 5 5 divided\n"
                     "function helper, by function main: 1 x 0 5 divided\n");
    regions[OF_CALL].name = (char *)"helper<-step:16";
    expect_instances("Gain <S2>/H, by function main > Gain <S1>/A: 3 x 15 15 exact\n"
                     "function helper, by function main > Gain <S1>/A: 3 x 0 15 exact\n"
                     "Gain <S2>/H, by function main: 1 x 5 5 exact\n"
                     "function helper, by function main: 1 x 0 5 exact\n");
    cost[0] = 0;
    expect_instances("");
    cost[0] = 5;
}

/* helper calls unused, of 9 cycles, and two further calls of helper come from nobody known. What is counted for the call in
 * step is no part of what the other three calls divide. */
static void instances_below(void **state)
{
    (void)state;
    make(1, false);
    regions[OF_CALL].name = (char *)"helper<-step:16";
    struct irprof_call deeper[] = {{0, UNUSED, "unused", 0, 6}, calls[0], calls[1], calls[2]};
    profile.calls = deeper;
    executions[WHOLE][0] = executions[WHOLE][9] = 6;
    executions[OF_CALL][9] = 3;
    struct blocks *b = made();
    char *text = instances_of(b);
    static const char *const wanted[] = {
        "Gain <S2>/H, by function main > Gain <S1>/A: 3 x 15 42 exact\n", /* its calls of unused, too */
        "Gain <S2>/H, by function main: 1 x 5 14 divided\n",
        "Gain <S2>/H, by : 2 x 10 28 divided\n",
        "function unused, by function main > Gain <S1>/A > Gain <S2>/H: 3 x 27 27 exact\n",
        "function unused, by function main > Gain <S2>/H: 1 x 9 9 divided\n",
        "function unused, by Gain <S2>/H: 2 x 18 18 divided\n"};
    for (size_t i = 0; i < COUNT(wanted); i++)
        if (!strstr(text, wanted[i]))
            fail_msg("'%s' is not in\n%s", wanted[i], text);
    free(text);
    blocks_free(b);
}

static void other_rows(void **state)
{
    (void)state;
    make(1, false);
    request.by = BLOCKS_BY_FUNCTION;
    struct blocks *b = made();
    struct str text = STR_INIT;
    for (size_t i = 0; i < b->n_rows; i++)
        str_addf(&text, "%s %g %g, %d\n", b->rows[i].block->name, b->rows[i].cycles[0].typical, b->rows[i].inclusive[0],
                 (int)b->rows[i].inlined);
    same_text(&text, "step 48 63, 0\nhelper.1 20 20, 0\nspin 20 20, 0\nmain 11 79, 2\nunused 0 0, 0\n");
    blocks_free(b);
    request.by = BLOCKS_BY_SYSTEM;
    b = made();
    for (size_t i = 0; i < b->n_rows; i++)
        str_addf(&text, "%s %g %g, %d\n", b->rows[i].block->name, b->rows[i].cycles[0].typical, b->rows[i].inclusive[0],
                 (int)b->rows[i].block->qualified);
    same_text(&text, "<S1> 36 51, 1\n<S2> 25 25, 1\nspin 20 20, 0\nstep 12 63, 0\nmain 6 79, 0\nunused 0 0, 0\n");
    blocks_free(b);
}

/* ---- steps ---- */

static void rows_of_steps(void **state)
{
    (void)state;
    make(2, true);
    struct blocks *b = made();
    struct str text = STR_INIT;
    str_addf(&text, "%d steps in %d ways%s; %g %g %g, %g\n", (int)b->n_steps, (int)b->n_kinds,
             b->step_kinds_complete ? "" : " and more", b->steps[0].mean, b->steps[0].best, b->steps[0].worst,
             b->steps[1].mean);
    for (size_t i = 0; i < b->n_rows; i++) {
        const struct blocks_row *r = &b->rows[i];
        str_addf(&text, "%s: %g %g %g, %g; %g %g; %d %d %d %d\n", r->block->name, r->steps[0].mean, r->steps[0].best,
                 r->steps[0].worst, r->steps[1].worst, r->step_inclusive[0], r->step_inclusive[1],
                 (int)r->in_steps.executions, (int)r->in_steps.instructions, (int)r->in_steps.read,
                 (int)r->in_steps.merged);
    }
    same_text(&text, "4 steps in 2 ways; 15.75 9 18, 31.5\n"
                     "<S1>/A: 5 2 6, 12; 8.75 17.5; 4 10 0 3\n"
                     "<S1>/B: 4 4 4, 8; 4 8; 4 8 32 0\n"
                     "<S2>/H: 3.75 0 5, 10; 3.75 7.5; 3 6 24 0\n"
                     "step: 3 3 3, 6; 15.75 31.5; 4 8 0 4\n"
                     "spin: 0 0 0, 0; 0 0; 0 0 0 0\n"
                     "main: 0 0 0, 0; 0 0; 0 0 0 0\n"
                     "<S1>/Never: 0 0 0, 0; 0 0; 0 0 0 0\n"
                     "<S1>/Gone: 0 0 0, 0; 0 0; 0 0 0 0\n"
                     "unused: 0 0 0, 0; 0 0; 0 0 0 0\n");
    assert_true(has_note(b, "the steps shown are those of step; for those of helper: --step"));
    assert_int_equal(b->step_instances.n, 0); /* in a step helper is called in one way */
    blocks_free(b);
}

/* The steps of another function; ways that were not kept apart; a region of all steps that cannot be used. */
static void other_steps(void **state)
{
    (void)state;
    make(1, true);
    request.step = "helper";
    struct blocks *b = made();
    assert_ptr_equal(b->step, &regions[OTHER_STEPS]);
    assert_int_equal(b->n_steps, 4);
    assert_int_equal(b->n_kinds, 0);
    assert_true(b->steps[0].mean == 5 && b->steps[0].best == 5 && b->steps[0].worst == 5);
    assert_false(has_note(b, "--step"));
    blocks_free(b);
    request.step = "help";
    refused(
        "no.prof: has no steps of 'help' (it has those of: step, helper): 'shimgen profile --steps help' counts them");
    regions[OTHER_STEPS].entries = 0;
    request.step = "helper";
    refused("has no steps of 'helper' (it has those of: step): ");
    regions[STEPS_ALL].entries = 0;
    refused("has no steps of 'helper' (it has those of: no function): ");
    request.step = NULL;
    b = made();
    assert_null(b->steps);
    blocks_free(b);

    make(1, true);
    regions[2].step = IRPROF_STEP_MORE;
    b = made();
    assert_int_equal(b->n_kinds, 1);
    assert_false(b->step_kinds_complete);
    assert_true(b->steps[0].best == 15.75 && b->steps[0].worst == 18); /* of the way that is known, and the mean */
    assert_true(row_of(b, "<S2>/H")->steps[0].best == 3.75);
    blocks_free(b);

    make(1, true);
    regions[STEPS_ALL].flaws = IRPROF_FLAW_OPEN; /* the ways are taken */
    regions[OTHER_STEPS].entries = 0;
    b = made();
    assert_int_equal(b->n_steps, 4);
    assert_true(b->steps[0].mean == 15.75 && b->steps[0].best == 9 && b->steps[0].worst == 18);
    assert_null(row_of(b, "<S2>/H")->step_inclusive);
    assert_int_equal(row_of(b, "<S2>/H")->in_steps.instructions, 0);
    blocks_free(b);
    regions[1].flaws = IRPROF_FLAW_OPEN; /* one step is left */
    b = made();
    assert_int_equal(b->n_steps, 1);
    assert_int_equal(b->n_kinds, 1);
    assert_true(b->steps[0].mean == 9);
    blocks_free(b);
}

/* ---- loads ---- */

static void loads(void **state)
{
    (void)state;
    make(2, true);
    struct blocks *b = made();
    struct blocks_loads l;
    assert_int_equal(blocks_loads_make(&l, b, "1ms", &error), OK);
    assert_int_equal(l.n, 1);
    assert_string_equal(l.at[0].function, "step");
    assert_true(l.at[0].period_s == 0.001);
    assert_true(l.at[0].mean[0] == 15.75 && l.at[0].worst[0] == 18 && l.at[0].mean[1] == 31.5);
    assert_float_equal(blocks_load(b, &l.at[0], 0, 15.75), 0.01575, 1e-12); /* of 1000 cycles */
    assert_float_equal(blocks_load(b, &l.at[0], 1, 31.5), 0.01575, 1e-12);  /* twice the clock */
    blocks_loads_release(&l);
    assert_int_equal(blocks_loads_make(&l, b, "helper=10ms,step=1s", &error), OK);
    assert_int_equal(l.n, 2);
    assert_string_equal(l.at[0].function, "helper");
    assert_true(l.at[0].mean[0] == 5 && l.at[0].worst[0] == 5); /* no way is known: the mean */
    assert_string_equal(l.at[1].function, "step");
    assert_true(l.at[1].period_s == 1);
    blocks_loads_release(&l);
    regions[1].entries = 0; /* a way that was not gone */
    assert_int_equal(blocks_loads_make(&l, b, "1ms", &error), OK);
    assert_true(l.at[0].worst[0] == 15.75);
    blocks_loads_release(&l);
    regions[1].entries = 3;
    regions[1].flaws = IRPROF_FLAW_OPEN;
    assert_int_equal(blocks_loads_make(&l, b, "1ms", &error), OK);
    assert_true(l.at[0].worst[0] == 15.75);
    blocks_loads_release(&l);

    static const struct {
        const char *periods;
        enum status status;
        const char *message;
    } wrong[] = {{"soon", ERR_USAGE, "--period soon: a time and its unit is needed"},
                 {"step=", ERR_USAGE, "--period : a time"},
                 {"ste=1ms", ERR_INPUT, "no.prof: has no steps of 'ste', so its load is not known"},
                 {"helpers=1ms", ERR_INPUT, "has no steps of 'helpers'"}};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        assert_int_equal(blocks_loads_make(&l, b, wrong[i].periods, &error), wrong[i].status);
        says(wrong[i].message);
        blocks_loads_release(&l);
    }
    cores[1].clock_hz = 0;
    assert_int_equal(blocks_loads_make(&l, b, "1ms", &error), ERR_INPUT);
    says("core 'B' has no clock in its SHIM file");
    cores[1].clock_hz = 2e6;
    blocks_loads_release(&l);
    blocks_free(b);
    make(1, false);
    b = made();
    assert_int_equal(blocks_loads_make(&l, b, "1ms", &error), ERR_INPUT);
    says("no.prof: has no steps, so no load is known");
    blocks_loads_release(&l);
    blocks_free(b);
}

/* ---- sources ---- */

static void sources(void **state)
{
    (void)state;
    make(1, false);
    checksums[0] = (char *)"0123";
    refused("m.c: is not the file that was compiled");
    request.changed_sources = true;
    struct blocks *b = made();
    assert_true(has_note(b, "/m.c' is not the file that was compiled"));
    blocks_free(b);
    request.changed_sources = false;
    checksums[0] = (char *)"";
    refused("m.c: was changed between compilations of the program's modules");

    make(1, false);
    profile.path = (char *)"/proc/self/exe"; /* older than m.c */
    b = made();
    assert_true(has_note(b, "/m.c' was changed after the profile was written"));
    blocks_free(b);

    make(1, false);
    remove(m_c);
    refused("none of its sources exists (the first is '");
    request.by = BLOCKS_BY_FUNCTION;
    b = made();
    assert_true(row_of(b, "helper.1")->cycles[0].typical == 20);
    assert_true(has_note(b, "m.c' does not exist: its code is shown by function"));
    blocks_free(b);
    make(1, false);
    uint32_t lines[PARTS];
    for (size_t i = 0; i < PARTS; i++) {
        lines[i] = parts[i].line;
        parts[i].line = 0;
    }
    refused("has no source lines: compile the program with -g");
    for (size_t i = 0; i < PARTS; i++)
        parts[i].line = lines[i];
}

/* Code on lines that have none in the source: its function's, if the file is not known to be another one. */
static void strange_lines(void **state)
{
    (void)state;
    make(1, false);
    parts[1].line = 10;
    parts[6].line = 18;
    struct blocks *b = made();
    assert_true(row_of(b, "step")->cycles[0].typical == 28);
    assert_true(has_note(b, "m.c:10: code of 'step' is in no function that was found in this source: unusual C++"));
    assert_int_equal(row_of(b, "<S1>/B")->state, BLOCKS_NOT_LEFT);
    assert_int_equal(row_of(b, "<S1>/Never")->state, BLOCKS_NOT_LEFT);
    blocks_free(b);
    checksums[0] = (char *)"0123";
    request.changed_sources = true;
    refused("m.c:10: the profile has code of function 'step' here, and the source has none");
    parts[1].line = 11;
    parts[6].line = 20;
}

/* Two spellings of a path are one source; two sources of one name in --sources are not. */
static void spellings(void **state)
{
    (void)state;
    make(1, false);
    char other[128];
    snprintf(other, sizeof other, "%s/./m.c", folder);
    files[1] = other;
    parts[10].file = 1;
    for (int below = 0; below < 2; below++) {
        request.folder = below ? folder : NULL;
        struct blocks *b = made();
        assert_int_equal(b->tree.sources.n, 1);
        assert_true(row_of(b, "main")->cycles[0].typical == 6);
        assert_int_equal(row_of(b, "main")->inlined, 0);
        blocks_free(b);
    }
    files[1] = (char *)"/elsewhere/m.c";
    refused("m.c: was found for two sources of the program, '");
}

/* A header that the debug information names has the names of systems; so has one below --sources. */
static void headers(void **state)
{
    (void)state;
    make(1, false);
    put("none.h", "/* Code generated for Simulink model 'm'.\n */\n/* Here is the system hierarchy for this model\n"
                  " * '<Root>' : 'm'\n * '<S1>' : 'm/One'\n * '<S2>' : 'm/Two'\n */\n");
    request.folder = folder;
    request.by = BLOCKS_BY_SYSTEM;
    struct blocks *b = made();
    assert_true(row_of(b, "m/One")->cycles[0].typical == 36);
    assert_false(row_of(b, "m/One")->block->qualified);
    assert_true(row_of(b, "m/Two")->cycles[0].typical == 25);
    assert_false(has_note(b, "no header was found"));
    blocks_free(b);
    remove(place("none.h"));
}

/* ---- measured cycles ---- */

#define TABLE "program,region,address,function,file,line,executions,cycles,called\n"

/* What a board measured of each instruction, the rule in the line; docs/formats/lines.md. */
static void measured(void **state)
{
    (void)state;
    make(1, false);
    struct str table = STR_INIT;
    str_add(&table, TABLE);
    str_addf(&table, "other,main,0x50,main,%s,29,9,1000000,0\n", m_c);
    str_addf(&table, "prog,other,0x50,main,%s,29,9,1000000,0\n", m_c);
    str_addf(&table, "prog,main,0x100,step,%s,11,4,3,1\n", m_c); /* B: 4 with what it called */
    str_addf(&table, "prog,main,0x104,step,,0,4,10,0\n");        /* the next of its run that has a line: A */
    str_addf(&table, "prog,main,0x108,step,%s,15,4,20,0\n", m_c);
    str_addf(&table, "prog,main,0x10c,step,%s,99,4,40,0\n", m_c); /* no such line: the run's end, the last before it */
    str_addf(&table, "prog,main,0x110,step,,0,3,80,0\n");         /* a run without any: what comes after it */
    str_addf(&table, "prog,main,0x114,step,%s,22,4,160,0\n", m_c);
    str_addf(&table, "prog,main,0x11c,step,,0,4,320,0\n"); /* after a gap: the function's */
    str_addf(&table, "prog,main,0x120,main,,0,4,640,0\n"); /* of another function */
    str_addf(&table, "prog,main,0x124,strange,,0,4,1280,0\n");
    str_add(&table, "prog,main,0x200,helper.1,,0,4,5,0\n"); /* the first function of all */
    put("lines.csv", str_text(&table));
    static char path[96];
    snprintf(path, sizeof path, "%s/lines.csv", folder);
    request.measured = path;
    struct blocks *b = made();
    assert_int_equal(row_of(b, "<S1>/B")->measured, 4);
    assert_int_equal(row_of(b, "<S1>/A")->measured, 10 + 20 + 40);
    assert_int_equal(row_of(b, "step")->measured, 80 + 160 + 320);
    assert_int_equal(row_of(b, "main")->measured, 640);
    assert_int_equal(row_of(b, "helper")->measured, 5);
    assert_int_equal(b->measured, 4 + 70 + 560 + 640 + 5);
    assert_true(has_note(b, "1280 measured cycles are of functions that the profile does not have: in no row"));
    blocks_free(b);

    /* one program in the table: whatever its name; a row that was measured alone is shown */
    put("lines.csv", TABLE "x,(program),0x100,unused,,0,1,7,0\n");
    refused("lines.csv: has nothing of program 'prog', region 'main'");
    put("lines.csv", TABLE "x,main,100,unused,,0,1,7,0\nx,main,104,unused,,0,1,1,1\n");
    b = made();
    assert_int_equal(row_of(b, "unused")->measured, 9);
    assert_false(has_note(b, "measured cycles"));
    blocks_free(b);
    regions[WHOLE].name = (char *)"(program)"; /* boards call the whole run main */
    b = made();
    assert_int_equal(b->measured, 9);
    blocks_free(b);

    static const struct {
        const char *row, *message;
    } wrong[] = {{"x,main,,main,,0,1,7,0\n", "lines.csv:2: '' is not an address"},
                 {"x,main,0x1g,main,,0,1,7,0\n", "'0x1g' is not an address"},
                 {"x,main,0x1,main,,-1,1,7,0\n", "line is not a count: '-1'"},
                 {"x,main,0x1,main,,0,1.5,7,0\n", "executions is not a count: '1.5'"},
                 {"x,main,0x1,main,,0,1,1e16,0\n", "cycles is not a count: '1e16'"},
                 {"x,main,0x1,main,,0,1,7,few\n", "few"}};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        char *all = xasprintf("%s%s", TABLE, wrong[i].row);
        put("lines.csv", all);
        refused(wrong[i].message);
        free(all);
    }
    put("lines.csv", "program,region\nx,main\n");
    refused("address");
    str_release(&table);
}

/* ---- for KCachegrind ---- */

/* Instructions, then cycles of each core, by best and worst values too if wanted. */
static void callgrind(void **state)
{
    (void)state;
    make(2, false);
    struct blocks *b = made();
    struct blocks_print print = {.blocks = b, .shim = "s", .ranges = true};
    char *text;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    assert_int_equal(blocks_callgrind(&print, f, &error), OK);
    assert_int_equal(fclose(f), 0);
    static const char *const wanted[] = {"creator: shimgen",
                                         "event: Ir : IR instructions\n",
                                         "event: Cy : Cycles on A, by typical values\n",
                                         "event: CyBest : Cycles on A, by best values\n",
                                         "event: CyWorst : Cycles on A, by worst values\n",
                                         "event: Cy2 : Cycles on B, by typical values\n",
                                         "event: CyBest2 : Cycles on B, by best values\n",
                                         "event: CyWorst2 : Cycles on B, by worst values\n",
                                         "events: Ir Cy CyBest CyWorst Cy2 CyBest2 CyWorst2\n"};
    for (size_t i = 0; i < COUNT(wanted); i++)
        if (!strstr(text, wanted[i]))
            fail_msg("'%s' is not in\n%s", wanted[i], text);
    assert_non_null(strstr(text, "\n6 8 20 10 40 40 20 80\n")); /* helper, line 6 */
    assert_non_null(strstr(text, "\n11 8 16 8 32 32 16 64\n")); /* B */
    assert_non_null(strstr(text, "\n22 4 8 4 16 16 8 32\n"));   /* step's end */
    free(text);
    print.ranges = false;
    f = open_memstream(&text, &n);
    assert_int_equal(blocks_callgrind(&print, f, &error), OK);
    assert_int_equal(fclose(f), 0);
    assert_non_null(strstr(text, "events: Ir Cy Cy2\n"));
    assert_non_null(strstr(text, "\n6 8 20 40\n"));
    free(text);
    blocks_free(b);
}

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/test-blocks-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(m_c, sizeof m_c, "%s/m.c", folder);
    for (size_t i = 0; i < 2; i++) {
        cores[i] = (struct costs){.core = xstrdup(i ? "B" : "A"), .clock_hz = i ? 2e6 : 1e6};
        costs_add(&cores[i], "add", (struct cycles){1, 1, 1}, (struct cycles){1, 1, 1});
        costs_add(&cores[i], "call", (struct cycles){1, 1, 1}, (struct cycles){1, 1, 1});
        costs_add(&cores[i], "load", (struct cycles){1, 1, 1}, (struct cycles){1, 1, 1});
    }
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    costs_release(&cores[0]);
    costs_release(&cores[1]);
    return remove_tree(folder, 0) ? -1 : 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_a_run),   cmocka_unit_test(assumptions), cmocka_unit_test(instances),
        cmocka_unit_test(instances_below), cmocka_unit_test(other_rows),  cmocka_unit_test(rows_of_steps),
        cmocka_unit_test(other_steps),     cmocka_unit_test(loads),       cmocka_unit_test(sources),
        cmocka_unit_test(strange_lines),   cmocka_unit_test(spellings),   cmocka_unit_test(headers),
        cmocka_unit_test(measured),        cmocka_unit_test(callgrind)};
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
