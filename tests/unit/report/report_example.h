/*
 * report_example.h - made-up data for the tests of the report page: no machine was
 * measured. Everything the page can show occurs once: two roles, missing figures,
 * impossible evaluations, inherited values, hostile names.
 * Included by a test; `example_make` fills static storage, the same on every call.
 */
#ifndef TESTS_UNIT_REPORT_REPORT_EXAMPLE_H
#define TESTS_UNIT_REPORT_REPORT_EXAMPLE_H

#include <stdio.h>
#include <string.h>

#include "shimgen/report/report.h"

#define EX_CLASSES  10
#define EX_ACCOUNTS 3
#define EX_ROWS     96
#define EX_TEST     12 /* the last ones */
#define EX_HOSTILE  "</script><script>alert(1)</script>\"'&"
#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char *ex_classes[EX_CLASSES] = {"load_d",  "load",  "store",   "arith_d", "arith",
                                             "float_d", "div_d", "br.cond", "callret", "others"};
static const double ex_cycles[EX_CLASSES] = {3.1, 1.04, 1.2, 1.05, 0.52, 4.1, 12.5, 1.9, 6.4, 0.31};

static char ex_names[EX_ROWS][64];
static const char *ex_accounts[EX_ACCOUNTS] = {"integer", "loads and stores", "mispredictions"};
static double ex_shares[EX_ROWS][EX_CLASSES], ex_account[EX_ROWS][EX_ACCOUNTS];
static struct report_program ex_programs[EX_ROWS];
static double ex_train_errors[EX_ROWS - EX_TEST], ex_heldout_errors[EX_ROWS - EX_TEST], ex_test_errors[EX_TEST];

/* Numerical Recipes' generator: the same numbers everywhere. */
static double ex_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (1 << 24);
}

static double ex_bell(unsigned *state)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += ex_random(state);
    return sum;
}

static void ex_fill_program(size_t i, unsigned *state)
{
    static const char *const sets[] = {"paper", "suite", "micro"};
    static const char *const names[] = {"sum", "fir", "matmul", "crc32", "qsort", "fft", "dijkstra", "sha256"};
    static const char *const domains[] = {"numerics", "signal", "numerics", "coding",
                                          "sorting",  "signal", "graphs",   "security"};
    static const char *const levels[] = {"O0", "O1", "O2", "O3"};
    struct report_program *p = &ex_programs[i];
    size_t k = i / 4 % 8;
    *p = (struct report_program)REPORT_PROGRAM_INIT;
    p->level = levels[i % 4];
    p->set = sets[i / 32];
    p->domain = domains[k];
    snprintf(ex_names[i], sizeof ex_names[i], "%s/%s@%s", p->set, names[k], p->level);
    p->name = ex_names[i];
    p->role = i >= EX_ROWS - EX_TEST ? REPORT_TEST : REPORT_TRAIN;
    p->measured = floor(pow(10, 3 + 5 * ex_random(state)));
    p->stddev = p->measured * 0.002 * pow(10, ex_bell(state) * 0.4) + 8;
    p->runs = 97;
    p->dropped = i % 7 == 0 ? 3 : 0;
    p->predicted = p->measured * (1 + 0.05 * ex_bell(state));
    p->predicted_heldout = p->role == REPORT_TEST ? REPORT_UNKNOWN : p->measured * (1 + 0.09 * ex_bell(state));
    double centre = p->role == REPORT_TEST ? p->predicted : p->predicted_heldout;
    p->low = centre * 0.85;
    p->high = centre * 1.17;
    p->instructions = floor(p->measured / 1.7);
    double sum = 0;
    for (size_t c = 0; c < EX_CLASSES; c++)
        sum += ex_shares[i][c] = ex_random(state) * ex_random(state) * ex_cycles[c];
    for (size_t c = 0; c < EX_CLASSES; c++)
        ex_shares[i][c] /= sum;
    p->shares = ex_shares[i];
    for (size_t a = 0; a < EX_ACCOUNTS; a++)
        ex_account[i][a] = 0.2 * (double)(a + 1) + 0.01 * (double)(i % 20); /* 1.2 + 0.03 (i % 20) in all */
    p->account = ex_account[i];
}

static void ex_fill_programs(void)
{
    unsigned state = 7;
    for (size_t i = 0; i < EX_ROWS; i++)
        ex_fill_program(i, &state);
    ex_programs[5].name = "suite/" EX_HOSTILE;
    ex_programs[5].predicted_heldout = ex_programs[5].measured * 4.4; /* beyond every axis */
    ex_programs[5].high = ex_programs[5].measured * 5;
    ex_programs[9].predicted_heldout = ex_programs[9].measured * 0.3;
    ex_programs[9].low = ex_programs[9].measured * 0.2;
    ex_programs[9].high = ex_programs[9].measured * 0.6;
    ex_programs[11].stddev = REPORT_UNKNOWN;
    ex_programs[13].predicted_heldout = REPORT_UNKNOWN;
    ex_programs[14].shares = NULL;
    ex_programs[15].account = NULL;
    ex_programs[17].region = "kernel";
}

/* The figures of errors, by the definitions in report.h. */
static struct report_errors ex_errors(double *each, size_t n, const char *worst_program)
{
    struct report_errors e = REPORT_ERRORS_INIT;
    e.rows = n;
    e.mean = e.mean_abs = e.worst = 0;
    for (size_t i = 0; i < n; i++) {
        e.mean += each[i] / (double)n;
        e.mean_abs += fabs(each[i]) / (double)n;
        if (fabs(each[i]) > fabs(e.worst))
            e.worst = each[i];
    }
    e.median_abs = e.mean_abs * 0.8;
    e.worst_program = worst_program;
    e.each = each;
    return e;
}

static struct report_evaluation ex_evaluations[16];
static size_t ex_n_evaluations;

static struct report_evaluation *ex_evaluation(const char *classes, const char *solver, const char *scheme)
{
    struct report_evaluation *v = &ex_evaluations[ex_n_evaluations++];
    *v = (struct report_evaluation)REPORT_EVALUATION_INIT;
    v->classes = classes;
    v->solver = solver;
    v->scheme = scheme;
    return v;
}

static void ex_spread(struct report_errors *e, double mean_abs, double worst)
{
    *e = (struct report_errors){84, mean_abs / 5, mean_abs, mean_abs * 0.7, worst, "micro/qsort@O3", NULL};
}

static void ex_fill_evaluations(void)
{
    ex_n_evaluations = 0;
    size_t held = 0;
    for (size_t i = 0; i < EX_ROWS; i++) {
        const struct report_program *p = &ex_programs[i];
        if (p->role == REPORT_TEST) {
            ex_test_errors[i - (EX_ROWS - EX_TEST)] = p->predicted / p->measured - 1;
            continue;
        }
        ex_train_errors[i] = p->predicted / p->measured - 1;
        if (!isnan(p->predicted_heldout))
            ex_heldout_errors[held++] = p->predicted_heldout / p->measured - 1;
    }
    struct report_evaluation *v = ex_evaluation("latency", "shrink", "leave-one-out");
    v->train = ex_errors(ex_train_errors, EX_ROWS - EX_TEST, "micro/fir@O0");
    v->heldout = ex_errors(ex_heldout_errors, held, ex_programs[5].name);
    v = ex_evaluation("latency", "shrink", "test programs");
    v->train = ex_errors(ex_train_errors, EX_ROWS - EX_TEST, "micro/fir@O0");
    v->heldout = ex_errors(ex_test_errors, EX_TEST, "micro/sha256@O2");
    static const struct {
        const char *classes, *solver;
        double train, train_worst, heldout, heldout_worst;
    } others[] = {{"operand", "ols", 0.185, -0.6, 9.807, 48.1}, {"operand", "nnls", 0.161, 0.7, 0.24, 1.9},
                  {"origin", "ols", 0.251, -0.8, 0.738, -2.1},  {"origin", "nnls", 0.26, 0.9, 0.31, 1.4},
                  {"latency", "ridge", 0.07, 0.3, 0.15, 0.9},   {"mem", "ols", 0.093, 0.5, 134.6, 2210.0},
                  {"one", "mean", 0.42, 2.4, 0.43, 2.5}};
    for (size_t i = 0; i < COUNT(others); i++) {
        v = ex_evaluation(others[i].classes, others[i].solver, "leave-one-out");
        ex_spread(&v->train, others[i].train, others[i].train_worst);
        ex_spread(&v->heldout, others[i].heldout, others[i].heldout_worst);
        v->baseline = i + 1 == COUNT(others);
    }
    v = ex_evaluation("L2", "nnls", "leave-one-out");
    v->why_not = "this board has no event L2D_CACHE_REFILL";
}

/* A method that fits nothing, and one with programs left out; some programs have no estimate. */
static double ex_estimated[2][EX_ROWS], ex_left_out[2][EX_ROWS];
static const struct report_estimator ex_estimators[] = {
    {"schedule", "schedule: times of example.schedule.shim.xml", ex_estimated[0], ex_left_out[0]},
    {"compiled", NULL, ex_estimated[1], ex_left_out[1]},
    {"sum", "sum: " EX_HOSTILE, ex_estimated[0], NULL}};

static void ex_fill_estimators(void)
{
    unsigned state = 11;
    for (size_t i = 0; i < EX_ROWS; i++) {
        const struct report_program *p = &ex_programs[i];
        bool test = p->role == REPORT_TEST;
        ex_estimated[0][i] = i == 3 ? REPORT_UNKNOWN : p->measured * (1 + 0.1 * ex_bell(&state));
        ex_left_out[0][i] = i == 3 || test ? REPORT_UNKNOWN : p->measured * (1 + 0.12 * ex_bell(&state));
        double nothing_fitted = p->measured * (1 + 0.05 * ex_bell(&state));
        ex_estimated[1][i] = test ? nothing_fitted : REPORT_UNKNOWN;
        ex_left_out[1][i] = test ? REPORT_UNKNOWN : nothing_fitted;
    }
    ex_left_out[0][7] = ex_programs[7].measured * 1e6; /* beyond every axis */
}

static struct report_value ex_values[EX_CLASSES];
static struct report_instruction ex_instructions[] = {
    {"add", {0.48, 0.52, 0.6}, {0.98, 1.05, 1.2}, NULL, "8 401 220 occurrences in 84 programs"},
    {"fadd", {0.9, 1.02, 1.3}, {3.8, 4.1, 4.6}, NULL, "220 114 occurrences in 31 programs"},
    {"load", {0.9, 1.04, 1.6}, {2.7, 3.1, 9.8}, NULL, NULL},
    {"sdiv", {3.1, 4.0, 6.2}, {11.0, 12.5, 19.4}, NULL, "9 120 occurrences in 12 programs"},
    {"freeze", {0, 0.31, 0.8}, {0, 0.31, 0.8}, "others", NULL},
    {"va_arg", REPORT_CYCLES_INIT, REPORT_CYCLES_INIT, "others", NULL}};

static struct report_instruction ex_accesses[] = {
    {"memory near: load of 8 bytes", {30, 33.5, 80}, {140, 150, 240}, NULL, "core 3"},
    {"message from core 3 to core 2", {9, 11, REPORT_UNKNOWN}, {60, 70, REPORT_UNKNOWN}, NULL, "core 3"}};

static struct report_instruction ex_micro[] = {
    {"udiv.i32", {6.9, 7, 7.1}, {6.98, 7, 7.02}, NULL, "udiv"},
    {"udiv.i32: large", {10.9, 11, 11.1}, REPORT_CYCLES_INIT, NULL, "udiv"},
    {"trunc.i8: from-i32", {0, 0, 0}, REPORT_CYCLES_INIT, NULL, "no code, as was seen"}};

static void ex_fill_values(void)
{
    for (size_t i = 0; i < EX_CLASSES; i++) {
        struct report_value *v = &ex_values[i];
        *v = (struct report_value)REPORT_VALUE_INIT;
        v->variable = ex_classes[i];
        v->value = ex_cycles[i];
        v->low = ex_cycles[i] * (i == 9 ? 0 : 0.9);
        v->high = ex_cycles[i] * (i == 6 ? 1.7 : 1.12);
        v->rows = i == 6 ? 3 : 84;
        v->count = 1234567.0 * (double)(i + 1);
        v->share = 0.1;
        v->inherited = i == 6 ? "its class arith, of which it is 0.2 %" : NULL;
    }
    ex_values[8].low = ex_values[8].high = REPORT_UNKNOWN;
}

static const char ex_drawing[] =
    "<svg class=\"shim-drawing\" role=\"img\" aria-labelledby=\"shim-title\" viewBox=\"0 0 9 9\">"
    "<title id=\"shim-title\">4 cores</title><rect width=\"9\" height=\"9\"/></svg>\n";
static struct report_fact ex_facts[] = {{"CPU", "Example-53 r0p4", "made up for the tests"},
                                        {"Cores", "4", NULL},
                                        {"Kernel", "Linux 0.0-example", NULL},
                                        {"Compiler", "example-cc 1.0", NULL},
                                        {"Frequency", NULL, "the system does not say"}};
static struct report_fact ex_conditions[] = {
    {"Runs", "100 of each program", NULL},
    {"Pinned to", "core 3", NULL},
    {"Caches", "invalidated before each run", NULL},
    {"Value", "mean of the runs without outliers", "beyond 4 median absolute deviations"}};
static struct report_finding ex_findings[] = {
    {REPORT_NOTE, "div_d occurs in 3 programs only", "its value is its class's until there is more data"},
    {REPORT_WARNING, "the frequency governor is 'ondemand'", "set it to 'performance' and measure again"},
    {REPORT_NOTE, "program named " EX_HOSTILE, NULL}};
static struct report_file ex_files[] = {{"example.shim.xml", "the SHIM description", 182344},
                                        {"dataset.csv", "counts and cycles, a row per program", 48213},
                                        {"a folder/odd name%.csv", "needs encoding", 0},
                                        {"javascript:alert(1)", "must not be linked", 0}};
static const char *ex_commands[] = {"make shim BOARD=example", "shimgen build example --runs 100"};

static struct report_covered ex_covered[] = {
    {"add", 84, 0.31, 0.2, 0.6, 41.7, 0.07, "micro/fir", 0.52, 0.02, "well", "known within +-3.8 %", NULL},
    {"div_d", 3, 0.001, 0.04, 1, 1.2, 0.9, EX_HOSTILE, 12.5, INFINITY, "alike", "cannot be told apart from 'mul_d'",
     "more programs like " EX_HOSTILE},
    {"atomic", 0, 0, 0, REPORT_UNKNOWN, REPORT_UNKNOWN, REPORT_UNKNOWN, NULL, 10, REPORT_UNKNOWN, "absent",
     "no program executes it", "atomicrmw: counters between threads"}};

static struct report example_make(void)
{
    struct report r = REPORT_INIT;
    ex_fill_programs();
    ex_fill_evaluations();
    ex_fill_values();
    ex_fill_estimators();
    r.title = "Example board (made-up data, nothing was measured)";
    r.board = "example";
    r.version = "0.0";
    r.generated = "1 January 2000";
    r.facts = ex_facts, r.n_facts = COUNT(ex_facts);
    r.drawing = ex_drawing;
    r.clock = (struct report_clock){"TSC_CYCLES", false,
                                    "The counter runs at a constant rate, whatever the core's own clock does: read the "
                                    "figures as time in units of 0.5 ns."};
    r.conditions = ex_conditions, r.n_conditions = COUNT(ex_conditions);
    r.findings = ex_findings, r.n_findings = COUNT(ex_findings);
    r.classes = ex_classes, r.n_classes = EX_CLASSES;
    r.accounts = ex_accounts, r.n_accounts = EX_ACCOUNTS, r.account_model = "target \xc3\x97 shrink";
    r.programs = ex_programs, r.n_programs = EX_ROWS;
    r.chosen_classes = "latency", r.chosen_solver = "shrink";
    r.chosen_why =
        "It has the smallest mean absolute held-out error of those whose values are all physically possible.";
    r.evaluations = ex_evaluations, r.n_evaluations = ex_n_evaluations;
    r.estimators = ex_estimators, r.n_estimators = COUNT(ex_estimators);
    r.values = ex_values, r.n_values = EX_CLASSES;
    r.interval = 0.9;
    r.coverage = (struct report_coverage){ex_covered, COUNT(ex_covered), 28.4, 0.083, 46, 5, 3, 2, 0, 10};
    r.instructions = ex_instructions, r.n_instructions = COUNT(ex_instructions);
    r.accesses = ex_accesses, r.n_accesses = COUNT(ex_accesses);
    r.micro = ex_micro, r.n_micro = COUNT(ex_micro);
    r.evidence = "10 instruction values: 8 fitted";
    r.files = ex_files, r.n_files = COUNT(ex_files);
    r.commands = ex_commands, r.n_commands = COUNT(ex_commands);
    return r;
}

#endif
