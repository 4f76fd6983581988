/* Axes: sane ends, sane ticks, values where they belong. Expected places by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "shimgen/page/svg.h"

static void expect_ends(struct scale s, double lo, double hi)
{
    assert_float_equal(s.lo / lo, 1, 1e-9);
    assert_float_equal(s.hi / hi, 1, 1e-9);
}

static void logarithmic_ends_are_one_two_five(void **state)
{
    (void)state;
    expect_ends(scale_log(56, 24020598, false), 50, 5e7);
    expect_ends(scale_log(1000, 1e8, false), 1000, 1e8); /* sane already */
    expect_ends(scale_log(0.013, 0.9, false), 0.01, 1);
    struct scale narrow = scale_log(100, 100, false); /* at least a factor of ten */
    assert_true(narrow.lo <= 100 && narrow.hi >= 100 && narrow.hi / narrow.lo >= 9.99);
    struct scale nothing = scale_log(INFINITY, -INFINITY, false);
    assert_true(nothing.lo > 0 && nothing.hi > nothing.lo && isfinite(nothing.hi));
}

static void linear_ends_are_steps(void **state)
{
    (void)state;
    struct scale s = scale_linear(0, 47.3);
    assert_float_equal(s.lo, 0, 0);
    assert_float_equal(s.hi, 50, 1e-9);
    s = scale_linear(-2.3, 4.2);
    assert_true(s.lo <= -2.3 && s.lo >= -3 && s.hi >= 4.2 && s.hi <= 5);
    s = scale_linear(3, 3);
    assert_true(s.lo < 3 && s.hi > 3);
    s = scale_linear(1, -1);
    assert_true(s.lo < s.hi);
}

static void values_have_their_places(void **state)
{
    (void)state;
    struct scale s = {.log = true, .lo = 1, .hi = 10000};
    assert_float_equal(scale_at(&s, 100), 0.5, 1e-12);
    assert_float_equal(scale_at(&s, 0.1), 0, 0);
    assert_float_equal(scale_at(&s, 1e9), 1, 0);
    assert_float_equal(scale_at(&s, -3), 0, 0);
    assert_true(scale_holds(&s, 1) && scale_holds(&s, 10000));
    assert_false(scale_holds(&s, 0.9) || scale_holds(&s, 10001) || scale_holds(&s, 0));
    struct scale slot = {.log = true, .zero_slot = true, .lo = 1, .hi = 100};
    assert_float_equal(scale_at(&slot, 0), 0, 0);
    assert_true(scale_at(&slot, 1) > 0.03); /* apart from zero */
    assert_float_equal(scale_at(&slot, 100), 1, 1e-12);
    assert_true(scale_holds(&slot, 0));
    struct scale linear = {.lo = -0.5, .hi = 0.5};
    assert_float_equal(scale_at(&linear, 0), 0.5, 1e-12);
    assert_float_equal(scale_at(&linear, 3.4), 1, 0);
    assert_false(scale_holds(&linear, 3.4));
}

static size_t labelled(const struct tick *ticks, size_t n)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        k += ticks[i].labelled;
    return k;
}

static void expect_ascending(const struct scale *s, const struct tick *ticks, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        assert_true(scale_holds(s, ticks[i].value));
        if (i)
            assert_true(ticks[i].value > ticks[i - 1].value);
    }
}

static void ticks_are_few_and_on_the_axis(void **state)
{
    (void)state;
    struct tick ticks[TICKS_MAX];
    for (double decades = 1; decades <= 40; decades++)
        for (int wanted = 3; wanted <= 9; wanted++) {
            struct scale s = {.log = true, .lo = 0.01, .hi = 0.01 * pow(10, decades)};
            size_t n = scale_ticks(&s, wanted, ticks);
            expect_ascending(&s, ticks, n);
            assert_in_range(labelled(ticks, n), 2, wanted + 2);
        }
    for (double hi = 0.013; hi < 1e6; hi *= 1.37) {
        struct scale s = scale_linear(-hi / 3, hi);
        size_t n = scale_ticks(&s, 6, ticks);
        expect_ascending(&s, ticks, n);
        assert_in_range(labelled(ticks, n), 3, 9);
    }
}

static void a_decade_is_labelled_where_people_look(void **state)
{
    (void)state;
    struct scale s = {.log = true, .lo = 1000, .hi = 1e8};
    struct tick ticks[TICKS_MAX];
    size_t n = scale_ticks(&s, 7, ticks), k = 0;
    const double wanted[] = {1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
    for (size_t i = 0; i < n; i++)
        if (ticks[i].labelled) {
            assert_true(k < sizeof wanted / sizeof *wanted);
            assert_float_equal(ticks[i].value / wanted[k], 1, 1e-12);
            k++;
        }
    assert_int_equal(k, 6);
}

static void marks_say_where_they_are(void **state)
{
    (void)state;
    struct plot p = {.x = {.log = true, .lo = 1, .hi = 100}, .y = {.lo = -1, .hi = 1}};
    struct str s = STR_INIT;
    plot_mark(&s, &p, MARK_TEST, 10, 0.5, "a <b>");
    assert_string_equal(str_text(&s), "<g class=\"mark test\"><title>a &lt;b&gt;</title><use href=\"#mark-test\" "
                                      "x=\"50%\" y=\"25%\"/></g>\n");
    str_clear(&s);
    plot_mark(&s, &p, MARK_HELDOUT, 10, 7, "");
    assert_string_equal(str_text(&s), "<g class=\"mark heldout\"><title></title><use href=\"#mark-above\" "
                                      "x=\"50%\" y=\"0%\"/></g>\n");
    str_clear(&s);
    plot_mark(&s, &p, MARK_HELDOUT, 10, NAN, "nothing is drawn for what is not known");
    assert_int_equal(s.len, 0);
    str_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithmic_ends_are_one_two_five),
        cmocka_unit_test(linear_ends_are_steps),
        cmocka_unit_test(values_have_their_places),
        cmocka_unit_test(ticks_are_few_and_on_the_axis),
        cmocka_unit_test(a_decade_is_labelled_where_people_look),
        cmocka_unit_test(marks_say_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
