/* Which interval an estimate has, and what is said where it is not one of its own kind. */
#include "shimgen/estimate/intervals/trust.h"
#include "tests/unit/estimate/schedule_example.h"

static struct shimxml_interval all[] = {
    {SHIMXML_UNOPTIMISED, false, INFINITY, 0.9, 0.5, 2.5},
    {SHIMXML_OPTIMISED, false, INFINITY, 0.8, 0.5, 2},
    {SHIMXML_OPTIMISED, true, 1000, 0.9, 0.75, 4},
    {SHIMXML_OPTIMISED, true, INFINITY, 0.95, 0, INFINITY},
};
static const struct trust known = {.intervals = all, .n_intervals = 4};
static const struct trust unoptimised = {.intervals = all, .n_intervals = 1};

static void interval_is(const struct trust *t, struct trust_kind kind, double cycles, double level, double low,
                        double high)
{
    double l, h, found = trust_interval(&l, &h, t, &kind, cycles);
    if (found != level || (isnan(low) ? !isnan(l) : l != low) || (isnan(high) ? !isnan(h) : h != high))
        fail_msg("%g: %g to %g", found, l, h);
}

/* A part has the interval of its whole, in proportion. */
static void intervals_of_their_kind(void **state)
{
    (void)state;
    interval_is(&known, (struct trust_kind){SHIMXML_UNOPTIMISED, SCHEDULE_NO_EVENTS, 200}, 200, 0.9, 100, 500);
    interval_is(&known, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_NO_EVENTS, 200}, 50, 0.8, 25, 100);
    interval_is(&known, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_EVENTS, 999}, 100, 0.9, 75, 400);
    interval_is(&known, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_EVENTS, 1000}, 100, 0.95, NAN, NAN);
}

/* The widest of such code: without a bound below it is wider than any; of others by high / low. */
static void others_have_the_widest(void **state)
{
    (void)state;
    interval_is(&known, (struct trust_kind){SHIMXML_UNOPTIMISED, SCHEDULE_EVENTS, 200}, 200, 0.9, 100, 500);
    interval_is(&known, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_SOME_EVENTS, 100}, 100, 0.95, NAN, NAN);
    all[3].low = 0.9;
    all[3].high = 1.5;
    interval_is(&known, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_SOME_EVENTS, 100}, 100, 0.9, 75, 400);
    interval_is(&known, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_SOME_EVENTS, 5000}, 100, 0.8, 50, 200);
    all[3].low = 0;
    all[3].high = INFINITY;
}

/* None of such code; none at all; of nothing. */
static void some_have_none(void **state)
{
    (void)state;
    static const struct trust none = {0};
    interval_is(&unoptimised, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_NO_EVENTS, 200}, 200, 0, NAN, NAN);
    interval_is(&none, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_NO_EVENTS, 200}, 200, 0, NAN, NAN);
    interval_is(&known, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_NO_EVENTS, 0}, 0, 0, NAN, NAN);
    assert_true(trust_level(&known) == 0.95);
    assert_true(trust_level(&unoptimised) == 0.9);
    assert_true(trust_level(&none) == 0);
}

static void remark_is(const struct trust *t, struct trust_kind kind, const char *expected)
{
    char *remark = trust_remark(t, &kind);
    if (!expected)
        assert_null(remark);
    else
        assert_string_equal(remark, expected);
    free(remark);
}

static void says_what_is_not_of_its_kind(void **state)
{
    (void)state;
    static struct shimxml_interval any = {SHIMXML_ANY_CODE, false, INFINITY, 0.9, 0.5, 2};
    static const struct trust none = {0}, of_any = {.intervals = &any, .n_intervals = 1};
    remark_is(&known, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_EVENTS, 200}, 0);
    remark_is(&known, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_NO_EVENTS, 200}, 0);
    remark_is(&of_any, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_SOME_EVENTS, 200}, 0);
    remark_is(&none, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_EVENTS, 200}, 0);
    remark_is(&known, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_EVENTS, 0},
              "no interval: the estimate is 0 cycles");
    remark_is(&unoptimised, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_NO_EVENTS, 200},
              "no interval: none is known for code that is optimised");
    remark_is(&known, (struct trust_kind){SHIMXML_UNOPTIMISED, SCHEDULE_EVENTS, 200},
              "its interval is the widest for code that is not optimised: none is known for estimates with simulated "
              "misses and mispredictions");
    remark_is(&known, (struct trust_kind){SHIMXML_OPTIMISED, SCHEDULE_SOME_EVENTS, 200},
              "its interval is the widest for code that is optimised: none is known for estimates with misses or "
              "mispredictions alone");
}

static void kinds_of_profiles(void **state)
{
    (void)state;
    begin();
    event("BR_MIS_PRED");
    block(0, 0, NO, 1);
    put("add.i32", NO, NO);
    struct trust_kind kind = trust_kind_of(&x.p, 0, 7);
    assert_true(kind.code == SHIMXML_OPTIMISED && kind.events == SCHEDULE_SOME_EVENTS && kind.whole == 7);
    keeps_variables(0);
    kind = trust_kind_of(&x.p, 0, 7);
    assert_true(kind.code == SHIMXML_UNOPTIMISED);
}

/* Those of a board are for estimates with misses and mispredictions; a board without them says so. */
static void intervals_of_a_board(void **state)
{
    (void)state;
    struct trust t;
    trust_of_board(&t, "boards/raspberrypi3-sim", NULL);
    assert_int_equal(t.n_intervals, 2);
    struct trust_kind kind = {SHIMXML_OPTIMISED, SCHEDULE_EVENTS, 100};
    double low, high;
    assert_true(trust_interval(&low, &high, &t, &kind, 100) == 0.9 && low < 100 && high > 100);
    remark_is(&t, kind, 0);
    kind.events = SCHEDULE_NO_EVENTS;
    assert_true(trust_interval(&low, &high, &t, &kind, 100) == 0);
    remark_is(&t, kind, "no interval: none is known for estimates without simulated misses and mispredictions");
    trust_release(&t);
    trust_of_board(&t, "boards/host", NULL);
    assert_true(t.n_intervals == 0 && strstr(t.why_none, "has none for method compiled"));
    trust_release(&t);
}

/* What a SHIM file says of itself counts for the method that its values are for. */
static void intervals_of_a_shim_file(void **state)
{
    (void)state;
    static const struct {
        const char *method, *interval;
        const struct estimator *asked;
        const char *why;
    } files[] = {{"schedule", "1; optimised 0.9 0.5 2", &estimator_schedule, 0},
                 {0, "1; any 0.9 0.5 2", &estimator_operand, 0},
                 {"schedule", "1; optimised 0.9 0.5 2", &estimator_sum, "are for --method schedule"},
                 {"schedule", 0, &estimator_schedule, "b.shim.xml has none"},
                 {"schedule", "2; optimised 0.9 0.5 2", &estimator_schedule, "cannot be read"},
                 {"schedule", "1; optimised 0.9 0.5 2", &estimator_operand, "are for --method schedule"}};
    for (size_t i = 0; i < 6; i++) {
        struct costs c = {.method = files[i].method, .interval = (char *)files[i].interval};
        struct trust t;
        trust_of_shim(&t, &c, files[i].asked, "out/b.shim.xml");
        assert_int_equal(t.n_intervals, files[i].why ? 0 : 1);
        if (!files[i].why)
            assert_true(t.intervals->level == 0.9 && !t.why_none);
        else if (!t.why_none || !strstr(t.why_none, files[i].why))
            fail_msg("%s", t.why_none ? t.why_none : "nothing is said");
        trust_release(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_of_their_kind), cmocka_unit_test(others_have_the_widest),
        cmocka_unit_test(some_have_none),          cmocka_unit_test(says_what_is_not_of_its_kind),
        cmocka_unit_test(kinds_of_profiles),       cmocka_unit_test(intervals_of_a_shim_file),
        cmocka_unit_test(intervals_of_a_board),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
