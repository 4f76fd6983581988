/* test_read_perf.c - lines of `perf script` as tables: functions, calls, windows, what is unknown. Figures by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "shimgen/offload/event_weights.h"
#include "shimgen/offload/offload.h"
#include "shimgen/offload/perf_line.h"
#include "tests/unit/offload/files.h"

enum { CYCLES, CLOCK, DOUBLES, SINGLES, LINES, COUNT, N_EVENTS };
static struct event_weight events[] = {{"cycles", EVENT_CYCLES, 2},      {"task-clock", EVENT_SECONDS, 1e-9},
                                       {"doubles", EVENT_OPERATIONS, 4}, {"singles", EVENT_OPERATIONS, 1},
                                       {"lines", EVENT_BYTES, 64},       {"instructions", EVENT_INSTRUCTIONS, 1}};
static const struct event_weights weights = {.path = "w.ini", .events = {.at = events, .n = N_EVENTS}};

static enum status read_texts(struct offload_table *t, const char *const *texts, size_t n, double clock, double window,
                              struct error *e)
{
    char *paths[4];
    struct accelerator a = {.path = "acc.ini", .host_clock = clock};
    for (size_t i = 0; i < n; i++) {
        char name[] = {'s', (char)('0' + i), 0};
        paths[i] = files_write(name, texts[i]);
    }
    struct offload_samples s = {(const char *const *)paths, n, &weights, window};
    enum status status = offload_read_perf(t, &s, &a, e);
    for (size_t i = 0; i < n; i++)
        free(paths[i]);
    return status;
}

static struct offload_table read_text(const char *text, double clock, double window)
{
    struct offload_table t;
    struct error e = ERROR_INIT;
    if (read_texts(&t, &text, 1, clock, window, &e))
        fail_msg("%lu: %s", e.line, e.message);
    return t;
}

static void is_function(const struct offload_table *t, size_t i, const char *name, double seconds, double flops,
                        double bytes)
{
    const struct offload_function *f = &t->functions.at[i];
    assert_string_equal(f->name, name);
    assert_float_equal(f->self[OFFLOAD_TIME], seconds, 1e-12);
    assert_float_equal(f->self[OFFLOAD_INSTRUCTIONS], seconds, 1e-12);
    assert_float_equal(f->self[OFFLOAD_FLOPS], flops, 1e-9);
    assert_float_equal(f->self[OFFLOAD_BYTES], bytes, 1e-9);
}

/* main calls f, f calls f and g. 1000 cycles count as 2000, at 1e6 Hz: 2 ms. */
static void chains(void **state)
{
    (void)state;
    struct offload_table t =
        read_text("p 1 1.000000: 1000 cycles:u:\n\t 40 g+0x1 (/p)\n\t 41 f+0x2 (/p)\n\t 42 f+0x3 (/p)\n"
                  "\t 42 f+0x3 (/p)\n\t 43 main (/p)\n\n"
                  "p 1 1.000500: 500 cycles:u:\n\t 41 f+0x2 (/p)\n\t 43 main (/p)\n\n"
                  "p 1 1.001000: 10 doubles: 40 g+0x1 (/p)\n"
                  "p 1 1.001100: 8 singles: 40 g+0x1 (/p)\n"
                  "p 1 1.002000: 3 lines: 41 f+0x1 (/p)\n"
                  "p 1 1.003000: 7 instructions: 41 f+0x1 (/p)\n",
                  1e6, 0.001);
    assert_string_equal(t.kind, "perf samples");
    assert_string_equal(t.program, "s0");
    assert_int_equal(t.functions.n, 3);
    is_function(&t, 0, "g", 0.002, 48, 0);
    is_function(&t, 1, "f", 0.001, 0, 192);
    is_function(&t, 2, "main", 0, 0, 0);
    assert_int_equal(t.known, 1U << OFFLOAD_TIME | 1U << OFFLOAD_FLOPS | 1U << OFFLOAD_BYTES);
    assert_int_equal(t.notes.n, 0);
    assert_int_equal(t.arcs.n, 3); /* f to g, f to f once a sample, main to f */
    static const struct {
        uint32_t caller, callee;
        double instructions;
    } arcs[] = {{1, 0, 0.002}, {1, 1, 0.002}, {2, 1, 0.003}};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(t.arcs.at[i].caller, arcs[i].caller);
        assert_int_equal(t.arcs.at[i].callee, arcs[i].callee);
        assert_float_equal(t.arcs.at[i].instructions, arcs[i].instructions, 1e-12);
        assert_float_equal(t.arcs.at[i].calls, 0, 0);
    }
    assert_string_equal(t.window_size, "1 ms");
    static const struct {
        double begin;
        size_t first, n;
    } windows[] = {{0, 0, 2}, {0.001, 2, 1}, {0.002, 3, 1}};
    assert_int_equal(t.windows.n, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_float_equal(t.windows.at[i].begin, windows[i].begin, 1e-12);
        assert_float_equal(t.windows.at[i].seconds, 0.001, 1e-12);
        assert_int_equal(t.windows.at[i].first, windows[i].first);
        assert_int_equal(t.windows.at[i].n, windows[i].n);
    }
    assert_float_equal(t.spent.at[0].costs[OFFLOAD_TIME], 0.002, 1e-12);
    assert_int_equal(t.spent.at[1].function, 1);
    assert_float_equal(t.spent.at[2].costs[OFFLOAD_FLOPS], 48, 1e-9);
    assert_float_equal(t.spent.at[3].costs[OFFLOAD_BYTES], 192, 1e-9);
    offload_table_release(&t);
}

/* Two files have cycles, one each has operations and bytes: cycles are their mean. Each file's time begins with its first sample. */
static void several_files(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "p 1 5.000000: 1000 cycles: 40 f (/p)\np 1 5.500000: 10 doubles: 40 f (/p)\n",
        "p 1 9.500000: 2000 cycles: 40 f (/p)\np 1 9.000000: 4 lines: 40 g (/p)\np 1 9.100000: 4 other:u: 40 g (/p)\n"
        "p 1 9.100000: 4 other:u: 40 g (/p)\n"};
    struct offload_table t;
    struct error e = ERROR_INIT;
    assert_int_equal(read_texts(&t, texts, 2, 1000, 0.5, &e), OK);
    is_function(&t, 0, "f", 3, 40, 0);
    is_function(&t, 1, "g", 0, 0, 256);
    assert_int_equal(t.windows.n, 2);
    assert_int_equal(t.windows.at[0].n, 2); /* f's first cycles, g's bytes */
    assert_int_equal(t.windows.at[1].n, 1);
    assert_float_equal(t.spent.at[0].costs[OFFLOAD_TIME], 1, 1e-12);
    assert_float_equal(t.spent.at[2].costs[OFFLOAD_TIME], 2, 1e-12);
    assert_float_equal(t.spent.at[2].costs[OFFLOAD_FLOPS], 40, 1e-12);
    assert_int_equal(t.notes.n, 1);
    assert_string_equal(t.notes.at[0], "event other has no weight in w.ini: it is left out");
    offload_table_release(&t);
}

/* A window has the samples from its begin on. What is later than a million windows belongs to the last. */
static void windows(void **state)
{
    (void)state;
    struct offload_table t =
        read_text("p 1 100.000000: 1 task-clock: 40 a (/p)\np 1 100.019999: 1 task-clock: 40 a (/p)\n"
                  "p 1 100.020000: 1 task-clock: 40 b (/p)\np 1 100.020001: 1 task-clock: 40 a (/p)\n"
                  "p 1 40000.000000: 1 task-clock: 40 c (/p)\n"
                  "p 1 50000.000000: 1 task-clock: 40 c (/p)\n",
                  NAN, 0.02);
    assert_int_equal(t.windows.n, 3);
    assert_int_equal(t.windows.at[0].n, 1);
    assert_int_equal(t.windows.at[1].n, 2);
    assert_float_equal(t.windows.at[1].begin, 0.02, 1e-12);
    assert_float_equal(t.windows.at[2].begin, 20000, 1e-6);
    assert_int_equal(t.windows.at[2].n, 1);
    assert_float_equal(t.spent.at[0].costs[OFFLOAD_TIME], 2e-9, 1e-15);
    assert_float_equal(t.spent.at[3].costs[OFFLOAD_TIME], 2e-9, 1e-15);
    offload_table_release(&t);
}

static bool has_note(const struct offload_table *t, const char *text)
{
    for (size_t i = 0; i < t->notes.n; i++)
        if (strcmp(t->notes.at[i], text) == 0)
            return true;
    return false;
}

/* Of 100 samples two have no name: 2 %; one would not be said. A counter that only reads 0 tells nothing. */
static void what_is_unknown(void **state)
{
    (void)state;
    for (int nameless = 1; nameless <= 2; nameless++) {
        struct str text = STR_INIT;
        for (int i = 0; i < 100; i++)
            str_addf(&text, "p 1 1.000000: %d %s: 40%s\n", i == 50 ? 0 : 5, i == 50 ? "doubles" : "task-clock",
                     i < nameless ? "" : " f (/p)");
        struct offload_table t = read_text(str_text(&text), NAN, 1);
        assert_int_equal(has_note(&t, "2.0 % of the samples are in functions without a name: there are no symbols"),
                         nameless == 2);
        assert_true(has_note(&t, "event doubles is 0 in all samples: the counter does not work, and is left out"));
        assert_true(
            has_note(&t, "the operations are unknown: no sample has an event of section [operations] of w.ini"));
        assert_true(has_note(&t, "the bytes demanded are unknown: no sample has an event of section [bytes] of w.ini"));
        assert_int_equal(t.notes.n, nameless + 2);
        assert_int_equal(t.known, 1U << OFFLOAD_TIME);
        assert_string_equal(t.functions.at[0].name, "[unknown]");
        offload_table_release(&t);
        str_release(&text);
    }
}

static void obstacles(void **state)
{
    (void)state;
    struct offload_table t = read_text("p 1 1.0: 5 task-clock: 40 printf (/lib/libc.so.6)\n"
                                       "p 1 1.0: 5 task-clock: 40 printf (/home/prog)\n"
                                       "p 1 1.0: 5 task-clock: 40 write ([kernel.kallsyms])\n"
                                       "p 1 1.0: 5 task-clock: 40 anything ([kernel.kallsyms])\n"
                                       "p 1 1.0: 5 task-clock: 40 malloc (/lib/modules/kernel/x)\n",
                                       NAN, 1);
    static const unsigned wanted[] = {OFFLOAD_IO, 0, OFFLOAD_IO | OFFLOAD_SYSTEM, OFFLOAD_SYSTEM, OFFLOAD_ALLOCATE};
    assert_int_equal(t.functions.n, 5);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(t.functions.at[i].obstacles, wanted[i]);
    offload_table_release(&t);
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned long line;
        const char *message, *file;
    } cases[] = {{"p 1 1.0: x cycles: 40 f\n", 1, "the sample has no period", "s0"},
                 {"p 1 1.0: inf cycles: 40 f\n", 1, "the sample has no period", "s0"},
                 {"p 1 1.0: -1 cycles: 40 f\n", 1, "the sample has no period", "s0"},
                 {"p 1 1.0: 1\n", 1, "the sample has no event", "s0"},
                 {"p 1 1.0: 1 cycles 40 f\n", 1, "the sample has no event", "s0"},
                 {"p 1 1.0: 1 cycles: 4x f\n", 1, "the sample has no address", "s0"},
                 {"# r\n\n zz (/p)\n", 3, "the line is neither a sample nor a frame of its call chain", "s0"},
                 {"p 1 1.0: 1 cycles: 40 f", 1, "the file ends in the middle of a line", "s0"},
                 {"# only\n", 0, "has no samples; write it by: perf script", "s0"},
                 {"p 1 1.0: 1 doubles: 40 f\n", 0,
                  "no sample has an event of section [cycles] or [seconds] of w.ini: functions have no time", "s0"},
                 {"p 1 1.0: 1 cycles: 40 f\n", 0, "[host] clock is needed: it turns cycles into time", "acc.ini"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct offload_table t;
        struct error e = ERROR_INIT;
        assert_int_equal(read_texts(&t, &cases[i].text, 1, NAN, 1, &e), ERR_INPUT);
        if (strncmp(e.message, cases[i].message, strlen(cases[i].message)) != 0 || e.line != cases[i].line)
            fail_msg("'%s': %lu: %s", cases[i].text, e.line, e.message);
        assert_string_equal(path_basename(e.file), cases[i].file);
        error_release(&e);
        offload_table_release(&t);
    }
    /* a clock is only needed for cycles that count */
    struct offload_table t = read_text("p 1 1.0: 0 cycles: 40 f\np 1 1.0: 1 task-clock: 40 f\n", NAN, 1);
    offload_table_release(&t);
}

/* Names of commands, functions and files have spaces and brackets. */
static void lines(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        enum perf_kind kind;
        double time, period;
        const char *event, *function, *object;
    } cases[] = {{"my 12: prog 7/8 [001] 12.5: 3.5 cycles:ppp: 40 f+0x1 (/a b)\n", PERF_SAMPLE, 12.5, 3.5, "cycles",
                  "f", "/a b"},
                 {"p 1  0.000001:\t20\tcycles:\n", PERF_SAMPLE, 1e-6, 20, "cycles", NULL, ""},
                 {"p 1 7.0: 20 cycles: 0 \n", PERF_SAMPLE, 7, 20, "cycles", "[unknown]", ""},
                 {"\tffffABCD f(int, char)+0xff (/usr/lib (1)/x)\r\n", PERF_FRAME, 0, 0, NULL, "f(int, char)", "1)/x"},
                 {"  12 operator+(a) ([vdso])\n", PERF_FRAME, 0, 0, NULL, "operator+(a)", "[vdso]"},
                 {"  12 f(int)\n", PERF_FRAME, 0, 0, NULL, "f(int)", ""},
                 {"  12 (/p)\n", PERF_FRAME, 0, 0, NULL, "[unknown]", "/p"},
                 {"  12 a+1+0x3   (/p)  \n", PERF_FRAME, 0, 0, NULL, "a+1", "/p"},
                 {" \t\n", PERF_BLANK, 0, 0, NULL, NULL, NULL},
                 {"\n", PERF_BLANK, 0, 0, NULL, NULL, NULL},
                 {"# p 1 7.0: 20 cycles:\n", PERF_END, 0, 0, NULL, NULL, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct perf_file p;
        struct error e = ERROR_INIT;
        enum perf_kind kind;
        char *path = files_write("line", cases[i].line);
        assert_int_equal(perf_open(&p, path, &e), OK);
        if (perf_next(&kind, &p, &e))
            fail_msg("%s: %s", cases[i].line, e.message);
        assert_int_equal(kind, cases[i].kind);
        if (kind == PERF_SAMPLE) {
            assert_true(p.time == cases[i].time && p.period == cases[i].period);
            assert_string_equal(p.event, cases[i].event);
        }
        if (kind == PERF_SAMPLE || kind == PERF_FRAME) {
            if (cases[i].function)
                assert_string_equal(p.function, cases[i].function);
            else
                assert_null(p.function);
            assert_string_equal(p.object, cases[i].object);
        }
        perf_close(&p);
        free(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(chains),    cmocka_unit_test(several_files),
                                       cmocka_unit_test(windows),   cmocka_unit_test(what_is_unknown),
                                       cmocka_unit_test(obstacles), cmocka_unit_test(refused),
                                       cmocka_unit_test(lines)};
    return cmocka_run_group_tests(tests, files_begin, files_end);
}
