/* Which runs count, and what they come to: on made-up launches with known causes. */
#include "boards/measure/run_stats.h"
#include "tests/unit/boards/fixture.h"

#include <math.h>

#include "boards/measure/series.h"

static void test_centre(void **state)
{
    (void)state;
    const double x[] = {3, 1, 2, 100}, y[] = {5, 1, 3};
    double sd;
    assert_true(median_of(x, 4) == 2.5);
    assert_true(median_of(y, 3) == 3);
    assert_true(mad_of(x, 4, 2.5) == 1); /* 0.5 1.5 0.5 97.5 */
    assert_true(mean_of(y, 3, &sd) == 3);
    assert_true(sd == 2); /* (4 + 4 + 0) / 2 */
    assert_true(quantile_of(x, 4, 0) == 1 && quantile_of(x, 4, 1) == 100);
    assert_true(quantile_of(y, 3, 0.75) == 4);
}

static void test_huber(void **state)
{
    (void)state;
    /* on a grid of 26: 8 times 52, twice 78; the median stays at 52, the centre is the mean, 57.2 */
    const double grid[] = {52, 52, 52, 52, 52, 52, 52, 52, 78, 78};
    assert_true(step_of(grid, 10) == 26);
    assert_true(fabs(centre_of(grid, 10, 26) - 57.2) < 1e-6);
    assert_true(median_of(grid, 10) == 52);
    /* one wild value among 1 2 3 4 5: median 3.5, MAD 1.5, sigma s = 2.2239; Huber's equation, by hand: the sum of the
     * five less five times the centre, plus 1.5 s for the sixth, is 0: centre = (15 + 1.5 s) / 5 */
    const double wild[] = {1, 2, 3, 4, 5, 1000};
    assert_true(fabs(centre_of(wild, 6, 0) - (15 + 1.5 * 1.4826 * 1.5) / 5) < 1e-6);
    const double same[] = {7, 7, 7};
    assert_true(centre_of(same, 3, 0) == 7 && step_of(same, 3) == 0);
}

static void test_outlier_limit(void **state)
{
    (void)state;
    /* median 100, MAD 2: 100 + 5 * 1.4826 * 2 */
    const double x[] = {96, 98, 100, 102, 104}, same[] = {1000, 1000, 1000, 1000};
    assert_true(fabs(outlier_limit(x, 5) - 114.826) < 1e-9);
    /* all alike: a run is an outlier 5 times 0.1 % above, not at the first count */
    assert_true(outlier_limit(same, 4) == 1005);
}

/* One launch with one region whose facts the caller then changes. */
static struct run_result launch(double value)
{
    struct run_result r = {.clock = (char *)"TSC_CYCLES"};
    struct run_region g = {.name = xstrdup("r"), .outer = xstrdup("r"), .entries = 1, .width = 5, .clock = 1.5};
    g.raw = xcalloc(2, sizeof *g.raw);
    g.raw[0] = value;
    vec_push(&r.events, (struct run_event){xstrdup("TSC_CYCLES"), 10, 20});
    vec_push(&r.regions, g);
    return r;
}

static void add(struct campaign *c, struct run_result *r)
{
    struct error e = ERROR_INIT;
    assert_int_equal(campaign_add(c, r, &e), OK);
    free(r->events.at[0].name);
    free(r->regions.at[0].name);
    free(r->regions.at[0].outer);
    free(r->regions.at[0].raw);
    vec_release(&r->events);
    vec_release(&r->regions);
}

static const struct goal twenty = {20, 2, 0};

static void test_causes(void **state)
{
    (void)state;
    struct campaign c;
    campaign_init(&c, "p", 0);
    for (int i = 0; i < 20; i++) {
        struct run_result r = launch(1010 + i % 3);
        add(&c, &r);
    }
    struct run_result bad[6];
    for (int i = 0; i < 6; i++)
        bad[i] = launch(1010);
    bad[0].regions.at[0].involuntary = 1;
    bad[1].regions.at[0].minor = 3;
    bad[2].regions.at[0].interrupts = 1;
    bad[3].regions.at[0].width = 4;
    bad[4].regions.at[0].raw[0] = 1100;
    bad[5].regions.at[0].moved = true;
    for (int i = 0; i < 6; i++)
        add(&c, &bad[i]);
    assert_int_equal(campaign_missing(&c, &(struct goal){26, 2, 0}), 6);
    assert_int_equal(campaign_missing(&c, &twenty), 0);
    static const enum verdict wanted[] = {BY_SWITCH, BY_FAULT, BY_INTERRUPT, BY_SHARING, BY_OUTLIER, BY_SWITCH};
    for (int i = 0; i < 6; i++)
        assert_int_equal(c.regions.at[0].runs.at[20 + i].verdict, wanted[i]);
    struct measurements *m = measurements_new();
    campaign_finish(&c, &twenty, 1, m);
    assert_int_equal(m->rows.n, 2);
    assert_string_equal(m->rows.at[0].event, "TSC_CYCLES");
    /* 7 times 1010, 7 times 1011, 6 times 1012: no outliers, so their mean, less the overhead 10 */
    assert_true(fabs(m->rows.at[0].value - 1000.95) < 1e-9);
    assert_int_equal(m->rows.at[0].runs, 20);
    assert_int_equal(m->rows.at[0].dropped, 6);
    assert_string_equal(m->rows.at[1].event, BOARD_CORE_ESTIMATE);
    assert_true(fabs(m->rows.at[1].value - 1.5 * 1000.95) < 1e-6);
    const struct measured_program *p = &m->programs.at[0];
    assert_int_equal(p->launches, 26);
    assert_int_equal(p->disturbed, 6);
    assert_int_equal(p->by_switch, 2);
    assert_int_equal(p->by_sharing, 1);
    assert_true(p->core_per_tick == 1.5);
    measurements_free(m);
    campaign_release(&c);
}

/* A slower clock is no disturbance: ticks differ, core cycles agree. */
static void test_clock_drift(void **state)
{
    (void)state;
    struct campaign c;
    campaign_init(&c, "p", 0);
    for (int i = 0; i < 20; i++) {
        double clock = i < 15 ? 1.5 : 1.25;
        struct run_result r = launch(1500 / clock + 10);
        r.regions.at[0].clock = clock;
        add(&c, &r);
    }
    assert_int_equal(campaign_missing(&c, &twenty), 0);
    struct measurements *m = measurements_new();
    campaign_finish(&c, &twenty, 1, m);
    assert_true(fabs(m->rows.at[1].value - 1500) < 1e-6);
    assert_true(m->rows.at[1].stddev < 1e-6);
    measurements_free(m);
    campaign_release(&c);
}

/* What happens in most runs is the program's own way, not a disturbance; it is said. */
static void test_always(void **state)
{
    (void)state;
    struct campaign c;
    campaign_init(&c, "p", 8); /* earlier programs saw a width of 8: all of these share their core */
    for (int i = 0; i < 20; i++) {
        struct run_result r = launch(1010);
        r.regions.at[0].minor = 2;
        add(&c, &r);
    }
    assert_int_equal(campaign_missing(&c, &twenty), 0);
    assert_true(campaign_last_shared(&c));
    struct measurements *m = measurements_new();
    campaign_finish(&c, &twenty, 1, m);
    assert_int_equal(m->rows.at[0].runs, 20);
    assert_non_null(strstr(m->conditions.notes[0], "shared in nearly all runs"));
    assert_non_null(strstr(m->conditions.notes[1], "page faults"));
    assert_null(m->conditions.notes[2]);
    measurements_free(m);
    campaign_release(&c);
}

static void test_shape(void **state)
{
    (void)state;
    struct error e = ERROR_INIT;
    struct campaign c;
    campaign_init(&c, "p", 0);
    struct run_result first = launch(1), other = launch(1);
    add(&c, &first);
    free(other.regions.at[0].name);
    other.regions.at[0].name = xstrdup("s");
    assert_int_equal(campaign_add(&c, &other, &e), ERR_INPUT);
    assert_says(&e, "region 'r' was entered in run 1 and not in run 2");
    free(other.events.at[0].name);
    other.events.at[0].name = xstrdup("CPU_CYCLES");
    assert_int_equal(campaign_add(&c, &other, &e), ERR_SYSTEM);
    assert_says(&e, "changed between two runs");
    assert_int_equal(c.launches, 1);
    free(other.events.at[0].name);
    free(other.regions.at[0].name);
    free(other.regions.at[0].outer);
    free(other.regions.at[0].raw);
    vec_release(&other.events);
    vec_release(&other.regions);
    campaign_release(&c);
}

/* ---- how often a program is launched ---- */

static void test_half_width(void **state)
{
    (void)state;
    /* Nothing beyond 1.5 sigma (MAD 2, sigma 2.97): Student's interval of the mean. 1 3 5 5 3 1 4 2: standard deviation
     * 1.60357, t(7, 97.5 %) = 2.36462, so 1.34062 */
    const double plain[] = {1, 3, 5, 5, 3, 1, 4, 2}, same[] = {7, 7, 7};
    assert_true(fabs(half_width_of(plain, 8, 3, 2) - 1.34062) < 1e-3);
    assert_true(half_width_of(same, 3, 7, 0) == 0);
    assert_true(isinf(half_width_of(same, 1, 7, 0)));
    /* Two values, MAD 1, sigma 1.4826: standard error 1, and the series of t(1) gives 9.7106, less than the true 12.7. */
    assert_true(fabs(half_width_of((const double[]){2, 4}, 2, 3, 0) - 9.7106) < 1e-3);
    /* One value moved out of sight changes the width by what its sign counts, not by its distance. */
    const double near[] = {1, 3, 5, 5, 3, 1, 4, 2, 30}, far[] = {1, 3, 5, 5, 3, 1, 4, 2, 3e6};
    assert_true(half_width_of(near, 9, 3.2, 0) == half_width_of(far, 9, 3.2, 0));
}

/* Uniform in (0, 1): splitmix64, the same numbers in every run. */
static double uniform(uint64_t *seed)
{
    uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return ((double)((z ^ z >> 31) >> 11) + 0.5) / 9007199254740992.0;
}
static double normal(uint64_t *seed)
{
    return sqrt(-2 * log(uniform(seed))) * cos(2 * 3.14159265358979323846 * uniform(seed));
}

/* Launches until the goal is reached, as measure.c does; each run is centre + sigma * a normal number, a tenth of them
 * with `tail` more. */
static struct measurement sample_until(const struct goal *g, double centre, double sigma, double tail, uint64_t *seed)
{
    struct campaign c;
    campaign_init(&c, "p", 0);
    size_t wanted = g->precision > 0 ? g->least : g->runs;
    while (wanted && c.launches < 3 * g->runs) {
        for (size_t i = 0; i < wanted; i++) {
            double more = uniform(seed) < 0.1 ? tail : 0;
            struct run_result r = launch(10 + (centre + sigma * normal(seed) + more) / 1.5);
            add(&c, &r);
        }
        wanted = campaign_missing(&c, g);
    }
    struct measurements *m = measurements_new();
    campaign_finish(&c, g, 1, m);
    struct measurement row = m->rows.at[1]; /* its texts go with m */
    row.program = row.region = row.event = NULL;
    measurements_free(m);
    campaign_release(&c);
    return row;
}

/* Normal runs of known centre and spread: the number of runs is what the formula says, never below the least nor above
 * the most; and the interval holds the centre about as often as it says it does. Stopping when it happens to be short
 * costs a few of a hundred (Chow and Robbins prove 95 in the limit). */
static void test_precision(void **state)
{
    (void)state;
    enum { TIMES = 400 };
    const struct goal g = {400, 20, 0.005};
    const struct {
        double sigma, least,
            most; /* share of the centre; mean number of runs: (1.96 sigma / 0.5 %)^2 = 15, 61, 246, 983 */
    } cases[] = {{0.010, 20, 26}, {0.020, 45, 80}, {0.040, 190, 300}, {0.080, 400, 400}};
    uint64_t seed = 1;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        size_t held = 0;
        double runs = 0;
        for (int i = 0; i < TIMES; i++) {
            struct measurement m = sample_until(&g, 1e6, 1e6 * cases[k].sigma, 0, &seed);
            assert_in_range(m.runs, 20, 400);
            if (m.runs < 400)
                assert_true(m.half_width <= 0.005 * m.value);
            held += fabs(m.value - 1e6) <= m.half_width;
            runs += m.runs;
        }
        if (runs / TIMES < cases[k].least || runs / TIMES > cases[k].most)
            fail_msg("sigma %g: %g runs in the mean", cases[k].sigma, runs / TIMES);
        if (held < TIMES * 0.90)
            fail_msg("sigma %g: %zu of %d intervals hold the centre", cases[k].sigma, held, TIMES);
    }
}

/* A tenth of the runs wildly disturbed, unseen by the kernel: they are left out, the rest is as precise as asked for.
 */
static void test_precision_disturbed(void **state)
{
    (void)state;
    const struct goal g = {100, 20, 0.005};
    uint64_t seed = 7;
    for (int i = 0; i < 50; i++) {
        struct measurement m = sample_until(&g, 1e5, 500, 1e5, &seed);
        assert_in_range(m.runs, 20, 100);
        assert_true(m.half_width <= 0.005 * m.value || m.runs == 100);
        assert_true(fabs(m.value - 1e5) < 500);
    }
}

/* A region that takes less than 20 times what measuring it costs (15 cycles here) is launched as often as can be,
 * steady as it may look. Without precision all runs are made. */
static void test_precision_limits(void **state)
{
    (void)state;
    const struct goal g = {100, 20, 0.005}, all = {100, 20, 0}, few = {10, 10, 0.005};
    uint64_t seed = 3;
    assert_int_equal(sample_until(&g, 290, 0.01, 0, &seed).runs, 100);
    assert_in_range(sample_until(&g, 310, 0.01, 0, &seed).runs, 20, 25);
    assert_int_equal(sample_until(&all, 1e5, 10, 0, &seed).runs, 100);
    assert_int_equal(sample_until(&few, 1e5, 1e4, 0, &seed).runs, 10);
    const struct board b = {.runs = 10, .least_runs = 20, .precision = 0.01};
    assert_int_equal(goal_of(&b).least, 10);
}

/* Launches on a shared core are no reason to stop early with what they say; when all launches that were asked for are
 * shared, they must do. */
static void test_precision_shared(void **state)
{
    (void)state;
    const struct goal g = {40, 20, 0.005};
    struct campaign c;
    campaign_init(&c, "p", 8); /* a launch's width is 5 */
    for (int i = 0; i < 20; i++) {
        struct run_result r = launch(1010);
        add(&c, &r);
    }
    assert_int_equal(campaign_missing(&c, &g), 20);
    for (int i = 0; i < 20; i++) {
        struct run_result r = launch(1010);
        add(&c, &r);
    }
    assert_int_equal(campaign_missing(&c, &g), 0);
    assert_true(c.regions.at[0].always_shared);
    campaign_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_centre),
        cmocka_unit_test(test_huber),
        cmocka_unit_test(test_outlier_limit),
        cmocka_unit_test(test_causes),
        cmocka_unit_test(test_clock_drift),
        cmocka_unit_test(test_always),
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_half_width),
        cmocka_unit_test(test_precision),
        cmocka_unit_test(test_precision_disturbed),
        cmocka_unit_test(test_precision_limits),
        cmocka_unit_test(test_precision_shared),
    };
    fixture_open();
    return fixture_close(cmocka_run_group_tests(tests, NULL, NULL));
}
