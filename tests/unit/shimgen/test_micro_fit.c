/* test_micro_fit.c - tests of shimgen/probes/micro_fit.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "shimgen/probes/micro_fit.h"

#define NEAR(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static void a_line_is_found_exactly(void **state)
{
    (void)state;
    const struct micro_point p[] = {{0, 7, 0, 1}, {8, 31, 0, 1}, {16, 55, 0, 1}, {32, 103, 0, 1}};
    struct micro_slope s;
    assert_true(micro_fit(&s, p, 4));
    NEAR(s.value, 3, 1e-9);
    NEAR(s.loop, 7, 1e-9);
    NEAR(s.scatter, 0, 1e-9);
    NEAR(s.hidden, 0, 1e-9);
    assert_int_equal(s.points, 3);
    assert_true(s.low < 3 && s.high > 3); /* nothing is known better than the floor says */
    NEAR(s.high - s.low, 0, 0.05);
}

/* An out-of-order core: the loop's own 2 cycles run beside the copies, so the loop without copies is not on the line.
 */
static void a_hidden_loop_does_not_bend_the_slope(void **state)
{
    (void)state;
    const struct micro_point p[] = {{0, 2, 0, 1}, {8, 8, 0, 1}, {16, 16, 0, 1}, {32, 32, 0, 1}};
    struct micro_slope s;
    assert_true(micro_fit(&s, p, 4));
    NEAR(s.value, 1, 1e-9);
    NEAR(s.loop, 0, 1e-9);
    NEAR(s.hidden, -2, 1e-9);
}

static void points_off_the_line_widen_the_interval(void **state)
{
    (void)state;
    const struct micro_point p[] = {{8, 10, 0, 1}, {16, 14, 0, 1}, {32, 36, 0, 1}};
    struct micro_slope s;
    assert_true(micro_fit(&s, p, 3));
    /* By hand, equal weights: mean 18 2/3, 20; sum of squares 298 2/3, products 336: slope 1.125; residuals
       2, -3, 1: sum of squares 14, one degree of freedom: error sqrt(14 / 298.67) = 0.2165; t = 6.314. */
    NEAR(s.value, 1.125, 1e-9);
    NEAR(s.high - s.value, 0.2165 * 6.314, 1e-3);
    NEAR(s.value - s.low, 0.2165 * 6.314, 1e-3);
    NEAR(s.scatter, sqrt(14.0 / 3), 1e-9);
}

/* The more runs, and the less they spread, the more a point counts. */
static void points_count_by_their_spread(void **state)
{
    (void)state;
    const struct micro_point p[] = {{8, 8, 0.1, 100}, {16, 16, 0.1, 100}, {32, 44, 40, 4}};
    struct micro_slope s;
    assert_true(micro_fit(&s, p, 3));
    NEAR(s.value, 1, 0.05);
    /* Alone, of 8 and 16: error sqrt(2) * sqrt(0.01^2 + 0.064^2) / 8 */
    NEAR(s.high - s.value, 1.645 * sqrt(2) * 0.0648 / 8, 0.01);
}

static void two_points_make_a_line(void **state)
{
    (void)state;
    const struct micro_point p[] = {{0, 4, 0.5, 25}, {16, 20, 0.5, 25}};
    struct micro_slope s;
    assert_true(micro_fit(&s, p, 2));
    NEAR(s.value, 1, 1e-9);
    NEAR(s.loop, 4, 1e-9);
    NEAR(s.high - s.value, 1.645 * sqrt(2 * (0.01 + 0.0004)) / 16, 1e-6);
}

static void what_is_no_line_is_refused(void **state)
{
    (void)state;
    struct micro_slope s;
    assert_false(micro_fit(&s, 0, 0));
    assert_false(micro_fit(&s, &(struct micro_point){8, 10, 0, 1}, 1));
    assert_false(micro_fit(&s, (struct micro_point[]){{8, 10, 0, 1}, {8, 11, 0, 1}}, 2));
    assert_false(micro_fit(&s, (struct micro_point[]){{0, NAN, 0, 1}, {8, 11, 0, 1}}, 2));
    assert_false(micro_fit(&s, (struct micro_point[]){{0, 1, INFINITY, 1}, {8, 11, 0, 1}}, 2));
    assert_false(micro_fit(&s, (struct micro_point[]){{0, 1, -1, 1}, {8, 11, 0, 1}}, 2));
}

static void nothing_at_all_costs_nothing(void **state)
{
    (void)state;
    const struct micro_point p[] = {{0, 0, 0, 1}, {8, 0, 0, 1}, {16, 0, 0, 1}, {32, 0, 0, 1}};
    struct micro_slope s;
    assert_true(micro_fit(&s, p, 4));
    NEAR(s.value, 0, 1e-12);
    assert_true(isfinite(s.low) && isfinite(s.high));
}

/* ---- the interval covers the truth as often as it says ---- */

static uint64_t random_state;
static double uniform(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(random_state >> 11) + 0.5) / 9007199254740992.0;
}
static double normal(void)
{
    return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

/* `sigma`: of a centre; `known`: the points say so. How many of `tries` intervals cover the slope. */
static double coverage(double sigma, bool known, int tries)
{
    static const double copies[] = {0, 8, 16, 24, 32};
    int covered = 0;
    for (int t = 0; t < tries; t++) {
        struct micro_point p[5];
        for (int i = 0; i < 5; i++)
            p[i] = (struct micro_point){copies[i], 5 + 4 * copies[i] + sigma * normal(), known ? 3 * sigma : 0, 9};
        struct micro_slope s;
        assert_true(micro_fit(&s, p, 5));
        covered += s.low <= 4 && 4 <= s.high;
    }
    return (double)covered / tries;
}

static void the_interval_is_what_it_says(void **state)
{
    (void)state;
    random_state = 20240607;
    /* 4000 tries: a standard deviation of 0.5 % */
    double unknown = coverage(2, false, 4000), known = coverage(2, true, 4000);
    NEAR(unknown, MICRO_LEVEL, 0.02);
    assert_true(known > MICRO_LEVEL - 0.02 && known < 0.97); /* distances beyond the spread widen it further */
}

static void t_is_that_of_the_tables(void **state)
{
    (void)state;
    NEAR(micro_t(1), 6.314, 1e-9);
    NEAR(micro_t(5), 2.015, 1e-9);
    NEAR(micro_t(20), 1.725, 0.001);
    NEAR(micro_t(100), 1.660, 0.002);
    NEAR(micro_t(0), 1.645, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_found_exactly),
        cmocka_unit_test(a_hidden_loop_does_not_bend_the_slope),
        cmocka_unit_test(points_off_the_line_widen_the_interval),
        cmocka_unit_test(points_count_by_their_spread),
        cmocka_unit_test(two_points_make_a_line),
        cmocka_unit_test(what_is_no_line_is_refused),
        cmocka_unit_test(nothing_at_all_costs_nothing),
        cmocka_unit_test(the_interval_is_what_it_says),
        cmocka_unit_test(t_is_that_of_the_tables),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
