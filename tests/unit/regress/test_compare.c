/* test_compare.c - tests of regress_compare. */
#include "support.h"

#include "base/random.h"
#include "base/str.h"
#include "regress/solve/error_stats.h"

/* By hand: differences 0.1, 0.3 in one group and -0.1 in the other: mean 0.1; a draw of two groups of the two is
 * (0.4 + 0.4) / 4, (0.4 - 0.1) / 3 or (-0.1 - 0.1) / 2, with chances 1/4, 1/2, 1/4. */
static void draws_groups(void **state)
{
    (void)state;
    const double first[] = {-0.2, 0.1, 0.4, NAN}, second[] = {0.3, -0.4, 0.3, 0.1};
    const size_t group[] = {0, 0, 1, 1};
    struct regress_difference d = stats_compare(first, second, group, 4, 2, 1);
    assert_int_equal(d.rows, 3);
    assert_int_equal(d.groups, 2);
    near(d.first, 0.7 / 3, 1e-15);
    near(d.second, 1.0 / 3, 1e-15);
    near(d.difference, 0.1, 1e-15);
    near(d.low, -0.1, 1e-15);
    near(d.high, 0.2, 1e-15);
    struct regress_difference one = stats_compare(first, second, group, 2, 1, 1);
    assert_true(isnan(one.low) && isnan(one.high));
}

/* Where both sides are alike but for noise, the 95 % interval leaves 0 out in one case of twenty. */
static void has_the_level_it_says(void **state)
{
    (void)state;
    struct random r = random_start(8);
    size_t outside = 0;
    for (int round = 0; round < 400; round++) {
        double first[40], second[40];
        size_t group[40];
        for (size_t i = 0; i < 40; i++) {
            first[i] = (double)random_below(&r, 1000) / 1000;
            second[i] = (double)random_below(&r, 1000) / 1000;
            group[i] = i;
        }
        struct regress_difference d = stats_compare(first, second, group, 40, 40, (uint64_t)round);
        outside += d.low > 0 || d.high < 0;
    }
    assert_in_range(outside, 10, 40); /* 20 expected; standard deviation 4.4, and percentiles are a little narrow */
}

static enum status compare(const char *first, const char *line, const char *second, struct regress_difference *d,
                           struct error *e)
{
    char *a = file_of("a.csv", first), *b = file_of("b.csv", second);
    enum status s = regress_compare(d, a, line, b, 0, 1, e);
    free(a);
    free(b);
    return s;
}

static void pairs_rows_by_name(void **state)
{
    (void)state;
    struct regress_difference d;
    struct error e = ERROR_INIT;
    must(compare("program,region,predicted,measured\na@O0,r,11,10\na@O2,r,30,20\nb,,1,1\nc,,5,\n", 0,
                 "predicted,measured,program,region\n1.5,1,b,\n10,10,a@O0,r\n7,7,z,\n", &d, &e),
         &e);
    assert_int_equal(d.rows, 2);
    assert_int_equal(d.groups, 2);
    assert_int_equal(d.only_one, 3);
    near(d.first, 0.05, 1e-15);
    near(d.second, 0.25, 1e-15);
    regress_difference_release(&d);

    static const char two[] = "classes,solver,program,predicted,measured\nx,ols,a,1,1\nx,nnls,a,2,1\n";
    static const char one[] = "program,predicted,measured\na,3,1\n";
    must(compare(two, "x/nnls", one, &d, &e), &e);
    near(d.difference, 1, 1e-15);
    assert_string_equal(d.first_name, "x/nnls");
    regress_difference_release(&d);
    refused(compare(two, 0, one, &d, &e), ERR_INPUT, &e, 0, "several lines, name one: x/ols, x/nnls");
    refused(compare(two, "y/ols", one, &d, &e), ERR_INPUT, &e, 0, "no line 'y/ols'");
    refused(compare(one, 0, "program,predicted,measured\na,3,2\n", &d, &e), ERR_INPUT, &e, 2,
            "measured is 2 here and 1");
    refused(compare(one, 0, "program,predicted,measured\nb,3,2\n", &d, &e), ERR_INPUT, &e, 0, "no program is measured");
    refused(compare(one, 0, "program,predicted,measured\n", &d, &e), ERR_INPUT, &e, 0, "no rows");
    refused(compare(one, 0, "program,measured\na,1\n", &d, &e), ERR_INPUT, &e, 1, "predicted");
    refused(compare("program,predicted,measured\na,3,1\na,3,1\n", 0, one, &d, &e), ERR_INPUT, &e, 3, "a second time");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_groups),
        cmocka_unit_test(has_the_level_it_says),
        cmocka_unit_test(pairs_rows_by_name),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
