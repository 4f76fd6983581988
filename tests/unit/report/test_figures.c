/* Numbers as they stand on the page; expected texts by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "shimgen/report/derived.h"
#include "shimgen/page/figures.h"

#define MINUS "\xe2\x88\x92"

typedef void figure(struct str *out, double value);

static void expect(figure *show, double value, const char *text)
{
    struct str s = STR_INIT;
    show(&s, value);
    assert_string_equal(str_text(&s), text);
    str_release(&s);
}

static void counts_are_grouped(void **state)
{
    (void)state;
    expect(figure_count, 0, "0");
    expect(figure_count, 864, "864");
    expect(figure_count, 1677, "1" THIN "677");
    expect(figure_count, 15036946, "15" THIN "036" THIN "946");
    expect(figure_count, 123456.5, "123" THIN "456"); /* ties to even, as printf rounds */
    expect(figure_count, -1234, MINUS "1" THIN "234");
}

static void values_keep_three_digits(void **state)
{
    (void)state;
    expect(figure_value, 0, "0");
    expect(figure_value, 0.53, "0.530");
    expect(figure_value, 0.00049, "0.000");
    expect(figure_value, 1.2, "1.20");
    expect(figure_value, 18.749, "18.7");
    expect(figure_value, 99.97, "100");
    expect(figure_value, 3493.62, "3" THIN "494");
    expect(figure_value, -2.31523, MINUS "2.32");
}

static void errors_carry_their_sign(void **state)
{
    (void)state;
    expect(figure_error, 0.083, "+8.3" THIN "%");
    expect(figure_error, -0.738, MINUS "73.8" THIN "%");
    expect(figure_error, -0.0001, "0.0" THIN "%"); /* no sign without a digit */
    expect(figure_error, 18.942, "+1" THIN "894.2" THIN "%");
    expect(figure_error, 2210, "+221" THIN "000" THIN "%");
    expect(figure_percent, 0.083, "8.3" THIN "%");
    expect(figure_share, 0.414, "41" THIN "%");
    expect(figure_share, 0.004, "0.4" THIN "%");
    expect(figure_share, 0, "0" THIN "%");
}

static void the_unknown_is_said(void **state)
{
    (void)state;
    figure *const all[] = {figure_count, figure_value, figure_percent,       figure_error,      figure_share,
                           figure_hertz, figure_short, figure_short_percent, figure_short_error};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        expect(all[i], NAN, FIGURE_UNKNOWN);
        expect(all[i], INFINITY, FIGURE_UNKNOWN);
    }
}

static void units_are_the_largest_that_fit(void **state)
{
    (void)state;
    expect(figure_hertz, 1.4e9, "1.4" THIN "GHz");
    expect(figure_hertz, 19.2e6, "19.2" THIN "MHz");
    expect(figure_short, 0.1, "0.1");
    expect(figure_short, 5000, "5" THIN "k");
    expect(figure_short, 1e7, "10" THIN "M");
    expect(figure_short_percent, 0.05, "5" THIN "%");
    expect(figure_short_error, 0.2, "+20" THIN "%");
    expect(figure_short_error, 0, "0" THIN "%");
    struct str s = STR_INIT;
    figure_bytes(&s, 32768);
    str_addch(&s, ' ');
    figure_bytes(&s, 1536ull << 20);
    str_addch(&s, ' ');
    figure_bytes(&s, 1000ull << 20);
    str_addch(&s, ' ');
    figure_bytes(&s, 0);
    assert_string_equal(str_text(&s), "32" THIN "KiB 1.5" THIN "GiB 1000" THIN "MiB " FIGURE_UNKNOWN);
    str_release(&s);
}

static void quantiles_interpolate(void **state)
{
    (void)state;
    double values[] = {4, 1, 3, 2};
    assert_float_equal(quantile(values, 4, 0.5), 2.5, 1e-12);
    assert_float_equal(quantile(values, 4, 0), 1, 0);
    assert_float_equal(quantile(values, 4, 1), 4, 0);
    assert_true(isnan(quantile(values, 0, 0.5)));
}

static double key_at(const void *data, size_t i)
{
    return ((const double *)data)[i];
}

static void the_unknown_is_ordered_last(void **state)
{
    (void)state;
    const double keys[] = {1, NAN, 3, 1, -2};
    const size_t wanted[] = {2, 0, 3, 4, 1};
    size_t *order = order_descending(5, key_at, keys);
    assert_memory_equal(order, wanted, sizeof wanted);
    free(order);
}

static void errors_need_both_sides(void **state)
{
    (void)state;
    assert_float_equal(relative_error(110, 100), 0.1, 1e-12);
    assert_float_equal(relative_error(0, 100), -1, 1e-12);
    assert_true(isnan(relative_error(110, NAN)));
    assert_true(isnan(relative_error(NAN, 100)));
    assert_true(isnan(relative_error(1, 0)));
    struct report_program p = REPORT_PROGRAM_INIT;
    p.measured = 100;
    p.predicted = 105;
    assert_true(isnan(heldout_error(&p))); /* a training program's own fit is no held-out prediction */
    assert_float_equal(training_error(&p), 0.05, 1e-12);
    p.role = REPORT_TEST;
    assert_float_equal(heldout_error(&p), 0.05, 1e-12);
    assert_true(isnan(training_error(&p)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_grouped),
        cmocka_unit_test(values_keep_three_digits),
        cmocka_unit_test(errors_carry_their_sign),
        cmocka_unit_test(the_unknown_is_said),
        cmocka_unit_test(units_are_the_largest_that_fit),
        cmocka_unit_test(quantiles_interpolate),
        cmocka_unit_test(the_unknown_is_ordered_last),
        cmocka_unit_test(errors_need_both_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
