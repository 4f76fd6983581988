/* schedule.json: what is written is read again, and intervals are what the left-out errors say. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"
#include "shimgen/estimate/tune/schedule_model.h"
#include "tests/unit/estimate/tune_example.h"

enum { N = 4 };
/* Left out and without events: half too much, a fifth too much, a fifth too little; a test program far off, which has
 * no say. The profiles have no events. */
static double measured[N] = {100, 100, 100, 100}, estimates[N] = {101, 102, 103, 900},
              left_out[N] = {150, 120, 80, 900}, without_events[N] = {150, 120, 80, 900};
static char *names[N] = {(char *)"a@O2", (char *)"b@O2", (char *)"c@O2", (char *)"t@O2"};
static char *regions[N] = {(char *)"", (char *)"main", (char *)"", (char *)""};

static struct schedule_model *made_model(void)
{
    static struct made made[N];
    struct tune_program programs[N];
    for (size_t i = 0; i < N; i++) {
        make(&made[i], 2, 2);
        programs[i] = (struct tune_program){names[i], &made[i].profile, 0, measured[i], i, i == 3, i};
    }
    struct tune_programs t = {programs, N, N};
    struct tune_result r = {
        .estimates = estimates, .estimates_left_out = left_out, .estimates_without_events = without_events};
    for (size_t k = 0; k < SCHEDULE_FACTORS; k++)
        r.factors[k] = 1 + (double)k / 7;
    r.training = (struct regress_errors){3, 0.02, 0.02, 0.02, 0.03, 0.03, "c@O2"};
    struct regress_data d = {.path = (char *)"out/dataset.csv", .programs = names, .regions = regions, .hash = 12345};
    struct schedule_model *m;
    schedule_model_make(&m, &r, &t, &d, "out/b/b.schedule.shim.xml");
    return m;
}

static void intervals_by_hand(void **state)
{
    (void)state;
    struct schedule_model *m = made_model();
    /* three programs: least and greatest error, level (3 - 1) / (3 + 1); all of it optimised code, without events */
    assert_int_equal(m->n_intervals, 1);
    const struct shimxml_interval *v = &m->intervals[0];
    assert_true(v->code == SHIMXML_OPTIMISED && !v->events && isinf(v->below) && v->level == 0.5);
    assert_true(fabs(v->low - 1 / 1.5) < 1e-9 && fabs(v->high - 1 / 0.8) < 1e-9);
    size_t n, within; /* the test program: a ninth of its estimate */
    schedule_model_coverage(&n, &within, m, 0);
    assert_true(n == 1 && within == 0);
    m->rows[3].measured = 900;
    schedule_model_coverage(&n, &within, m, 0);
    assert_true(n == 1 && within == 1);
    schedule_model_free(m);
}

static void reads_what_was_written(void **state)
{
    (void)state;
    struct schedule_model *m = made_model(), *back;
    struct error e = ERROR_INIT;
    char path[] = "/tmp/shimgen-model-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(schedule_model_write(m, path, &e), OK);
    assert_int_equal(schedule_model_read(&back, path, &e), OK);
    unlink(path);
    assert_string_equal(back->shim, "b.schedule.shim.xml");
    assert_string_equal(back->data_name, "dataset.csv");
    assert_true(back->data_hash == 12345);
    assert_int_equal(back->n_factors, SCHEDULE_FACTORS);
    for (size_t k = 0; k < SCHEDULE_FACTORS; k++) {
        assert_string_equal(back->factors[k].name, schedule_factor_name(k));
        assert_true(back->factors[k].factor == 1 + (double)k / 7);
    }
    assert_true(back->training.n == 3 && back->training.worst == 0.03);
    assert_string_equal(back->training.worst_of, "c@O2");
    assert_int_equal(back->before.n, 0);
    assert_int_equal(back->n_rows, N);
    for (size_t i = 0; i < N; i++) {
        const struct schedule_row *r = &back->rows[i];
        assert_string_equal(r->program, names[i]);
        assert_string_equal(r->region, regions[i]);
        assert_true(r->optimised && r->test == (i == 3));
        assert_true(r->measured == measured[i] && r->estimated == estimates[i] && r->left_out == left_out[i]);
        assert_true(r->without_events == without_events[i]);
    }
    assert_int_equal(back->n_intervals, 1);
    const struct shimxml_interval *v = back->intervals, *was = m->intervals;
    assert_true(v->code == was->code && v->events == was->events && isinf(v->below) && v->level == was->level);
    assert_true(v->low == was->low && v->high == was->high);
    schedule_model_free(back);
    schedule_model_free(m);
}

static void refused(const char *text, const char *why)
{
    struct schedule_model before = {0}, *m = &before; /* what stood there is not taken for a model */
    struct error e = ERROR_INIT;
    char path[] = "/tmp/shimgen-model-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(file_write(path, text, strlen(text), &e), OK);
    assert_int_equal(schedule_model_read(&m, path, &e), ERR_INPUT);
    unlink(path);
    assert_null(m);
    if (!strstr(e.message, why))
        fail_msg("%s: not about %s", e.message, why);
    error_release(&e);
}

#define HEAD                                                                                                           \
    "{\"format\": \"shimgen-schedule\", \"version\": 2, \"shim\": \"x\", \"data\": {\"name\": \"d\", \"hash\": "
static void bad_files(void **state)
{
    (void)state;
    refused("{\"format\": \"regress-model\", \"version\": 1}", "not a schedule.json");
    refused("{\"format\": \"shimgen-schedule\", \"version\": 1}", "its version is not 2");
    refused("[]", "format");
    refused("{\"format\": ", "");
    refused(HEAD "\"md5:1\"}}", "hash");
    refused(HEAD "\"fnv1a64:1\"}, \"factors\": [{\"of\": \"x\"}]}", "factor");
    refused(HEAD "\"fnv1a64:1\"}, \"factors\": [], \"as_measured\": {\"rows\": -1}}", "not a number of rows");
    refused(HEAD "\"fnv1a64:1\"}, \"factors\": [], \"as_measured\": null, \"training\": null, "
                 "\"held_out\": null, \"test\": null, \"intervals\": [{\"code\": \"optimised\", \"events\": true, "
                 "\"below\": null, \"level\": 7, \"low\": 0, \"high\": 1}]}",
            "not a level and an interval");
    refused(HEAD "\"fnv1a64:1\"}, \"factors\": [], \"as_measured\": null, \"training\": null, "
                 "\"held_out\": null, \"test\": null, \"intervals\": [{\"events\": true, "
                 "\"below\": null, \"level\": 0.9, \"low\": 0, \"high\": 1}]}",
            "code");
}

/* An interval may be a single value: where all errors are the same. */
static void an_interval_of_one_value(void **state)
{
    (void)state;
    struct schedule_model *m = made_model(), *back;
    struct error e = ERROR_INIT;
    char path[] = "/tmp/shimgen-model-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    m->intervals[0].low = m->intervals[0].high = 1.25;
    assert_int_equal(schedule_model_write(m, path, &e), OK);
    assert_int_equal(schedule_model_read(&back, path, &e), OK);
    unlink(path);
    assert_true(back->n_intervals == 1 && back->intervals[0].low == 1.25 && back->intervals[0].high == 1.25);
    schedule_model_free(back);
    schedule_model_free(m);
}

/* ---- intervals of short runs ---- */

/* So many programs on either side of a line, their estimates and the greatest of their errors, which half of them have
 * below and half above. */
struct side {
    size_t n;
    double cycles, error;
};
enum { MOST_ROWS = 90 };

/* rows_of_one: so many rows a program. Released by the caller. */
static struct schedule_model *divided(const struct side *sides, size_t rows_of_one)
{
    static struct made made[MOST_ROWS];
    struct tune_program programs[MOST_ROWS];
    double of_measured[MOST_ROWS], cycles[MOST_ROWS];
    char *labels[MOST_ROWS], *regions_of[MOST_ROWS];
    size_t n = 0;
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < sides[side].n; i++, n++) {
            make(&made[n], 2, 2);
            cycles[n] = sides[side].cycles;
            of_measured[n] = cycles[n] / (1 + (i % 2 ? sides[side].error : -sides[side].error));
            labels[n] = (char *)"p@O2";
            regions_of[n] = (char *)"";
            programs[n] =
                (struct tune_program){labels[n], &made[n].profile, 0, of_measured[n], n / rows_of_one, false, n};
        }
    struct tune_programs t = {programs, n, n};
    struct tune_result r = {.estimates = cycles, .estimates_left_out = cycles, .estimates_without_events = cycles};
    struct regress_data d = {.path = (char *)"dataset.csv", .programs = labels, .regions = regions_of};
    struct schedule_model *m;
    schedule_model_make(&m, &r, &t, &d, "b.shim.xml");
    return m;
}

/* Two in forty may be outside on each side, of 39 programs one of least error and one of greatest: so the ends are 0.01 and
 * 0.5 off, as the other 37 are. */
static void short_runs_have_their_own(void **state)
{
    (void)state;
    struct schedule_model *m = divided((const struct side[]){{39, 2999, 0.01}, {39, 3000, 0.5}}, 1);
    assert_int_equal(m->n_intervals, 2);
    const struct shimxml_interval *brief = &m->intervals[0], *rest = &m->intervals[1];
    assert_true(brief->below == 3000 && isinf(rest->below));
    assert_true(fabs(brief->level - 0.9) < 1e-12 && fabs(rest->level - 0.9) < 1e-12);
    assert_true(fabs(brief->low - 1 / 1.01) < 1e-9 && fabs(brief->high - 1 / 0.99) < 1e-9);
    assert_true(fabs(rest->low - 1 / 1.5) < 1e-9 && fabs(rest->high - 1 / 0.5) < 1e-9);
    schedule_model_free(m);
    m = divided((const struct side[]){{36, 2999, 0.01}, {36, 3000, 0.5}}, 2); /* 18 programs a side */
    assert_int_equal(m->n_intervals, 1);
    assert_true(isinf(m->intervals[0].below));
    schedule_model_free(m);
}

/* The ends belong to an interval; only test programs count, each for the interval of its estimate. */
static void coverage_by_hand(void **state)
{
    (void)state;
    static const struct {
        double measured;
        size_t within;
    } rows[] = {{450, 1}, {449, 0}, {1800, 1}, {1801, 0}, {900, 1}};
    struct schedule_model *m = made_model();
    size_t n, within;
    m->intervals[0].low = 0.5;
    m->intervals[0].high = 2;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        m->rows[3].measured = rows[i].measured;
        schedule_model_coverage(&n, &within, m, 0);
        assert_true(n == 1 && within == rows[i].within);
    }
    m->rows[0].test = true; /* 100 of 150 */
    schedule_model_coverage(&n, &within, m, 0);
    assert_true(n == 2 && within == 2);
    m->intervals[0].below = 900; /* the other is none of its */
    schedule_model_coverage(&n, &within, m, 0);
    assert_true(n == 1 && within == 1);
    m->rows[0].optimised = false;
    schedule_model_coverage(&n, &within, m, 0);
    assert_true(n == 0 && within == 0);
    schedule_model_free(m);
}

static void which_events(void **state)
{
    (void)state;
    char *misses = (char *)"L1D_CACHE_REFILL", *branches = (char *)"BR_MIS_PRED", *both[] = {misses, branches};
    struct irprof_profile p = {0};
    assert_int_equal(schedule_events_in(&p), SCHEDULE_NO_EVENTS);
    p = (struct irprof_profile){.events = &misses, .n_events = 1};
    assert_int_equal(schedule_events_in(&p), SCHEDULE_SOME_EVENTS);
    p.events = &branches;
    assert_int_equal(schedule_events_in(&p), SCHEDULE_SOME_EVENTS);
    p = (struct irprof_profile){.events = both, .n_events = 2};
    assert_int_equal(schedule_events_in(&p), SCHEDULE_EVENTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_by_hand),
        cmocka_unit_test(reads_what_was_written),
        cmocka_unit_test(bad_files),
        cmocka_unit_test(short_runs_have_their_own),
        cmocka_unit_test(coverage_by_hand),
        cmocka_unit_test(which_events),
        cmocka_unit_test(an_interval_of_one_value),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
