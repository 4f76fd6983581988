/* Programs measured with counters that lie (tests/boards/fake/perf.c): the whole way from the runtime to the table. */
#include "fixture.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "base/proc.h"
#include "boards/measure/counting.h"

static struct board *board;
static char *program; /* built once: what the fake does, the environment says */

static void link_into(const char *to, const char *from)
{
    char *name = path_join(to, path_basename(from));
    (void)!unlink(name);
    if (symlink(from, name))
        fail_msg("%s: no symbolic link", name);
    free(name);
}

/* A prefix like the product's, with the other runtime. */
static void fake_prefix(void)
{
    static const char *const same[] = {"bin", "include", "share"};
    static const char *const other[] = {"shim_measure_rt.o", "shimgen-counters"};
    struct error e = ERROR_INIT;
    char *built = xstrdup(getenv("SHIMGEN_PREFIX")), *lib = in_scratch("prefix/lib/shimgen"),
         *prefix = in_scratch("prefix");
    assert_int_equal(make_directories(lib, &e), OK);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char *from = path_join(built, same[i]);
        link_into(prefix, from);
        free(from);
    }
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        char *from = xasprintf("%s/tests/fake/%s", built, other[i]);
        link_into(lib, from);
        free(from);
    }
    setenv("SHIMGEN_PREFIX", prefix, 1);
    free(prefix);
    free(lib);
    free(built);
}

static char *build(void)
{
    struct error e = ERROR_INIT;
    struct board_args args = {0, 0};
    char *c = put_file("p.c", "#include <shim_region.h>\nvolatile unsigned long in = 1, out;\n"
                              "int main(void)\n{ shim_region_begin(\"r\");\n"
                              "  for (int i = 0; i < 200000; i++) out += in;\n"
                              "  shim_region_end(\"r\"); return 0; }\n"),
         *path = in_scratch("p");
    board_args_add(&args, board->compiler);
    board_compile_flags(board, "O2", &args);
    board_args_add(&args, c);
    board_args_add(&args, "-o");
    board_args_add(&args, path);
    assert_int_equal(board_link_flags(board, scratch, &args, &e), OK);
    struct proc p = {.argv = (const char *const *)args.at, .capture = true, .timeout_s = 60, .cpu = -1};
    struct proc_result r = PROC_RESULT_INIT;
    if (proc_must(&p, &r, &e)) {
        error_print(&e, "test_counters");
        fail();
    }
    proc_result_release(&r);
    board_args_release(&args);
    free(c);
    return path;
}

static void pretend(const char *what)
{
    char *log = in_scratch("log");
    (void)!unlink(log);
    setenv("SHIM_FAKE_PERF", what, 1);
    setenv("SHIM_FAKE_LOG", log, 1);
    free(log);
}

static struct measurements *measure(const char *what, size_t programs)
{
    struct error e = ERROR_INIT;
    struct measurements *m = measurements_new();
    pretend(what);
    for (size_t i = 0; i < programs; i++) {
        char *name = xasprintf("p%zu", i);
        if (board_measure(board, program, name, NULL, m, &e)) {
            skip_if_emulated(&e);
            error_print(&e, "test_counters");
            fail();
        }
        free(name);
    }
    return m;
}

static const char *const events[] = {"CPU_CYCLES", "INST_RETIRED", "BR_MIS_PRED", "L1D_CACHE_REFILL", "L1D_CACHE"};
enum { EVENTS = sizeof events / sizeof *events };

static bool left_out(const struct measurements *m, const char *event, const char *why)
{
    for (char **t = m->conditions.events_left_out; t && *t; t++)
        if (strncmp(*t, event, strlen(event)) == 0 && strstr(*t, why))
            return true;
    return false;
}

/* Each event but `without` has a row that is not 0, in every program. */
static void all_but(const struct measurements *m, const char *without)
{
    for (size_t p = 0; p < m->programs.n; p++)
        for (size_t i = 0; i < EVENTS; i++) {
            const struct measurement *r = measurements_find(m, m->programs.at[p].program, "r", events[i]);
            if (without && strcmp(without, events[i]) == 0)
                assert_null(r);
            else if (!r || r->value <= 0)
                fail_msg("%s of %s: %s", events[i], m->programs.at[p].program, r ? "0" : "no row");
        }
}

static unsigned runs_of(const struct measurements *m, const char *event)
{
    const struct measurement *r = measurements_find(m, "p0", "r", event);
    return r ? r->runs : 0;
}

static void test_honest(void **state)
{
    (void)state;
    struct measurements *m = measure("", 1);
    all_but(m, NULL);
    assert_true(runs_of(m, "CPU_CYCLES") == runs_of(m, "L1D_CACHE"));
    assert_string_equal(m->conditions.cycle_nature, "core cycles of the program's own code, from the PMU");
    measurements_free(m);
}

/* Cold: the memory of the program is flushed before its region, and the conditions say how much. */
static void test_cold(void **state)
{
    (void)state;
    double megabytes = 0;
    board->cache = BOARD_COLD;
    struct measurements *m = measure("", 1);
    board->cache = BOARD_WARM;
    all_but(m, NULL);
    assert_string_equal(m->conditions.cache, "cold");
    const char *over = strstr(m->conditions.cache_method, " over ");
    assert_non_null(over);
    assert_int_equal(sscanf(over, " over %lf MB", &megabytes), 1);
    if (!(megabytes > 0.1 && megabytes < 1000))
        fail_msg("flushed: %s", m->conditions.cache_method);
    measurements_free(m);
}

/* A group loses a member: all the same no event is lost and no zero in the table. Two sets of launches. */
static void test_last_slot_zero(void **state)
{
    (void)state;
    board->precision = 0.0001;
    board->runs = 30;
    board->least_runs = 12;
    struct measurements *m = measure("last-zero=4", 1);
    all_but(m, NULL);
    assert_in_range(runs_of(m, "L1D_CACHE"), 1,
                    12); /* the cycles have the most launches; a busy machine has bad ones */
    assert_true(m->programs.at[0].launches >= 30 + 12);
    for (size_t i = 0; i < m->rows.n; i++)
        assert_true(i == 0 || strcmp(m->rows.at[i].event, "CPU_CYCLES") != 0); /* once */
    assert_null(m->conditions.events_left_out);
    measurements_free(m);
    m = measure("holds=2", 1);
    all_but(m, NULL);
    measurements_free(m);
    board->precision = 0;
    board->runs = 15;
}

/* The kernel takes a group and never puts all of it on the PMU: it is made smaller until it runs, and no event is lost. */
static void test_group_waits(void **state)
{
    (void)state;
    struct measurements *m = measure("waits=3", 1);
    all_but(m, NULL);
    assert_null(m->conditions.events_left_out);
    measurements_free(m);
}

/* Numbers of a PMU in the place of names. */
static void test_numbers(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct board *named = board;
    char *ini = put_file("raw/board.ini", "[compile]\nlevels = O2\n[run]\nruns = 15\ncache = warm\n[events]\n"
                                          "CPU_CYCLES = raw:0x11\nINST_RETIRED = raw:0x08\nBR_MIS_PRED = raw:0x10\n"
                                          "L1D_CACHE_REFILL = raw:0x03\nL1D_CACHE = raw:0x04\n");
    board = 0;
    assert_int_equal(board_load(&board, ini, &e), OK);
    struct measurements *m = measure("", 1);
    all_but(m, NULL);
    measurements_free(m);
    board_free(board);
    board = named;
    free(ini);
}

/* Without the right to lock memory each page is touched, and the conditions say so. The right is given up for good: the last test. */
static void test_memory_cannot_be_locked(void **state)
{
    (void)state;
    struct rlimit none = {0, 0};
    (void)prctl(PR_CAPBSET_DROP, CAP_IPC_LOCK, 0, 0, 0); /* of root; others do not have it */
    assert_int_equal(setrlimit(RLIMIT_MEMLOCK, &none), 0);
    struct measurements *m = measure("", 1);
    all_but(m, NULL);
    assert_string_equal(m->conditions.memory, "touched");
    measurements_free(m);
}

/* It dies inside launch 40, in the third program: that launch and the next two are thrown away, groups are proved
 * again, and what the fourth program shows is complete again. */
static void test_slot_dies(void **state)
{
    (void)state;
    struct measurements *m = measure("dies=40", 4);
    all_but(m, NULL);
    bool noted = false;
    for (char **n = m->conditions.notes; n && *n; n++)
        noted |= strstr(*n, "a counter read nothing in 3 launches: those launches were thrown away") != NULL;
    assert_true(noted);
    for (size_t i = 0; i < m->rows.n; i++)
        assert_true(m->rows.at[i].minimum > 0); /* not one launch with a zero counts */
    measurements_free(m);
}

static void test_lost_events(void **state)
{
    (void)state;
    struct measurements *m = measure("zero=l1", 1);
    all_but(m, "L1D_CACHE");
    assert_true(left_out(m, "L1D_CACHE:", "it reads 0 where it must count"));
    measurements_free(m);
    m = measure("few=mispredictions", 1);
    all_but(m, "BR_MIS_PRED");
    assert_true(left_out(m, "BR_MIS_PRED:", "where it must count 1024 at least (known work: branches)"));
    measurements_free(m);
    m = measure("few=l1", 1); /* refills above accesses */
    all_but(m, "L1D_CACHE");
    measurements_free(m);
}

/* Known work finds nothing, and in each launch the counter stops: after some proofs its event is given up. */
static void test_stops_again_and_again(void **state)
{
    (void)state;
    struct measurements *m = measure("stops=mispredictions", 1);
    all_but(m, "BR_MIS_PRED");
    assert_true(left_out(m, "BR_MIS_PRED:", "its counter stopped counting in the middle of launches, again and again"));
    measurements_free(m);
}

/* More refills than accesses in the program itself: none of its rows is kept, and the error says which counts these are. */
static void test_impossible(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct measurements *m = measurements_new();
    pretend("misses=1000");
    assert_int_equal(board_measure(board, program, "p", NULL, m, &e), ERR_INPUT);
    assert_says(&e, "L1D_CACHE: an access refills 8 lines at most");
    assert_int_equal(m->rows.n, 0);
    assert_int_equal(m->programs.n, 0);
    measurements_free(m);
}

/* Right alone, twice as high in every group: measured alone. */
static void test_twice_in_the_group(void **state)
{
    (void)state;
    struct measurements *m = measure("double=l1-refills", 1);
    all_but(m, NULL);
    measurements_free(m);
}

static void test_no_counters(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct measurements *m = measure("forbidden", 1);
    assert_string_not_equal(measurements_cycle_event(m), "CPU_CYCLES");
    measurements_free(m);
    m = measure("few=cycles", 1); /* there, and wrong */
    assert_string_not_equal(measurements_cycle_event(m), "CPU_CYCLES");
    assert_true(left_out(m, "CPU_CYCLES:", "where it must count"));
    measurements_free(m);
    board->source = BOARD_SOURCE_PMU;
    m = measurements_new();
    assert_int_equal(board_measure(board, program, "p", NULL, m, &e), ERR_UNSUPPORTED);
    assert_says(&e, "the performance counters cannot be believed here: CPU_CYCLES: it counts");
    pretend("forbidden");
    counting_reset(m->counting);
    assert_int_equal(board_measure(board, program, "p", NULL, m, &e), ERR_UNSUPPORTED);
    assert_says(&e, "the kernel does not permit the use of performance counters");
    assert_int_equal(m->rows.n, 0);
    measurements_free(m);
    board->source = BOARD_SOURCE_AUTO;
}

/* Readings of each launch, as the fake counted them: some thousands while the cost of a region is measured, some tens
 * when it is known. */
static void test_few_readings(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    board->runs = 60;
    struct measurements *m = measure("", 2);
    board->runs = 15;
    char *log = in_scratch("log");
    struct str text = STR_INIT;
    size_t many = 0, few = 0, between = 0;
    assert_int_equal(file_read(&text, log, 1 << 20, &e), OK);
    for (const char *at = str_text(&text); (at = strstr(at, "reads ")); at++) {
        long n = strtol(at + 6, NULL, 10);
        many += n > 3000;
        few += n <= 48;
        between += n > 62 && n <= 3000; /* 62: a launch that proves */
    }
    assert_int_equal(between, 0);
    assert_true(many >= 3 && few + many >= 2 * 60);
    if (many > 8 + few / 4) /* of both programs together; a busy machine has launches in which regions cost more */
        fail_msg("%zu launches with thousands of readings, %zu with tens", many, few);
    str_release(&text);
    free(log);
    measurements_free(m);
}

/* The overhead that is handed on is the one that was measured. */
static void test_calibration_handed_on(void **state)
{
    (void)state;
    struct run_event e = {.name = (char *)"CPU_CYCLES", .inside = 100, .pair = 200};
    struct run_result full = {.calibrated = true}, glance = {.calibrated = false};
    struct counter_set set = {0};
    vec_push(&set.events, (struct set_event){.name = (char *)"CPU_CYCLES"});
    vec_push(&full.events, e);
    for (int i = 0; i < 3; i++) {
        assert_true(calibration_wanted(&set));
        full.events.at[0].inside = 100 + i;
        calibration_take(&set, &full);
    }
    assert_false(calibration_wanted(&set));
    vec_push(&glance.events, e);
    for (int i = 0; i < 3; i++) {
        assert_false(calibration_wanted(&set));
        glance.events.at[0] = (struct run_event){.name = e.name, .inside = 200, .pair = 0};
        calibration_take(&set, &glance);
        assert_true(glance.events.at[0].inside == 101 && glance.events.at[0].pair == 200);
    }
    assert_true(calibration_wanted(&set)); /* three that saw another one */
    full.events.at[0].inside = 200;
    calibration_take(&set, &full);
    assert_true(set.full == 1 && set.events.at[0].inside.n == 1);
    vec_release(&set.events.at[0].inside);
    vec_release(&set.events.at[0].pair);
    vec_release(&set.events);
    vec_release(&full.events);
    vec_release(&glance.events);
}

static void test_calibrates_until_steady(void **state)
{
    (void)state;
    struct run_result full = {.calibrated = true};
    struct counter_set set = {0};
    vec_push(&set.events, (struct set_event){.name = (char *)"CPU_CYCLES"});
    vec_push(&full.events, (struct run_event){.name = (char *)"CPU_CYCLES"});
    for (int i = 0; i < 8; i++) {
        assert_true(calibration_wanted(&set));
        full.events.at[0].inside = i & 1 ? 100 : 130;
        calibration_take(&set, &full);
    }
    assert_false(calibration_wanted(&set));
    vec_release(&set.events.at[0].inside);
    vec_release(&set.events.at[0].pair);
    vec_release(&set.events);
    vec_release(&full.events);
}

static void doctor_says(const char *what, const char *id, const char *words)
{
    struct findings f = {0};
    pretend(what);
    doctor_counters(NULL, board, &f);
    bool found = id == NULL && f.n == 0;
    for (size_t i = 0; i < f.n && id; i++)
        found |= strcmp(f.at[i].id, id) == 0 && strstr(f.at[i].what, words);
    if (!found)
        fail_msg("%s: %s", what, f.n ? f.at[0].what : "nothing is said");
    findings_release(&f);
}

static void test_doctor(void **state)
{
    (void)state;
    doctor_says("", NULL, NULL);
    doctor_says("forbidden", "perf-refused", "refuses to open performance counters");
    doctor_says("zero=instructions", "event-lost", "INST_RETIRED: it reads 0 where it must count 16384 at least");
    doctor_says("last-zero=5", "events-apart", "reads 0 in a group of 5");
    doctor_says("few=cycles", "cycles-lost", "CPU_CYCLES: it counts");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),
        cmocka_unit_test(test_cold),
        cmocka_unit_test(test_last_slot_zero),
        cmocka_unit_test(test_group_waits),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_slot_dies),
        cmocka_unit_test(test_lost_events),
        cmocka_unit_test(test_stops_again_and_again),
        cmocka_unit_test(test_impossible),
        cmocka_unit_test(test_twice_in_the_group),
        cmocka_unit_test(test_no_counters),
        cmocka_unit_test(test_few_readings),
        cmocka_unit_test(test_calibration_handed_on),
        cmocka_unit_test(test_calibrates_until_steady),
        cmocka_unit_test(test_doctor),
        cmocka_unit_test(test_memory_cannot_be_locked),
    };
    struct error e = ERROR_INIT;
    fixture_open();
    fake_prefix();
    /* Linux' generic events, the same on every machine. */
    char *ini = put_file("b/board.ini",
                         "[compile]\nlevels = O2\n[run]\nruns = 15\nextra_runs = 15\ncache = warm\n[events]\n"
                         "CPU_CYCLES = hw:cycles\nINST_RETIRED = hw:instructions\nBR_MIS_PRED = hw:branch-misses\n"
                         "L1D_CACHE_REFILL = cache:l1d.read.miss\nL1D_CACHE = cache:l1d.read.access\n");
    if (board_load(&board, ini, &e)) {
        error_print(&e, "test_counters");
        return 1;
    }
    free(ini);
    program = build();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(program);
    board_free(board);
    return fixture_close(failed);
}
