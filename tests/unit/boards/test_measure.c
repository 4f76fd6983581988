/* The measuring itself: small programs built with the runtime and run, good ones and bad ones. */
#include "fixture.h"

#include <math.h>

#include "base/proc.h"
#include "boards/measure/result.h"

static struct board *board; /* the host, a few runs */

/* Compiles and links `source` as the product does; the caller frees the executable's path. */
static char *build(const char *name, const char *source)
{
    struct error e = ERROR_INIT;
    struct board_args args = {0, 0};
    char *c_name = xasprintf("%s.c", name), *c = put_file(c_name, source), *out = in_scratch(name);
    board_args_add(&args, board->compiler);
    board_compile_flags(board, "O2", &args);
    board_args_add(&args, c);
    board_args_add(&args, "-o");
    board_args_add(&args, out);
    assert_int_equal(board_link_flags(board, scratch, &args, &e), OK);
    struct proc p = {.argv = (const char *const *)args.at, .capture = true, .timeout_s = 60, .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    if (proc_must(&p, &r, &e)) {
        error_print(&e, "test_measure");
        fail();
    }
    proc_result_release(&r);
    board_args_release(&args);
    free(c_name);
    free(c);
    return out;
}

static struct measurements *measure(const char *name, const char *source)
{
    struct error e = ERROR_INIT;
    struct measurements *m = measurements_new();
    char *program = build(name, source);
    if (board_measure(board, program, name, NULL, m, &e)) {
        skip_if_emulated(&e);
        error_print(&e, "test_measure");
        fail();
    }
    free(program);
    return m;
}

static void refuse(const char *name, const char *source, enum status wanted, const char *message)
{
    struct error e = ERROR_INIT;
    struct measurements *m = measurements_new();
    char *program = build(name, source);
    enum status s = board_measure(board, program, name, NULL, m, &e);
    if (s != wanted)
        fail_msg("%s: status %d, wanted %d", name, (int)s, (int)wanted);
    assert_says(&e, message);
    assert_int_equal(m->rows.n, 0); /* nothing kept */
    assert_int_equal(m->programs.n, 0);
    measurements_free(m);
    free(program);
}

#define HEAD "#include <shim_region.h>\n#include <stdlib.h>\n#include <unistd.h>\nvolatile unsigned long in = 1, out;\n"

static double cycles(const struct measurements *m, const char *program, const char *region)
{
    const struct measurement *r = measurements_find(m, program, region, measurements_cycle_event(m));
    if (!r)
        fail_msg("%s has no region '%s'", program, region);
    return r->value;
}

/* A chain of n multiplications takes n times as long as one: no overhead is left in, none too much taken off. */
static void test_known_work(void **state)
{
    (void)state;
    struct measurements *m =
        measure("chain", HEAD
                "static unsigned long chain(long n, unsigned long x)\n"
                "{ for (long i = 0; i < n; i++) { x = x * 3 + 1; __asm__ volatile(\"\" : \"+r\"(x)); } return x; }\n"
                "int main(void)\n{\n"
                "  out = chain(1000, in);\n"
                "  shim_region_begin(\"n\"); out = chain(20000, in); shim_region_end(\"n\");\n"
                "  shim_region_begin(\"4n\"); out = chain(80000, in); shim_region_end(\"4n\");\n"
                "  return 0;\n}\n");
    const struct measurement *one = measurements_find(m, "chain", "n", BOARD_CORE_ESTIMATE),
                             *four = measurements_find(m, "chain", "4n", BOARD_CORE_ESTIMATE);
    double ratio = one ? four->value / one->value : cycles(m, "chain", "4n") / cycles(m, "chain", "n");
    if (ratio < 3.8 || ratio > 4.2)
        fail_msg("four times the work took %.3f times the cycles", ratio);
    measurements_free(m);
}

/* A program that measures nothing: launch n writes a result as the runtime does, of C(n) ticks of a counter that
 * runs at the core's clock, in a region that was switched out I(n) times. So what is done with it does not depend on
 * the machine or its load. */
#define FAKE(C, I)                                                                                                     \
    "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n"                                                   \
    "#define C(n) (" C ")\n#define I(n) (" I ")\n"                                                                     \
    "int main(void)\n{ char exe[4000] = \"\", counter[4096]; int n = 1;\n"                                             \
    "  if (readlink(\"/proc/self/exe\", exe, sizeof exe - 1) < 0) return 9;\n"                                         \
    "  snprintf(counter, sizeof counter, \"%s.n\", exe);\n"                                                            \
    "  FILE *f = fopen(counter, \"r\"); if (f) { if (fscanf(f, \"%d\", &n) != 1) return 9; fclose(f); n++; }\n"        \
    "  f = fopen(counter, \"w\"); fprintf(f, \"%d\\n\", n); fclose(f);\n"                                              \
    "  f = fopen(getenv(\"SHIM_MEASURE_OUT\"), \"w\");\n"                                                              \
    "  fprintf(f, \"shim-measure 1\\nsource constant\\nclock TSC_CYCLES 1000000000\\ncore_ppm 1000000\\ncache "        \
    "cold\\n\"\n"                                                                                                      \
    "    \"flush 0 0 0 none\\npriority nice 0\\nmemory locked\\nother_threads_ns 0\\nevent TSC_CYCLES 0 0\\n\"\n"      \
    "    \"region r 1 0 r 0 %d 0 0 0 0 5000 1000000 0 0\\nvalue %d\\nend 12\\n\", I(n), C(n));\n"                      \
    "  return fclose(f) ? 9 : (_exit(0), 0); }\n"

/* How often the program is launched, and how many of its runs count. */
static void launched(const char *name, const char *source, unsigned launches, unsigned runs)
{
    struct measurements *m = measure(name, source);
    const struct measurement *r = measurements_find(m, name, "r", BOARD_CORE_ESTIMATE);
    assert_non_null(r);
    if (m->programs.at[0].launches != launches || r->runs != runs)
        fail_msg("%s: %u launches, of which %u count; expected %u, %u", name, m->programs.at[0].launches, r->runs,
                 launches, runs);
    assert_true(m->conditions.precision == board->precision && m->conditions.runs == board->runs);
    measurements_free(m);
}

/* Launched until it is known well enough: never fewer runs than the least, and not more than are asked for. */
static void test_until_precise(void **state)
{
    (void)state;
    struct board before = *board;
    board->source = BOARD_SOURCE_CONSTANT; /* no counters to prove */
    board->budget_s = 0;
    board->runs = 60;
    board->precision = 0.05;
    board->least_runs = 12;
    launched("even", FAKE("1000", "0"), 12, 12);
    /* 900 and 1100 in turn, then 1000. Of 12 runs the half width is 0.0664 of the value: sigma 148.26, each psi 0.6745,
     * t 2.201. (0.0664 / 0.05)^2 - 1 of 12 are 9 more, half of 12 are 6. Of 18 it is 0.0418, with t 2.110. */
    launched("settles", FAKE("n > 12 ? 1000 : n % 2 ? 900 : 1100", "0"), 18, 18);
    launched("never", FAKE("600 + n % 3 * 400", "0"), 60, 60);
    launched("switched", FAKE("1000", "n <= 5"), 17, 12); /* those that were switched out are made up for */
    board->extra_runs = 7;
    launched("always", FAKE("600 + n % 3 * 400", "n % 4 == 1"), 67,
             50); /* up to 67 launches, 17 of them switched out */
    /* The time is over after the first launch: the runs so far count, of which there are at least 10. */
    board->budget_s = 1e-9;
    launched("late", FAKE("600 + n % 3 * 400", "0"), 10, 10);
    board->source = before.source;
    board->budget_s = before.budget_s;
    board->runs = before.runs;
    board->extra_runs = before.extra_runs;
    board->precision = before.precision;
    board->least_runs = before.least_runs;
}

/* Empty regions, and inner ones in an outer one: what measuring costs is taken off of both. */
static void test_overhead(void **state)
{
    (void)state;
    board->cache = BOARD_WARM;
    struct measurements *m = measure(
        "empty", HEAD "int main(void)\n{\n"
                      "  shim_region_begin(\"outer\");\n"
                      "  for (int i = 0; i < 200; i++) { shim_region_begin(\"inner\"); shim_region_end(\"inner\"); }\n"
                      "  shim_region_end(\"outer\");\n  return 0;\n}\n");
    board->cache = BOARD_COLD;
    const char *event = measurements_cycle_event(m);
    const struct measurement *inner = measurements_find(m, "empty", "inner", event),
                             *outer = measurements_find(m, "empty", "outer", event);
    assert_non_null(inner);
    assert_non_null(outer);
    assert_true(inner->entries == 200 && outer->entries == 1);
    assert_true(inner->overhead > 0 && outer->overhead > inner->overhead);
    if (inner->value > 0.15 * inner->overhead || outer->value > 0.25 * outer->overhead)
        fail_msg("left over: inner %.0f of %.0f, outer %.0f of %.0f", inner->value, inner->overhead, outer->value,
                 outer->overhead);
    measurements_free(m);
}

/* A chase through 128 KB that were written just before: they are in the second-level cache of any processor, unless
 * they are flushed; then each step waits for memory. */
static void test_cold_and_warm(void **state)
{
    (void)state;
    static const char source[] = HEAD "static unsigned next[1 << 11][16];\n"
                                      "int main(void)\n{\n"
                                      "  for (unsigned i = 0; i < 1 << 11; i++)\n"
                                      "    next[i][0] = (i * 5 + 1235) & ((1 << 11) - 1);\n"
                                      "  SHIM_KEEP(next);\n"
                                      "  unsigned i = 0;\n"
                                      "  shim_region_begin(\"walk\");\n"
                                      "  for (int k = 0; k < 1 << 11; k++) i = next[i][0];\n"
                                      "  out = i;\n"
                                      "  shim_region_end(\"walk\");\n  return 0;\n}\n";
    board->cache = BOARD_COLD;
    struct measurements *cold = measure("cold", source);
    board->cache = BOARD_WARM;
    struct measurements *warm = measure("warm", source);
    board->cache = BOARD_COLD;
    assert_string_equal(cold->conditions.cache, "cold");
    assert_string_equal(warm->conditions.cache, "warm");
    double a = cycles(cold, "cold", "walk"), b = cycles(warm, "warm", "walk");
    if (a < 4 * b)
        fail_msg("cold %.0f, warm %.0f", a, b);
    measurements_free(cold);
    measurements_free(warm);
}

/* An array is sorted that earlier launches sorted too: predictors that know it take half of the cycles off. Whether
 * they lose by themselves, at another address, or must be made to, they have done so. */
static void forgets_earlier_launches(const char *name, const char *head)
{
    struct error e = ERROR_INIT;
    char *source = xasprintf("%s%s", head,
                             HEAD "static unsigned a[400];\n"
                                  "int main(void)\n{ unsigned x = 1;\n"
                                  "  for (int i = 0; i < 400; i++) a[i] = (x = x * 1664525u + 1013904223u) >> 8;\n"
                                  "  shim_region_begin(\"sort\");\n"
                                  "  for (int g = 200; g; g /= 2)\n"
                                  "    for (int i = g; i < 400; i++) {\n"
                                  "      unsigned v = a[i]; int k = i;\n"
                                  "      for (; k >= g && a[k - g] > v; k -= g) a[k] = a[k - g];\n"
                                  "      a[k] = v; }\n"
                                  "  shim_region_end(\"sort\"); out = a[7]; return 0; }\n");
    char *program = build(name, source);
    double value[3];
    board->cache = BOARD_WARM;
    for (int i = 0; i < 3; i++) {
        struct measurements *m = measurements_new();
        board->runs = i == 1 ? 60 : 12;
        if (board_measure(board, program, name, NULL, m, &e)) {
            skip_if_emulated(&e);
            error_print(&e, "test_measure");
            fail();
        }
        const struct measurement *r = measurements_find(m, name, "sort", BOARD_CORE_ESTIMATE);
        if (!r)
            r = measurements_find(m, name, "sort", measurements_cycle_event(m));
        assert_true(r && r->minimum > 0);
        value[i] = i ? r->value : r->minimum; /* other work on the machine at first must not look like training later */
        const char *how = m->conditions.cache_method;
        assert_true(strstr(how, "untrained before that") || strstr(how, "not seen the addresses"));
        if (*head)
            assert_non_null(strstr(how, "untrained before that"));
        measurements_free(m);
    }
    board->cache = BOARD_COLD;
    board->runs = 25;
    if (value[2] < 0.85 * value[0])
        fail_msg("%s: %.0f cycles at first, %.0f after many launches", name, value[0], value[2]);
    free(program);
    free(source);
}

static char **own_flags;

static void test_forgets_earlier_launches(void **state)
{
    (void)state;
    static char *fixed[] = {"-static", "-no-pie", NULL};
    forgets_earlier_launches("anywhere", "");
    board->link_flags = fixed;
    forgets_earlier_launches("fixed", "/* at addresses that never change */\n");
}

static int keep_flags(void **state)
{
    (void)state;
    own_flags = board->link_flags;
    return 0;
}

/* Also when the test failed: the board's own are freed with it. */
static int put_flags_back(void **state)
{
    (void)state;
    board->link_flags = own_flags;
    return 0;
}

static void test_main_is_a_region(void **state)
{
    (void)state;
    struct measurements *m =
        measure("whole", HEAD "int main(void)\n{ for (int i = 0; i < 1000; i++) out += in; return 0; }\n");
    assert_true(cycles(m, "whole", "main") > 100);
    for (size_t i = 0; i < m->rows.n; i++)
        assert_string_equal(m->rows.at[i].region, "main");
    measurements_free(m);
    m = measure("leaves", HEAD "int main(void)\n{ for (int i = 0; i < 1000; i++) out += in; exit(0); }\n");
    assert_true(cycles(m, "leaves", "main") > 100);
    measurements_free(m);
}

/* Recursion: the region counts from its outermost entry to the end of that, once. */
static void test_recursive_region(void **state)
{
    (void)state;
    struct measurements *m =
        measure("again", HEAD
                "static void f(int n)\n{\n  shim_region_begin(\"f\");\n  for (int i = 0; i < 5000; i++) out += in;\n"
                "  if (n) f(n - 1);\n  shim_region_end(\"f\");\n}\n"
                "int main(void)\n{ f(3); return 0; }\n");
    const struct measurement *r = measurements_find(m, "again", "f", measurements_cycle_event(m));
    assert_non_null(r);
    assert_true(r->entries == 1);
    measurements_free(m);
}

static void test_bad_programs(void **state)
{
    (void)state;
    refuse("fails", HEAD "#include <stdio.h>\nint main(void)\n{ fputs(\"wrong sum\\n\", stderr); return 1; }\n",
           ERR_INPUT, "fails: the program exited with 1 in run 1 (wrong sum); its self-check fails");
    refuse("crashes", HEAD "int main(void)\n{ abort(); }\n", ERR_INPUT, "was killed by SIGABRT in run 1");
    refuse("vanishes", HEAD "int main(void)\n{ _exit(0); }\n", ERR_INPUT, "ended without a result");
    refuse("open", HEAD "int main(void)\n{ shim_region_begin(\"r\"); return 0; }\n", ERR_UNSUPPORTED,
           "region 'r' is still open");
    refuse("crossed",
           HEAD "int main(void)\n{ shim_region_begin(\"a\"); shim_region_begin(\"b\"); shim_region_end(\"a\");"
                " shim_region_end(\"b\"); return 0; }\n",
           ERR_UNSUPPORTED, "region 'a' is closed although it is not the innermost");
    refuse("changes",
           HEAD "#include <fcntl.h>\n#include <stdio.h>\n#include <unistd.h>\nint main(void)\n"
                "{ char exe[4000] = \"\", seen[4096];\n"
                "  if (readlink(\"/proc/self/exe\", exe, sizeof exe - 1) < 0) return 9;\n"
                "  snprintf(seen, sizeof seen, \"%s.seen\", exe);\n"
                "  const char *n = unlink(seen) ? \"odd\" : \"even\";\n"
                "  if (*n == 'o') close(creat(seen, 0600));\n"
                "  shim_region_begin(n); shim_region_end(n); return 0; }\n",
           ERR_INPUT, "must do the same in every run");
    board->timeout_s = 0.5;
    refuse("hangs", HEAD "int main(void)\n{ for (;;) out += in; }\n", ERR_INPUT, "did not end within 0.5 s");
    board->timeout_s = 60;
}

static void test_threads(void **state)
{
    (void)state;
    refuse("threads",
           HEAD
           "#include <pthread.h>\nstatic void *f(void *p)\n{ for (int i = 0; i < 1000000; i++) out += in; return p; }\n"
           "int main(void)\n{ pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }\n",
           ERR_UNSUPPORTED, "further threads");
}

static void test_exit_in_warm_up(void **state)
{
    (void)state;
    board->cache = BOARD_WARM;
    refuse("exits", HEAD "int main(void)\n{ exit(0); }\n", ERR_UNSUPPORTED, "calls exit in the warm-up run");
    refuse("fails2", HEAD "int main(void)\n{ return 3; }\n", ERR_INPUT, "exited with 3");
    board->cache = BOARD_COLD;
}

/* Without its variable the runtime does nothing: the program runs as if it were not there. */
static void test_by_hand(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    char *program =
        build("byhand", HEAD "int main(int c, char **v)\n{ shim_region_begin(\"r\"); return c + v[1][0]; }\n");
    const char *argv[] = {program, "\x05", NULL};
    struct proc p = {.argv = argv, .capture = true, .timeout_s = 10, .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    assert_int_equal(proc_run(&p, &r, &e), OK);
    assert_int_equal(r.exit_code, 7);
    assert_string_equal(str_text(&r.out), "");
    assert_string_equal(str_text(&r.err), "");
    proc_result_release(&r);
    free(program);
}

static struct run_result *run_with(const char *program, const char *events)
{
    struct error e = ERROR_INIT;
    struct run_result *result = NULL;
    char *out = in_scratch("rt.out"), *where = xasprintf("SHIM_MEASURE_OUT=%s", out);
    const char *argv[] = {program, NULL}, *environment[] = {where, events, "SHIM_MEASURE_SOURCE=auto", NULL};
    struct proc p = {.argv = argv, .environment = environment, .capture = true, .timeout_s = 10, .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    assert_int_equal(remove_tree(out, &e), OK);
    assert_int_equal(proc_must(&p, &r, &e), OK);
    assert_int_equal(run_result_read(&result, out, &e), OK);
    proc_result_release(&r);
    free(out);
    free(where);
    return result;
}

/* The perf path without a PMU: software events form a group, are read as one, and are on all the time. Their kind is
 * PERF_TYPE_SOFTWARE, 1; task-clock 1, page-faults 2 (perf_event_open(2)). */
static void test_software_group(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    char *program =
        build("soft", HEAD "#include <stdlib.h>\nint main(void)\n{\n"
                           "  char *p = malloc(64 << 20);\n"
                           "  shim_region_begin(\"touch\");\n"
                           "  for (long i = 0; i < 100 * 4096; i += 4096) p[i] = 1;\n"
                           "  SHIM_KEEP(p);\n  shim_region_end(\"touch\");\n"
                           "  shim_region_begin(\"spin\");\n  for (int i = 0; i < 3000000; i++) out += in;\n"
                           "  shim_region_end(\"spin\");\n  return 0;\n}\n");
    struct run_result *r =
        run_with(program, "SHIM_MEASURE_EVENTS=TASK_CLOCK=1:1,PAGE_FAULTS=1:2,BAD=99:99,UNREADABLE,L9=3:0xffffff");
    if (!r->pmu) {
        print_message("SKIPPED: this kernel has no software events (%s)\n", r->left_out.n ? r->left_out.at[0] : "");
        run_result_free(r);
        free(program);
        skip();
    }
    assert_int_equal(r->events.n, 2);
    assert_int_equal(r->left_out.n, 3); /* named, not lost */
    assert_int_equal(run_result_check(r, "soft", &e), OK);
    const struct run_region *touch = &r->regions.at[0], *spin = &r->regions.at[1];
    assert_true(touch->enabled > 0 && touch->enabled == touch->running);
    /* 100 pages; a kernel with larger pages for anonymous memory takes fewer faults */
    assert_true(touch->raw[1] >= 1 && touch->raw[1] <= 110);
    assert_true(spin->raw[1] <= 2);
    assert_true(spin->raw[0] > 100e3); /* ns: 3 million iterations of load, add and store take more than 0.1 ms */
    assert_true(fabs(spin->raw[0] / (double)spin->enabled - 1) < 0.2);
    run_result_free(r);
    /* no leader: the constant counter */
    r = run_with(program, "SHIM_MEASURE_EVENTS=BAD=99:99,TASK_CLOCK=1:1");
    assert_false(r->pmu);
    assert_true(board_is_cycle_event(r->events.at[0].name));
    assert_string_not_equal(r->events.at[0].name, "CPU_CYCLES");
    run_result_free(r);
    free(program);
}

/* The PMU is demanded: measured with it, or refused with the reason; never silently something else. */
static void test_pmu_demanded(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct measurements *m = measurements_new();
    char *program = build("pmu", HEAD "int main(void)\n{ for (int i = 0; i < 10000; i++) out += in; return 0; }\n");
    board->source = BOARD_SOURCE_PMU;
    enum status s = board_measure(board, program, "pmu", NULL, m, &e);
    board->source = BOARD_SOURCE_AUTO;
    if (s == OK) {
        assert_string_equal(measurements_cycle_event(m), "CPU_CYCLES");
        assert_true(cycles(m, "pmu", "main") > 10000);
    } else {
        assert_int_equal(s, ERR_UNSUPPORTED);
        assert_int_equal(m->rows.n, 0);
        assert_says(&e, "CPU_CYCLES: ");
    }
    measurements_free(m);
    free(program);
}

static void test_wrong_core(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct measurements *m = measurements_new();
    board->core = 4000;
    assert_int_equal(board_measure(board, "/bin/true", "p", NULL, m, &e), ERR_UNSUPPORTED);
    assert_says(&e, "may not run on core 4000");
    board->core = -1;
    assert_int_equal(board_measure(board, "/nowhere/p", "p", NULL, m, &e), ERR_SYSTEM);
    assert_says(&e, "/nowhere/p");
    assert_int_equal(board_measure(board, "/bin/true", "p", NULL, m, &e), ERR_INPUT);
    assert_says(&e, "link it with the measuring runtime");
    measurements_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_work),
        cmocka_unit_test(test_until_precise),
        cmocka_unit_test(test_overhead),
        cmocka_unit_test(test_cold_and_warm),
        cmocka_unit_test(test_main_is_a_region),
        cmocka_unit_test(test_recursive_region),
        cmocka_unit_test(test_bad_programs),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_exit_in_warm_up),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_software_group),
        cmocka_unit_test(test_pmu_demanded),
        cmocka_unit_test(test_wrong_core),
        cmocka_unit_test_setup_teardown(test_forgets_earlier_launches, keep_flags, put_flags_back),
    };
    struct error e = ERROR_INIT;
    fixture_open();
    if (board_load(&board, "host", &e)) {
        error_print(&e, "test_measure");
        return 1;
    }
    board->cache = BOARD_COLD;
    board->runs = 25;
    board->extra_runs = 50;
    board->precision = 0;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    board_free(board);
    return fixture_close(failed);
}
