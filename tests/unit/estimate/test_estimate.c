/* test_estimate.c - tests of estimates by method operand and sum. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/alloc.h"
#include "shimgen/estimate/assumed.h"
#include "shimgen/estimate/estimate.h"
#include "shimgen/estimate/intervals/trust.h"
#include "shimgen/estimate/print_estimate.h"

static struct costs some_costs(void)
{
    struct costs c = {.core = xstrdup("Core")};
    costs_add(&c, "add", (struct cycles){0.5, 1, 2}, (struct cycles){1, 3, 4});
    costs_add(&c, "load", (struct cycles){NAN, 1, NAN}, (struct cycles){NAN, 5, NAN});
    costs_add(&c, "extractivalue", (struct cycles){0, 0.25, 1}, (struct cycles){0, 0.25, 1});
    costs_add(&c, "call", (struct cycles){2, 2, 2}, (struct cycles){2, 2, 2});
    costs_add(&c, "call.library.sin", (struct cycles){30, 40, 50}, (struct cycles){30, 40, 50});
    costs_add(&c, "add", (struct cycles){9, 9, 9}, (struct cycles){9, 9, 9}); /* a doubled name: the first holds */
    return c;
}

/*
 * Two functions of one block each.
 *   f, 10 times: line 1: 1 add, 1 dependent add, a call of sin; line 2: 4 extractvalues, 1 dependent load
 *   g, 3 times:  line 9: 2 freezes, 1 fadd; a call of f (10 - 3 calls of f come from elsewhere), of cos
 */
static char *key_names[] = {"add.i32",     "add.i32_d",  "call.direct", "extractvalue.agg",
                            "fadd.double", "freeze.i32", "load.i64_d"};
static char *files[] = {(char *)"a.c"};
static struct irprof_function functions[] = {{.name = (char *)"f", .file = 0, .line = 1},
                                             {.name = (char *)"g", .file = 0, .line = 8}};
static struct irprof_item items[] = {{0, 1}, {1, 1}, {2, 1}, {3, 4}, {6, 1}, {5, 2}, {4, 1}, {2, 2}};
static struct irprof_part parts[] = {{0, 1, 0, 3, 0, 0}, {0, 2, 3, 2, 0, 0}, {0, 9, 5, 3, 0, 0}};
static struct irprof_segment segments[] = {{0, 0, 0, IRPROF_NONE, 0, 2, 0, 0}, {1, 0, 0, IRPROF_NONE, 2, 1, 0, 0}};
static struct irprof_call calls[] = {{0, IRPROF_NONE, "sin", 0, 1}, {1, 0, "f", 0, 9}, {1, IRPROF_NONE, "cos", 0, 9}};
static uint64_t executions[] = {10, 3};
static struct irprof_region regions[] = {{.name = (char *)"main", .entries = 1, .executions = executions}};
static const struct irprof_profile profile = {.program = (char *)"p",
                                              .path = (char *)"p",
                                              .keys = key_names,
                                              .n_keys = 7,
                                              .files = files,
                                              .n_files = 1,
                                              .functions = functions,
                                              .n_functions = 2,
                                              .segments = segments,
                                              .n_segments = 2,
                                              .parts = parts,
                                              .n_parts = 3,
                                              .items = items,
                                              .n_items = 8,
                                              .calls = calls,
                                              .n_calls = 3,
                                              .regions = regions,
                                              .n_regions = 1};

static struct estimate *estimated(const struct estimator *method, const struct costs *c)
{
    struct estimate *est;
    struct error e = ERROR_INIT;
    struct estimate_request q = {.profile = &profile, .costs = c};
    if (estimate_run(&est, method, &q, &e))
        fail_msg("%s", e.message);
    return est;
}

static void same_cycles(struct cycles c, double best, double typical, double worst)
{
    assert_true(c.best == best);
    assert_true(c.typical == typical);
    assert_true(c.worst == worst);
}

static void sums_latency_and_pitch(void **state)
{
    (void)state;
    struct costs c = some_costs();
    struct estimate *est = estimated(&estimator_operand, &c);
    /* by hand: the add at pitch, the dependent one at latency, the call, sin beside it */
    same_cycles(est->parts[0], 10 * (0.5 + 1 + 2 + 30), 10 * (1 + 3 + 2 + 40), 10 * (2 + 4 + 2 + 50));
    /* 4 extractvalues under their odd name, a load without best and worst */
    same_cycles(est->parts[1], 10 * (0 + 5), 10 * (4 * 0.25 + 5), 10 * (4 * 1 + 5));
    /* freezes make no code, fadd has no heir: the mean of the four pitches, without sin; two calls */
    double mean = (1 + 1 + 0.25 + 2) / 4;
    assert_true(fabs(est->parts[2].typical - 3 * (mean + 4)) < 0.01);
    assert_true(est->total.typical == est->parts[0].typical + est->parts[1].typical + est->parts[2].typical);
    estimate_free(est);
    est = estimated(&estimator_sum, &c); /* all at latency */
    same_cycles(est->parts[0], 10 * (1 + 1 + 2 + 30), 10 * (3 + 3 + 2 + 40), 10 * (4 + 4 + 2 + 50));
    estimate_free(est);
    costs_release(&c);
}

static void says_what_it_assumed(void **state)
{
    (void)state;
    static const struct {
        const char *instruction, *as;
        uint64_t count;
        double cycles; /* by hand: 3 calls; 3 times the mean of add, load, extractivalue and call */
    } expected[] = {{"call.library.cos", "the call alone", 3, 6},
                    {"fadd", "the mean of all", 3, 3 * (1 + 1 + 0.25 + 2) / 4},
                    {"freeze", "nothing", 6, 0}};
    struct costs c = some_costs();
    struct estimate *est = estimated(&estimator_operand, &c);
    assert_int_equal(est->assumed.n, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(est->assumed.at[i].instruction, expected[i].instruction);
        assert_string_equal(est->assumed.at[i].as, expected[i].as);
        assert_int_equal(est->assumed.at[i].count, expected[i].count);
        assert_true(est->assumed.at[i].cycles == expected[i].cycles);
    }
    estimate_free(est);
    costs_release(&c);
}

/* Values that binary fractions do not have: the sums agree to the last bit all the same. */
static void sums_agree(void **state)
{
    (void)state;
    struct costs c = {.core = xstrdup("Core")};
    costs_add(&c, "add", (struct cycles){0.1, 1.0 / 3, 2.7}, (struct cycles){0.3, 3.3, 1e9 / 7});
    costs_add(&c, "call", (struct cycles){0.7, 1e7 / 3, 1e12 / 9}, (struct cycles){0.7, 0.9, 1.1});
    struct estimate *est = estimated(&estimator_operand, &c);
    for (int by = ESTIMATE_BY_PROGRAM; by <= ESTIMATE_BY_BLOCK; by++) {
        struct estimate_row *rows;
        struct cycles up = {0}, down = {0};
        size_t n;
        estimate_rows(&rows, &n, est, (enum estimate_by)by);
        for (size_t i = 0; i < n; i++) {
            cycles_add(&up, &rows[i].cycles, 1);
            cycles_add(&down, &rows[n - 1 - i].cycles, 1);
        }
        same_cycles(up, est->total.best, est->total.typical, est->total.worst);
        same_cycles(down, est->total.best, est->total.typical, est->total.worst);
        free(rows);
    }
    estimate_free(est);
    costs_release(&c);
}

static void functions_with_callees(void **state)
{
    (void)state;
    struct costs c = some_costs();
    struct estimate *est = estimated(&estimator_operand, &c);
    struct estimate_row *rows;
    size_t n;
    estimate_rows(&rows, &n, est, ESTIMATE_BY_FUNCTION);
    assert_int_equal(n, 2);
    assert_int_equal(rows[0].function, 0);
    assert_int_equal(rows[0].instructions, 10 * 8);
    double f = 10 * (46 + 6), g = est->parts[2].typical;
    assert_true(rows[0].cycles.typical == f && rows[0].with_callees.typical == f);
    /* 3 of f's 10 calls are g's */
    assert_true(fabs(rows[1].with_callees.typical - (g + 0.3 * f)) < 0.01);
    assert_true(rows[0].cycles.best < f && f < rows[0].cycles.worst);
    same_cycles(rows[0].with_callees, rows[0].cycles.best, f, rows[0].cycles.worst);
    assert_true(fabs(rows[1].with_callees.best - (rows[1].cycles.best + 0.3 * rows[0].cycles.best)) < 0.01);
    assert_true(fabs(rows[1].with_callees.worst - (rows[1].cycles.worst + 0.3 * rows[0].cycles.worst)) < 0.01);
    free(rows);
    estimate_free(est);
    costs_release(&c);
}

/* Lines of a table: a part's share of the whole. Of no cycles at all nothing has a share. */
static void shares_of_lines(void **state)
{
    (void)state;
    struct costs c = some_costs();
    struct trust nobody = {0};
    estimate_lines lines = {0};
    struct estimate *est = estimated(&estimator_operand, &c);
    estimate_lines_add(&lines, est, 2, ESTIMATE_BY_LINE, &nobody);
    assert_int_equal(lines.n, 3);
    double sum = 0;
    for (size_t i = 0; i < lines.n; i++) {
        assert_true(fabs(lines.at[i].share * est->total.typical - lines.at[i].cycles.typical) < 1e-9);
        assert_string_equal(lines.at[i].program, "p");
        assert_string_equal(lines.at[i].region, "main");
        assert_int_equal(lines.at[i].core, 2);
        sum += lines.at[i].share;
    }
    assert_true(fabs(sum - 1) < 1e-12);
    assert_string_equal(lines.at[0].what, "a.c:1");
    estimate_lines_release(&lines);
    lines = (estimate_lines){0};
    for (size_t i = 0; i < 3; i++)
        est->parts[i] = (struct cycles){0};
    est->total = (struct cycles){0};
    estimate_lines_add(&lines, est, 0, ESTIMATE_BY_LINE, &nobody);
    assert_int_equal(lines.n, 3);
    for (size_t i = 0; i < lines.n; i++)
        assert_true(lines.at[i].share == 0);
    estimate_lines_release(&lines);
    estimate_free(est);
    costs_release(&c);
}

/* ---- the schedule ---- */

/* One block, executed 100 times, in a loop or not: instructions of these keys with these operands (by number; -1:
 * none), all of one line. */
struct made {
    const char *key;
    int operands[2];
};
static double scheduled(const struct made *made, size_t n, bool loop)
{
    char *names[] = {(char *)"add.i32", (char *)"br.cond", (char *)"fdiv.double", (char *)"load.i32",
                     (char *)"phi.i32"};
    struct irprof_instruction instructions[16];
    struct irprof_operand operands[32];
    struct irprof_item counts[5] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}};
    uint32_t n_operands = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t key = 0;
        while (strcmp(names[key], made[i].key) != 0)
            key++;
        counts[key].times++;
        instructions[i] = (struct irprof_instruction){key, 0, n_operands, 0, 0};
        for (size_t k = 0; k < 2 && made[i].operands[k] >= 0; k++)
            operands[n_operands++] = (struct irprof_operand){(uint32_t)made[i].operands[k], false};
        instructions[i].n_operands = n_operands - instructions[i].first_operand;
    }
    struct irprof_part part = {0, 1, 0, 5, 0, 0};
    struct irprof_segment segment = {0, 0, 0, IRPROF_NONE, 0, 1, 0, (uint32_t)n};
    struct irprof_edge edge = {.kind = IRPROF_EDGE_TRUE};
    uint64_t times = 100;
    struct irprof_region region = {.name = (char *)"main", .entries = 1, .executions = &times, .taken = &times};
    struct irprof_profile p = {.keys = names,
                               .n_keys = 5,
                               .files = files,
                               .n_files = 1,
                               .functions = functions,
                               .n_functions = 1,
                               .segments = &segment,
                               .n_segments = 1,
                               .parts = &part,
                               .n_parts = 1,
                               .items = counts,
                               .n_items = 5,
                               .instructions = instructions,
                               .n_instructions = n,
                               .operands = operands,
                               .n_operands = n_operands,
                               .edges = &edge,
                               .n_edges = loop,
                               .regions = &region,
                               .n_regions = 1};
    struct costs c = {.core = xstrdup("Core")};
    costs_add(&c, "add", (struct cycles){0.5, 0.5, 0.5}, (struct cycles){1, 1, 1});
    costs_add(&c, "br", (struct cycles){1, 1, 1}, (struct cycles){1, 1, 1});
    costs_add(&c, "fdiv", (struct cycles){10, 10, 10}, (struct cycles){12, 12, 12});
    costs_add(&c, "load", (struct cycles){1, 1, 1}, (struct cycles){3, 3, 3});
    struct estimate *est;
    struct error e = ERROR_INIT;
    struct estimate_request q = {.profile = &p, .costs = &c};
    if (estimate_run(&est, &estimator_schedule, &q, &e))
        fail_msg("%s", e.message);
    double cycles = est->total.typical / 100;
    estimate_free(est);
    costs_release(&c);
    return cycles;
}

/* A core that issues two instructions a cycle. */
static void schedules_by_hand(void **state)
{
    (void)state;
    const struct made apart[] = {{"add.i32", {-1}}, {"add.i32", {-1}}, {"add.i32", {-1}}, {"br.cond", {-1}}};
    assert_true(scheduled(apart, 4, false) == 2);
    const struct made chain[] = {{"add.i32", {-1}}, {"add.i32", {0, -1}}, {"add.i32", {1, -1}}, {"br.cond", {-1}}};
    assert_true(scheduled(chain, 4, false) == 3); /* at 0, 1, 2; the branch beside the last */
    const struct made load[] = {{"load.i32", {-1}}, {"add.i32", {0, -1}}, {"br.cond", {-1}}};
    assert_true(scheduled(load, 3, false) == 4); /* at 0, 3, 3.5 */
    /* the compiler moves the load in front of what does not need it: at 0; 0.5, 1, 1.5 meanwhile; 3, 3.5 */
    const struct made moved[] = {{"add.i32", {-1}},  {"add.i32", {-1}},    {"add.i32", {-1}},
                                 {"load.i32", {-1}}, {"add.i32", {3, -1}}, {"br.cond", {-1}}};
    assert_true(scheduled(moved, 6, false) == 4);
    const struct made divisions[] = {{"fdiv.double", {-1}}, {"fdiv.double", {-1}}, {"br.cond", {-1}}};
    assert_true(scheduled(divisions, 3, false) == 11); /* the second at 10, when the unit is free again */
}

/* A round waits for the division of the previous iteration: 12 cycles, with the branch beside. */
static void loops_wait_for_the_round_before(void **state)
{
    (void)state;
    const struct made carried[] = {{"phi.i32", {1, -1}}, {"fdiv.double", {0, -1}}, {"br.cond", {-1}}};
    assert_true(scheduled(carried, 3, false) == 1);
    assert_true(scheduled(carried, 3, true) == 12);
}

static void check_words(struct assumption *list, size_t n, double total, const char *const expected[][2],
                        size_t n_words)
{
    size_t k;
    struct assumption_words *words = assumed_words(&k, &(struct assumed){list, n}, total);
    assert_int_equal(k, n_words);
    for (size_t i = 0; i < k; i++) {
        assert_string_equal(words[i].what, expected[i][0]);
        assert_string_equal(words[i].share, expected[i][1]);
    }
    assumed_words_free(words, k);
}

/* An instruction each, in their order; all functions of libraries together behind them, the most often called first, of
 * as many calls by name, six of them. */
static void puts_assumptions_into_words(void **state)
{
    (void)state;
#define ASSUMED(instruction, as, count, cycles)                                                                        \
    {                                                                                                                  \
        (char *)(uintptr_t)(instruction), (char *)(uintptr_t)(as), count, cycles                                       \
    }
#define CALLED(name, count, cycles) ASSUMED("call.library." name, "the call alone", count, cycles)
    static struct assumption one[] = {ASSUMED("fadd", "fsub", 12, 25), CALLED("cos", 1, 0.5),
                                      ASSUMED("freeze", "nothing", 7, 0)};
    static const char *const of_one[][2] = {
        {"'fadd' has no value: the value of fsub is used; executed 12 times", "25 % of the estimate"},
        {"'freeze' has no value: it is assumed to need no code; executed 7 times", "0 % of the estimate"},
        {"of 1 function of libraries: the estimate has their calls, but not their code: cos (called 1 time)",
         "0.5 % of the estimate"}};
    check_words(one, 3, 100, of_one, 3);
    static struct assumption seven[] = {CALLED("a", 1, 1), CALLED("g", 2, 1), CALLED("b", 9, 1), CALLED("f", 2, 1),
                                        CALLED("c", 2, 1), CALLED("d", 3, 1), CALLED("e", 2, 1)};
    static const char *const of_six[][2] = {
        {"of 6 functions of libraries: the estimate has their calls, but not their code: b (called 9 times), d (called "
         "3 "
         "times), c (called 2 times), f (called 2 times), g (called 2 times), a (called 1 time)",
         "12 % of the estimate"}};
    check_words(seven, 6, 50, of_six, 1);
    static const char *const of_seven[][2] = {
        {"of 7 functions of libraries: the estimate has their calls, but not their code: b (called 9 times), d (called "
         "3 "
         "times), c (called 2 times), e (called 2 times), f (called 2 times), g (called 2 times) and 1 more",
         "0 % of the estimate"}}; /* of nothing */
    check_words(seven, 7, 0, of_seven, 1);
    check_words(NULL, 0, 100, NULL, 0);
}

/* The notes of an estimate by method operand after this is known of its values. */
static void check_notes(const struct trust *t, const char *const *expected, size_t n, bool rare)
{
    struct costs c = some_costs();
    struct estimate *est = estimated(&estimator_operand, &c);
    size_t before = est->n_notes;
    trust_note(est, t);
    assert_int_equal(est->n_notes - before, n);
    for (size_t i = 0; i < n; i++)
        assert_string_equal(est->notes[before + i], expected[i]);
    assert_int_equal(!!(est->doubts & 1u << DOUBT_RARE), rare);
    estimate_free(est);
    costs_release(&c);
}

/* Of 95 instructions executed 10 are adds, 10 dependent adds, 16 calls, 40 extractvalues, 3 fadds, 6 freezes and 10 loads.
 * Those that fewer than three programs had are named from a tenth of all on, five of them. */
static void says_what_hardly_any_program_had(void **state)
{
    (void)state;
    static const struct {
        size_t had[7]; /* programs, of each key; 0: the table has no such key */
        const char *note;
    } rows[] = {
        {{3, 3, 3, 3, 3, 3, 3}, NULL},
        {{3, 3, 3, 3, 0, 2, 3}, NULL}, /* 9 of 95 */
        {{3, 3, 3, 3, 3, 3, 2},
         "unlike the programs that the model was fitted on: fewer than 3 of them had load.i64_d; 11 % of what was "
         "executed"},
        {{3, 3, 3, 2, 0, 3, 9},
         "unlike the programs that the model was fitted on: fewer than 3 of them had extractvalue.agg, fadd.double; 45 "
         "% "
         "of what was executed"},
        {{0, 1, 0, 0, 3, 1, 0},
         "unlike the programs that the model was fitted on: fewer than 3 of them had add.i32, add.i32_d, call.direct, "
         "extractvalue.agg, freeze.i32 and others; 97 % of what was executed"},
        {{0, 1, 0, 0, 1, 3, 3},
         "unlike the programs that the model was fitted on: fewer than 3 of them had add.i32, add.i32_d, call.direct, "
         "extractvalue.agg, fadd.double; 83 % of what was executed"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t programs[8] = {0};
        struct trust t = {.familiar.programs = programs};
        map_put(&t.familiar.keys, "another", 7);
        for (size_t k = 0; k < 7; k++) {
            programs[k] = rows[i].had[k];
            if (rows[i].had[k])
                map_put(&t.familiar.keys, key_names[k], k);
        }
        check_notes(&t, &rows[i].note, rows[i].note != NULL, rows[i].note != NULL);
        map_release(&t.familiar.keys);
    }
    check_notes(&(struct trust){0}, NULL, 0, false); /* nothing is known of the programs */
}

/* The file has 1 for an add and 3 for a dependent one, 1 and 5 for loads. A model that can have given most of them may be
 * theirs: each value lies between the least and the most of the model's keys. */
static void says_whose_values_they_are(void **state)
{
    (void)state;
    static const char *const other =
        "the values of core Core are not those of the model: the intervals do not apply to them";
    static const struct {
        struct regress_key keys[3];
        bool other;
    } rows[] = {
        {{{(char *)"add.i32", 0, 5, 1, 1, 1}, {(char *)"add.i32_d", 0, 5, 3, 3, 3}}, false},
        {{{(char *)"add.i32", 0, 5, 7, 7, 7}, {(char *)"add.i32_d", 0, 5, 9, 9, 9}}, true},
        {{{(char *)"add.i32", 0, 5, 7, 7, 7}, {(char *)"add.i32_d", 0, 5, 3, 3, 3}}, false}, /* half of them */
        {{{(char *)"add.i32", 0, 5, 7, 7, 7}, {(char *)"add.i64", 0, 5, 0.5, 1, 1}}, false}, /* between the two */
        {{{(char *)"add.i32", 0, 5, 7, 7, 7}, {(char *)"add.i64", 0, 5, 1.1, 1, 1}}, true},
        {{{(char *)"add.i32", 0, 5, 1.0019, 1, 1}}, false}, /* a thousandth, and a thousandth more */
        {{{(char *)"add.i32", 0, 5, 1.0031, 1, 1}}, true},
        {{{(char *)"add.i32", 0, 0, 7, 7, 7}}, false}, /* no row had it */
        {{{(char *)"add.i32", REGRESS_NONE, 5, 7, 7, 7}}, false},
        {{{(char *)"xor.i32", 0, 5, 7, 7, 7}}, false}, /* the file has none */
        {{{(char *)"load.i64", 0, 5, 1, 1, 1},
          {(char *)"load.i64_d", 0, 5, 2, 2, 2},
          {(char *)"add.i1", 0, 5, 2, 2, 2}},
         true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct regress_key keys[3];
        size_t n = 0;
        memcpy(keys, rows[i].keys, sizeof keys);
        while (n < 3 && keys[n].key)
            n++;
        struct regress_model m = {.keys = keys, .n_keys = n};
        check_notes(&(struct trust){.model = &m}, &other, rows[i].other, false);
    }
}

/* What tables of doubts say; each has words of its own. */
static void doubts_have_names(void **state)
{
    (void)state;
    assert_string_equal(estimate_doubt_name(DOUBT_LIBRARY), "library functions without a cost");
    assert_string_equal(estimate_doubt_name(DOUBT_GUESSED), "library functions guessed");
    assert_string_equal(estimate_doubt_name(DOUBT_CODE), "code not found");
    assert_string_equal(estimate_doubt_name(DOUBT_RARE), "rare instructions");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_latency_and_pitch),
        cmocka_unit_test(says_what_it_assumed),
        cmocka_unit_test(puts_assumptions_into_words),
        cmocka_unit_test(sums_agree),
        cmocka_unit_test(functions_with_callees),
        cmocka_unit_test(shares_of_lines),
        cmocka_unit_test(schedules_by_hand),
        cmocka_unit_test(loops_wait_for_the_round_before),
        cmocka_unit_test(says_what_hardly_any_program_had),
        cmocka_unit_test(doubts_have_names),
        cmocka_unit_test(says_whose_values_they_are),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
