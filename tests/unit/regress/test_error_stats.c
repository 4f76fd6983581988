/* test_error_stats.c - tests of quantiles and summaries of errors. */
#include "tests/unit/regress/support.h"
#include "base/random.h"
#include "regress/solve/error_stats.h"

static void takes_quantiles_between_values(void **state)
{
    (void)state;
    const double v[] = {10, 20, 30, 40, 50};
    assert_true(stats_quantile(v, 5, 0) == 10);
    assert_true(stats_quantile(v, 5, 0.5) == 30);
    near(stats_quantile(v, 5, 0.05), 12, 1e-12); /* position 0.2 of 0 .. 4 */
    near(stats_quantile(v, 5, 0.95), 48, 1e-12);
    assert_true(stats_quantile(v, 5, 1) == 50);
    assert_true(stats_quantile(v, 1, 0.3) == 10);
}

/* Of 1, 2 and 5, whatever stood in the memory that is lent; of four the mean of the two in the middle. */
static void sizes_have_no_sign(void **state)
{
    (void)state;
    static const double three[] = {-5, 1, -2}, four[] = {4, -1, 3, -8};
    double scratch[4] = {99, 99, 99, 99};
    assert_true(stats_median_size(three, 3, scratch) == 2);
    assert_true(stats_median_size(four, 4, scratch) == 3.5);
}

static void sums_up_errors(void **state)
{
    (void)state;
    const double errors[] = {0.1, -0.5, NAN, 0.2, 0.4};
    char *labels[] = {"a", "b", "c", "d", "e"};
    double scratch[5];
    struct regress_errors r = stats_errors(errors, labels, 5, scratch);
    assert_int_equal(r.n, 4);
    near(r.mean, 0.05, 1e-12);
    near(r.mean_abs, 0.3, 1e-12);
    near(r.median_abs, 0.3, 1e-12); /* between 0.2 and 0.4 */
    assert_true(r.worst == -0.5);
    assert_string_equal(r.worst_of, "b");
    r = stats_errors(errors + 2, labels, 1, scratch);
    assert_int_equal(r.n, 0);
    assert_true(isnan(r.mean) && r.worst_of == 0);
}

/* First numbers of SplitMix64 from 1234567, as its authors' C code gives them. */
static void draws_the_published_sequence(void **state)
{
    (void)state;
    struct random r = random_start(1234567);
    assert_true(random_next(&r) == UINT64_C(6457827717110365317));
    assert_true(random_next(&r) == UINT64_C(3203168211198807973));
    size_t order[50], sum = 0;
    random_order(&r, order, 50);
    for (size_t i = 0; i < 50; i++)
        sum += order[i] * order[i];
    assert_int_equal(sum, 49 * 50 * 99 / 6); /* each of 0 .. 49 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_quantiles_between_values),
        cmocka_unit_test(sizes_have_no_sign),
        cmocka_unit_test(sums_up_errors),
        cmocka_unit_test(draws_the_published_sequence),
    };
    return cmocka_run_group_tests(tests, 0, 0);
}
