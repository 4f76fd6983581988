/* Intervals of estimates by schedule, derived by hand: their ends are what is left of the programs' ratios (measured to
 * estimated without the program) when a twentieth is taken off at either end (regress/validate/conformal.c); short runs
 * have one of their own where there are 19 programs on either side. */
#include "shimgen/estimate/tune/schedule_model.h"
#include "tests/unit/estimate/schedule_example.h"

enum { PROGRAMS = 200 };
static struct tune_program programs[PROGRAMS];
static double left_out[PROGRAMS], without_events[PROGRAMS];
static char *names[PROGRAMS], *regions[PROGRAMS];
static size_t n;

/* A profile of optimised code, or of other, with or without events. */
static void begin_programs(bool optimised, bool events)
{
    begin();
    if (events) {
        event("BR_MIS_PRED");
        event("L1D_CACHE_REFILL");
    }
    block(0, 0, NO, 1);
    put("add.i32", NO, NO);
    if (!optimised)
        keeps_variables(0);
    n = 0;
}

/* A program that takes `ratio` times its estimate. */
static void program(double estimate, double ratio)
{
    names[n] = (char *)"p@O2";
    regions[n] = (char *)"main";
    left_out[n] = without_events[n] = estimate;
    programs[n] = (struct tune_program){names[n], &x.p, 0, estimate * ratio, n, false, n};
    n++;
}

/* So many, of which every other takes more and every other less by this factor. */
static void spread(size_t many, double estimate, double factor)
{
    for (size_t i = 0; i < many; i++)
        program(estimate, i % 2 ? factor : 1 / factor);
}

static struct schedule_model *made(void)
{
    struct tune_programs t = {programs, n, n};
    struct tune_result r = {
        .estimates = left_out, .estimates_left_out = left_out, .estimates_without_events = without_events};
    struct regress_data d = {.path = (char *)"dataset.csv", .programs = names, .regions = regions};
    struct schedule_model *m;
    schedule_model_make(&m, &r, &t, &d, "b.shim.xml");
    return m;
}

static void interval_is(const struct schedule_model *m, size_t i, double below, double level, double low, double high)
{
    const struct shimxml_interval *v = &m->intervals[i];
    if (i >= m->n_intervals || v->below != below || fabs(v->level - level) > 1e-9 || fabs(v->low - low) > 1e-9 ||
        (isfinite(high) ? fabs(v->high - high) > 1e-9 : !isinf(v->high)))
        fail_msg("interval %zu: below %g, %g, %g to %g", i, v->below, v->level, v->low, v->high);
}

/* Estimates below 3,000 cycles are of short runs; one of 3,000 is not. Narrow or wide, both have their own. */
static void short_runs_have_their_own(void **state)
{
    (void)state;
    static const double factors[][2] = {{2, 1.1}, {1.1, 2}, {1.5, 1.5}};
    for (size_t i = 0; i < 3; i++) {
        begin_programs(true, false);
        spread(39, 2999, factors[i][0]);
        spread(39, 3000, factors[i][1]);
        struct schedule_model *m = made();
        assert_int_equal(m->n_intervals, 2);
        interval_is(m, 0, 3000, 0.9, 1 / factors[i][0], factors[i][0]);
        interval_is(m, 1, INFINITY, 0.9, 1 / factors[i][1], factors[i][1]);
        schedule_model_free(m);
    }
}

/* With 18 on either side there is one for all. Rows of one program are one. */
static void a_side_needs_19_programs(void **state)
{
    (void)state;
    for (int how = 0; how < 4; how++) {
        begin_programs(true, false);
        spread(how == 0 ? 18 : 19, 900, 2);
        spread(how == 1 ? 18 : 19, 50000, 2);
        if (how == 2)
            programs[18].group = 17;
        struct schedule_model *m = made();
        assert_int_equal(m->n_intervals, how == 3 ? 2 : 1);
        interval_is(m, how == 3, INFINITY, 0.9, 0.5, 2);
        schedule_model_free(m);
    }
}

/* A twentieth of the 40 that are and the one to come, 2, may be beyond each end: the second least and greatest. */
static void a_twentieth_is_beyond_each_end(void **state)
{
    (void)state;
    begin_programs(true, false);
    for (size_t i = 0; i < 39; i++)
        program(900, 1 + (double)i / 100);
    struct schedule_model *m = made();
    assert_int_equal(m->n_intervals, 1);
    interval_is(m, 0, INFINITY, 0.9, 1.01, 1.37);
    schedule_model_free(m);
}

/* An estimate of 0 is too low beyond any bound: where it is more than a twentieth, there is none on that side. */
static void estimates_of_nothing_have_no_bound(void **state)
{
    (void)state;
    begin_programs(true, false);
    for (size_t i = 0; i < 5; i++) {
        program(900, 1);
        left_out[n - 1] = without_events[n - 1] = 0;
    }
    spread(15, 900, 2);
    struct schedule_model *m = made();
    assert_int_equal(m->n_intervals, 1);
    interval_is(m, 0, INFINITY, 0.9, 0.5, INFINITY);
    schedule_model_free(m);
}

/* With fewer than 19 programs the level is less: of 4, 3 / 5; of one, none. */
static void few_programs_give_less(void **state)
{
    (void)state;
    begin_programs(true, false);
    spread(4, 900, 2);
    struct schedule_model *m = made();
    assert_int_equal(m->n_intervals, 1);
    interval_is(m, 0, INFINITY, 0.6, 0.5, 2);
    schedule_model_free(m);
    begin_programs(true, false);
    spread(1, 900, 2);
    m = made();
    assert_int_equal(m->n_intervals, 0);
    schedule_model_free(m);
}

/* Without events from the estimates that leave them out, with events from those that have them; where the profiles have
 * none, only the first. Of the code that the programs are. */
static void each_kind_has_its_own(void **state)
{
    (void)state;
    for (int events = 0; events < 2; events++)
        for (int optimised = 0; optimised < 2; optimised++) {
            begin_programs(optimised, events);
            spread(10, 900, 2);
            for (size_t i = 0; i < n; i++)
                without_events[i] = 450;
            struct schedule_model *m = made();
            assert_int_equal(m->n_intervals, 1 + events);
            interval_is(m, 0, INFINITY, 9.0 / 11, 1, 4);
            if (events)
                interval_is(m, 1, INFINITY, 9.0 / 11, 0.5, 2);
            for (size_t i = 0; i < m->n_intervals; i++) {
                assert_int_equal(m->intervals[i].code, optimised ? SHIMXML_OPTIMISED : SHIMXML_UNOPTIMISED);
                assert_int_equal(m->intervals[i].events, i);
            }
            schedule_model_free(m);
        }
}

/* Test programs have no say; of them it is counted how many are within, of each interval those that it is for. */
static void test_programs_are_counted(void **state)
{
    (void)state;
    static const struct {
        double estimate, ratio;
    } tests[] = {{500, 0.5}, {500, 2}, {500, 2.1}, {2999, 0.4}, {3000, 1}, {3000, 1.2}, {90000, 0.8}, {90000, 1.05}};
    begin_programs(true, false);
    spread(39, 900, 2);
    spread(39, 50000, 1.1);
    for (size_t i = 0; i < 8; i++) {
        program(tests[i].estimate, tests[i].ratio);
        programs[n - 1].test = true;
    }
    struct schedule_model *m = made();
    size_t all, within;
    assert_int_equal(m->n_intervals, 2);
    interval_is(m, 0, 3000, 0.9, 0.5, 2);
    schedule_model_coverage(&all, &within, m, 0);
    assert_int_equal(all, 4);
    assert_int_equal(within, 2);
    schedule_model_coverage(&all, &within, m, 1);
    assert_int_equal(all, 4);
    assert_int_equal(within, 2);
    schedule_model_free(m);
}

/* ---- kinds ---- */

/* What most instructions are executed in: 3 times 2 in one function, so often 1 in the other; as many are not most. */
static void most_of_what_is_executed_decides(void **state)
{
    (void)state;
    for (uint64_t times = 5; times < 8; times++) {
        begin();
        block(0, 0, NO, 3);
        put("add.i32", NO, NO);
        put("br.cond", NO, NO);
        keeps_variables(0);
        block(1, 0, NO, times);
        put("add.i32", NO, NO);
        assert_int_equal(schedule_is_optimised(&x.p, 0), times > 6);
    }
}

static void what_events_there_are(void **state)
{
    (void)state;
    static const struct {
        const char *events[3];
        enum schedule_events_in in;
    } all[] = {{{0}, SCHEDULE_NO_EVENTS},
               {{"BR_RETIRED", "L2D_CACHE_REFILL", 0}, SCHEDULE_NO_EVENTS},
               {{"BR_MIS_PRED", 0}, SCHEDULE_SOME_EVENTS},
               {{"L1D_CACHE_REFILL", 0}, SCHEDULE_SOME_EVENTS},
               {{"BR_MIS_PRED", "L1D_CACHE_REFILL", 0}, SCHEDULE_EVENTS}};
    for (size_t i = 0; i < 5; i++) {
        begin();
        for (size_t k = 0; all[i].events[k]; k++)
            event(all[i].events[k]);
        assert_int_equal(schedule_events_in(&x.p), all[i].in);
    }
}

/* By level and role, of rows that took 3,000 cycles or more; the estimate is the one without the program. */
static void errors_by_level(void **state)
{
    (void)state;
    struct schedule_row rows[] = {
        {.program = (char *)"s/a@O2", .measured = 3000, .estimated = 3000, .left_out = 3300}, /* +10 % */
        {.program = (char *)"s/b@O2", .measured = 4000, .estimated = 4000, .left_out = 3200}, /* -20 % */
        {.program = (char *)"s/c@O2", .measured = 2999, .estimated = 2999, .left_out = 9000}, /* short */
        {.program = (char *)"s/d@O2", .measured = 5000, .estimated = 6000, .left_out = 6000, .test = true},
        {.program = (char *)"s/a@O0", .measured = 8000, .estimated = 8000, .left_out = 8400},
        {.program = (char *)"s/e", .measured = 8000, .estimated = 8000, .left_out = 16000}, /* without a level */
    };
    struct schedule_model m = {.rows = rows, .n_rows = sizeof rows / sizeof *rows};
    struct regress_errors o2 = schedule_model_errors(&m, "O2", false), o0 = schedule_model_errors(&m, "O0", false);
    struct regress_errors test = schedule_model_errors(&m, "O2", true), none = schedule_model_errors(&m, "O1", false);
    assert_int_equal(o2.n, 2);
    assert_true(fabs(o2.mean_abs - 0.15) < 1e-12 && fabs(o2.worst + 0.2) < 1e-12);
    assert_string_equal(o2.worst_of, "s/b@O2");
    assert_true(o0.n == 1 && fabs(o0.mean_abs - 0.05) < 1e-12);
    assert_true(test.n == 1 && fabs(test.mean_abs - 0.2) < 1e-12);
    assert_int_equal(none.n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_runs_have_their_own),      cmocka_unit_test(a_side_needs_19_programs),
        cmocka_unit_test(a_twentieth_is_beyond_each_end), cmocka_unit_test(estimates_of_nothing_have_no_bound),
        cmocka_unit_test(few_programs_give_less),         cmocka_unit_test(each_kind_has_its_own),
        cmocka_unit_test(test_programs_are_counted),      cmocka_unit_test(most_of_what_is_executed_decides),
        cmocka_unit_test(what_events_there_are),          cmocka_unit_test(errors_by_level),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
